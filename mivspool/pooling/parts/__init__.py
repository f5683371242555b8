"""What methods and scores share: Top-k, hops, directions, measures, memory."""

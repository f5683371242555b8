"""What the formats share: decoding, cells, building a graph, limits."""

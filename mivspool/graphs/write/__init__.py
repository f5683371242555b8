"""Writing graphs, one file a format; ``mivspool.graphs.export`` is the way in."""

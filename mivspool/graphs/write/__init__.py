"""Writing graphs, one file per format; ``mivspool.graphs.export`` is the way in."""

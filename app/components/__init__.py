"""What several pages show of a graph, each a Python face with its assets."""

"""Compare: what several pooling methods made of one graph, in words, numbers and panels."""

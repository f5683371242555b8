"""Classify: what is said of an answer, a model and a network."""

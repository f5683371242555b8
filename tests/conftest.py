"""What holds for every test."""

from hypothesis import settings

# the first example of a test may compile: a time limit for each example would fail on that
settings.register_profile("mivspool", deadline=None)
settings.load_profile("mivspool")

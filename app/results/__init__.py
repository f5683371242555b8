"""The Results page."""

TITLE = "Results"
PLACE = 6

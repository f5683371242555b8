"""The Classify page."""

TITLE = "Classify"
PLACE = 4

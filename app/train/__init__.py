"""The Train page."""

TITLE = "Train"
PLACE = 5

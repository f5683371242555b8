"""The Compare page."""

TITLE = "Compare"
PLACE = 3

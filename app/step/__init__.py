"""The Step page."""

TITLE = "Step"
PLACE = 2

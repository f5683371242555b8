"""The About page."""

TITLE = "About"
PLACE = 7

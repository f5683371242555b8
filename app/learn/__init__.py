"""The Learn page."""

TITLE = "Learn"
PLACE = 1

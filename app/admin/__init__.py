"""The page of whoever administers the backend, which the menu does not list."""

TITLE = "Administration"
PLACE = 8
HIDDEN = True

"""The words of Learn that are the app's own; what it tells lies with the lecture (mivspool/lecture/chapters.py)."""

from __future__ import annotations

PAGE_LEARN = "Learn"
OPEN_IN_STEP = "Open in Step"
OPEN_IN_COMPARE = "Open in Compare"
OPEN_CLASSIFY = "See the network in Classify"

"""The words of the Learn page that are the app's own; what it teaches stands with the lecture (mivspool/lecture)."""

from __future__ import annotations

OPEN_IN_STEP = "Open in Step"
OPEN_IN_COMPARE = "Open in Compare"
FIGURE = "Figure 1 with a graph in it: choose a block to open it in Classify"
FIGURE_ABOUT = "{graph} in `{model}`: your graph of the other pages where a model takes it, else a molecule."

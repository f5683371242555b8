"""The words of the Learn page that are the app's own; what it teaches stands with the lecture (mivspool/lecture)."""

from __future__ import annotations

OPEN_IN_STEP = "Open in Step"
OPEN_IN_COMPARE = "Open in Compare"
FIGURE = "Figure 1 of the paper for an example graph: select a block to open it in Classify"
FIGURE_ABOUT = (
    "{graph} in `{model}`: your current graph if the model accepts it, otherwise an example molecule."
)

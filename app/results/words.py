"""The words of the Results page."""

from __future__ import annotations

VIEWS = {
    "4": "Methods · Table 4",
    "2": "Scores · Table 2",
    "3": "Iterations · Table 3",
    "1": "Data sets · Table 1",
    "claims": "The paper's claims",
    "curves": "Learning curves",
    "evaluations": "All evaluations",
}
EVALUATIONS_ABOUT = (
    "Every finished evaluation: the published ones, those of `mivspool evaluate`, and those of jobs on the Train page. "
    "The other tables show the paper's data sets and its reference configuration alone."
)
EVALUATIONS_NONE = "No evaluation has finished yet."
EVALUATION_COLUMNS = {
    "dataset": "data set",
    "method": "method",
    "score": "score",
    "mean": "test accuracy (%)",
    "std": "± over repeats",
    "folds": "folds",
    "repeats": "repeats",
    "search": "hyperparameter search",
    "settings": "changed settings",
    "source": "source",
}
EVALUATION_SOURCES = {"results": "results folder", "job": "job"}
SEARCH = "yes"
NO_SEARCH = "no"
NO_RUNS = "no runs"
BEHIND = "{folds} folds × {repeats}"
GRID = "grid"
NO_GRID = "no grid"
POOLING = "Pooling {n}"
STATISTICS = {"graphs": "Graphs", "classes": "Classes", "vertices": "Vertices", "edges": "Edges"}
LEGEND = "**Bold**: best of the paper's methods, underlined: second, among what was measured and in the paper each."
NOTES = "How to read this"
DOWNLOADS = {"csv": "CSV", "markdown": "Markdown", "latex": "LaTeX"}
COUNTING = "Counting the iterations of every graph once (kept afterwards)…"
POINTS_TITLE = "{dataset}: every run's test accuracy"
POINTS_NONE = "No runs on {dataset} yet; only the paper's values are drawn."
COMPARED = "MIVSPool against each of the others, on the folds they share"
COMPARED_NONE = "There are not enough runs on shared folds to compare anything on {dataset}."
COMPARED_HELP = (
    "A paired test that allows for folds sharing their training graphs (Nadeau and Bengio 2003). "
    "“Within the noise” means that these runs cannot tell the two apart; it does not mean that they are equal."
)
VERDICTS = {
    "holds": ("✓", "holds in these runs"),
    "noise": ("≈", "within the noise"),
    "fails": ("✗", "does not hold in these runs"),
    "mixed": ("±", "not the same everywhere"),
    "open": ("–", "no runs to tell"),
}
CLAIMS_INTRO = "Each claim with what the runs here say of it, data set by data set."
CURVES_NONE = "No run has kept its learning curve yet."
CURVE_METHOD = "Method"
CURVE_RUN = "Run"
CURVE_GONE = "The file of this run's learning curve is not here."
CURVE_TITLE = "Stopped after epoch {epochs}; tested with the weights of epoch {best}: {accuracy:.1f} %"

"""The words of the Results page."""

from __future__ import annotations

VIEWS = {
    "4": "Methods · Table 4",
    "2": "Scores · Table 2",
    "3": "Iterations · Table 3",
    "1": "Data sets · Table 1",
    "recommended": "Recommended network",
    "claims": "The paper's claims",
    "curves": "Learning curves",
    "evaluations": "All evaluations",
}
EVALUATIONS_ABOUT = (
    "Every finished evaluation: the published ones, those of `mivspool evaluate`, and those of jobs on the Train page. "
    "The other tables show only the paper's data sets and its reference configuration."
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
BEHIND = "{folds} {folds?fold|folds} × {repeats}"
DIGESTS = "digests of numbers: {digests}"
GRID = "hyperparameter search"
NO_GRID = "no hyperparameter search"
POOLING = "Pooling {n}"
STATISTICS = {"graphs": "Graphs", "classes": "Classes", "vertices": "Vertices", "edges": "Edges"}
LEGEND = (
    "**Bold** marks the best of the paper's methods and underlining the second best, separately for the values "
    "measured here and for those of the paper."
)
NOTES = "How to read this table"
DOWNLOADS = {"csv": "CSV", "markdown": "Markdown", "latex": "LaTeX"}
COUNTING = "Counting the iterations of every graph (once, then cached)…"
POINTS_TITLE = "{dataset}: every run's test accuracy"
POINTS_NONE = "No runs on {dataset} yet; only the paper's values are shown."
COMPARED = "MIVSPool compared with each other method, on shared folds"
COMPARED_NONE = "There are not enough runs on shared folds to compare methods on {dataset}."
COMPARED_HELP = (
    "A paired test that corrects for folds sharing their training graphs (Nadeau and Bengio 2003). "
    "“No significant difference” means that these runs cannot distinguish the two methods, not that they are equal."
)
VERDICTS = {
    "holds": ("✓", "not contradicted"),
    "noise": ("≈", "no significant difference"),
    "fails": ("✗", "contradicted"),
    "mixed": ("±", "mixed"),
    "open": ("–", "no runs yet"),
}
SIGNS = {"reached": "✓", "failed": "✗", "open": "○"}
RECOMMENDED = (
    "One network for all four data sets, chosen by validation loss alone among twelve that were written down before "
    "their first run, and its twins: the same layers with another pooling, with none, and without edges."
)
NEW_FOLDS = "Test folds that nothing was chosen by"
SEEN_FOLDS = "Repeat 0, apart: its test folds suggested what to try"
PLANNED = "{there} of {due} {due?fold|folds}"
AIMS = "The aims, as written down before the first run"
PAIRS = "Every pair"
PAIRS_HELP = (
    "Accuracy of the first method minus that of the second on the folds that both have, in percentage points. The test "
    "corrects for folds sharing their training graphs (Nadeau and Bengio 2003), p for the number of tests (Holm 1979); "
    "the interval is that of one test alone."
)
PAIR_COLUMNS = {
    "dataset": "data set",
    "first": "first",
    "second": "second",
    "difference": "difference",
    "low": "95 % from",
    "high": "to",
    "folds": "folds",
    "p": "p alone",
    "corrected": "p (Holm)",
    "tests": "tests",
}
PAIRS_NONE = "No two methods share two folds yet."
CLAIMS_INTRO = "Each claim of the paper, with the evidence of the runs here for each data set."
CURVES_NONE = "No learning curves are available yet."
CURVE_METHOD = "Method"
CURVE_RUN = "Run"
CURVE_GONE = "The learning curve of this run is not available."
CURVE_TITLE = "Stopped after epoch {epochs}; tested with the weights of epoch {best}: {accuracy:.1f} %"

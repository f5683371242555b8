"""Laws of all pages, read from their source: every chart has its numbers as a table, every error is a sentence."""

from __future__ import annotations

import ast
from pathlib import Path

import app

FOLDER = Path(app.__file__).parent
CALLS = [
    (path.relative_to(FOLDER).as_posix(), node)
    for path in sorted(FOLDER.rglob("*.py"))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    if isinstance(node, ast.Call)
]
# where the table of a chart stands that has one of its own on the page
BESIDE = {
    "components/assignment.py": "the tab beside it",
    "classify/many.py": "the graphs, each with its probability, beside it",
    "ui/run_plots.py": "below both curves",
    "compare/page.py": "below it, with all measures",
    "results/page.py": "below it, run by run",
}


def test_charts_are_shown_in_one_way() -> None:
    drawing = {
        "plotly_chart",
        "line_chart",
        "bar_chart",
        "area_chart",
        "scatter_chart",
        "altair_chart",
        "pyplot",
    }
    drawing |= {"vega_lite_chart", "graphviz_chart", "pydeck_chart", "map", "bokeh_chart"}
    found = {
        where
        for where, call in CALLS
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "st"
        and call.func.attr in drawing
    }
    assert found == {"ui/charts.py"}


def test_each_chart_has_words_and_a_table() -> None:
    beside = set()
    shown = 0
    for where, call in CALLS:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        given = [ast.unparse(argument) for argument in call.args]
        if (
            name != "show"
            or not given
            or ("figure" not in given[0] and "plots." not in given[0] and "curve(" not in given[0])
        ):
            continue
        if where in {"network_figure.py", "views/learn.py", "views/classify.py"}:  # Figure 1 is no chart
            continue
        shown += 1
        assert len(given) == 4, f"{where}: figure, key, words and table"
        if given[3].endswith("BESIDE"):
            beside.add(where)
    assert shown >= 8
    assert beside == set(BESIDE), "say here where the table stands"


def test_an_error_on_a_page_is_a_sentence() -> None:
    said = {"warning", "error", "info", "toast", "caption", "markdown"}
    bare = [
        where
        for where, call in CALLS
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in said
        and "error.message" in ast.unparse(call)
        and "sentence(" not in ast.unparse(call)
    ]
    assert bare == []

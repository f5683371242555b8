"""The pages of Results: the tables, the claims and the learning curves, made of what the app's page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mivspool.content.results import claims, paper_table, points, words
from mivspool.content.results.found import Found, cell_of, cell_title, place_title
from mivspool.errors import DatasetError
from mivspool.learning import paper
from mivspool.learning.recommended_table import STATES
from mivspool.learning.results import read_curve, read_results
from mivspool.learning.runs import ResultLine
from mivspool.learning.table_formats import FORMATS
from mivspool.learning.tables import EARLIER_ORDER, Table, comparisons, make_table, pairs
from mivspool.messages import number
from mivspool.site import charts
from mivspool.site.pages import page

VIEWS = {name: title for name, title in words.VIEWS.items() if name != "evaluations"}
_SUFFIX = {"csv": "csv", "markdown": "md", "latex": "tex"}
# of a row of the table of pairs, as the app's columns show them
_FORMATS = {"difference": "+.1f", "low": "+.1f", "high": "+.1f", "p": ".2g", "corrected": ".2g"}


@dataclass
class Written:
    """The pages and the tables as files, by name; what had to be left out, in words."""

    files: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Curves:
    """The learning curve of one run: what it is of, its title, and its charts."""

    cell: str
    run: str
    title: str
    charts: list[str]


def view_file(name: str) -> str:
    """Where a view is; the first is the page that the menu leads to."""
    return "results.html" if name == next(iter(VIEWS)) else f"results-{name}.html"


def curves_file(dataset: str, datasets: Sequence[str]) -> str:
    """Where the curves of a data set are."""
    return view_file("curves") if dataset == datasets[0] else f"results-curves-{dataset.lower()}.html"


def results_pages() -> Written:
    """Every page of Results, and each table as CSV, Markdown and LaTeX."""
    made, found = Written(), Found((), read_results())
    tables: dict[int, Table] = {}
    for number_ in (4, 2, 3, 1):
        try:
            tables[number_] = make_table(number_, found.lines)
        except DatasetError as error:
            made.missing.append(f"Table {number_}: {error.message}")
    views = [name for name in VIEWS if not name.isdigit() or int(name) in tables]

    def write(name: str, template: str, file: str = "", **values: Any) -> None:
        made.files[file or view_file(name)] = page(
            template,
            "results",
            view=name,
            views={one: (VIEWS[one], view_file(one)) for one in views},
            words=words,
            summary=found.summary,
            **values,
        )

    compared = {name: pairs(found.runs, name) for name in paper.DATASETS}
    said = {text for name in paper.DATASETS for text in comparisons(found.runs, name)}
    for number_, table in tables.items():
        notes = [note for note in table.notes if note not in said]
        below = (
            [_below(found, compared[name], number_, name) for name in paper.DATASETS]
            if number_ in (2, 4)
            else []
        )
        write(str(number_), "table.html", table=table, html=paper_table.html(table), notes=notes, below=below,
              earlier=EARLIER_ORDER if EARLIER_ORDER in notes else "", files=_downloads(made, table))  # fmt: skip
    own = found.recommended
    write("recommended", "recommended.html", table=own, html=paper_table.html(own), states=STATES,
          pairs=_pairs(points.recommended_rows(own)), files=_downloads(made, own))  # fmt: skip
    evidence = claims.claims(found.runs, tables[3].rows if 3 in tables else [], tables[4].rows)
    write("claims", "claims.html", claims=evidence)
    datasets = list(dict.fromkeys(line.dataset for line in found.with_curves))
    for dataset in datasets:
        write("curves", "curves.html", curves_file(dataset, datasets), dataset=dataset,
              datasets={one: curves_file(one, datasets) for one in datasets},
              curves=_curves([line for line in found.with_curves if line.dataset == dataset]))  # fmt: skip
    return made


def _below(found: Found, compared: points.Compared, table: int, dataset: str) -> dict[str, Any]:
    """What stands below table 2 or 4 for one data set: every run, and every pair."""
    columns = points.columns(found.runs, table, dataset)
    title = points.heading(columns, dataset)
    places = sorted({place for column in columns for place in column.accuracies})
    return {
        "dataset": dataset,
        "title": title,
        "chart": charts.points(columns, title),
        "places": places,
        "rows": [
            ["repeat", "fold", *(column.title for column in columns)],
            *([*place, *(_accuracy(column.accuracies.get(place)) for column in columns)] for place in places),
        ],
        "sentences": points.sentences(compared) if table == 4 else None,
        "pairs": _pairs(points.pair_rows(compared, table, dataset)),
    }


def _accuracy(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _pairs(rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The table of pairs, its heads first."""
    heads = list(words.PAIR_COLUMNS.values())
    how = {words.PAIR_COLUMNS[name]: text for name, text in _FORMATS.items()}
    return [heads, *([_shown(row[head], how.get(head, "")) for head in heads] for row in rows)]


def _shown(value: Any, how: str) -> str:
    return number(value, how) if how else str(value)


def _downloads(made: Written, table: Table) -> dict[str, str]:
    """The table in each format: what the link says → the file."""
    named = {}
    for name, title in words.DOWNLOADS.items():
        file = f"tables/table-{table.number}.{_SUFFIX[name]}"
        made.files[file] = FORMATS[name](table)
        named[title] = file
    return named


def _curves(lines: Sequence[ResultLine]) -> list[Curves]:
    """The first run of each method and score of a data set: the one that the app shows first."""
    first: dict[str, ResultLine] = {}
    for line in lines:
        first.setdefault(cell_of(line), line)
    shown = []
    for line in first.values():
        columns = read_curve(line)
        if columns is None:
            continue
        title = points.curve_title(line)
        drawn = [
            charts.curve(columns, what, line.best_epoch, f"{name}: {title}") for what, name in points.CURVES
        ]
        shown.append(Curves(cell_title(cell_of(line)), place_title(line), title, drawn))
    return shown

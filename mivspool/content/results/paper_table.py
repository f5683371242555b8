"""A table of the paper with what was measured in each cell, as HTML that is laid out like the paper's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from mivspool.content import shared
from mivspool.content.results import words
from mivspool.learning import paper, recommended_table
from mivspool.learning.table_formats import digests
from mivspool.learning.tables import EXTRA, MARK, Row, Table
from mivspool.messages import fill

Column = tuple[str, Callable[[Row], bool]]

_DECIMALS = {"graphs": 0, "classes": 0, "vertices": 1, "edges": 1, "iterations": 2}


def html(table: Table) -> str:
    """The table: one row per data set, one column per method, score, statistic or pooling step."""
    groups = _groups(table)
    return "".join(_one(table, title, columns) for title, columns in groups)


def _groups(table: Table) -> list[tuple[str, list[Column]]]:
    """Heading and columns of each part: Table 3 has a part a score."""
    if table.number == 1:
        return [("", [(words.STATISTICS[s], _is("statistic", s)) for s in paper.STATISTICS])]
    if table.number == 2:
        return [("", [(shared.score_title(s), _is("score", s)) for s in paper.SCORES])]
    if table.number == 4:
        names = (*paper.METHODS, *EXTRA)
        return [("", [(shared.method_title(m), _is("method", m)) for m in names])]
    if table.number == recommended_table.NAME:
        methods = dict.fromkeys(row.method or "" for row in table.rows)
        return [
            (title, [(shared.method_title(m), _both(_is("method", m), _is("seen", seen))) for m in methods])
            for title, seen in ((words.NEW_FOLDS, False), (words.SEEN_FOLDS, True))
        ]
    groups = []
    for score in paper.SCORES:
        own = [row for row in table.rows if row.score == score]
        levels = sorted({row.level or 0 for row in own})
        columns: list[Column] = [
            (fill(words.POOLING, n=level + 1), _both(_is("score", score), _is("level", level)))
            for level in levels
        ]
        if columns:
            groups.append((shared.score_title(score), columns))
    return groups


def _is(name: str, value: object) -> Callable[[Row], bool]:
    return lambda row: getattr(row, name) == value


def _both(first: Callable[[Row], bool], second: Callable[[Row], bool]) -> Callable[[Row], bool]:
    return lambda row: first(row) and second(row)


def _one(table: Table, title: str, columns: Sequence[Column]) -> str:
    heads = "".join(f"<th scope=col>{escape(head)}</th>" for head, _ in columns)
    body = []
    for dataset in dict.fromkeys(row.dataset for row in table.rows):
        own = [row for row in table.rows if row.dataset == dataset]
        cells = "".join(_cell(next((row for row in own if fits(row)), None)) for _, fits in columns)
        body.append(f"<tr><th scope=row>{escape(shared.dataset_title(dataset))}</th>{cells}</tr>")
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return (
        f"<div class=mp-scroll tabindex=0><table class=mp-table>{caption}"
        f"<thead><tr><th scope=col>{escape(shared.DATASET)}</th>{heads}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _cell(row: Row | None) -> str:
    if row is None:
        return "<td class=mp-none></td>"
    mark = {1: " mp-best", 2: " mp-second"}.get(row.rank or 0, "")
    if row.measured is None:
        measured = f"<span class=mp-empty>{escape(words.NO_RUNS)}</span>"
    else:
        earlier = f" {MARK}" if row.earlier_order else ""
        figure = f"<span class='{mark.strip()}'>{_figure(row, row.measured, row.std)}</span>"
        measured = f"<span class=mp-measured>{figure}{earlier}</span>"
    lines = [measured]
    if row.paper is not None:
        own_mark = {1: " mp-best", 2: " mp-second"}.get(row.paper_rank or 0, "")
        figure = _figure(row, row.paper, row.paper_std)
        lines.append(
            f"<span class=mp-paper>{escape(shared.PAPER)} <span class='{own_mark}'>{figure}</span></span>"
        )
    if row.runs is not None or row.due is not None:
        lines.append(f"<span class=mp-runs>{escape(_behind(row))}</span>")
    if row.digests:
        lines.append(f"<span class=mp-runs>{escape(fill(words.DIGESTS, digests=digests(row)))}</span>")
    return f"<td>{''.join(lines)}</td>"


def _behind(row: Row) -> str:
    if row.due is not None:
        return fill(words.PLANNED, there=row.there, due=row.due)
    grid = (
        "" if row.grid is None or row.statistic != "accuracy" else (words.GRID if row.grid else words.NO_GRID)
    )
    return fill(words.BEHIND, folds=row.folds, repeats=row.repeats) + (f" · {grid}" if grid else "")


def _figure(row: Row, mean: float, std: float | None) -> str:
    decimals = _DECIMALS.get(row.statistic, 1)
    if row.statistic == "accuracy" and mean == row.paper:
        decimals = 2
    return f"{mean:,.{decimals}f}" + ("" if std is None else f" <small>± {std:,.{decimals}f}</small>")

"""A table as text for a terminal, Markdown, CSV or LaTeX; the best is bold, the second underlined."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import asdict, fields

from mivspool.learning.tables import MARK, PlainTable, Row, Table
from mivspool.messages import count

AnyTable = Table | PlainTable
# (heading, what a row shows there given how best and second are marked)
Mark = Callable[[str, int | None], str]
Column = tuple[str, Callable[[Row, Mark], str]]

# decimals of what was measured, and of what the paper prints
_MEASURED = {"graphs": 0, "classes": 0, "vertices": 1, "edges": 1, "iterations": 2, "accuracy": 2}
_PRINTED = {"graphs": 0, "classes": 0, "vertices": 0, "edges": 0, "iterations": 1, "accuracy": 2}
_TITLES = {"DD": "D&D"}


def as_text(table: AnyTable) -> str:
    """Aligned columns; ``*`` marks the best, ``°`` the second."""

    def mark(text: str, rank: int | None) -> str:
        return text + {1: " *", 2: " °"}.get(rank or 0, "")

    heads, body = _cells(table, mark)
    widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]
    lines = [table.heading, ""]
    for line in (heads, ["-" * width for width in widths], *body):
        lines.append("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    of = "the paper's methods" if isinstance(table.number, int) else "these"
    marked = (
        [f"* best, ° second of {of}."] if isinstance(table, Table) and any(r.rank for r in table.rows) else []
    )
    return "\n".join([*lines, "", *marked, *table.notes, ""])


def as_markdown(table: AnyTable) -> str:
    """A Markdown table with its notes as a list."""

    def mark(text: str, rank: int | None) -> str:
        return {1: f"**{text}**", 2: f"<ins>{text}</ins>"}.get(rank or 0, text)

    heads, body = _cells(table, mark)
    title = (
        f"**Table {table.number}.** {table.title}" if isinstance(table.number, int) else f"**{table.title}**"
    )
    lines = [title, "", _pipe(heads), _pipe(["---"] * len(heads))]
    lines += [_pipe(line) for line in body]
    return "\n".join([*lines, "", *(f"- {note}" for note in table.notes), ""])


def as_csv(table: AnyTable) -> str:
    """Every field of every row, one line per row, numbers in full."""
    out = io.StringIO()
    names = list(table.columns) if isinstance(table, PlainTable) else [field.name for field in fields(Row)]
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table.rows if isinstance(table, PlainTable) else map(asdict, table.rows))
    return out.getvalue()


def as_latex(table: AnyTable) -> str:
    """A ``table`` environment for the booktabs package."""

    def mark(text: str, rank: int | None) -> str:
        return {1: rf"\textbf{{{text}}}", 2: rf"\underline{{{text}}}"}.get(rank or 0, text)

    heads, body = _cells(table, mark)
    rows = [" & ".join(map(_escape, line)) + r" \\" for line in body]
    notes = " ".join(map(_escape, table.notes))
    return "\n".join([
        r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{'l' * len(heads)}}}", r"\toprule",
        " & ".join(map(_escape, heads)) + r" \\", r"\midrule", *rows, r"\bottomrule", r"\end{tabular}",
        rf"\caption{{{_escape(table.title)}. {notes}}}", r"\end{table}", "",
    ])  # fmt: skip


FORMATS: dict[str, Callable[[AnyTable], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "csv": as_csv,
    "latex": as_latex,
}


def _cells(table: AnyTable, mark: Mark) -> tuple[list[str], list[list[str]]]:
    """The headings and the cells of the columns that this table fills."""
    if isinstance(table, PlainTable):
        return list(table.columns.values()), [
            [_plain(row[name]) for name in table.columns] for row in table.rows
        ]
    columns = list(_columns(table))
    return [head for head, _ in columns], [[show(row, mark) for _, show in columns] for row in table.rows]


def _plain(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if isinstance(value, float) else _TITLES.get(str(value), str(value))


def _columns(table: Table) -> list[Column]:
    columns: list[Column] = [("Data set", lambda row, mark: _TITLES.get(row.dataset, row.dataset))]
    if table.number == 1:
        columns.append(("Statistic", lambda row, mark: row.statistic))
    if table.number not in (1, 2, 3):
        columns.append(("Method", lambda row, mark: row.method or ""))
    if table.number in (2, 3):
        columns.append(("Score", lambda row, mark: row.score or ""))
    if table.number == 3:
        columns.append(("Pooling", lambda row, mark: str((row.level or 0) + 1)))
    if any(row.seen for row in table.rows):
        columns.append(("Test folds", lambda row, mark: "seen before" if row.seen else "new"))
    if isinstance(table.number, int):
        columns.append(
            (
                "Paper",
                lambda row, mark: mark(
                    _figure(row.paper, row.paper_std, _PRINTED[row.statistic]), row.paper_rank
                ),
            )
        )
    columns.append(
        (
            "Measured",
            lambda row, mark: (
                mark(_figure(row.measured, row.std, _MEASURED[row.statistic]), row.rank)
                + (f" {MARK}" if row.earlier_order else "")
            ),
        )
    )
    if table.number != 1:
        planned = any(row.due is not None for row in table.rows)
        columns.append(("Folds" if planned else "Folds × repeats", _behind))
    if any(row.digests for row in table.rows):
        columns.append(("Digests", lambda row, mark: digests(row)))
    if table.number in (2, 4):
        columns.append(
            (
                "Hyperparameters",
                lambda row, mark: {True: "searched", False: "not searched", None: ""}[row.grid],
            )
        )
    return columns


def digests(row: Row) -> str:
    """How many digests of numbers are behind a cell, in words."""
    if row.runs is None:
        return ""
    without = f"{count(row.undigested, 'run')} without" if row.undigested else ""
    return " + ".join(filter(None, (str(row.digests) if row.digests else "", without)))


def _behind(row: Row, mark: Mark) -> str:
    if row.due is not None:
        return f"{row.there} of {row.due}"
    return "" if row.runs is None else f"{row.folds} × {row.repeats}"


def _figure(mean: float | None, std: float | None, decimals: int) -> str:
    if mean is None:
        return ""
    return f"{mean:.{decimals}f}" + ("" if std is None else f" ± {std:.{decimals}f}")


def _pipe(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _escape(text: str) -> str:
    for plain, tex in (
        ("&", r"\&"),
        ("%", r"\%"),
        ("_", r"\_"),
        ("±", r"$\pm$"),
        ("×", r"$\times$"),
        (MARK, r"\dag{}"),
    ):
        text = text.replace(plain, tex)
    return text.replace("−", "$-$")

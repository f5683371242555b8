"""Rows and cells of a delimited text. A quoted cell is kept as it is; space round others is not part of them."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.text import lines_of
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "mark": "{name} has a quotation mark in the middle of a cell",
    "columns": "a row has more than {n:,} columns: is this a table of edges?",
}

COMMENTS = ("#", "//", "%")
_DECIMAL_COMMA = re.compile(r"\d,\d")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_PLAIN_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_QUOTED = re.compile(r'(?:(?<=[,;|\t\r\n ])|\A)"(?:[^"]|"")*"(?=[,;|\t\r\n ]|\Z)')
_TUPLES = re.compile(r"\s*(\([^()]*\))\s+(\([^()]*\))(?=\s|$)")
_CHECK_EVERY = 16_384
_SAMPLE = 200
_MOST_COLUMNS = 200_000


class Row(NamedTuple):
    """The cells of a row and the line it begins on."""

    cells: list[str]
    line: int


def is_risky(cell: str) -> bool:
    """Whether a spreadsheet would run the cell as a formula instead of showing it."""
    return cell.startswith(_FORMULA) and not _PLAIN_NUMBER.fullmatch(cell)


def guard(cell: str) -> str:
    """The cell as a spreadsheet shows it: a formula, or what is already guarded, behind an apostrophe."""
    return f"'{cell}" if is_risky(cell) or _is_guarded(cell) else cell


def _is_guarded(cell: str) -> bool:
    return cell.startswith("'") and is_risky(cell.lstrip("'"))


def unguard(rows: list[Row]) -> list[Row]:
    """Take the apostrophe off again, in a table where every formula is behind one (as ours are)."""
    if any(is_risky(cell) for row in rows for cell in row.cells):
        return rows
    return [Row([cell[1:] if _is_guarded(cell) else cell for cell in row.cells], row.line) for row in rows]


def sniff_delimiter(text: str, name: str) -> str:
    """The delimiter of most of the first lines: tab, semicolon, bar, comma, or "" for white space."""
    head = _QUOTED.sub("x", text[:200_000]) if '"' in text[:200_000] else text[:200_000]
    bare = [line for line in lines_of(head)[:_SAMPLE] if line.strip() and not line.startswith(COMMENTS)]
    if not bare:
        return ""
    if all(_TUPLES.match(line) for line in bare):
        return ""
    for mark in ("\t", ";", "|"):
        if sum(mark in line for line in bare) * 2 > len(bare):
            return mark
    commas = sum("," in line for line in bare)
    if not commas:
        return "," if name.lower().endswith(".csv") and not any(" " in line.strip() for line in bare) else ""
    if commas * 2 <= len(bare) and any(len(line.split()) > 1 for line in bare if "," not in line):
        return ""
    return "" if _only_decimal(bare) else ","


def _only_decimal(lines: list[str]) -> bool:
    """Whether white space separates and every comma is a decimal one: "a b 0,5"."""
    widths = Counter(len(line.split()) for line in lines)
    width = widths.most_common(1)[0][0]
    return width >= 3 and all(
        line.count(",") == len(_DECIMAL_COMMA.findall(line)) and "," not in " ".join(line.split()[:2])
        for line in lines
    )


def plain_rows(text: str, delimiter: str, context: Context) -> list[Row]:
    """Rows of a text without quotation marks; a line that begins with #, // or % is a comment."""
    rows = []
    for number, line in enumerate(lines_of(text), start=1):
        if number % _CHECK_EVERY == 0:
            context.check_time()
        if line.startswith(COMMENTS) or not line or line.isspace():
            continue
        if delimiter:
            cells = line.split(delimiter)
            if " " in line or "\t" in line or "\xa0" in line:
                cells = [cell.strip() for cell in cells]
        else:
            cells = _data_cells(line) if "{" in line or "(" in line else line.split()
        if any(cells):  # a spreadsheet writes separators alone where it has nothing
            rows.append(Row(cells, number))
        if number % _CHECK_EVERY == 0:
            context.check_size(0, len(rows) // 2)
    return _finish(rows, text)


def _data_cells(line: str) -> list[str]:
    """ "(0, 1) (1, 1) {'weight': 1}": a tuple, and what networkx writes behind an edge, is one cell."""
    before, brace, after = line.partition("{")
    tuples = _TUPLES.match(line)
    cells = [*tuples.groups(), *before[tuples.end() :].split()] if tuples else before.split()
    return [*cells, brace + after.strip()] if brace else cells


def drop_empty_columns(rows: list[Row]) -> list[Row]:
    """The same without columns at the end that are empty in every row: a separator ends each line."""
    widths = {len(row.cells) for row in rows}
    if len(widths) != 1:
        return rows
    width = kept = widths.pop()
    while kept > 2 and not any(row.cells[kept - 1] for row in rows):
        kept -= 1
    return rows if kept == width else [Row(row.cells[:kept], row.line) for row in rows]


def quoted_rows(text: str, delimiter: str, context: Context) -> list[Row]:
    """Rows where a cell may be quoted: it may then hold delimiters, line ends and doubled quotation marks."""
    gap = re.escape(delimiter) if delimiter else r"[ \t]+"
    blank = r"[ \t]*" if delimiter != "\t" else " *"
    if not delimiter:
        blank = ""
    stop = (re.escape(delimiter) if delimiter else r" \t") + r"\r\n"
    cell = re.compile(rf'{blank}(?:"((?:[^"]|"")*)"{blank}(?=[{stop}]|\Z)|([^{stop}]*))({gap}|\r\n|\r|\n|\Z)')
    rows: list[Row] = []
    place, line, began, steps = 0, 1, 1, 0
    cells: list[str] = []
    comment = _comment_at(text, place)
    while place < len(text):
        if comment and not cells:
            end = text.find("\n", place)
            place = len(text) if end < 0 else end + 1
            line += 1
            began, comment = line, _comment_at(text, place)
            continue
        steps += 1
        if steps % _CHECK_EVERY == 0:
            context.check_time()
        if not cells and not delimiter:
            while text[place : place + 1] in (" ", "\t"):
                place += 1
        match = cell.match(text, place)
        if match is None:
            raise ReadError(fill(WORDS["mark"], name=context.name), line=line)
        quoted, bare, separator = match.groups()
        cells.append(quoted.replace('""', '"') if quoted is not None else bare.strip())
        line += match[0].count("\n")
        place = match.end()
        if separator in {"\n", "\r\n", "\r", ""}:
            _keep(rows, cells, began, context)
            cells, began, comment = [], line, _comment_at(text, place)
        if match.end() == match.start():
            break
    if cells:
        _keep(rows, cells, began, context)
    return _finish(rows, text)


def _keep(rows: list[Row], cells: list[str], began: int, context: Context) -> None:
    if any(cells):
        rows.append(Row(cells, began))
        if len(rows) % _CHECK_EVERY == 0:
            context.check_size(0, len(rows) // 2)


def _comment_at(text: str, place: int) -> bool:
    return text.startswith(COMMENTS, place)


def _finish(rows: list[Row], text: str) -> list[Row]:
    if rows and max(len(row.cells) for row in rows) > _MOST_COLUMNS:
        raise LimitError(fill(WORDS["columns"], n=_MOST_COLUMNS))
    return unguard(rows) if "'" in text else rows

"""Write docs/formats.md, every file format that is read, made from the registry: ``python -m tools.formats``."""

from __future__ import annotations

from pathlib import Path

from mivspool.graphs.read import FORMATS, Format
from mivspool.graphs.read.parts.refused import REFUSED
from mivspool.graphs.read.parts.tu import OPTIONAL

PAGE = Path(__file__).resolve().parents[1] / "docs" / "formats.md"
ABOUT = """# File formats

Made by `make docs` from `mivspool/graphs/read/formats/`, where each format is one file. `mivspool read FILE` says how a
file was read (`read_as` of `--json`), what was mended and what was left out; where a table can be read in more than one
way it lists the others, which `--as` chooses. Every graph becomes simple and undirected: directions, loops and parallel
edges are reported as repairs, weights are kept as an attribute of the edges.

"""
TABLES = """## How a table is read

- A square table of numbers is an adjacency matrix from three rows on, with or without names above or beside it.
- Otherwise each row is an edge. A first line that names columns is a heading, also behind `#`; columns called source
  and target (or from and to, gene_a and gene_b, …) are the ends, else the first two. A column without a name that
  counts the rows is left out.
- The weight is the column called weight (or strength, count, value, combined_score, …); without a heading it is a third
  column of numbers. All other columns are attributes of the edges.
- A table of vertices alone is refused. Given together with that of its edges (both files at once, or in one zip as
  `nodes.csv` and `edges.csv`), the two make one graph; two tables alone may have any names.
- A column of SMILES makes each row a molecule.

## The files of a TU data set

`NAME_A.txt` and `NAME_graph_indicator.txt` are required. Also read: {optional}.
`NAME_graph_label_names.txt` is an addition of this project: it names the classes, one per line, as `1, mutagenic`.

"""
HEAD = ("format", "files", "who writes it", "kept", "lost")


def page() -> str:
    """The page."""
    texts = [format for format in FORMATS.values() if format.knows is None]
    dialects = [format for format in FORMATS.values() if format.knows is not None]
    refused = [("format", "files", "instead"), ("---",) * 3]
    refused += [(one.name, _names(one.extensions), one.advice) for one in REFUSED]
    return (
        ABOUT
        + _table([HEAD, ("---",) * 5, *map(_row, texts)])
        + "\n## Dialects of JSON\n\nA JSON document is recognised by its members, whatever the file is called.\n\n"
        + _table([HEAD, ("---",) * 5, *map(_row, dialects)])
        + f"\n{TABLES.format(optional=_tu_parts())}## Recognised and not read\n\n"
        + "Pickles (`.pt`, `.pkl`, …) are never read, nor is XML with a DTD: both can be attacks.\n\n"
        + _table(refused)
    )


def _table(rows: list[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(format: Format) -> tuple[str, ...]:
    return format.title, _names(format.extensions), format.about, format.kept, format.lost


def _tu_parts() -> str:
    return ", ".join(f"`NAME_{part}.txt`" for part in OPTIONAL if part != "graph_label_names")


def _names(extensions: tuple[str, ...]) -> str:
    return ", ".join(f"`{extension}`" for extension in extensions)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)

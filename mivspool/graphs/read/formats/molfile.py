"""MOL and SDF (V2000 and V3000): one molecule or many, with their drawn coordinates. Atoms count from 1."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.rdkitfile import chemistry, to_graph
from mivspool.graphs.text import lines_of, shown

_COUNTS = re.compile(r"^[ \d]{6}.{0,40}V[23]000\s*$")
_FIELD = re.compile(r"^>.*<([^>]{1,100})>")
_LABELS = {"label", "class", "activity", "y", "target"}


def sniff(text: str) -> bool:
    """Whether the fourth line counts atoms and bonds as a MOL block does."""
    lines = lines_of(text[:2000])
    return len(lines) > 3 and bool(_COUNTS.match(lines[3]))


def read(text: str, context: Context) -> Found:
    """Each molecule of the file; one that cannot be read is its error, and the rest goes on."""
    return _records(text, context)


def _records(text: str, context: Context) -> Iterator[Graph | ReadError]:
    lines = lines_of(text)
    start, found = 0, 0
    while start < len(lines):
        end = next((k for k in range(start, len(lines)) if lines[k].startswith("$$$$")), len(lines))
        record = lines[start:end]
        if any(line.strip() for line in record):
            found += 1
            if found > context.limits.graphs:
                raise LimitError(
                    f"{context.name} holds more than {context.limits.graphs:,} molecules: split it"
                )
            context.check_time()
            try:
                yield _record(record, context, found, start + 1)
            except LimitError:
                raise
            except ReadError as error:
                yield error
        start = end + 1
    if not found:
        raise ReadError(f"{context.name} has no molecule in it: it has no vertices")


def _record(record: list[str], context: Context, number: int, line: int) -> Graph:
    Chem = chemistry()
    from rdkit import rdBase

    end = next((k + 1 for k, text in enumerate(record) if text.startswith("M  END")), len(record))
    with rdBase.BlockLogs():
        try:
            made = Chem.MolFromMolBlock(
                "\n".join(record[:end]) + "\n", sanitize=False, removeHs=False, strictParsing=False
            )
        except (RuntimeError, ValueError):
            made = None
        if made is None or made.GetNumAtoms() == 0:
            raise ReadError(
                f"molecule {number:,} of {context.name} is not a valid MOL block: its counts, atoms or bonds do not "
                "fit each other",
                line=line,
            )
        name = record[0].strip() or (context.stem if number == 1 else f"{context.stem} {number}")
        format = "sdf" if _is_sdf(record, end) else "mol"
        graph = to_graph(made, context, name, format, base=1, label=_label(record[end:]))
        unused = _unused(record[end:])
        return dataclasses.replace(graph, repairs=(*graph.repairs, unused)) if unused else graph


def _unused(fields: list[str]) -> str | None:
    """What is said of data fields that the graph has no place for."""
    names = [match[1].strip() for line in fields if (match := _FIELD.match(line))]
    names = [name for name in dict.fromkeys(names) if name.lower() not in _LABELS]
    if not names:
        return None
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return f"left out {', '.join(map(shown, names[:5]))}{more}: a graph has no place for it"


def _is_sdf(record: list[str], end: int) -> bool:
    return any(line.startswith(">") for line in record[end:])


def _label(fields: list[str]) -> str | None:
    """The molecule's class, where a data field is called so."""
    for k, line in enumerate(fields):
        match = _FIELD.match(line)
        if match and match[1].strip().lower() in _LABELS and k + 1 < len(fields):
            return fields[k + 1].strip() or None
    return None


FORMAT = Format(
    name="mol",
    title="MOL and SDF",
    about="Molecules with drawn coordinates, as PubChem, ChEMBL and drawing programs write them.",
    extensions=(".mol", ".sdf", ".sd", ".mdl"),
    read=read,
    sniff=sniff,
    place=80,
    several=True,
    kept="atoms, elements as label, charges, bond orders, coordinates, the class where a data field is called so",
    lost="stereochemistry; other data fields (named in the repairs)",
)

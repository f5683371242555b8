"""MOL2: molecules with atoms and bonds in sections behind @<TRIPOS>."""

from __future__ import annotations

from collections.abc import Iterator

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of, number, shown

_ORDERS = {"1": 1, "2": 2, "3": 3, "ar": 1.5, "am": 1}
_HEAD = 100_000
Lines = list[tuple[str, int]]


def sniff(text: str) -> bool:
    """Whether the first section is a molecule."""
    lines = (line.strip() for line in lines_of(text[:_HEAD]))
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return first.upper() == "@<TRIPOS>MOLECULE"


def read(text: str, context: Context) -> Found:
    """Each molecule; one that cannot be read is its error, and the rest goes on."""
    return _read(text, context)


def _read(text: str, context: Context) -> Iterator[Graph | ReadError]:
    molecules: list[dict[str, Lines]] = []
    section: Lines = []
    for at, line in enumerate(lines_of(text), start=1):
        if line.startswith("@<TRIPOS>"):
            name = line[9:].strip().upper()
            if name == "MOLECULE":
                molecules.append({})
                if len(molecules) > context.limits.graphs:
                    raise LimitError(
                        f"{context.name} holds more than {context.limits.graphs:,} molecules: split it"
                    )
            if not molecules:
                raise ReadError(f"{context.name} must begin with @<TRIPOS>MOLECULE, as MOL2 does", line=at)
            section = molecules[-1].setdefault(name, [])
        elif not line.startswith("#"):
            section.append((line, at))
    if not molecules:
        raise ReadError(f"{context.name} has no @<TRIPOS>MOLECULE: it is not MOL2")
    for k, sections in enumerate(molecules, start=1):
        context.check_time()
        try:
            yield _molecule(sections, context, k)
        except LimitError:
            raise
        except ReadError as error:
            yield error


def _molecule(sections: dict[str, Lines], context: Context, k: int) -> Graph:
    title = next((line.strip() for line, _ in sections["MOLECULE"][:1]), "")
    name = title if title and title != "*****" else context.stem if k == 1 else f"{context.stem} {k}"
    builder = Builder(context, name, "mol2", declared=True)
    places: dict[int, tuple[float, float]] = {}
    for line, at in sections.get("ATOM", []):
        cells = line.split()
        if not cells:
            continue
        if len(cells) < 6:
            raise ReadError(
                f"{context.name} has an atom of {len(cells)} values: MOL2 has at least 6", line=at
            )
        i = builder.node(cells[0], at)
        builder.node_value(i, "label", cells[5].partition(".")[0])
        builder.node_value(i, "name", cells[1])
        builder.node_value(i, "type", cells[5])
        x, y = number(cells[2]), number(cells[3])
        if x is not None and y is not None:
            places[i] = x, y
    for line, at in sections.get("BOND", []):
        cells = line.split()
        if not cells:
            continue
        if len(cells) < 4:
            raise ReadError(f"{context.name} has a bond of {len(cells)} values: MOL2 has 4", line=at)
        bond = builder.edge(builder.mention(cells[1], at), builder.mention(cells[2], at), at)
        builder.edge_value(bond, "bond", _ORDERS.get(cells[3].lower(), cells[3]))
    if len(set(places.values())) == len(builder.ids):
        builder.position = places
    for section in sections:
        if section not in {"MOLECULE", "ATOM", "BOND"}:
            builder.leave_out(f"@<TRIPOS>{section[:40]}")
    if not builder.ids:
        raise ReadError(
            f"{context.name} has a MOL2 molecule without atoms ({shown(name)}): it has no vertices"
        )
    return builder.finish()


FORMAT = Format(
    name="mol2",
    title="MOL2",
    about="Tripos' Sybyl, Open Babel, docking programs, ZINC.",
    extensions=(".mol2",),
    read=read,
    sniff=sniff,
    place=81,
    several=True,
    kept="atoms by their numbers, elements as label, names, types, bond orders, coordinates",
    lost="charges, substructures and other sections (named in the repairs)",
)

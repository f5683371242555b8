"""SMILES: one molecule a line, or a table with a column of them. Vertices are numbered from 0."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.cells import Row
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.rdkitfile import chemistry, to_graph
from mivspool.graphs.text import lines_of, shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "long": "a SMILES has more than {n:,} characters",
    "invalid": "{smiles} is not a valid SMILES: look for a ring, branch or bracket that is not closed",
    "many": "{name} holds more than {n:,} molecules: split it",
    "none": "{name} has no SMILES in it: it has no vertices",
    "left_out": "left out what a molecule has no place for: {columns}{more}",
    "column": "column {n}",
    "row": "row {n:,} has no SMILES",
}

_CHARACTERS = re.compile(r"[A-Za-z0-9@+\-\[\]()\\/=#$:.%*~>]+")
_ATOMS = re.compile(r"Cl|Br|[BCNOPSFIbcnops]|\[[^\]]{1,40}\]")
_HEADING = re.compile(r"(?:.*[\W_])?(?:iso|can)?smiles(?:[\W_].*)?|smi", re.IGNORECASE)
_NAMES = ("name", "id", "title", "compound", "molecule", "mol_id", "chembl_id", "cid", "compound_id")
_LABELS = ("label", "class", "y", "target", "activity", "active")
_CLASS = re.compile(r"[-+]?\d{1,3}")
_RINGS = re.compile(r"%\d\d|\d")
_SAMPLED = 20
_LONGEST = 20_000


def sniff(text: str) -> bool:
    """Whether each of the first lines begins with what can be a SMILES, and one with what can be nothing else."""
    lines = [line.split() for line in lines_of(text[:5000])[:_SAMPLED] if line.strip()]
    return _are_smiles([cells[0] for cells in lines], [cells[1] for cells in lines if len(cells) > 1])


def _are_smiles(tokens: Sequence[str], beside: Sequence[str]) -> bool:
    """Whether the tokens are molecules, and not ids of vertices which the other column names too."""
    if not tokens or not all(_possible(token) for token in tokens) or set(tokens) & set(beside):
        return False
    if any(re.search(r"[=#()\[\]]|[A-Za-z][0-9]", token) for token in tokens):
        return True
    return not beside and all(len(_ATOMS.findall(token)) >= 4 for token in tokens)


def _possible(token: str) -> bool:
    """Whether a word is written as a SMILES: atoms and marks alone, each ring and bracket closed.

    "n1" and "P04637" are not: their rings are open.
    """
    if not _CHARACTERS.fullmatch(token) or not _ATOMS.search(token):
        return False
    if re.sub(r"[0-9=#()/\\@+\-:.%$~]", "", _ATOMS.sub("", token)) or token.count("(") != token.count(")"):
        return False
    rings = _RINGS.findall(re.sub(r"\[[^\]]*\]", "", token))
    return all(rings.count(ring) % 2 == 0 for ring in rings) and token[0] not in ")=#.%0123456789"


def molecule(smiles: str, context: Context, name: str, label: str | None, line: int | None) -> Graph:
    """The graph of one SMILES. Raises ReadError, with RDKit's reason, where it is none."""
    Chem = chemistry()
    if len(smiles) > _LONGEST:
        raise LimitError(fill(WORDS["long"], n=_LONGEST), line=line)
    from rdkit import rdBase

    with rdBase.BlockLogs():
        parameters = Chem.SmilesParserParams()
        parameters.sanitize = False
        parameters.removeHs = False
        parameters.parseName = False
        parameters.allowCXSMILES = False
        try:
            made = Chem.MolFromSmiles(smiles, parameters)
        except (RuntimeError, ValueError):
            made = None
        if made is None or made.GetNumAtoms() == 0:
            raise ReadError(fill(WORDS["invalid"], smiles=shown(smiles)), line=line)
        return to_graph(made, context, name, "smiles", base=0, label=label)


def read(text: str, context: Context) -> Found:
    """Each line's molecule; behind the SMILES stands its name."""
    return _read_lines(text, context)


def _read_lines(text: str, context: Context) -> Iterator[Graph | ReadError]:
    found = 0
    for number, line in enumerate(lines_of(text), start=1):
        token, _, name = line.strip().partition("\t" if "\t" in line.strip() else " ")
        if not token or token.startswith("#") or (number == 1 and _HEADING.fullmatch(token)):
            continue
        found += 1
        if found > context.limits.graphs:
            raise LimitError(fill(WORDS["many"], name=context.name, n=context.limits.graphs))
        context.check_time()
        try:
            name = name.strip()
            label = name if _CLASS.fullmatch(name) else None
            called = _default_name(context, found) if label or not name else name
            yield molecule(token, context, called, label, number)
        except LimitError:
            raise
        except ReadError as error:
            yield error
    if not found:
        raise ReadError(fill(WORDS["none"], name=context.name))


def _default_name(context: Context, number: int) -> str:
    return context.stem if number == 1 else f"{context.stem} {number}"


def column_of(rows: Sequence[Row]) -> int | None:
    """The column of SMILES of a table, by its heading or by what stands in it; None where there is none."""
    named = next((c for c, cell in enumerate(rows[0].cells) if _HEADING.fullmatch(cell.strip())), None)
    if named is not None and len(rows) > 1:
        return named
    cells = [[row.cells[c] for row in rows[:_SAMPLED] if len(row.cells) > c] for c in range(2)]
    if len(cells[0]) != len(rows[:_SAMPLED]) or len(cells[1]) != len(cells[0]):
        return None
    return next((c for c in range(2) if _are_smiles(cells[c], cells[1 - c])), None)


def read_table(rows: Sequence[Row], context: Context) -> Found:
    """The molecules of a table with a column of SMILES; a name and a class are taken where it has them.

    What other columns hold is left out, and said.
    """
    column = column_of(rows)
    assert column is not None
    named = bool(_HEADING.fullmatch(rows[0].cells[column].strip()))
    heads = [cell.strip().lower() for cell in rows[0].cells] if named else []
    name_at = next((heads.index(name) for name in _NAMES if name in heads), None)
    label_at = next((heads.index(name) for name in _LABELS if name in heads), None)
    if not named:
        beside = 1 - column
        classes = all(_CLASS.fullmatch(row.cells[beside].strip()) for row in rows if len(row.cells) > beside)
        name_at, label_at = (None, beside) if classes else (beside, None)
    unused = [c for c in range(len(rows[0].cells)) if c not in {column, name_at, label_at}]
    if unused:
        columns = ", ".join(
            shown(rows[0].cells[c], 30) if named else fill(WORDS["column"], n=c + 1) for c in unused[:4]
        )
        more = ", …" if len(unused) > 4 else ""
        context.repairs.append(fill(WORDS["left_out"], columns=columns, more=more))
    for number, (cells, line) in enumerate(rows[1:] if named else rows, start=1):
        if number > context.limits.graphs:
            raise LimitError(fill(WORDS["many"], name=context.name, n=context.limits.graphs))
        context.check_time()
        smiles = cells[column].strip() if column < len(cells) else ""
        name = cells[name_at].strip() if name_at is not None and name_at < len(cells) else ""
        label = cells[label_at].strip() if label_at is not None and label_at < len(cells) else ""
        try:
            if not smiles:
                raise ReadError(fill(WORDS["row"], n=number), line=line)
            yield molecule(smiles, context, name or _default_name(context, number), label or None, line)
        except LimitError:
            raise
        except ReadError as error:
            yield error


FORMAT = Format(
    name="smiles",
    title="SMILES",
    about="Molecules as text, one per line, as PubChem, ChEMBL and ZINC write them.",
    extensions=(".smi", ".smiles", ".ism"),
    read=read,
    sniff=sniff,
    place=110,
    several=True,
    unsure=True,
    kept="atoms, elements as label, charges, bond orders, name and class of the molecule",
    lost="stereochemistry; other columns of a table (named in the repairs)",
)

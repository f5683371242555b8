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
from mivspool.graphs.read.parts.text import lines_of, shown

_CHARACTERS = re.compile(r"[A-Za-z0-9@+\-\[\]()\\/=#$:.%*~>]+")
_ATOMS = re.compile(r"Cl|Br|[BCNOPSFIbcnops]|\[[^\]]{1,40}\]")
_HEADINGS = {"smiles", "smi", "canonical_smiles", "isosmiles", "isomeric_smiles"}
_NAMES = ("name", "id", "title", "compound", "molecule", "mol_id", "chembl_id", "cid", "compound_id")
_LABELS = ("label", "class", "y", "target", "activity", "active")
_LONGEST = 20_000


def looks(text: str) -> bool:
    """Whether each of the first lines begins with what can only be a SMILES: atoms with a ring, branch or bond."""
    lines = [line for line in lines_of(text[:5000])[:20] if line.strip()]
    return bool(lines) and all(_sure(line.split()[0]) for line in lines)


def _sure(token: str) -> bool:
    if not _CHARACTERS.fullmatch(token):
        return False
    rest = _ATOMS.sub("", token)
    plain = re.sub(r"[0-9=#()/\\@+\-:.%$~]", "", rest)
    marks = re.search(r"[=#()\[\]]|[A-Za-z][0-9]", token) or len(_ATOMS.findall(token)) >= 4
    return not plain and bool(marks) and bool(_ATOMS.search(token))


def molecule(smiles: str, context: Context, name: str, label: str | None, line: int | None) -> Graph:
    """The graph of one SMILES. Raises ReadError, with RDKit's reason, where it is none."""
    Chem = chemistry()
    if len(smiles) > _LONGEST:
        raise LimitError(f"a SMILES has more than {_LONGEST:,} characters", line=line)
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
            raise ReadError(
                f"{shown(smiles)} is not a valid SMILES: look for a ring, branch or bracket that is not closed",
                line=line,
            )
        return to_graph(made, context, name, "smiles", base=0, label=label)


def read(text: str, context: Context) -> Found:
    """Each line's molecule; behind the SMILES stands its name."""
    return _read_lines(text, context)


def _read_lines(text: str, context: Context) -> Iterator[Graph | ReadError]:
    found = 0
    for number, line in enumerate(lines_of(text), start=1):
        token, _, name = line.strip().partition("\t" if "\t" in line.strip() else " ")
        if not token or token.startswith("#") or (number == 1 and token.lower() in _HEADINGS):
            continue
        found += 1
        if found > context.limits.graphs:
            raise LimitError(f"{context.name} holds more than {context.limits.graphs:,} molecules: split it")
        context.check_time()
        try:
            yield molecule(token, context, name.strip() or _default_name(context, found), None, number)
        except LimitError:
            raise
        except ReadError as error:
            yield error
    if not found:
        raise ReadError(f"{context.name} has no SMILES in it: it has no vertices")


def _default_name(context: Context, number: int) -> str:
    return context.stem if number == 1 else f"{context.stem} {number}"


def read_table(rows: Sequence[Row], context: Context) -> Found:
    """The molecules of a table with a column of SMILES; a name and a class are taken where it has them."""
    heads = [cell.strip().lower() for cell in rows[0].cells]
    column = next(c for c, head in enumerate(heads) if head in _HEADINGS)
    name_at = next((heads.index(name) for name in _NAMES if name in heads), None)
    label_at = next((heads.index(name) for name in _LABELS if name in heads), None)
    for number, (cells, line) in enumerate(rows[1:], start=1):
        if number > context.limits.graphs:
            raise LimitError(f"{context.name} holds more than {context.limits.graphs:,} molecules: split it")
        context.check_time()
        smiles = cells[column].strip() if column < len(cells) else ""
        name = cells[name_at].strip() if name_at is not None and name_at < len(cells) else ""
        label = cells[label_at].strip() if label_at is not None and label_at < len(cells) else ""
        try:
            if not smiles:
                raise ReadError(f"row {number:,} has no SMILES", line=line)
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
    looks=looks,
    place=110,
    several=True,
    unsure=True,
)

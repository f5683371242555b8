"""mmCIF as a contact graph: one vertex per residue of the first model."""

from __future__ import annotations

import re

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.contacts import Residue, contacts, place_of
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of

_BLOCK = re.compile(r"\s*(?:#[^\n]*\n\s*)*data_(\S*)")
_CIF_CELL = re.compile(r"'((?:[^']|'(?=\S))*)'|\"((?:[^\"]|\"(?=\S))*)\"|(\S+)")
_HEAD = 100_000
_LONGEST_LINE = 10_000


def sniff(text: str) -> bool:
    """Whether the text is a CIF data block with atom sites."""
    return bool(_BLOCK.match(text[:_HEAD]))


def read(text: str, context: Context) -> Found:
    """The contact graph of the first model."""
    rows = _atom_sites(text, context)
    residues: dict[tuple[str, str], Residue] = {}
    model = None
    for row, line in rows:
        model = row.get("pdbx_PDB_model_num") if model is None else model
        if row.get("pdbx_PDB_model_num") != model or _one(row, "label_atom_id", "auth_atom_id") != "CA":
            continue
        if row.get("type_symbol", "C").upper() == "CA":
            continue
        place = place_of(tuple(row.get(f"Cartn_{axis}", "") for axis in "xyz"), context, line)
        chain = _one(row, "auth_asym_id", "label_asym_id")
        code = row.get("pdbx_PDB_ins_code", "?")
        ident = _one(row, "auth_seq_id", "label_seq_id") + (code if code not in {"?", "."} else "")
        name = _one(row, "label_comp_id", "auth_comp_id")
        residues.setdefault((chain, ident), Residue(chain, ident, name, place, line))
    block = _BLOCK.match(text[:_HEAD])
    return [contacts(list(residues.values()), (block[1] if block else "") or context.stem, "mmcif", context)]


def _one(row: dict[str, str], *names: str) -> str:
    return next((row[name] for name in names if row.get(name, "?") not in {"?", "."}), "")


def _atom_sites(text: str, context: Context) -> list[tuple[dict[str, str], int]]:
    """The rows of the loop ``_atom_site``, each with its line."""
    names: list[str] = []
    rows: list[tuple[dict[str, str], int]] = []
    for line_number, line in enumerate(lines_of(text), start=1):
        if line_number % 8192 == 0:
            context.check_time()
        plain = line.strip()
        if plain.startswith("_atom_site."):
            names.append(plain.split()[0].removeprefix("_atom_site."))
        elif names:
            if not plain or plain[0] in "#_" or plain.startswith(("loop_", "data_")):
                if rows:
                    break
                continue
            if len(plain) > _LONGEST_LINE:
                raise LimitError(f"{context.name} has a line of {len(plain):,} characters", line=line_number)
            cells = [a or b or c for a, b, c in _CIF_CELL.findall(plain)]
            if len(cells) != len(names):
                raise ReadError(
                    f"{context.name} has an atom of {len(cells)} values for {len(names)} columns",
                    line=line_number,
                )
            rows.append((dict(zip(names, cells, strict=True)), line_number))
    if not rows:
        raise ReadError(f"{context.name} is CIF without atom sites (_atom_site): it has no vertices")
    return rows


FORMAT = Format(
    name="mmcif",
    title="mmCIF (residue contacts)",
    about="Protein structures of the Protein Data Bank and of AlphaFold.",
    extensions=(".cif", ".mmcif"),
    read=read,
    sniff=sniff,
    place=100,
    kept="residues of the first model that are near each other, their names and chains",
    lost="all atoms but the alpha carbons",
)

"""PDB as a contact graph: one vertex per residue of the first model."""

from __future__ import annotations

import re

from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.contacts import Residue, contacts, place_of
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of

_PDB_LINE = re.compile(r"^(HEADER|TITLE |ATOM  |HETATM|CRYST1|REMARK|MODEL |COMPND|EXPDTA)", re.MULTILINE)


def sniff(text: str) -> bool:
    """Whether the text begins with a record of the PDB and has atoms."""
    return bool(_PDB_LINE.match(text)) and ("\nATOM  " in text or text.startswith("ATOM  "))


def read(text: str, context: Context) -> Found:
    """The contact graph of the first model."""
    residues: dict[tuple[str, str], Residue] = {}
    title = ""
    for line_number, line in enumerate(lines_of(text), start=1):
        if line_number % 8192 == 0:
            context.check_time()
        if line.startswith("HEADER"):
            title = line[62:66].strip()
        if line.startswith("ENDMDL"):
            break
        if (
            line[:6] not in {"ATOM  ", "HETATM"}
            or line[12:16].strip() != "CA"
            or line[76:78].strip().upper() == "CA"
        ):
            continue
        place = place_of((line[30:38], line[38:46], line[46:54]), context, line_number)
        residue = Residue(line[21:22].strip(), line[22:27].strip(), line[17:20].strip(), place, line_number)
        residues.setdefault((residue.chain, residue.number), residue)
    return [contacts(list(residues.values()), title or context.stem, "pdb", context)]


FORMAT = Format(
    name="pdb",
    title="PDB (residue contacts)",
    about="Protein structures of the Protein Data Bank.",
    extensions=(".pdb", ".ent"),
    read=read,
    sniff=sniff,
    place=90,
    kept="residues of the first model that are near each other, their names and chains",
    lost="all atoms but the alpha carbons",
)

"""PDB and mmCIF as contact graphs: a vertex a residue, an edge where two Cα atoms are less than 6 Å apart."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.build import Builder
from mivspool.graphs.read.context import Context, Found
from mivspool.graphs.read.text import lines_of, number, shown

CONTACT = 6.0  # Å, as in the data set D&D (Dobson and Doig 2003)
_PDB_LINE = re.compile(r"^(HEADER|TITLE |ATOM  |HETATM|CRYST1|REMARK|MODEL |COMPND|EXPDTA)", re.MULTILINE)
_BLOCK = re.compile(r"\s*(?:#[^\n]*\n\s*)*data_(\S*)")
_CIF_CELL = re.compile(r"'((?:[^']|'(?=\S))*)'|\"((?:[^\"]|\"(?=\S))*)\"|(\S+)")
_FARTHEST = 1e5
_HEAD = 100_000
_LONGEST_LINE = 10_000


class Residue(NamedTuple):
    """One residue by its Cα atom."""

    chain: str
    number: str
    name: str
    place: tuple[float, float, float]
    line: int


def looks_pdb(text: str) -> bool:
    """Whether the text begins with a record of the PDB and has atoms."""
    return bool(_PDB_LINE.match(text)) and ("\nATOM  " in text or text.startswith("ATOM  "))


def looks_mmcif(text: str) -> bool:
    """Whether the text is a CIF data block with atom sites."""
    return bool(_BLOCK.match(text[:_HEAD]))


def read_pdb(text: str, context: Context) -> Found:
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
        if line[:6] not in {"ATOM  ", "HETATM"} or line[12:16].strip() != "CA" or line[76:78].strip() == "CA":
            continue
        place = _place((line[30:38], line[38:46], line[46:54]), context, line_number)
        residue = Residue(line[21:22].strip(), line[22:27].strip(), line[17:20].strip(), place, line_number)
        residues.setdefault((residue.chain, residue.number), residue)
    return [_contacts(list(residues.values()), title or context.stem, "pdb", context)]


def read_mmcif(text: str, context: Context) -> Found:
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
        place = _place(tuple(row.get(f"Cartn_{axis}", "") for axis in "xyz"), context, line)
        chain = _one(row, "auth_asym_id", "label_asym_id")
        code = row.get("pdbx_PDB_ins_code", "?")
        ident = _one(row, "auth_seq_id", "label_seq_id") + (code if code not in {"?", "."} else "")
        name = _one(row, "label_comp_id", "auth_comp_id")
        residues.setdefault((chain, ident), Residue(chain, ident, name, place, line))
    block = _BLOCK.match(text[:_HEAD])
    return [_contacts(list(residues.values()), (block[1] if block else "") or context.stem, "mmcif", context)]


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


def _place(texts: tuple[str, ...], context: Context, line: int) -> tuple[float, float, float]:
    x, y, z = (number(text) for text in texts)
    if x is None or y is None or z is None or max(abs(x), abs(y), abs(z)) > _FARTHEST:
        raise ReadError(f"{context.name} has the coordinates {shown(' '.join(texts))}", line=line)
    return x, y, z


def _contacts(residues: list[Residue], name: str, format: str, context: Context) -> Graph:
    if not residues:
        raise ReadError(f"{context.name} has no residue with a Cα atom: it has no vertices")
    context.check_size(len(residues))
    builder = Builder(context, name, format, declared=True)
    for residue in residues:
        ident = f"{residue.chain}:{residue.number}" if residue.chain else residue.number
        i = builder.node((residue.chain, residue.number), residue.line, ident or "?")
        builder.node_value(i, "label", residue.name)
        if residue.chain:
            builder.node_value(i, "chain", residue.chain)
    places = np.asarray([residue.place for residue in residues])
    pairs = _near(places, context)
    for u, v in pairs.tolist():
        builder.edge(u, v)
    builder.position = dict(enumerate(map(tuple, _flatten(places).tolist())))
    builder.say(f"joined residues whose Cα atoms are less than {CONTACT:g} Å apart")
    return builder.finish()


def _near(places: NDArray[np.float64], context: Context) -> NDArray[np.int64]:
    """int64 [E, 2]: the pairs less than 6 Å apart. Raises LimitError before there are too many."""
    from scipy.spatial import cKDTree

    tree = cKDTree(places)
    context.check_size(len(places), int(tree.count_neighbors(tree, CONTACT) - len(places)) // 2)
    pairs = tree.query_pairs(CONTACT, output_type="ndarray").astype(np.int64).reshape(-1, 2)
    gap = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    pairs = pairs[gap < CONTACT]
    return np.asarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))], dtype=np.int64)


def _flatten(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """The protein seen from where it is widest: its two longest axes."""
    centred = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    flat = np.zeros((len(places), 2))
    kept = centred @ axes[:2].T
    flat[:, : kept.shape[1]] = kept
    return flat

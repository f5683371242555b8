"""A page reads SMILES as Python does, by RDKit's WebAssembly: the same graphs and places, or the same sentences."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mivspool.errors import LimitError
from mivspool.graphs import load_dataset
from mivspool.graphs.molecules import _molecule, bonds_of, symbols_of
from mivspool.graphs.read import read_graphs
from mivspool.settings import Limits
from mivspool.site import smiles
from tests.beside import FILES
from tests.canvas.node import needs_node
from tests.canvas.test_read import by_page, by_python, bytes_of
from tests.graphs.read.cases import CASES
from tests.site.smiles import RDKIT, needs_rdkit

pytestmark = [needs_node, needs_rdkit]


def listed(name: str) -> list[str]:
    return (Path(__file__).parent / "smiles" / name).read_text(encoding="utf-8").splitlines()


# what SMILES may have, a molecule each
WELL = listed("molecules.txt")
# of these RDKit says that they are unusual
UNUSUAL = listed("unusual.txt")
# and these are none
ILL = listed("refused.txt")
# what no atom is, RDKit in Python reads or refuses in other words than in a page
NO_ATOM = ["[C+15]", "[H+2]", "[#130]"]


@pytest.fixture(scope="module")
def script() -> str:
    return smiles.script(RDKIT)


def of_mao() -> list[str]:
    """The molecules of MAO, each as several SMILES that begin at an atom of their own, aromatic or not."""
    from rdkit import Chem, rdBase

    rdBase.SeedRandomNumberGenerator(0)
    found = []
    for graph in load_dataset("MAO"):
        symbols, bonds = symbols_of(graph, "label"), bonds_of(graph)
        assert symbols is not None
        assert bonds is not None
        molecule = _molecule(symbols, graph.edges, bonds)
        Chem.SanitizeMol(molecule)
        found += [Chem.MolToSmiles(molecule, doRandom=True) for _ in range(3)]
        Chem.Kekulize(molecule, clearAromaticFlags=True)
        found.append(Chem.MolToSmiles(molecule, doRandom=True, kekuleSmiles=True))
    return found


def same(name: str, data: bytes, page: Any) -> None:
    """Whether a page says the same of a file as Python, places to a ten-thousandth of a bond."""
    python = by_python(name, data)
    for ours, theirs in zip(python.get("graphs", ()), page.get("graphs", ()), strict=False):
        places, drawn = ours.pop("positions"), theirs.pop("positions")
        assert (places is None) == (drawn is None), (name, ours["name"])
        if places is not None:
            np.testing.assert_allclose(drawn, places, rtol=0, atol=1e-4, err_msg=f"{name} {ours['name']}")
    assert page == python


def test_hundreds_of_molecules(script: str) -> None:
    lines = [*WELL, *UNUSUAL, *of_mao()]
    assert len(lines) > 380
    data = "\n".join(f"{line} molecule {line}" for line in lines).encode()
    (page,) = by_page([("all.smi", data)], script=script)
    assert len(page["graphs"]) == len(lines)
    assert sum("unusual" in " ".join(graph["repairs"]) for graph in page["graphs"]) > 20
    same("all.smi", data, page)


def test_what_is_no_smiles(script: str) -> None:
    asked = [("ill.smi", f"{line}\n".encode()) for line in ILL]
    for (name, data), page in zip(asked, by_page(asked, script=script), strict=True):
        same(name, data, page)


FILE = [
    ("names.smi", "CCO ethanol\nc1ccccc1\tbenzene ring\n\n# a comment\nCC\t\nCN  two  words \n"),
    ("classes.smi", "CCO 1\nCC -1\nCN 1234\nCF +0\nCCl ١\n"),
    ("heading.smi", "canonical_smiles name\nCCO ethanol\n"),
    ("heading-alone.smi", "smiles\n"),
    ("empty.smi", "# nothing\n\n"),
    ("space.smi", "CC O\tname\nCC|x| y\nC\u00a0C\n"),
    ("extension.smi", "CCO |$a;b;c$| name\n"),
    ("mixed.smi", "CCO\r\nxx\r\nC1CC\r\nCC"),
    ("pasted", "CC(=O)Oc1ccccc1C(=O)O"),
    ("long.smi", "C" * 20_001),
    ("longest.smi", "C" * 20_000),
    ("long-name.smi", f"CCO {'n' * 5000}"),
    ("deep.smi", "C(" * 6600 + "C" + ")" * 6600),
    ("rings.smi", "C1CC1" * 150),
    ("dense.smi", "".join(f"C%{10 + i % 90}" for i in range(180))),
    ("large.smi", "C" * 501),
    ("checked.smi", "C" * 197 + "C(C)(C)(C)C"),
    ("unchecked.smi", "C" * 198 + "C(C)(C)(C)C"),
    ("table.csv", "name,smiles,label\nx,CCO,1\ny,C1CC,0\nz,CC,0\n,,\nw,,1\nv\n"),
    ("more.csv", "smiles,a,b,c,d,e,activity,id\nCCO,1,2,3,4,5,active,x\n"),
    ("bare.csv", "CC(=O)O,acid\nc1ccccc1,benzene\n"),
    ("bare-classes.csv", "CC(=O)O,1\nc1ccccc1,0\n"),
    ("bare-more.csv", "CC(=O)O,1,x,2.5\nc1ccccc1,0,y,3\n"),
    ("same.csv", "smiles\nCCO\nCCO\n"),
    ("both.zip.csv", "compound;iso_smiles;y\na;CC;0\nb;CN;2\n"),
    ("as.txt", "C1CC1 a\nC1CC1 b\n"),
]  # fmt: skip


def test_files_with_smiles(script: str) -> None:
    asked = [(name, bytes_of(content)) for name, content in FILE]
    asked += [(name, bytes_of(text)) for name, text, _ in CASES if name.endswith((".smi", ".csv"))]
    asked += [(file.name, file.read_bytes()) for file in sorted(FILES.glob("*smi*"))]
    for (name, data), page in zip(asked, by_page(asked, script=script), strict=True):
        same(name, data, page)


def test_what_no_atom_is(script: str) -> None:
    for page in by_page([("no.smi", line.encode()) for line in NO_ATOM], script=script):
        assert page["refused"].endswith(("check its atoms and bonds", "bracket that is not closed"))


def test_more_molecules_than_a_file_may_have(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few = Limits(graphs=20)
    monkeypatch.setattr(Limits, "model_construct", lambda: few)
    for name, data in (("many.smi", b"CCO\n" * 21), ("many.csv", b"smiles\n" + b"CCO\n" * 21)):
        with pytest.raises(LimitError) as error:
            read_graphs(data, name, few)
        (page,) = by_page([(name, data)], script=script)
        assert page == {"refused": error.value.message, "line": error.value.line}


def test_random_text(script: str) -> None:
    """Whatever is written with the letters of SMILES is read, or refused, alike."""
    draw = random.Random(0)
    letters = [*"CNOcn12()=#.[]+-H@/*:$~", "Cl", "%12"]
    lines = ["".join(draw.choices(letters, k=draw.randint(1, 9))) for _ in range(4000)]
    data = "\n".join(["CCO", *lines]).encode()
    (page,) = by_page([("random.smi", data)], script=script)
    assert len(page["graphs"]) > 50
    same("random.smi", data, page)

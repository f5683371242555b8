"""What a registry promises: a file of a package, or a module named by an entry point, is a thing; names are unique."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mivspool.graphs.collection import COLLECTIONS
from mivspool.graphs.read import FORMATS
from mivspool.graphs.write.format import WRITERS
from mivspool.pooling import METHODS, SCORES
from mivspool.registry import Registry

REGISTRIES = {
    "formats": FORMATS,
    "writers": WRITERS,
    "collections": COLLECTIONS,
    "methods": METHODS,
    "scores": SCORES,
}
THING = "from types import SimpleNamespace\nTHING = SimpleNamespace(name={name!r}, place={place})\n"


def package(folder: Path, name: str, **things: tuple[str, int]) -> None:
    """A package with a module for each thing: its name and place."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text("")
    for module, (thing, place) in things.items():
        (folder / name / f"{module}.py").write_text(THING.format(name=thing, place=place))


def distribution(folder: Path, group: str, module: str) -> None:
    """What an installed package leaves for others to find its entry point."""
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{module} = {module}\n")


@pytest.mark.parametrize("kind", REGISTRIES)
def test_things_come_by_place_and_by_their_own_name(kind):
    things = list(REGISTRIES[kind].values())
    assert [(t.place, t.name) for t in things] == sorted((t.place, t.name) for t in things)
    assert all(REGISTRIES[kind][thing.name] is thing for thing in things)
    assert all(thing.title for thing in things)


def test_every_module_is_a_thing_and_lower_places_come_first(tmp_path, monkeypatch):
    package(tmp_path, "things_here", late=("a", 2), early=("b", 1))
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry("things_here", "THING", "tests.things-here")
    assert list(registry) == ["b", "a"]
    assert len(registry) == 2


def test_two_things_of_one_name_are_an_error(tmp_path, monkeypatch):
    package(tmp_path, "things_twice", one=("a", 1), two=("a", 2))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError, match="'a'"):
        list(Registry("things_twice", "THING", "tests.things-twice"))


def test_another_distribution_adds_a_thing(tmp_path, monkeypatch):
    package(tmp_path, "things_base", own=("own", 1))
    (tmp_path / "guest.py").write_text(THING.format(name="guest", place=0))
    distribution(tmp_path, "tests.things-base", "guest")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(Registry("things_base", "THING", "tests.things-base")) == ["guest", "own"]


FORMAT = '''"""A line of digits: each follows the one before it."""
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder

def read(text, context):
    builder = Builder(context, context.stem, "digits", declared=False)
    nodes = [builder.node(c) for c in text.split(":")[1].strip()]
    for u, v in zip(nodes, nodes[1:]):
        builder.edge(u, v)
    return [builder.finish()]

FORMAT = Format("digits", "Digits", "Written by this test.", (".digits",), read, lambda t: t.startswith("digits:"), 5)
'''


SCORE = '''"""The place of a vertex in its file."""
import torch
from mivspool.pooling.score import Score

class Place(Score):
    name, title, label, about, drawn = "place", "Place", "place", "The first vertex scores highest.", "the places"

    def __init__(self, in_channels):
        super().__init__()

    def forward(self, x, adjacency, batch, batch_size):
        return 1 / (1 + torch.arange(batch.numel(), dtype=x.dtype))

SCORE = Place
'''


COLLECTION = '''"""Wheels of four to eight spokes."""
import networkx
import numpy as np
from mivspool.graphs.collection import Collection
from mivspool.graphs.graph import Graph

class Wheels(Collection):
    name, title, about, place, named, one = "wheels", "Wheels", "graphs of this test", 105, True, "wheel"

    def __len__(self):
        return 5

    def index(self, source):
        number = source.removeprefix("wheel-")
        return int(number) - 4 if source != number and number in "45678" else None

    def source(self, index, like=""):
        return f"wheel-{index + 4}"

    def load(self, source):
        made = networkx.wheel_graph(self.index(source) + 5)
        edges = np.array(sorted(tuple(sorted(e)) for e in made.edges), dtype=np.int64).T
        return Graph(source, tuple(str(v) for v in made.nodes), edges)

    def title_of(self, source):
        return f"Wheel of {source[6:]}"

COLLECTION = Wheels()
'''


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``mivspool`` with a folder of packages on its path."""
    start = "from mivspool.cli import main; sys.exit(main(sys.argv[1:]))"
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); {start}"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def test_a_score_of_another_package_chooses_the_survivors(tmp_path):
    (tmp_path / "place_score.py").write_text(SCORE)
    distribution(tmp_path, "mivspool.scores", "place_score")
    done = command(tmp_path, "step", "karate", "--score", "place", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    level = json.loads(done.stdout)["levels"][0]
    assert level["survivors"][0] == level["nodes"][0]
    assert level["checks"] == {"independent": True, "maximal": True}


def test_a_collection_of_another_package_is_a_source(tmp_path):
    (tmp_path / "wheels.py").write_text(COLLECTION)
    distribution(tmp_path, "mivspool.collections", "wheels")
    done = command(tmp_path, "step", "wheel-6", "--score", "degree", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["levels"][0]["survivors"] == ["0"]
    listed = json.loads(command(tmp_path, "datasets", "--json").stdout)
    assert [graph["name"] for graph in listed["wheels"]] == [f"wheel-{k}" for k in range(4, 9)]


def test_a_format_of_another_package_is_read_on_the_command_line(tmp_path):
    (tmp_path / "digits_format.py").write_text(FORMAT)
    distribution(tmp_path, "mivspool.formats", "digits_format")
    (tmp_path / "some.txt").write_text("digits: 4711\n")
    done = command(tmp_path, "read", str(tmp_path / "some.txt"), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["format"] == "digits"
    assert (found["num_nodes"], found["num_edges"]) == (3, 2)

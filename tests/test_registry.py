"""What a registry promises: a file of a package, or a module named by an entry point, is a thing; names are unique."""

from __future__ import annotations

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
    (tmp_path / "added.py").write_text(THING.format(name="added", place=0))
    distribution(tmp_path, "tests.things-base", "added")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(Registry("things_base", "THING", "tests.things-base")) == ["added", "own"]

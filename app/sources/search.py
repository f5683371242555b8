"""What a person types to find a graph: a part of a name, some words, or a data set with a number."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.sources import words
from mivspool.graphs.collection import COLLECTIONS, Collection, DataSet, collection_of
from mivspool.graphs.datasets import find_dataset
from mivspool.messages import fill

_NUMBERED = re.compile(r"(?P<name>.*[^\s:#])(?:\s*[:#]\s*|\s+)(?P<number>\d{1,9})")
_MOST = 4  # graphs that are offered
_ALIKE = 0.72  # of a word that is typed and one that is known


@dataclass(frozen=True)
class Found:
    """The graph that was meant; or, where that is not clear, a sentence and graphs to choose from."""

    source: str = ""
    sentence: str = ""
    offers: tuple[str, ...] = ()


def named() -> list[str]:
    """The graphs that have names of their own, as SOURCEs."""
    return [one.source(k) for one in COLLECTIONS.values() if one.named for k in range(len(one))]


def name_of(source: str) -> str:
    """What such a graph is called."""
    return _collection(source).title_of(source)


def title(source: str) -> str:
    """What such a graph is called, and what there is to say of it."""
    return f"{name_of(source)} · {_collection(source).about_of(source)}"


def _collection(source: str) -> Collection:
    found = collection_of(source)
    assert found is not None
    return found


def find(text: str) -> Found:
    """The graph that a person who typed this means."""
    text = " ".join(text.split())
    shown = text if len(text) <= 40 else f"{text[:39]}…"
    for one in COLLECTIONS.values():
        index = None if isinstance(one, DataSet) else one.index(text)
        if index is not None:
            return Found(one.source(index, text))
    whole, numbered = find_dataset(text), _NUMBERED.fullmatch(text)
    if whole is not None:
        return Found(f"{whole.name}:0")
    dataset = find_dataset(numbered["name"]) if numbered else None
    if numbered and dataset is not None:
        if int(numbered["number"]) < dataset.graphs:
            return Found(f"{dataset.name}:{int(numbered['number'])}")
        return Found(sentence=fill(words.FIND_NUMBER, name=dataset.title, last=dataset.graphs - 1))
    fitting = _fitting(_words(text))
    if len(fitting) == 1:
        return Found(fitting[0])
    if fitting:
        return Found(sentence=fill(words.FIND_SEVERAL, text=shown), offers=fitting[:_MOST])
    near = _near(_words(text))
    more = words.FIND_NEAR if near else words.FIND_HOW
    return Found(sentence=f"{fill(words.FIND_NONE, text=shown)} {more}", offers=near)


def _plain(text: str) -> str:
    """Without capitals and accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", _plain(text))


@lru_cache(maxsize=1)
def _known() -> dict[str, tuple[str, str]]:
    """Name, and name with all there is to say, of each graph that has a name."""
    return {
        source: (_plain(f"{source} {name_of(source)}"), _plain(f"{source} {title(source)}"))
        for source in named()
    }


def _fitting(words: Sequence[str]) -> tuple[str, ...]:
    """The graphs whose name has all these words (or beginnings of words); else those of whom they are said."""
    if not words:
        return ()
    for of in (0, 1):
        found = [
            source
            for source, texts in _known().items()
            if all(any(word.startswith(start) for word in _words(texts[of])) for start in words)
        ]
        if found:
            return tuple(found)
    return ()


def _near(words: Sequence[str]) -> tuple[str, ...]:
    """The graphs whose name is spelt nearly so, nearest first."""

    def alike(name: str) -> float:
        own = [word for word in _words(name) if len(word) > 2]
        return max(
            (difflib.SequenceMatcher(None, a, b).ratio() for a in words for b in own if len(a) > 2),
            default=0.0,
        )

    rated = sorted(((alike(texts[0]), source) for source, texts in _known().items()), reverse=True)
    return tuple(source for rate, source in rated[:_MOST] if rate >= _ALIKE)

"""What a person may change and a link holds: one table, and the URL is made of that table alone.

To add something that a link should hold, add a line to PROPERTIES. A page reads ``state = State.load("step")``,
gives widgets ``**state.bind("score")``, and calls ``state.save()`` once its values are final.

The URL is read when a session begins (a link was opened, or edited: the browser then loads the page anew) and when
Back or Forward is pressed. Between these the state alone is true, and is written to the URL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import streamlit as st

from app.server.streamlit_internals import went_back_or_forward
from mivspool.graphs.collections.teaching import preset_of

GIVEN = "given"  # the score of a preset whose values are given by hand


@dataclass(frozen=True)
class Property:
    """One thing a link holds. ``pages``: where it means something; empty: everywhere. ``apart``: those of them that
    have a value of their own, which other pages do not change. ``within``: the pages where it is a place in the
    graph that is shown, and means nothing in another.
    """

    name: str
    kind: type[str] | type[int] | type[bool]
    default: str | int | bool
    pages: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    within: tuple[str, ...] = ()

    def key(self, page: str) -> str:
        """Under what the session keeps this page's value."""
        return f"{self.name}:{page}" if page in self.apart else self.name

    def default_for(self, source: str) -> str | int | bool:
        """The default beside this graph: a preset brings its own score, seed and complement."""
        preset = preset_of(source)
        if preset is None or self.name not in {"score", "seed", "complement"}:
            return self.default
        score = preset.score if isinstance(preset.score, str) else GIVEN
        own: dict[str, str | int | bool] = {
            "score": score,
            "seed": preset.seed,
            "complement": preset.complement,
        }
        return own[self.name]

    def parse(self, text: str) -> str | int | bool:
        """The value that a URL spells; what cannot be read is the default."""
        if self.kind is bool:
            return text in {"1", "true"}
        if self.kind is int:
            return int(text) if text.lstrip("-").isdecimal() and len(text) < 16 else self.default
        return text

    def spell(self, value: str | int | bool) -> str:
        """A value as the URL spells it."""
        return str(int(value)) if self.kind is bool else str(value)


_OF_A_GRAPH = ("step", "compare", "classify", "train", "results")

PROPERTIES: tuple[Property, ...] = (
    Property("graph", str, "MAO:3", _OF_A_GRAPH),  # a SOURCE, or an upload (app/sources/uploads.py)
    Property("score", str, "multiview", ("step", "train"), apart=("train",)),
    # a released model's name; empty: random weights of the seed, on Learn the chapter's own
    Property("model", str, "", (*_OF_A_GRAPH, "learn"), apart=("classify", "compare", "learn")),
    Property("seed", int, 0, _OF_A_GRAPH),
    Property("complement", bool, False, ("step",)),
    Property("weights", bool, False, ("step",)),
    Property("level", int, 0, ("step", "compare", "train"), apart=("train",), within=("step", "compare")),
    # place on the timeline: iteration 0 … T, then assignment, then pooling
    Property("step", int, 0, ("step", "classify"), apart=("classify",), within=("step", "classify")),
    # 0: by whole iterations; by their three parts: the part that is seen (canvas/js/model/parts.js)
    Property("part", int, 0, ("step", "classify"), apart=("classify",)),
    # an id; empty: the best vertex
    Property("vertex", str, "", ("step", "classify", "compare"), within=("step", "classify", "compare")),
    # of a graph too large to draw: where its sample is taken
    Property("around", str, "", ("step", "classify"), within=("step", "classify")),
    Property("labels", str, "id", ("step",)),
    Property("free", str, "", ("step",)),  # what is laid out freely below the canvas: level or reduced
    # of what is laid out freely: an attribute's name, cluster, score or degree; empty: by state
    Property("colour", str, "", ("step",)),
    Property("size", str, "", ("step",)),
    Property("scores", bool, True, ("step",)),
    Property("how", str, "one", ("classify",)),  # one graph or many
    Property("view", str, "graph", ("compare",)),  # one graph, a data set, or the pyramid
    # the graph and the model that are tried although the one lies outside the domain of the other (classify/page.py)
    Property("anyway", str, "", ("classify",)),
    Property("inside", bool, False, ("classify",)),  # the network opened at the selected vertex
    # of why a class: by cluster, or by vertex (leaving-out or gradients)
    Property("why", str, "clusters", ("classify",)),
    Property("map", str, "", ("classify",)),  # what the model needs=the graph's attribute, URL-encoded
    Property("block", int, 0, ("classify",), within=("classify",)),
    Property("source", str, "file", ("classify",)),  # of many graphs: file or dataset
    Property("dataset", str, "", ("results", "classify", "compare", "train")),
    # empty: three of them, by the graph's own scores where it brings some and they can
    Property("methods", str, "", ("compare",)),
    Property("graphs", int, 50, ("compare",)),  # of a data set
    Property("measure", str, "components", ("compare",)),
    Property("table", str, "4", ("results",)),  # a table's number, claims or curves
    Property("cell", str, "", ("results",)),  # method and score of a learning curve
    Property("run", str, "", ("results",)),
    Property("method", str, "mivspool", ("train",)),
    Property("config", str, "", ("train",)),  # what differs from the paper's settings, URL-encoded
    Property("job", str, "", ("train",)),  # ids with commas between: the jobs that are looked at
    Property(
        "epoch", int, -1, ("train",)
    ),  # of a record; −1: the best one, or from the beginning while it runs
    Property("watched", int, 0, ("train",)),  # which of a record's graphs
    Property("watch", str, "", ("train",)),  # the graphs to record, by number; empty: one of each class
    Property("own", bool, False, ("train",)),  # whether the graph of the other pages is recorded too
    Property(
        "mode", str, "", ("step",)
    ),  # predict: the reader says who will survive; edit: changes the graph
    Property(
        "origin", str, "", ("step",)
    ),  # of a changed graph: what it was made from (app/sources/edited.py)
    Property(
        "draw", int, 0, ("step",)
    ),  # how many graphs were drawn to predict on; the next is that many's next
    Property("present", bool, False, ("step",)),  # on a projector: the canvas alone, large
    Property("chapter", str, "pooling", ("learn",)),
    Property("hide", str, ""),  # controls a lecturer hides: names with commas between
)
_TABLE = {prop.name: prop for prop in PROPERTIES}

_VALUES = "state"
_ORIGIN = ("graph", "score", "seed", "model")  # what a changed graph was made from
# what else makes that which a page shows of it
_SHOWN_BY = ("complement", "weights", "level", "block")


class State:
    """The values of one page in this run; attributes by the names of PROPERTIES.

    ``opened``: whether the run of the page that made this read them from the URL. A canvas that is already there is
    then moved to them, by the page and not by a fragment, which runs again with the same State.
    """

    def __init__(self, page: str, values: dict[str, str | int | bool], opened: bool = False) -> None:
        self.__dict__["page"] = page
        self.__dict__["values"] = values
        self.__dict__["opened"] = opened

    @classmethod
    def load(cls, page: str) -> State:
        """This session's values: those of the link that was opened or returned to, with what was changed since."""
        opened = _VALUES not in st.session_state or went_back_or_forward()
        values = st.session_state.setdefault(_VALUES, {prop.name: prop.default for prop in PROPERTIES})
        state = cls(page, values, opened)
        if opened:
            state.follow(st.query_params.to_dict())
        return state

    def follow(self, link: Mapping[str, str]) -> None:
        """Take over a link to this page: what it names, and the default of all else that means something here."""
        for prop in PROPERTIES:
            if not prop.pages or self.page in prop.pages:
                default = prop.default_for(link.get("graph", ""))
                self.values[prop.key(self.page)] = (
                    prop.parse(link[prop.name]) if prop.name in link else default
                )

    def of(self, page: str) -> State:
        """The values of another page, to set before it is opened."""
        return State(page, self.values)

    def but(self, **changes: str | int | bool) -> State:
        """These values with changes, which this page does not see."""
        other = State(self.page, dict(self.values))
        for name, value in changes.items():
            setattr(other, name, value)
        return other

    def __getattr__(self, name: str) -> Any:
        prop = _TABLE[name]
        return self.__dict__["values"].get(prop.key(self.page), prop.default)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _TABLE:
            raise AttributeError(f"{name} is not in app.state.PROPERTIES")
        self.__dict__["values"][_TABLE[name].key(self.page)] = value

    def link(self) -> dict[str, str]:
        """What the URL holds: all that differs from the default and means something on this page.

        Step without a query is what a person sees first, and no other view: one whose values are all defaults is named
        by its graph.
        """
        source = self.values["graph"]
        link = {
            prop.name: prop.spell(getattr(self, prop.name))
            for prop in PROPERTIES
            if (not prop.pages or self.page in prop.pages)
            and getattr(self, prop.name) != prop.default_for(source)
        }
        return link if link or self.page != "step" else {"graph": source}

    def address(self) -> str:
        """The whole link to this page as it is seen."""
        base = urlsplit(str(st.context.url))
        query = urlencode(self.link(), safe=",:")
        return urlunsplit(base._replace(path=base.path or "/", query=query, fragment=""))

    def save(self) -> None:
        """Tell the browser the link. It compares: one that it has already makes no entry in its history."""
        st.query_params.from_dict(self.link())

    def bind(self, name: str, then: Callable[[], None] | None = None) -> dict[str, Any]:
        """Keyword arguments that tie a widget to a property; ``then`` runs after a person changed it."""
        key = f"widget:{self.page}:{name}"
        st.session_state[key] = getattr(self, name)

        def take() -> None:
            setattr(self, name, st.session_state[key])
            if then is not None:
                then()

        within = self.page in _TABLE[name].within
        return {"key": key, "on_change": self.while_shown(take) if within else take}

    def while_shown(self, then: Callable[..., None]) -> Callable[..., None]:
        """``then`` as a callback for something of what is shown now.

        A page shows one graph until the next is read and pooled. What a person does to the first meanwhile is not
        meant for the next, and does nothing. A graph that is changed goes on being the one that is shown.
        """
        shown = self._shown()

        def done(*args: Any) -> None:
            if self._shown() == shown:
                then(*args)

        return done

    def _shown(self) -> tuple[Any, ...]:
        return (self.origin or self.origin_of(), *(getattr(self, name) for name in _SHOWN_BY))

    def origin_of(self) -> str:
        """What is shown, as the ``origin`` of a graph that is made from it says it."""
        values = {name: getattr(self, name) for name in _ORIGIN}
        return urlencode(
            {
                name: _TABLE[name].spell(value)
                for name, value in values.items()
                if name == "graph" or value != _TABLE[name].default_for(self.graph)
            },
            safe=":,~",
        )

    @staticmethod
    def made_from(origin: str) -> dict[str, Any]:
        """What an ``origin`` says, by name."""
        given = dict(parse_qsl(origin))
        source = given.get("graph", "")
        return {
            name: _TABLE[name].parse(given[name]) if name in given else _TABLE[name].default_for(source)
            for name in _ORIGIN
        }

    def choose(self, source: str) -> None:
        """Another graph, at its beginning; one of the presets brings its score, seed and complement, and takes them
        along again.
        """
        for prop in PROPERTIES:
            for page in prop.within:
                self.values[prop.key(page)] = prop.default
        if preset_of(source) is not None or preset_of(self.values["graph"]) is not None:
            for name in ("score", "seed", "complement"):
                self.values[name] = _TABLE[name].default_for(source)
        self.values["graph"] = source

    def hidden(self, name: str) -> bool:
        """Whether the link hides a control."""
        return name in self.values["hide"].split(",")


def hidden_by_link() -> list[str]:
    """The controls that this session's link hides, also before a page has read the link."""
    values = st.session_state.get(_VALUES)
    return str(values["hide"] if values else st.query_params.get("hide", "")).split(",")

"""Many graphs classified in one go: progress, a table to sort and download, a histogram, and any of them opened."""

from __future__ import annotations

import hashlib
import io
import tempfile
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from app import backend
from app.components import mapping
from app.sources import picker, uploads
from app.state import State
from app.ui import charts, class_plots, common, tables
from app.ui.duration import in_words
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.content.classify import words
from mivspool.errors import MIVSPoolError
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.datasets import DATASETS, load_dataset
from mivspool.graphs.export import write_graph
from mivspool.graphs.graph import Graph
from mivspool.messages import fill, sentence
from mivspool.service.schemas import Classified, ModelDocument

_PORTION = 64
_TOGETHER = "files.zip"
_BATCH = "many:batch"

# graphs with what they are called, and what could not be read with the reason
Read = tuple[list[tuple[str, Graph]], list[tuple[str, str]]]


@dataclass
class Batch:
    """Graphs of one origin on their way through one model; ``answers`` grows, in their order."""

    origin: str
    graphs: list[tuple[str, Graph]]
    unread: list[tuple[str, str]] = field(default_factory=list)
    model: str = ""
    version: str = ""  # of the model
    answers: list[Classified] = field(default_factory=list)
    running: bool = True
    seconds: float = 0.0

    @property
    def done(self) -> bool:
        """Whether every graph has its answer."""
        return len(self.answers) == len(self.graphs)

    def same(self, other: Batch) -> bool:
        """Whether it is the same graphs and the same model."""
        return (self.origin, self.model, self.version) == (other.origin, other.model, other.version)


def many(state: State, models: Sequence[ModelDocument]) -> None:
    """The view of many graphs at once."""
    st.markdown(words.MANY_INTRO)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if state.source not in words.MANY_SOURCES:
            state.source = "file"
        st.segmented_control(
            words.MANY_FROM,
            list(words.MANY_SOURCES),
            format_func=lambda name: words.MANY_SOURCES[name],
            required=True,
            **state.bind("source"),
        )
        if state.source == "dataset":
            _choose_dataset(state)
        place = st.container()
    given = _dataset(state) if state.source == "dataset" else _files(folder=state.source == "folder")
    if given is not None and given.graphs:
        with place:
            names = [model.name for model in models]
            if state.model not in names:
                state.model = mapping.best_model(models, given.graphs[0][1])
            st.selectbox(shared.MODEL, names, width=320, **state.bind("model"))
        given.model = state.model
        given.version = backend.version(state.model)
    batch: Batch | None = st.session_state.get(_BATCH)
    if given is not None and (batch is None or not batch.same(given)):
        count = len(given.graphs)
        if count and st.button(fill(words.MANY_START, n=count), type="primary", key="many:start"):
            st.session_state[_BATCH] = batch = given
        elif len(given.unread) == 1 and not count:
            st.error(safe(sentence(given.unread[0][1])), icon=":material/error:")
        elif given.unread:
            _failures(given.unread)
    if batch is not None and given is not None and batch.same(given):
        if batch.running and not batch.done:
            _work(batch)
        elif not batch.done:
            st.button(words.MANY_GO_ON, on_click=_go_on, args=(batch,), key="many:go-on", type="primary")
        _results(state, batch, next(model for model in models if model.name == batch.model))


def _choose_dataset(state: State) -> None:
    if state.dataset not in DATASETS:
        state.dataset = "MAO"
    st.selectbox(
        shared.DATASET, list(DATASETS), format_func=shared.dataset_title, width=240, **state.bind("dataset")
    )


def _dataset(state: State) -> Batch | None:
    try:
        dataset = load_dataset(state.dataset)
    except MIVSPoolError as error:
        st.warning(safe(sentence(error.message)))
        return None
    return Batch(state.dataset, _graphs(state.dataset, dataset))


@st.cache_resource(max_entries=2, show_spinner=False)
def _graphs(name: str, _dataset: Dataset) -> list[tuple[str, Graph]]:
    return [(graph.name, graph) for graph in _dataset]


def _files(folder: bool) -> Batch | None:
    if folder:
        files = st.file_uploader(words.MANY_FOLDER, accept_multiple_files="directory", key="many:folder")
    else:
        files = st.file_uploader(words.MANY_FILES, accept_multiple_files=True, key="many:files")
    if not files:
        return None
    named = [(file.name, file.getvalue()) for file in files]
    identity = hashlib.sha256()
    for name, content in named:
        identity.update(f"{len(content)}:{name}:".encode("utf-8", "replace") + content)
    try:
        with st.spinner(words.MANY_READING):
            graphs, unread = _read_all(identity.hexdigest(), named)
    except MIVSPoolError as error:
        st.error(safe(sentence(error.message)), icon=":material/error:")
        return None
    return Batch(identity.hexdigest()[:16], graphs, unread)


@st.cache_resource(max_entries=2, show_spinner=False)
def _read_all(identity: str, _files: list[tuple[str, bytes]]) -> Read:
    """The graphs of several files, each by itself; the parts of a TU data set make one."""
    from mivspool.graphs.read.parts.tu import tu_name

    if len(_files) > 1 and tu_name([name for name, _ in _files]) is not None:
        return _read(_packed(_files), _TOGETHER)
    graphs, unread = [], []
    for name, content in _files:
        found, failed = _read(content, name)
        graphs += found
        unread += failed
    return graphs, unread


def _packed(files: list[tuple[str, bytes]]) -> bytes:
    """Several files as one zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def _read(content: bytes, name: str) -> Read:
    """The graphs of a file, and what could not be read."""
    from mivspool.graphs.read import read_each

    graphs: list[tuple[str, Graph]] = []
    unread: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _base_name(name)
        path.write_bytes(content)
        for source, item in read_each(path):
            which = source.removeprefix(folder).lstrip("/\\")
            if isinstance(item, Graph):
                graphs.append((item.name or which, item))
            else:
                unread.append((which, item.message))
    return graphs, unread


def _base_name(name: str) -> str:
    """The file's own name, as far as any system takes it."""
    last = "".join(c for c in name.replace("\\", "/").rpartition("/")[2] if c.isprintable() and c != ":")
    return last[-100:].lstrip(".") or "upload"


def _work(batch: Batch) -> None:
    """Classify portion by portion; a person who stops or leaves finds what is done."""
    place = st.empty()
    st.button(words.MANY_STOP, on_click=_stop, args=(batch,), key="many:stop", icon=":material/stop:")
    client = backend.client()
    while not batch.done and batch.running:
        done, total = len(batch.answers), len(batch.graphs)
        left = batch.seconds / done * (total - done) if done else 0.0
        text = fill(words.MANY_PROGRESS, done=done, total=total, left=in_words(left)) if done else ""
        place.progress(done / total, text)
        start = time.monotonic()
        portion = batch.graphs[done : done + _PORTION]
        try:
            answers = client.classify([graph for _, graph in portion], batch.model, levels=False)
        except MIVSPoolError as error:
            st.error(safe(sentence(error.message)))
            batch.running = False
            return
        batch.answers += answers
        batch.seconds += time.monotonic() - start
    place.empty()
    st.rerun()


def _stop(batch: Batch) -> None:
    batch.running = False


def _go_on(batch: Batch) -> None:
    batch.running = True


def _results(state: State, batch: Batch, model: ModelDocument) -> None:
    pairs = list(zip(batch.graphs, batch.answers, strict=False))
    good = [(which, graph, answer) for (which, graph), answer in pairs if not answer.error]
    within = [answer for *_, answer in good if not answer.outside]
    failed = [*batch.unread, *((which, answer.error) for (which, _), answer in pairs if answer.error)]
    if good:
        counts = "; ".join(
            fill(words.MANY_PER_CLASS, name=safe(name), n=n) for name, n in class_plots.counts(within).items()
        )
        if within:
            done = fill(words.MANY_DONE, n=len(within), counts=counts)
            st.markdown(f"**{done}** {_accuracy(within, batch, model)}")
        if len(within) < len(good):
            st.warning(fill(words.MANY_OUTSIDE, n=len(good) - len(within)), icon=":material/warning:")
        left, right = st.columns([3, 2], gap="medium")
        with right:
            charts.show(
                class_plots.histogram(within, charts.theme()),
                "many:histogram",
                common.MANY_AXIS,
                charts.BESIDE,
            )
        with left:
            _table(state, batch, good)
    elif failed and batch.done:
        st.error(fill(words.MANY_NONE, reason=safe(str(failed[0][1]))))
    if failed:
        _failures(failed)


def _accuracy(answers: Sequence[Classified], batch: Batch, model: ModelDocument) -> str:
    known = [answer for answer in answers if answer.true is not None]
    if not known:
        return ""
    right = sum(answer.true == answer.predicted for answer in known)
    text = fill(words.MANY_ACCURACY, right=right, known=len(known), share=100 * right / len(known))
    return text + (f" {words.MANY_IN_TRAINING_SET}" if batch.origin == model.dataset else "")


def _table(state: State, batch: Batch, good: Sequence[tuple[str, Graph, Classified]]) -> None:
    rows = [_row(which, graph, answer) for which, graph, answer in good]
    frame = tables.frame(rows).rename(columns=words.MANY_COLUMNS)
    event = st.dataframe(
        frame,
        hide_index=True,
        placeholder="",
        height=min(360, 42 + 36 * len(rows)),
        key="many:table",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            words.MANY_COLUMNS["probability"]: st.column_config.NumberColumn(format="%.3f"),
            words.MANY_COLUMNS["uncalibrated"]: st.column_config.NumberColumn(format="%.3f"),
            words.MANY_COLUMNS["coverage"]: st.column_config.NumberColumn(format="percent"),
        },
    )
    selected = event["selection"]["rows"]
    with st.container(horizontal=True):
        st.download_button(
            words.MANY_DOWNLOAD,
            tables.frame(rows).to_csv(index=False).encode("utf-8", "replace"),
            "classified.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="many:download",
        )
        if selected:
            which, graph, _ = good[selected[0]]
            st.button(
                fill(words.MANY_OPEN_BUTTON, name=safe(which)),
                on_click=_open,
                args=(state, graph, batch.origin in DATASETS),
                type="primary",
                key="many:open",
            )
        else:
            st.caption(words.MANY_OPEN)


def _row(which: str, graph: Graph, answer: Classified) -> dict[str, Any]:
    return {
        "source": which,
        "vertices": graph.num_nodes,
        "edges": graph.num_edges,
        "predicted": class_plots.title(answer, answer.predicted),
        "probability": class_plots.shares(answer).get(answer.predicted or ""),
        "uncalibrated": (answer.probabilities or {}).get(answer.predicted or ""),
        "true": None if answer.true is None else class_plots.title(answer, answer.true),
        "coverage": answer.coverage,
        "outside": "; ".join(answer.outside or []),
        "warnings": "; ".join(answer.warnings or []),
    }


def _open(state: State, graph: Graph, named: bool) -> None:
    """Show one of the graphs: by its name where it has one in a data set, else as an upload of its own."""
    state.how = "one"
    state.map = ""
    source = graph.name
    if not named:
        source = uploads.keep(write_graph(graph, "node-link").encode(), f"{graph.name}.json")
    picker.choose(state, source)


def _failures(failed: Sequence[tuple[str, str | None]]) -> None:
    with st.expander(fill(words.MANY_FAILED, n=len(failed)), expanded=len(failed) <= 20):
        st.dataframe(
            tables.frame([{"source": which, "error": reason} for which, reason in failed]).rename(
                columns=words.FAILED_COLUMNS
            ),
            hide_index=True,
        )

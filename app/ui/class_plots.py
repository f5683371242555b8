"""Pictures of a classification: the probabilities, what each cluster contributes, and many graphs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from app.ui import common
from app.ui.charts import accent, base
from app.ui.texts import cut, for_plotly
from mivspool.colours import PAGE, Theme, rgb
from mivspool.content import shared
from mivspool.graphs.classes import class_title
from mivspool.messages import fill
from mivspool.service.schemas import Classified, WithoutCluster

_LONGEST = 36
_PATTERNS = ("", "/", ".", "x", "-", "|")  # of bars, by class
_LITTLE = 0.005  # a change of a probability that is not worth a sentence


def shares(answer: Classified) -> Mapping[str, float]:
    """The probabilities that are shown: calibrated ones, else the network's own."""
    return answer.calibrated or answer.probabilities or {}


def title(answer: Classified, label: str | None) -> str:
    """What a class of an answer is called."""
    return class_title(label or "", answer.class_names or {})


def probabilities(answer: Classified, colour: str) -> str:
    """One bar per class as HTML, the most probable first; the true class is marked.

    Where the probabilities are calibrated, the network's own stand beside them.
    """
    rows = []
    raw = answer.probabilities or {}
    for name, share in sorted(shares(answer).items(), key=lambda pair: (-pair[1], -raw[pair[0]])):
        best = " best" if name == answer.predicted else ""
        true = f" <span class=true>{escape(shared.TRUE_CLASS)}</span>" if name == answer.true else ""
        called = (answer.class_names or {}).get(name, name)
        hint = escape(title(answer, name), quote=True)
        beside = "" if answer.calibrated is None else f" <small>{fill(shared.RAW, share=raw[name])}</small>"
        rows.append(
            f"<div class='row{best}'><span class=name title='{hint}'><bdi>{escape(called)}</bdi>{true}</span>"
            f"<span class=track><div class=bar style='width:{100 * share:.2f}%'></div></span>"
            f"<span class=share>{share:.3f}{beside}</span></div>"
        )
    heading = escape(shared.PROBABILITIES if answer.calibrated is None else shared.CALIBRATED)
    return f"<h5>{heading}</h5><div class=mp-classes style='--mp-accent:{colour}'>{''.join(rows)}</div>"


def left_out_sentence(ordered: Sequence[WithoutCluster], predicted: str) -> str:
    """What the chart says, in words; ``ordered`` from the largest fall to the largest rise.

    ``predicted``: what the class is called.
    """
    ends = [ordered[0], ordered[-1]] if ordered else []
    moved = [(c, 100 * (c.change or 0.0)) for c in ends if abs(c.change or 0.0) >= _LITTLE]
    falls = [
        fill(shared.LEFT_OUT_FALLS, survivor=c.survivor, points=-change) for c, change in moved if change < 0
    ]
    rises = [
        fill(shared.LEFT_OUT_RISES, survivor=c.survivor, points=change) for c, change in moved if change > 0
    ]
    if not moved:
        return fill(shared.LEFT_OUT_LITTLE, predicted=predicted)
    return fill(
        shared.LEFT_OUT_SENTENCE, predicted=predicted, what=shared.LEFT_OUT_AND.join(falls[:1] + rises[-1:])
    )


def histogram(answers: Sequence[Classified], theme: Theme) -> go.Figure:
    """The distribution of the predicted class's probability over many graphs, one shade and pattern per class."""
    figure = base(260)
    classes = sorted({answer.predicted for answer in answers if answer.predicted is not None})
    # in the colour itself: a legend shows no opacity of a bar's
    shades = np.linspace(1.0, 0.35, max(len(classes), 1))
    for k, (name, shade) in enumerate(zip(classes, shades.tolist(), strict=False)):
        mine = [answer for answer in answers if answer.predicted == name]
        own: list[float] = [shares(answer).get(name, 0.0) for answer in mine]
        figure.add_histogram(
            x=own,
            xbins={"start": 0.0, "end": 1.0001, "size": 0.05},
            name=_plain(cut(title(mine[0], name), _LONGEST)),
            marker={
                "color": _faded(accent(theme), shade),
                "pattern": {
                    "shape": _PATTERNS[k % len(_PATTERNS)],
                    "fgcolor": PAGE[theme].background,
                    "size": 6,
                },
            },
        )
    figure.update_layout(
        barmode="stack", bargap=0.06, showlegend=True, legend={"orientation": "h", "y": 1.15, "x": 0}
    )
    figure.update_xaxes(title=common.MANY_AXIS, range=[0, 1])
    figure.update_yaxes(title=common.MANY_COUNT)
    return figure


def _faded(colour: str, opacity: float) -> str:
    red, green, blue = rgb(colour)
    return f"rgba({red}, {green}, {blue}, {opacity:.3f})"


def confusion(classes: Sequence[str], matrix: Sequence[Sequence[int]], theme: Theme) -> go.Figure:
    """A confusion matrix: rows the true class, columns the predicted one; counts in the cells."""
    names = [_plain(cut(name, _LONGEST)) for name in classes]
    figure = base(max(220, 70 + 34 * len(classes)))
    values = np.asarray(matrix, dtype=float)
    share = values / np.maximum(values.sum(axis=1, keepdims=True), 1)
    clear = "rgba(128,128,128,0.06)"
    figure.add_heatmap(
        z=share,
        x=names,
        y=names,
        text=[[f"{int(v):,}" for v in row] for row in values],
        colorscale=[[0, clear], [1, accent(theme)]],
        zmin=0,
        zmax=1,
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate=common.CONFUSION_HOVER,
    )
    for r, row in enumerate(matrix):
        for c, count in enumerate(row):
            # on the accent the page's own background is legible, on the page its text
            ink = {"color": PAGE[theme].background} if share[r, c] > 0.5 else {}
            figure.add_annotation(x=c, y=r, text=f"{count:,}", showarrow=False, font=ink)
    figure.update_xaxes(title=common.CONFUSION_PREDICTED, type="category", showgrid=False, side="bottom")
    figure.update_yaxes(title=common.CONFUSION_TRUE, type="category", showgrid=False, autorange="reversed")
    return figure


def counts(answers: Sequence[Classified]) -> Mapping[str, int]:
    """How many graphs each class was predicted for, by what it is called."""
    found: dict[str, int] = {}
    for answer in answers:
        if answer.predicted is not None:
            called = title(answer, answer.predicted)
            found[called] = found.get(called, 0) + 1
    return found


def _plain(text: str) -> str:
    """A person's text where plotly would read markup."""
    return for_plotly(text)

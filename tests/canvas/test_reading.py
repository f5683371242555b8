"""How long Play stays at a place: as long as its sentence takes to read."""

from __future__ import annotations

from typing import Any

from tests.canvas.node import answers, needs_node

pytestmark = needs_node
SENTENCE = (
    "Iteration 1 of 2: three vertices survive, because no neighbouring candidate has a higher score; "
    "nine are eliminated."
)


def stays(text: str, *, T: int = 2, part: int = 0, speed: float = 1) -> float:
    question: list[dict[str, Any]] = [{"text": text, "T": T, "last": T + 2, "part": part, "speed": speed}]
    (milliseconds,) = answers("reading.mjs", question)
    return float(milliseconds)


def test_a_sentence_stays_as_long_as_it_takes_to_read() -> None:
    words = len(SENTENCE.split())
    assert words / stays(SENTENCE) * 60_000 < 250, "words per minute that a reader reads without haste"
    assert stays(SENTENCE) - stays("") > 2 * (stays(SENTENCE.partition(":")[0]) - stays(""))


def test_a_faster_reader_waits_less() -> None:
    assert stays(SENTENCE, speed=2) == stays(SENTENCE) / 2


def test_a_long_trace_takes_three_minutes_at_most() -> None:
    for T, part, places in ((500, 0, 503), (500, 1, 1503)):
        assert abs(stays(SENTENCE, T=T, part=part) * places - 180_000) < 1

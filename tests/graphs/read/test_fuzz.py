"""A short sample of the fuzzing that ``make soak`` does at length."""

import contextlib
import subprocess
import sys

from mivspool.errors import ReadError
from mivspool.graphs.read import FORMATS, read_graphs
from mivspool.graphs.read.parts.context import Context
from mivspool.settings import Limits
from tests.soak import fuzz_readers
from tests.soak.fuzz_readers import corpus, examine, input_of


def test_mutated_files_give_a_lawful_graph_or_a_sentence():
    files = corpus()
    for i in range(1500):
        name, data = input_of(7, i, files)
        examine(name, data, i % 5 == 0)


def test_inputs_depend_on_seed_and_number_alone():
    files = corpus()
    assert input_of(0, 5, files) == input_of(0, 5, files) != input_of(1, 5, files)


def test_long_names_are_cut():
    assert len(Context("x" * 60_000 + ".csv", Limits()).name) < 300


def test_every_format_is_among_what_is_mutated():
    found = set()
    for name, data in corpus():
        with contextlib.suppress(ReadError):
            found.add(read_graphs(data, name)[0].format)
    assert found >= set(FORMATS) - {"zip", "json", "jsonlines"}  # these hold graphs of other formats


def test_a_run_that_was_stopped_goes_on(tmp_path, monkeypatch):
    kept = tmp_path / "kept.json"
    first = fuzz_readers.Progress.load(kept, 3, 100)
    assert first.next == 0
    first.next, first.largest = 40, 12.5
    first.save(kept)
    assert fuzz_readers.Progress.load(kept, 3, 100) == first
    assert fuzz_readers.Progress.load(kept, 4, 100).next == 0
    monkeypatch.setattr(fuzz_readers, "_digest", lambda: "other readers")
    assert fuzz_readers.Progress.load(kept, 3, 100).next == 0


PEAK = """
from tests.soak.fuzz_readers import _peak, _reset_peak
before = _reset_peak()
taken = bytearray(80_000_000)
assert _peak() - before > 70_000
del taken
assert _peak() - before > 70_000
assert _reset_peak() - before < 70_000
"""


def test_the_peak_of_memory_is_that_of_one_input():
    # in a process of its own, as the fuzzer's: one that has run other tests holds memory that is free to be used again
    subprocess.run([sys.executable, "-c", PEAK], check=True, timeout=120)

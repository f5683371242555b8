"""A short sample of the fuzzing that ``make soak`` does at length."""

from mivspool.graphs.read.parts.context import Context
from mivspool.settings import Limits
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

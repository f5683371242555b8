"""Buffers are kept between batches: one of any size costs no page faults again, and none waits for a collector."""

from __future__ import annotations

import gc
import subprocess
import sys

import numpy as np
import pytest
import torch

from mivspool.graphs import dataset_features
from mivspool.learning.batches import Resident
from mivspool.learning.network import Classifier, NetworkConfig, architectures
from mivspool.learning.training import train_epoch

_AGAIN = """
import resource, sys
import torch
from mivspool.learning.memory import keep_buffers

if not keep_buffers():
    sys.exit("no glibc")
floats = int(sys.argv[1]) * 2**20 // 4

def batch():
    return (torch.ones(floats) + 1).relu()

for _ in range(10):  # aligned buffers need a few rounds until every one fits
    batch()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    batch()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


# D&D's buffers of 74 MB are above any threshold that glibc accepts
@pytest.mark.parametrize("megabytes", [1, 24, 74, 200])
def test_buffers_of_any_size_are_used_again(megabytes: int) -> None:
    run = subprocess.run(
        [sys.executable, "-c", _AGAIN, str(megabytes)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if "no glibc" in run.stderr:
        pytest.skip("this system's malloc cannot be told")
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < 100  # cleared anew, each buffer would be 256 faults a megabyte


@pytest.mark.parametrize("method", sorted(architectures()))
def test_nothing_of_a_batch_waits_for_the_garbage_collector(toy, method):
    data = Resident(toy, dataset_features(toy)[0])
    network = Classifier(NetworkConfig(data.x.size(1), 2, method=method, hidden=8, use_weights=True))
    optimiser = torch.optim.Adam(network.parameters())
    train_epoch(network, optimiser, data, np.arange(40), 20)
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        train_epoch(network, optimiser, data, np.arange(40), 20)
        gc.collect()
        left = [found for found in gc.garbage if isinstance(found, torch.Tensor)]
        assert not left
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()

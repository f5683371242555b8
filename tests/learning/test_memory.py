"""Buffers are kept between batches: using one of any size again costs no page faults."""

from __future__ import annotations

import subprocess
import sys

import pytest

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

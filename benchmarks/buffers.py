"""What keeping buffers between batches (``learning/memory.py``) saves of an epoch: with it and without it, in turn.

malloc is told once for a process, so each measurement is a process of its own.

    python -m benchmarks.buffers [--datasets DD] [--methods none gpool] [--rounds 3] [--epochs 3]
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import statistics
import time
from concurrent.futures import ProcessPoolExecutor

import torch

from benchmarks.epoch import our_epoch
from mivspool.graphs import dataset_features, load_dataset
from mivspool.learning.memory import keep_buffers
from mivspool.pooling import METHODS


def measure(name: str, method: str, keep: bool, epochs: int) -> tuple[float, float]:
    """Seconds of processor time and page faults of one epoch, in this process, after two that warm up."""
    torch.set_num_threads(1)
    if keep and not keep_buffers():
        raise SystemExit("this system's malloc cannot be told to keep its buffers")
    dataset = load_dataset(name)
    x, _ = dataset_features(dataset)
    takes_score = method in METHODS and METHODS[method].takes_score
    epoch, _ = our_epoch("multiview" if takes_score else None, dataset, x, 1e-3, method)
    for _ in range(2):
        epoch()
    start, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(epochs):
        epoch()
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    return (time.process_time() - start) / epochs, faults / epochs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--datasets", nargs="+", default=["DD"])
    parser.add_argument("--methods", nargs="+", default=["none", "gpool"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    for name in args.datasets:
        for method in args.methods:
            runs: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
            for _ in range(args.rounds):
                for keep, found in runs.items():
                    context = multiprocessing.get_context("spawn")
                    with ProcessPoolExecutor(1, mp_context=context) as process:
                        found.append(process.submit(measure, name, method, keep, args.epochs).result())
            (without, faults), (kept, fewer) = (
                [statistics.median(column) for column in zip(*runs[keep], strict=True)]
                for keep in (False, True)
            )
            print(
                f"{name}, {method}: {without:.2f} s and {faults:.0f} page faults per epoch, with buffers kept "
                f"{kept:.2f} s and {fewer:.0f}: {kept / without:.2f} of the time",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""What the paper reports: every figure of its four tables, as printed (Stanovic, Gaüzère, Brun)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A mean and its ±, as printed; ``std`` is None where the paper gives none."""

    mean: float
    std: float | None = None


def _figures(names: tuple[str, ...], *pairs: tuple[float, float]) -> dict[str, Figure]:
    return {name: Figure(*pair) for name, pair in zip(names, pairs, strict=True)}


def _statistics(
    graphs: int, classes: int, vertices: tuple[float, float], edges: tuple[float, float]
) -> dict[str, Figure]:
    return dict(
        zip(STATISTICS, (Figure(graphs), Figure(classes), Figure(*vertices), Figure(*edges)), strict=True)
    )


# the data sets in the paper's order
DATASETS = ("DD", "PROTEINS", "NCI1", "ENZYMES")

# Table 1: most figures are cut off, not rounded (284.3 → 284, 715.7 → 715)
STATISTICS = ("graphs", "classes", "vertices", "edges")
TABLE_1 = {
    "DD": _statistics(1178, 2, (284, 272), (715, 694)),
    "PROTEINS": _statistics(1113, 2, (39, 46), (72, 84)),
    "NCI1": _statistics(4110, 2, (29, 13), (32, 14)),
    "ENZYMES": _statistics(600, 6, (33, 15), (62, 26)),
}

# Table 2: MIVSPool's accuracy in percent by score: rand, Top-k, SagPool, MVPool
SCORES = ("uniform", "projection", "attention", "multiview")
TABLE_2 = {
    "DD": _figures(SCORES, (77.04, 0.63), (77.10, 1.00), (75.10, 0.76), (77.38, 0.94)),
    "PROTEINS": _figures(SCORES, (75.15, 0.44), (75.36, 0.60), (75.11, 0.74), (75.62, 0.47)),
    "NCI1": _figures(SCORES, (72.16, 0.55), (73.82, 0.94), (73.72, 0.71), (72.97, 0.71)),
    "ENZYMES": _figures(SCORES, (45.80, 1.35), (37.55, 1.94), (38.68, 2.81), (46.80, 1.53)),
}

# Table 3: iterations of each pooling step; it counts T + 1
TABLE_3: dict[str, tuple[Figure, ...]] = {
    "DD": (Figure(4.1, 0.6), Figure(3.6, 0.6), Figure(3.2, 0.6)),
    "PROTEINS": (Figure(3.1, 0.7), Figure(2.7, 0.6), Figure(2.3, 0.5)),
    "NCI1": (Figure(3.2, 0.5), Figure(2.9, 0.5), Figure(2.5, 0.5), Figure(2.3, 0.5), Figure(2.1, 0.3)),
    "ENZYMES": (Figure(3.2, 0.6), Figure(2.7, 0.6), Figure(2.4, 0.5)),
}

# Table 4: accuracy in percent by method
METHODS = ("gpool", "sagpool", "mvpool-sl", "mivspool", "mivspool-comp")
SCORED = ("mivspool", "mivspool-comp")  # those that take a score; Table 4 has them with the reference
REFERENCE_SCORE = "multiview"
TABLE_4 = {
    "DD": _figures(METHODS, (75.76, 0.82), (75.92, 0.92), (77.26, 0.37), (77.38, 0.94), (77.88, 0.73)),
    "PROTEINS": _figures(METHODS, (73.49, 1.44), (74.30, 0.62), (75.04, 0.67), (75.62, 0.47), (75.81, 0.75)),
    "NCI1": _figures(METHODS, (71.66, 1.04), (72.86, 0.68), (74.79, 0.58), (72.97, 0.71), (73.44, 0.68)),
    "ENZYMES": _figures(METHODS, (36.93, 2.45), (35.30, 1.80), (39.45, 2.57), (46.80, 1.53), (45.60, 2.37)),
}

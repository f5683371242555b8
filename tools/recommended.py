"""Do the runs of docs/recommended.md: ``python -m tools.recommended [search | evaluate | ablation | show]``.

``search`` compares the candidates, ``evaluate`` runs the chosen one and its twins, ``ablation`` the chosen one with one
thing changed (`mivspool tables ablation` shows what came of it); the same command goes on where it was stopped. The
evaluation takes all cores, the others do one run after the other. ``show`` says how the candidates stand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from mivspool.learning import ablation, ablation_runs, recommended
from mivspool.learning.evaluation import Progress, evaluate
from mivspool.learning.provenance import require_clean
from mivspool.learning.results import Results, results_folder
from mivspool.learning.runs import Task
from mivspool.learning.workers import AUTO

SEARCH = Results(results_folder() / "search")


def tell(progress: Progress) -> None:
    """A line per run."""
    line = progress.line
    print(
        f"{line.date} {progress.done}/{progress.total} {line.dataset} {line.method} {line.config_id} "
        f"repeat {line.repeat} fold {line.fold}: validation loss {line.val_loss:.4f}, epoch {line.best_epoch} of "
        f"{line.epochs}, {line.seconds:.0f} s; {progress.seconds_left / 60:.0f} min left here",
        flush=True,
    )


def do(parts: Iterable[list[Task]], results: Results, workers: int | str = 1) -> None:
    """The runs that are missing."""
    require_clean()
    for tasks in parts:
        evaluate(tasks, results, on_run=tell, workers=workers)


def show() -> None:
    """How the candidates stand, and the losses so far."""
    lines = SEARCH.lines()
    for dataset, known in recommended.losses(lines).items():
        print(dataset, ", ".join(f"{name} {loss:.4f}" for name, loss in known.items()))
    for name, ratio in recommended.standing(lines).items():
        print(f"{name} {ratio:.4f}")
    print("chosen:", recommended.chosen(lines) or "not before all runs are there")


def main(action: str) -> None:
    """Do the action."""
    if action == "search":
        do(recommended.search(), SEARCH)
    elif action == "evaluate":
        name = recommended.chosen(SEARCH.lines())
        if name is None:
            raise SystemExit("the search is not finished: python -m tools.recommended search")
        do(recommended.evaluation(recommended.CANDIDATES[name]), Results(results_folder()), AUTO)
    elif action == "ablation":
        require_clean()
        own = ablation.Ablation(results_folder() / ablation.FOLDER)
        ablation_runs.measure_costs(own, on_cost=lambda cost: print(cost, flush=True))
        ablation_runs.run(own, on_run=tell)
    else:
        show()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "show")

"""What a run is: its settings, the paper's grid, the runs of an evaluation, and the line that each leaves.

A setting is declared once, as a field of a class in ``config.py``. The command line, the API's schemas, the form of the
Train page, the lines of ``results/`` and the table in docs/settings.md are made from that declaration.
"""

from mivspool.learning.runs.config import (
    BASELINES,
    MOST_WATCHED,
    MOST_WATCHED_VERTICES,
    SETTINGS,
    NetworkConfig,
    NetworkSettings,
    RunConfig,
    architectures,
)
from mivspool.learning.runs.line import ResultLine, outcome
from mivspool.learning.runs.plan import (
    GRID,
    GRID_POINTS,
    GRID_RUNS,
    REPEATS,
    VARIED,
    Task,
    decide,
    grid_points,
    parse_method,
    plan,
)
from mivspool.learning.runs.setting import Setting, setting, settings_of

__all__ = [
    "BASELINES",
    "GRID",
    "GRID_POINTS",
    "GRID_RUNS",
    "MOST_WATCHED",
    "MOST_WATCHED_VERTICES",
    "REPEATS",
    "SETTINGS",
    "VARIED",
    "NetworkConfig",
    "NetworkSettings",
    "ResultLine",
    "RunConfig",
    "Setting",
    "Task",
    "architectures",
    "decide",
    "grid_points",
    "outcome",
    "parse_method",
    "plan",
    "setting",
    "settings_of",
]

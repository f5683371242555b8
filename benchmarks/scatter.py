"""A stand-in for torch-scatter, which torch-geometric-pool asks for and which has to be built from source.

Only what its KMIS calls, by torch's own scatter; the positions that scatter_min and scatter_max also return are not
computed, since it does not use them: that is in its favour.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from torch import Tensor


def stand_in() -> None:
    """Put the stand-in where ``import torch_scatter`` finds it, unless the real one is installed."""
    if "torch_scatter" in sys.modules or importlib.util.find_spec("torch_scatter") is not None:
        return
    module = ModuleType("torch_scatter")
    for name, reduce in (("add", "sum"), ("min", "amin"), ("max", "amax"), ("mul", "prod")):
        setattr(module, f"scatter_{name}", _scatter(reduce, name in ("min", "max")))
    module.scatter = _scatter("sum", False)  # type: ignore[attr-defined]  # imported there, not called by KMIS
    sys.modules["torch_scatter"] = module


def _scatter(reduce: str, pair: bool) -> object:
    def scatter(src: Tensor, index: Tensor, dim: int = -1, out: Tensor | None = None) -> object:
        if out is None:
            raise NotImplementedError("this stand-in needs out")
        out.scatter_reduce_(dim, index, src, reduce)
        return (out, None) if pair else out

    return scatter

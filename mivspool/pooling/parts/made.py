"""Modules that remember what they were made with: ``reset_parameters``, and ``in_channels=-1``, left to the first call.

Both make the module once more, with the same arguments, and take over its weights: no class says twice how its weights
are drawn.
"""

from __future__ import annotations

import functools
import inspect
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import UninitializedParameter

from mivspool.arrays.eager import RECORDED
from mivspool.errors import InputError

LAZY = -1


class Made(nn.Module):
    """A module that remembers its arguments. ``in_channels``: C of its features, −1 until the first call."""

    in_channels: int
    _arguments: Mapping[str, Any] = MappingProxyType({})
    _waits: bool = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            # every subclass's own, so that nobody has to remember to keep its arguments
            cls.__init__ = _remembering(cls.__init__)  # type: ignore[method-assign]

    def reset_parameters(self) -> None:
        """Draw all weights anew, as when the layer was made; modules that it was given reset themselves."""
        if not self._waits:
            self._take_over(self._again())
        for module in self._given():
            _reset(module)

    def __prepare_scriptable__(self) -> Any:
        # what torch.jit.script asks of a module before it compiles it
        raise InputError(RECORDED.format("scripted, for TorchScript"))

    def fit_channels(self, channels: int) -> None:
        """Draw the weights for features of ``channels`` channels where they were left open (``in_channels=-1``)."""
        for module in self.modules():
            if isinstance(module, Made) and module._waits:
                module._waits = False
                module._arguments = {**module._arguments, "in_channels": channels}
                fresh = module._again()
                module._take_over(fresh, open_alone=True)
                for own, new in zip(module.modules(), fresh.modules(), strict=True):
                    vars(own).update(_numbers(new))

    def _again(self) -> Made:
        """Another module made with the same arguments."""
        signature = inspect.signature(type(self).__init__)
        bound = inspect.BoundArguments(signature, OrderedDict({next(iter(signature.parameters)): self}))
        bound.arguments.update(self._arguments)
        return type(self)(*bound.args[1:], **bound.kwargs)

    def _given(self) -> Iterator[nn.Module]:
        """The modules among the arguments."""
        return (value for value in self._arguments.values() if isinstance(value, nn.Module))

    def _own(self) -> dict[str, nn.Parameter]:
        """The parameters by name, but not those of a module among the arguments."""
        given = {id(parameter) for module in self._given() for parameter in module.parameters()}
        return {name: one for name, one in self.named_parameters() if id(one) not in given}

    def _take_over(self, other: Made, open_alone: bool = False) -> None:
        """The weights of ``other``; ``open_alone``: not in place of those that a state dict has given."""
        theirs = other._own()
        with torch.no_grad():
            for name, own in self._own().items():
                if isinstance(own, UninitializedParameter):
                    own.materialize(theirs[name].shape)
                elif open_alone:
                    continue
                own.copy_(theirs[name])


def _remembering(init: Callable[..., None]) -> Callable[..., None]:
    """An ``__init__`` that keeps its arguments, and leaves the weights open where ``in_channels`` is −1."""
    signature = inspect.signature(init)

    @functools.wraps(init)
    def made(self: Made, *args: Any, **kwargs: Any) -> None:
        if "_arguments" in vars(self):  # called by the __init__ of a subclass
            init(self, *args, **kwargs)
            return
        bound = signature.bind(self, *args, **kwargs)
        _, *names = bound.arguments
        channels = bound.arguments.get("in_channels")
        if isinstance(channels, int) and channels < LAZY:
            raise InputError(
                f"in_channels is the width of x, or -1 for that of the first call, not {channels}"
            )
        vars(self)["_arguments"] = {name: bound.arguments[name] for name in names}
        if channels == LAZY:
            bound.arguments["in_channels"] = 1
        init(*bound.args, **bound.kwargs)
        if channels is not None:
            self.in_channels = channels
        if channels == LAZY:
            _leave_open(self)

    return made


def _leave_open(module: Made) -> None:
    """Take the weights' shapes away: they are known at the first call, or from a state dict."""
    module._waits = True
    for name, parameter in module._own().items():
        owner, _, last = name.rpartition(".")
        # torch's types know its __new__ alone of Parameter
        empty: Any = UninitializedParameter(device=parameter.device, dtype=parameter.dtype)  # type: ignore[call-arg]
        module.get_submodule(owner).register_parameter(last, empty)
    module.register_load_state_dict_pre_hook(_take_shapes)


def _take_shapes(module: nn.Module, state: dict[str, Any], prefix: str, *_: Any) -> None:
    """Before a state dict is loaded: the shapes of weights that are still open are those that it has."""
    for name, parameter in module.named_parameters():
        if isinstance(parameter, UninitializedParameter) and prefix + name in state:
            parameter.materialize(state[prefix + name].shape)


def _numbers(module: nn.Module) -> dict[str, Any]:
    """The plain numbers of a module, such as ``in_features``."""
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _reset(module: nn.Module) -> None:
    """As ``torch_geometric.nn.inits.reset``: by the module's own method, else those of its parts."""
    reset: Any = getattr(module, "reset_parameters", None)
    if reset is not None:
        reset()
        return
    for part in module.children():
        _reset(part)

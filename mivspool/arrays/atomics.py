"""What several threads may read and write at once in an array of integers: for compiled loops only.

Without these a loop may keep in a register what it has read, and a processor may change the order of two writes. A load
sees all that was written before the store whose value it reads. On x86 loads and stores are plain moves.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _pointer(context: Any, builder: Any, signature: Any, array: Any, index: Any) -> Any:
    kind = signature.args[0]
    place = context.cast(builder, index, signature.args[1], types.intp)
    held = context.make_array(kind)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, kind, held, [place], wraparound=False)


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def load(typing: Any, array: Any, index: Any) -> Any:
    """array[index]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature, *args)
        return builder.load_atomic(place, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, index), generate


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def clear(typing: Any, array: Any, index: Any) -> Any:
    """array[index] = 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature, *args)
        zero = context.get_constant(array.dtype, 0)
        builder.store_atomic(zero, place, "release", array.dtype.bitwidth // 8)

    return types.void(array, index), generate


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def swap(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """array[index] = value; what stood there before."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature, *args[:2])
        given = context.cast(builder, args[2], signature.args[2], array.dtype)
        return builder.atomic_rmw("xchg", place, given, "acq_rel")

    return array.dtype(array, index, value), generate

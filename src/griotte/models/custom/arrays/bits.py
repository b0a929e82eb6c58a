"""The bits of elements as those of another dtype.

    y = bits(x, dtype=s32)      of x: f32[8,4] an s32[8,4]; dtype=u8 gives u8[8,4,4], the first byte the lowest

What has fewer bits has a last axis more, of as many as make one of the other; what has more takes such an axis away.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ....lang.types.dtypes import DTYPES, dtype
from ....lang.types.tensor import TensorType, tensor
from ....support.errors import SpecError
from ..loop import Lines, line_moved
from .call import ArrayCall

if TYPE_CHECKING:  # a model that is read needs no code generator
    from ....engine.vectors.library import VectorLibrary
    from ....machine.target import Target

WHOLE = tuple(name for name, row in DTYPES.items() if row.bits == 8 * row.bytes)
"""Dtypes whose elements count all their bits."""
STRETCH = 1 << 12  # bytes that one thread moves at a time


class Bits(ArrayCall):
    """The bits of elements as those of another dtype."""

    call = "bits"
    arity = 1
    options: ClassVar[Mapping[str, tuple[str, ...] | int]] = {"dtype": WHOLE}

    @cached_property
    def types(self) -> tuple[TensorType, ...]:
        (x,) = self.takes
        if x.dynamic is not None or x.dtype not in WHOLE:
            raise SpecError(f"expected an array of fixed sizes and of whole bytes for bits, found {x}; cast it")
        given, wanted, shape = dtype(x.dtype).bits, dtype(self.given("dtype")).bits, x.shape
        if given > wanted:
            shape = (*shape, given // wanted)
        elif given < wanted and shape[-1:] != (wanted // given,):
            raise SpecError(f"expected a last axis of {wanted // given} of {x} for {self}; reshape it")
        elif given < wanted:
            shape = shape[:-1]
        return (tensor(shape, self.given("dtype")),)

    @property
    def flops(self) -> int:
        return 0

    def meaning(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """The same memory, as NumPy sees it."""
        (x,), (y,) = arrays, self.types
        return (np.ascontiguousarray(x).reshape(-1).view(dtype(y.dtype).numpy).reshape(y.shape),)

    @property
    def shares(self) -> int:
        """Stretches of memory."""
        return -(-self.takes[0].bytes // STRETCH)

    def cost(self, target: Target) -> float:
        """A copy."""
        bytes = self.takes[0].bytes
        return line_moved(target, 2 * bytes / target.spans.line) * bytes / target.spans.line

    def loop(self, first: str, end: str, library: VectorLibrary, target: Target) -> Lines:
        """A copy."""
        bytes = self.takes[0].bytes
        return [
            f"const int64_t at = ({first}) * {STRETCH}, behind = ({end}) * {STRETCH};",
            f"const int64_t last = behind < {bytes} ? behind : {bytes};",
            "__builtin_memcpy((char *)y0 + at, (const char *)x0 + at, (size_t)(last - at));",
        ]

"""Where the results of a call go, and that it is apart from what the call reads."""

from __future__ import annotations

from collections.abc import Sequence
from operator import call
from typing import Any

import numpy as np

from ..support.errors import SpecError
from .arguments import READABLE, WRITEABLE, Pointer, allocator, pointer_taker
from .signature import Signature


class Outputs:
    """The arrays of several outputs, and their addresses: a tuple of each."""

    def __init__(self, signature: Signature) -> None:
        self._signature = signature
        self._takers = [
            pointer_taker(arg, f"out[{n}] ({arg.name}) of {signature}", READABLE | WRITEABLE)
            for n, arg in enumerate(signature.outputs)
        ]
        self._allocators = [allocator(arg) for arg in signature.outputs]

    def take(self, out: Any) -> tuple[Pointer, ...]:
        """The addresses of `out`, a tuple or list of arrays."""
        if not isinstance(out, (tuple, list)) or len(out) != len(self._takers):
            names = ", ".join(arg.name for arg in self._signature.outputs)
            found = f"{len(out)} arrays" if isinstance(out, (tuple, list)) else type(out).__name__
            raise SpecError(
                f"expected a tuple of {len(self._takers)} arrays ({names}), found {found}, for out "
                f"of {self._signature}; pass one for each output, or leave out= away"
            )
        return tuple(map(call, self._takers, out))

    def allocate(self) -> tuple[tuple[np.ndarray, ...], tuple[Pointer, ...]]:
        """New arrays, and their addresses."""
        arrays, pointers = zip(*(allocate() for allocate in self._allocators))
        return arrays, pointers

    def check_apart(self, results: Sequence[Pointer], pointers: Sequence[Pointer], sizes: Sequence[int]) -> None:
        """SpecError where an output shares memory with an input (of `sizes` bytes) or with another output."""
        signature = self._signature
        inputs = list(zip(signature.inputs, pointers, sizes))
        outputs = [(arg, result, arg.nbytes) for arg, result in zip(signature.outputs, results)]
        for n, (arg, result, size) in enumerate(outputs):
            for other, pointer, above in (*inputs, *outputs[:n]):
                if -size < (result + 0) - pointer < above:
                    raise overlap(other.name, f"out[{n}] ({arg.name})", signature)


def overlap(name: str, what: str, signature: Signature) -> SpecError:
    return SpecError(
        f"expected out apart from the inputs{' and from each other' if signature.further else ''}, found memory shared"
        f" with {name}, for {what} of {signature}; pass another array, or leave out= away"
    )

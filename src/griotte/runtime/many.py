"""Many calls of one kernel at once: which arrays belong to which call.

Not here: whether an array fits (arguments.py), and how the calls are run (bound_call.py).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..support.errors import SpecError
from .arguments import shape_of
from .signature import Signature, TensorArg

__all__ = ["rows"]


def rows(signature: Signature, arrays: Sequence[Any], out: Any) -> list[tuple[Any, ...]]:
    """For each call its inputs and, last, its output, or a tuple of its several outputs.

    Each of `arrays`, and `out` (or each of a tuple, for several outputs), is a list of arrays or a stack of them; of
    the inputs a single array serves every call.
    """
    last = _results(out, signature)
    if last is None:
        raise SpecError(
            "expected a list of arrays, or a stack of them, as"
            f" out{', for each of its outputs as many' if signature.further else ''}, found {_words(out)}, for"
            f" {signature}; use bind for a single call"
        )
    columns = [_column(*pair, len(last), signature) for pair in zip(arrays, signature.inputs)]
    return list(zip(*columns, last))


def _results(out: Any, signature: Signature) -> list[Any] | None:
    """The output of each call, of several outputs a tuple of them; None where `out` is of another form."""
    if not signature.further:
        return _each(out, signature.output)
    if not isinstance(out, (list, tuple)) or len(out) != len(signature.outputs):
        return None
    columns = [_each(value, arg) for value, arg in zip(out, signature.outputs)]
    if None in columns or len({len(column or ()) for column in columns}) > 1:
        return None
    return list(zip(*(column or () for column in columns)))


def _column(value: Any, arg: TensorArg, count: int, signature: Signature) -> list[Any]:
    """One input of each of `count` calls."""
    found = _each(value, arg)
    if found is None:
        return [value] * count
    if len(found) != count:
        raise SpecError(
            f"expected {count} arrays, as many as in out, found {len(found)}, for {arg.name} of "
            f"{signature}; pass one for each call, or a single one for all"
        )
    return found


def _each(value: Any, arg: TensorArg) -> list[Any] | None:
    """The arrays of a list or of a stack; None for anything else."""
    if isinstance(value, (list, tuple)):
        return list(value)
    if len(shape_of(value)) != len(arg.shape) + 1:
        return None
    stack = np.asarray(value) if isinstance(value, memoryview) else value
    return [stack[i, ...] for i in range(len(stack))]


def _words(value: Any) -> str:
    shape = shape_of(value)
    return f"an array of shape {shape}" if shape else type(value).__name__

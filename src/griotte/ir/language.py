"""What all calls of the language have in common: the types of their arguments, numbers of NumPy as arguments, and the
end of their help.

    @call
    def exp(x: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec: ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import cleandoc
from typing import Any, ParamSpec, SupportsIndex

import numpy as np

from .dtypes import DTypeLike
from .spec import Spec
from .tensor import LayoutLike, TensorType

TensorLike = TensorType | Spec
TensorOrNumber = TensorLike | float  # what a map also takes: a number, of the dtype of the other operands
Axes = SupportsIndex | Sequence[SupportsIndex]  # one, or several
Pair = SupportsIndex | Sequence[SupportsIndex]  # one number for h and for w, or a pair
Padding = Pair | Sequence[Sequence[SupportsIndex]]  # or before and after h, and before and after w
Zero = TensorLike | int
P = ParamSpec("P")
TAKES_CALLS = "__griotte_call__"
"""The method of what stands for a tensor and makes something else of calls: `(name, arguments, attributes)`."""

_LAYOUT = "    layout: axes of the result, the fastest first; row-major where left out."
_RAISES = "Raises:\n    SpecError: an argument does not fit; the message says what was expected and what was found."

__all__ = ["Axes", "DTypeLike", "LayoutLike", "TensorOrNumber", "TensorLike", "Pair", "Padding", "Zero", "call"]


def call(constructor: Callable[P, Spec]) -> Callable[P, Spec]:
    """A constructor that takes numbers of NumPy as those of Python, and whose help ends as that of every call."""
    make: Callable[..., Spec] = constructor

    @wraps(constructor)
    def called(*args: P.args, **attributes: P.kwargs) -> Spec:
        for each in (*args, *attributes.values()):
            if hasattr(type(each), TAKES_CALLS):
                return getattr(each, TAKES_CALLS)(constructor.__name__, args, attributes)
        return make(*map(_plain, args), **{key: _plain(x) for key, x in attributes.items()})

    called.__doc__ = constructor.__doc__ and _help(constructor.__doc__)
    return called


def _plain(x: Any) -> Any:
    """A number of NumPy as one of Python; anything else as it is."""
    return x.item() if isinstance(x, (np.number, np.bool_)) else x


def _help(doc: str) -> str:
    """A constructor's docstring with what is the same for all calls before its example."""
    before, mark, example = cleandoc(doc).partition("\n\nExample:")
    return f"{before}\n{_LAYOUT}\n\n{_RAISES}{mark}{example}"

"""What all calls of the language have in common: the types of their arguments, numbers of NumPy as arguments, how they
are written, and the end of their help.

    @call
    def exp(x: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec: ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, cleandoc, signature
from typing import Any, ParamSpec, SupportsIndex

import numpy as np

from ..calls.compose import written
from ..calls.spec import Spec, part
from ..calls.written import Written
from ..types.dtypes import DTypeLike
from ..types.tensor import LayoutLike, TensorType

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
    """A constructor that takes numbers of NumPy as those of Python, whose Spec is written as this call of its operands
    (after them stands what the constructor leaves as text), and whose help ends as that of every call."""
    make: Callable[..., Spec] = constructor
    form, name = Form.of(constructor), constructor.__name__
    names = tuple(signature(constructor).parameters)[: form.operands]

    @wraps(constructor)
    def called(*args: P.args, **attributes: P.kwargs) -> Spec:
        for each in (*args, *attributes.values()):
            if hasattr(type(each), TAKES_CALLS):
                return getattr(each, TAKES_CALLS)(name, args, attributes)
        plain, by_name = [*map(_plain, args)], {key: _plain(x) for key, x in attributes.items()}
        spec = make(*plain, **by_name)
        operands = plain if form.more else [*plain[: form.operands], *(by_name[key] for key in names[len(plain) :])]
        tensors = tuple((key, part(x)) for key in form.tensors if (x := by_name.get(key)) is not None)
        return written(spec, Written(name, tuple(map(part, operands)), str(spec.text), tensors, spec.output))

    called.__doc__ = constructor.__doc__ and _help(constructor.__doc__)
    return called


@dataclass(frozen=True)
class Form:
    """How a call is written in text: its constructor, its number of operands, the attributes it takes, `tensors` that
    are operands by name, after the others; `shaped` where the result's shape is one more argument; `numbers` are the
    places of operands that may be whole numbers, `reals` of those that may be any; `more` where there may be more
    operands."""

    constructor: Callable[..., Spec]
    operands: int
    attributes: tuple[str, ...] = ()
    shaped: bool = False
    tensors: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    reals: tuple[int, ...] = ()
    more: bool = False

    @classmethod
    def of(cls, constructor: Callable[..., Spec]) -> Form:
        """What the signature of a constructor says: operands are annotated as such, and so is all before the last."""
        stated = [p for p in signature(constructor).parameters.values() if p.name not in ("dtype", "layout")]
        is_operand = lambda parameter: parameter.annotation.split(" ")[0] in _OPERANDS
        plain = [p for p in stated if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
        kinds = [p.annotation for p in plain[: max((n for n, p in enumerate(plain, 1) if is_operand(p)), default=0)]]
        rest = [p for p in stated if p not in plain[: len(kinds)] and p.kind is not Parameter.VAR_POSITIONAL]
        return cls(
            constructor,
            len(kinds),
            tuple(p.name for p in rest if not is_operand(p) and p.name != "shape"),
            any(p.name == "shape" for p in rest),
            tuple(p.name for p in rest if is_operand(p)),
            tuple(n for n, kind in enumerate(kinds) if kind not in ("TensorLike", "TensorOrNumber")),
            tuple(n for n, kind in enumerate(kinds) if kind == "TensorOrNumber" and len(kinds) > 1),
            any(p.kind is Parameter.VAR_POSITIONAL for p in stated),
        )


_OPERANDS = "TensorLike", "TensorOrNumber", "Zero"


def _plain(x: Any) -> Any:
    """A number of NumPy as one of Python; anything else as it is."""
    return x.item() if isinstance(x, (np.number, np.bool_)) else x


def _help(doc: str) -> str:
    """A constructor's docstring with what is the same for all calls before its example."""
    before, mark, example = cleandoc(doc).partition("\n\nExample:")
    return f"{before}\n{_LAYOUT}\n\n{_RAISES}{mark}{example}"

"""What all calls of the language have in common: the types of their arguments and the checks of them, their text, and
the end of their help.

    @call
    def exp(x: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec: ...

A check raises a SpecError that says what was expected and what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter, cleandoc, signature
from math import isfinite, nan
from numbers import Real
from reprlib import repr as shortened
from typing import Any, ParamSpec, SupportsIndex

import numpy as np

from ...support.errors import SpecError
from ..calls.compose import written
from ..calls.spec import Spec, read_of
from ..calls.value import Value, number_text
from ..types.dtypes import DTypeLike, is_number
from ..types.dtypes import dtype as dtype_row
from ..types.tensor import LayoutLike, TensorType, whole

TensorLike = TensorType | Spec
TensorOrNumber = TensorLike | float  # what a map also takes: a number, of the dtype of the other operands
Axes = SupportsIndex | Sequence[SupportsIndex]  # one, or several
Pair = SupportsIndex | Sequence[SupportsIndex]  # one number for h and for w, or a pair
Padding = Pair | Sequence[Sequence[SupportsIndex]]  # or before and after h, and before and after w
Zero = TensorLike | int
P = ParamSpec("P")
TAKES_CALLS = "__griotte_call__"
"""The method of what stands for a tensor and makes something else of calls: `(name, arguments, attributes)`."""

_DTYPE = "    dtype: of the result; that of x where left out."
_LAYOUT = "    layout: axes of the result, the fastest first; row-major where left out."
_RAISES = "Raises:\n    SpecError: an argument does not fit; the message says what was expected and what was found."

__all__ = ["Axes", "DTypeLike", "LayoutLike", "TensorOrNumber", "TensorLike", "Pair", "Padding", "Zero", "call"]


def call(constructor: Callable[P, Spec]) -> Callable[P, Spec]:
    """A constructor that takes numbers of NumPy as those of Python. Its Spec is written as this call of its operands;
    after them stands the text that the constructor leaves. Its help ends as that of every call."""
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
        keys = tuple(key for key in form.tensors if by_name.get(key) is not None)
        operands += [by_name[key] for key in keys]
        reads = tuple(map(read_of, operands))
        return written(spec, Value(spec.output, "", name, reads, keys, spec.rest))

    called.__doc__ = constructor.__doc__ and _help(constructor.__doc__)
    return called


@dataclass(frozen=True)
class Form:
    """How a call is written in text: its constructor, its number of operands, the attributes it takes.

    `tensors` are operands by name, after the others. `shaped`: the result's shape is one more argument. `numbers` are
    the places of operands that may be whole numbers, `reals` of those that may be any. `more`: there may be more
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
    """A constructor's docstring with the help that calls share before its example."""
    before, mark, example = cleandoc(doc).partition("\n\nExamples:")
    stated = before if "\n    dtype:" in before else f"{before}\n{_DTYPE}"
    return f"{stated}\n{_LAYOUT}\n\n{_RAISES}{mark}{example}"


def require_type(name: str, x: object) -> TensorType:
    """The type of an operand: a tensor type, or the result of a Spec."""
    return x.output if isinstance(x, Spec) else require_tensor(name, x)


def require_float(name: str, x: object) -> None:
    """That an operand is of floats, or a number."""
    t = TensorType("f32", (), ()) if is_number(x) else require_type(name, x)
    if dtype_row(t.dtype).kind != "float":
        raise SpecError(
            f"{name} expects floats, found {t}; cast first: cast({t}) -> {replace(t, dtype='f32', constant=False)}"
        )


def require_tensor(name: str, x: object) -> TensorType:
    """x, which is to be a tensor type."""
    if not isinstance(x, TensorType):
        raise SpecError(
            f"{name} expects tensor types, found {' '.join(shortened(x).split())}; make one with tensor(shape, dtype)"
        )
    return x


def require_flag(name: str, what: str, value: object) -> None:
    if not isinstance(value, bool):
        raise SpecError(f"{name} expects {what} to be true or false, found {value}")


def require_finite(name: str, what: str, value: object) -> float:
    found = require_number(name, what, value)
    if not isfinite(found):
        raise SpecError(f"{name} expects {what} to be a number, found {value}")
    return found


def require_number(name: str, what: str, value: object) -> float:
    """A number, or an infinity, as a float; SpecError of anything else."""
    try:
        found = float(value) if isinstance(value, Real) and not isinstance(value, bool) else nan
    except OverflowError:  # an int that f64 does not hold
        found = nan
    if found != found:
        raise SpecError(
            f"{name} expects {what} to be a number, found {shortened(value) if isinstance(value, int) else value}"
        )
    return found


def attribute_text(value: float) -> str:
    """The number of an attribute as text that is read as that very number."""
    short = number_text(value) if isinstance(value, int) else f"{value:g}"
    return short if float(short) == value and short != "-0" else number_text(value)


def attributes_text(**attributes: object) -> str:
    """Attributes as a call is written with them; those that are None are left out."""
    return "".join(f", {key}={_value_text(value)}" for key, value in attributes.items() if value is not None)


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else tuple_text(value) if isinstance(value, tuple) else attribute_text(value)


def require_broadcast(name: str, types, shapes, inner: int = 0) -> tuple[int, ...]:
    """NumPy's broadcast of `shapes`, which are those of `types` but for the last `inner` axes."""
    rank = len(sorted(shapes, key=len)[-1])
    padded = [(1,) * (rank - len(s)) + tuple(s) for s in shapes]
    for axis, sizes in enumerate(zip(*padded)):
        if len({s for s in sizes if s != 1}) > 1:
            raise SpecError(
                f"{name} expects sizes that are equal or 1 (they broadcast from the last axis), found"
                f" {' and '.join(map(str, sizes))} at axis {axis - rank - inner} of {' and '.join(map(str, types))}"
            )
    return tuple(sorted(sizes)[-1] for sizes in zip(*padded))


def broadcasts_to(shape: tuple[int, ...], full: tuple[int, ...]) -> bool:
    """Whether NumPy broadcasts `shape` to `full`."""
    return len(shape) <= len(full) and all(n in (1, m) for n, m in zip(shape[::-1], full[::-1]))


def require_axes(name: str, x: TensorType, axis) -> tuple[int, ...]:
    """`axis` as sorted axes from 0."""
    given = tuple(range(x.rank)) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [n for a in given if (n := whole(a)) is not None]
    for a in given:
        if whole(a) not in range(-x.rank, x.rank):
            raise SpecError(
                f"{name} expects axes from {-x.rank} to {x.rank - 1}, found {a} for {x}"
                if x.rank
                else f"{name} expects no axis for {x}, found {a}"
            )
    wrapped = tuple(sorted(a % x.rank for a in axes))
    if len(set(wrapped)) < len(wrapped):
        raise SpecError(f"{name} expects each axis once, found {tuple_text(axes)} for {x}")
    return wrapped


def tuple_text(values) -> str:
    values = tuple(values)
    return f"({','.join(map(str, values))}{',' if len(values) == 1 else ''})"

"""What constructors ask of their arguments: each is as it is to be, or a SpecError says what was expected and what was
found; and numbers, tuples and axes as a call is written with them."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, nan
from numbers import Real
from reprlib import repr as shortened
from typing import Any

from ...support.errors import SpecError
from ..calls.spec import Spec, number_text
from ..types.dtypes import dtype as dtype_row
from ..types.dtypes import is_number
from ..types.tensor import TensorType, whole


def require_type(name: str, x: object) -> TensorType:
    """The type of what is passed: a tensor type, or what a Spec gives."""
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

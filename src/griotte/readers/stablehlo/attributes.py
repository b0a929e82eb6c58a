"""How the parameters of an operation are read from StableHLO's text: functions of the operation as it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from ..node import Unsupported
from .module import StableHloOperation

ParameterReader = Callable[[StableHloOperation], Any]


def whole_numbers(given: Any) -> tuple[int, ...]:
    """Whole numbers of a list or of a dense constant."""
    if given is None:
        return ()
    flat = given.reshape(-1).tolist() if hasattr(given, "reshape") else given
    return tuple(int(n) for n in (flat if isinstance(flat, (list, tuple)) else [flat]))


def _pairs(given: Any, rank: int) -> list[tuple[int, int]]:
    """Pairs of whole numbers, of each axis; zeros where none are written."""
    result = given.tolist() if hasattr(given, "tolist") else given or []
    return [(int(a), int(b)) for a, b in result] or [(0, 0)] * rank


def flat(given: Any) -> list[Any]:
    return list(given) if isinstance(given, (list, tuple)) else [given]


def number_of(*names: str) -> ParameterReader:
    return lambda op: int(op.given(*names))


def numbers_of(*names: str) -> ParameterReader:
    return lambda op: whole_numbers(op.given(*names))


def axes_of(*names: str) -> ParameterReader:
    """The same; none where none are written."""
    return lambda op: whole_numbers(op.get(*names))


def each_of(name: str) -> ParameterReader:
    """A whole number of each axis, 1 where none are written."""
    return lambda op: whole_numbers(op.get(name)) or (1,) * len(op.takes[0].shape)


def bounds_of(place: int, name: str) -> ParameterReader:
    """Starts, limits or steps of a slice, which are written together or each."""

    def read(op: StableHloOperation) -> tuple[int, ...]:
        ranges = op.get("ranges")
        return whole_numbers(op.given(name)) if ranges is None else tuple((*each, 1)[place] for each in ranges)

    return read


def padding_of(op: StableHloOperation) -> list[tuple[int, int, int]]:
    low, high = whole_numbers(op.given("low", "edge_padding_low")), whole_numbers(op.given("high", "edge_padding_high"))
    return list(zip(low, high, whole_numbers(op.given("interior", "interior_padding")), strict=True))


def bits_of(letter: str, name: str) -> ParameterReader:
    """How many bits of exponent or of mantissa, of a format such as e5m10 or by themselves."""

    def read(op: StableHloOperation) -> int:
        exponent, _, mantissa = str(op.get("format") or "").removeprefix("e").partition("m")
        return int((exponent if letter == "e" else mantissa) or op.given(name))

    return read


def contracted_of(op: StableHloOperation) -> tuple[Any, Any]:
    """The axes that are summed, and those that go along with each other, of both operands."""
    numbers = op.get("dot_dimension_numbers") or {}
    pair = lambda name, longer: op.get(name) or [numbers.get(f"{side}_{longer}", []) for side in ("lhs", "rhs")]
    sums = pair("contracting_dims", "contracting_dimensions")
    if op.name.endswith(".dot"):
        sums = [[len(op.takes[0].shape) - 1], [0]]
    return tuple(map(whole_numbers, sums)), tuple(map(whole_numbers, pair("batching_dims", "batching_dimensions")))


def _window(op: StableHloOperation) -> tuple[Any, int]:
    """The window of a convolution as it is written, and its rank."""
    window = op.get("window") or op.attributes
    if any(flat(window.get("reverse", window.get("window_reversal")))):
        raise Unsupported("windows that are turned")
    return window, len(op.given("dim_numbers", "dimension_numbers")[0]) - 2


def of_window(*names: str) -> ParameterReader:
    def read(op: StableHloOperation) -> tuple[int, ...]:
        window, rank = _window(op)
        return whole_numbers(next((window[n] for n in names if n in window), None)) or (1,) * rank

    return read


def window_padding(op: StableHloOperation) -> list[tuple[int, int]]:
    window, rank = _window(op)
    return _pairs(window.get("pad", window.get("padding")), rank)


def window_axes(op: StableHloOperation) -> SimpleNamespace:
    x, w, y = op.given("dim_numbers", "dimension_numbers")
    return SimpleNamespace(lhs_spec=_places(x, "b", "f"), rhs_spec=_places(w, "o", "i"), out_spec=_places(y, "b", "f"))


def _places(axes: Sequence[Any], first: str, second: str) -> tuple[int, ...]:
    """Where the two axes by name stand, then those by number."""
    axes = [str(axis) for axis in axes]
    return tuple(axes.index(each) for each in (first, second, *map(str, range(len(axes) - 2))))


def indexed(attribute: str, alike: str, **others: str) -> dict[str, ParameterReader]:
    """The axes of a gather or a scatter: those that JAX calls alike, others by JAX's names and StableHLO's, and the
    axis along which an index lies."""
    numbers, names = lambda op: op.given(attribute), {name: name for name in alike.split()} | others
    axes = lambda op: SimpleNamespace(**{own: whole_numbers(numbers(op).get(name)) for own, name in names.items()})
    return {"dimension_numbers": axes, "index_vector_dim": lambda op: int(numbers(op).get("index_vector_dim", 0))}


WINDOWS: dict[str, ParameterReader] = {
    "window_dimensions": each_of("window_dimensions"),
    "window_strides": each_of("window_strides"),
    "padding": lambda op: _pairs(op.get("padding"), len(op.takes[0].shape)),
}

"""StableHLO's operations as JAX's primitives: which one, which of the operands in which order, which parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from ..node import Unsupported
from .module import StableHloOperation

Told = tuple[str, list[int], dict[str, Any]]
"""The primitive, which of the operands in which order, and its parameters."""
ToldParameter = Callable[[StableHloOperation], Any]
RENAMED = {
    "bitcast_convert": "bitcast_convert_type",
    "convert": "convert_element_type",
    "cosine": "cos",
    "count_leading_zeros": "clz",
    "divide": "div",
    "exponential": "exp",
    "exponential_minus_one": "expm1",
    "log_plus_one": "log1p",
    "maximum": "max",
    "minimum": "min",
    "multiply": "mul",
    "negate": "neg",
    "next_after": "nextafter",
    "popcnt": "population_count",
    "power": "pow",
    "remainder": "rem",
    "rng": "rng_uniform",
    "sine": "sin",
    "subtract": "sub",
    "select": "select_n",
    "reverse": "rev",
    "dot": "dot_general",
    "convolution": "conv_general_dilated",
    "round_nearest_even": "round",
    "round_nearest_afz": "round",
    "case": "cond",
    "if": "cond",
}
"""Those that JAX calls otherwise."""


def told(op: StableHloOperation) -> Told:
    """An operation as its primitive; Unsupported where its dialect is none of theirs."""
    dialect, _, name = op.name.rpartition(".")
    if dialect not in ("stablehlo", "chlo", "mhlo"):
        raise Unsupported("no such operation here")
    if name == "compare":
        return _comparison(op), list(range(len(op.operands))), {}
    order = [0, 2, 1] if name == "select" and len(op.operands) == 3 else list(range(len(op.operands)))
    return RENAMED.get(name, name), order, {key: read(op) for key, read in PARAMETERS.get(name, {}).items()}


def numbers(given: Any) -> tuple[int, ...]:
    """Whole numbers of a list or of a dense constant."""
    if given is None:
        return ()
    flat = given.reshape(-1).tolist() if hasattr(given, "reshape") else given
    return tuple(int(n) for n in (flat if isinstance(flat, (list, tuple)) else [flat]))


def _pairs(given: Any, rank: int) -> list[tuple[int, int]]:
    """Pairs of whole numbers, of each axis; zeros where none are told."""
    found = given.tolist() if hasattr(given, "tolist") else given or []
    return [(int(a), int(b)) for a, b in found] or [(0, 0)] * rank


def _flat(given: Any) -> list[Any]:
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _comparison(op: StableHloOperation) -> str:
    words = [*op.words, *_flat(op.get("comparison_direction")), *_flat(op.get("compare_type"))]
    how = next(word for word in words if word in ("EQ", "NE", "LT", "LE", "GT", "GE")).lower()
    return how + "_to" * ("TOTALORDER" in words)


# ---- how parameters are told -----------------------------------------------------------------------------------------


def _number(*names: str) -> ToldParameter:
    return lambda op: int(op.given(*names))


def _numbers(*names: str) -> ToldParameter:
    return lambda op: numbers(op.given(*names))


def _each(name: str) -> ToldParameter:
    """A whole number of each axis, 1 where none are told."""
    return lambda op: numbers(op.get(name)) or (1,) * len(op.takes[0].shape)


def _parts(place: int, name: str) -> ToldParameter:
    """Starts, limits or steps of a slice, which are told together or each."""

    def read(op: StableHloOperation) -> tuple[int, ...]:
        ranges = op.get("ranges")
        return numbers(op.given(name)) if ranges is None else tuple((*each, 1)[place] for each in ranges)

    return read


def _padding(op: StableHloOperation) -> list[tuple[int, int, int]]:
    low, high = numbers(op.given("low", "edge_padding_low")), numbers(op.given("high", "edge_padding_high"))
    return list(zip(low, high, numbers(op.given("interior", "interior_padding")), strict=True))


def _bits(letter: str, name: str) -> ToldParameter:
    """How many bits of exponent or of mantissa, of a format such as e5m10 or by themselves."""

    def read(op: StableHloOperation) -> int:
        exponent, _, mantissa = str(op.get("format") or "").removeprefix("e").partition("m")
        return int((exponent if letter == "e" else mantissa) or op.given(name))

    return read


def _contracted(op: StableHloOperation) -> tuple[Any, Any]:
    """The axes that are summed, and those that go along with each other, of both operands."""
    told = op.get("dot_dimension_numbers") or {}
    pair = lambda name, longer: op.get(name) or [told.get(f"{side}_{longer}", []) for side in ("lhs", "rhs")]
    sums = pair("contracting_dims", "contracting_dimensions")
    if op.name.endswith(".dot"):
        sums = [[len(op.takes[0].shape) - 1], [0]]
    return tuple(map(numbers, sums)), tuple(map(numbers, pair("batching_dims", "batching_dimensions")))


def _window(op: StableHloOperation) -> tuple[Any, int]:
    """What is told of the window of a convolution, and of how many axes it is."""
    window = op.get("window") or op.attributes
    if any(_flat(window.get("reverse", window.get("window_reversal")))):
        raise Unsupported("windows that are turned")
    return window, len(op.given("dim_numbers", "dimension_numbers")[0]) - 2


def _of_window(*names: str) -> ToldParameter:
    def read(op: StableHloOperation) -> tuple[int, ...]:
        window, rank = _window(op)
        return numbers(next((window[n] for n in names if n in window), None)) or (1,) * rank

    return read


def _window_padding(op: StableHloOperation) -> list[tuple[int, int]]:
    window, rank = _window(op)
    return _pairs(window.get("pad", window.get("padding")), rank)


def _window_axes(op: StableHloOperation) -> SimpleNamespace:
    x, w, y = op.given("dim_numbers", "dimension_numbers")
    return SimpleNamespace(lhs_spec=_places(x, "b", "f"), rhs_spec=_places(w, "o", "i"), out_spec=_places(y, "b", "f"))


def _places(axes: Sequence[Any], first: str, second: str) -> tuple[int, ...]:
    """Where the two axes by name stand, then those by number."""
    axes = [str(axis) for axis in axes]
    return tuple(axes.index(each) for each in (first, second, *map(str, range(len(axes) - 2))))


def _indexed(attribute: str, **names: str) -> dict[str, ToldParameter]:
    """What is told of places: axes, by JAX's names and by StableHLO's, and along which axis a place's numbers lie."""
    told = lambda op: op.given(attribute)
    axes = lambda op: SimpleNamespace(**{own: numbers(told(op).get(name)) for own, name in names.items()})
    return {"dimension_numbers": axes, "index_vector_dim": lambda op: int(told(op).get("index_vector_dim", 0))}


WINDOWS: dict[str, ToldParameter] = {
    "window_dimensions": _each("window_dimensions"),
    "window_strides": _each("window_strides"),
    "padding": lambda op: _pairs(op.get("padding"), len(op.takes[0].shape)),
}
PARAMETERS: dict[str, dict[str, ToldParameter]] = {
    "round_nearest_even": {"rounding_method": lambda op: 1},
    "round_nearest_afz": {"rounding_method": lambda op: 0},
    "broadcast_in_dim": {"broadcast_dimensions": lambda op: numbers(op.get("dims", "broadcast_dimensions"))},
    "transpose": {"permutation": _numbers("dims", "permutation")},
    "reverse": {"dimensions": _numbers("dims", "dimensions")},
    "iota": {"dimension": _number("dim", "iota_dimension")},
    "concatenate": {"dimension": _number("dim", "dimension")},
    "slice": {
        "start_indices": _parts(0, "start_indices"),
        "limit_indices": _parts(1, "limit_indices"),
        "strides": _parts(2, "strides"),
    },
    "pad": {"padding_config": _padding},
    "dynamic_slice": {"slice_sizes": _numbers("sizes", "slice_sizes")},
    "reduce_precision": {"exponent_bits": _bits("e", "exponent_bits"), "mantissa_bits": _bits("m", "mantissa_bits")},
    "top_k": {"k": _number("k")},
    "dot_general": {"dimension_numbers": _contracted},
    "dot": {"dimension_numbers": _contracted},
    "convolution": {
        "dimension_numbers": _window_axes,
        "window_strides": _of_window("stride", "window_strides"),
        "padding": _window_padding,
        "lhs_dilation": _of_window("lhs_dilate", "lhs_dilation"),
        "rhs_dilation": _of_window("rhs_dilate", "rhs_dilation"),
        "feature_group_count": _number("feature_group_count"),
        "batch_group_count": _number("batch_group_count"),
    },
    "gather": {
        **_indexed(
            "dimension_numbers",
            offset_dims="offset_dims",
            collapsed_slice_dims="collapsed_slice_dims",
            start_index_map="start_index_map",
            operand_batching_dims="operand_batching_dims",
            start_indices_batching_dims="start_indices_batching_dims",
        ),
        "slice_sizes": _numbers("slice_sizes"),
        "mode": lambda op: "CLIP",
    },
    "scatter": {
        **_indexed(
            "scatter_dimension_numbers",
            update_window_dims="update_window_dims",
            inserted_window_dims="inserted_window_dims",
            scatter_dims_to_operand_dims="scatter_dims_to_operand_dims",
            operand_batching_dims="input_batching_dims",
            scatter_indices_batching_dims="scatter_indices_batching_dims",
        ),
        "mode": lambda op: "FILL_OR_DROP",
    },
    "reduce_window": {
        **WINDOWS,
        "base_dilation": _each("base_dilations"),
        "window_dilation": _each("window_dilations"),
    },
    "select_and_scatter": WINDOWS,
    "reduce": {"dimensions": _numbers("dimensions")},
    "sort": {"dimension": _number("dimension")},
}
"""By StableHLO's name, how the parameters of the primitive are told in its text."""

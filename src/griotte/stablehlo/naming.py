"""What StableHLO's operations are called among the declarations, and what of their text are which parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from ..readers.node import Unsupported
from .module import StableHloOperation

Told = tuple[str, list[int], dict[str, Any]]
"""The declaration of an operation, which of its operands in which order, and its parameters."""

SAME = (
    "abs add and cbrt ceil clamp custom_call divide exponential floor is_finite logistic maximum minimum multiply"
    " negate not optimization_barrier or remainder rng rng_bit_generator rsqrt select shift_left shift_right_arithmetic"
    " shift_right_logical sign sine sqrt subtract tan tanh xor cholesky triangular_solve fft complex imag real cosine"
    " power popcnt log log_plus_one count_leading_zeros exponential_minus_one reshape convert bitcast_convert atan2"
    " acos acosh asin asinh atan atanh cosh sinh erf erfc erf_inv square digamma lgamma next_after polygamma zeta"
    " all_gather all_reduce all_to_all"
).split()
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
}
"""Those that JAX calls otherwise."""
PLAIN = ("precision", "precision_config", "indices_are_sorted", "unique_indices", "result_accuracy")
NAMING: dict[str, Callable[[StableHloOperation], Told]] = {}
"""How other operations are told, by name without the dialect."""


def told(operation: StableHloOperation) -> Told:
    """An operation as declarations have it; Unsupported where its dialect is none of theirs."""
    dialect, _, name = operation.name.rpartition(".")
    if dialect not in ("stablehlo", "chlo", "mhlo"):
        raise Unsupported("no such operation here")
    if name in NAMING:
        return NAMING[name](operation)
    return RENAMED.get(name, name), list(range(len(operation.operands))), {}


def naming(*names: str) -> Callable[[Callable[[StableHloOperation], tuple[str, dict[str, Any]]]], Any]:
    """Declare how operations of these names are told, whose operands stand in JAX's order."""

    def declare(read: Callable[[StableHloOperation], tuple[str, dict[str, Any]]]) -> Any:
        for name in names:
            NAMING[name] = lambda op: (found := read(op))[:1] + (list(range(len(op.operands))), found[1])
        return read

    return declare


def numbers(given: Any) -> tuple[int, ...]:
    """Whole numbers of a list or of a dense constant."""
    if given is None:
        return ()
    flat = given.reshape(-1).tolist() if hasattr(given, "reshape") else given
    return tuple(int(n) for n in (flat if isinstance(flat, (list, tuple)) else [flat]))


def pairs(given: Any) -> list[tuple[int, int]]:
    """Pairs of whole numbers."""
    found = given.tolist() if hasattr(given, "tolist") else given or []
    return [(int(a), int(b)) for a, b in found]


@naming("compare")
def compare(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    words = [*op.words, *_flat(op.get("comparison_direction")), *_flat(op.get("compare_type"))]
    how = next(word for word in words if word in ("EQ", "NE", "LT", "LE", "GT", "GE")).lower()
    return how + "_to" * ("TOTALORDER" in words), {}


def _flat(given: Any) -> list[Any]:
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _select(op: StableHloOperation) -> Told:
    return "select_n", [0, 2, 1], {}


NAMING["select"] = _select


@naming("round_nearest_even", "round_nearest_afz")
def rounded(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "round", {"rounding_method": int(op.name.endswith("even"))}


@naming("broadcast_in_dim")
def broadcast_in_dim(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "broadcast_in_dim", {"broadcast_dimensions": numbers(op.get("dims", "broadcast_dimensions"))}


@naming("reshape")
def reshape(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "reshape", {}


@naming("transpose")
def transpose(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "transpose", {"permutation": numbers(op.given("dims", "permutation"))}


@naming("reverse")
def reverse(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "rev", {"dimensions": numbers(op.given("dims", "dimensions"))}


@naming("iota")
def iota(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "iota", {"dimension": int(op.given("dim", "iota_dimension"))}


@naming("concatenate")
def concatenate(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "concatenate", {"dimension": int(op.given("dim", "dimension"))}


@naming("slice")
def slice_(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    ranges = op.get("ranges")
    if ranges is not None:
        starts, limits, steps = zip(*((*each, 1)[:3] for each in ranges)) if ranges else ((), (), ())
    else:
        starts, limits, steps = (numbers(op.given(n)) for n in ("start_indices", "limit_indices", "strides"))
    return "slice", {"start_indices": starts, "limit_indices": limits, "strides": steps}


@naming("pad")
def pad(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    low, high = numbers(op.given("low", "edge_padding_low")), numbers(op.given("high", "edge_padding_high"))
    return "pad", {
        "padding_config": list(zip(low, high, numbers(op.given("interior", "interior_padding")), strict=True))
    }


@naming("dynamic_slice")
def dynamic_slice(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "dynamic_slice", {"slice_sizes": numbers(op.given("sizes", "slice_sizes"))}


@naming("dynamic_update_slice")
def dynamic_update_slice(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "dynamic_update_slice", {}


@naming("reduce_precision")
def reduce_precision(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    form = str(op.get("format") or "")
    exponent, _, mantissa = form.removeprefix("e").partition("m") if form else ("", "", "")
    return "reduce_precision", {
        "exponent_bits": int(exponent or op.given("exponent_bits")),
        "mantissa_bits": int(mantissa or op.given("mantissa_bits")),
    }


@naming("top_k")
def top_k(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "top_k", {"k": int(op.given("k"))}


@naming("dot_general", "dot")
def dot_general(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    told = op.get("dot_dimension_numbers") or {}
    pair = lambda name, longer: op.get(name) or [told.get(f"{side}_{longer}", []) for side in ("lhs", "rhs")]
    sums = pair("contracting_dims", "contracting_dimensions")
    if op.name.endswith(".dot"):
        sums = [[len(op.takes[0].shape) - 1], [0]]
    batches = pair("batching_dims", "batching_dimensions")
    return "dot_general", {"dimension_numbers": (tuple(map(numbers, sums)), tuple(map(numbers, batches)))}


@naming("convolution")
def convolution(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    window = op.get("window") or op.attributes
    x, w, y = op.given("dim_numbers", "dimension_numbers")
    rank = len(x) - 2
    every = lambda *names: numbers(next((window[n] for n in names if n in window), None)) or (1,) * rank
    if any(_flat(window.get("reverse", window.get("window_reversal")))):
        raise Unsupported("windows that are turned")
    return "conv_general_dilated", {
        "window_strides": every("stride", "window_strides"),
        "padding": pairs(window.get("pad", window.get("padding"))) or [(0, 0)] * rank,
        "lhs_dilation": every("lhs_dilate", "lhs_dilation"),
        "rhs_dilation": every("rhs_dilate", "rhs_dilation"),
        "dimension_numbers": SimpleNamespace(
            lhs_spec=_places(x, "b", "f"), rhs_spec=_places(w, "o", "i"), out_spec=_places(y, "b", "f")
        ),
        "feature_group_count": int(op.given("feature_group_count")),
        "batch_group_count": int(op.given("batch_group_count")),
    }


def _places(axes: Sequence[Any], first: str, second: str) -> tuple[int, ...]:
    """Where the two axes by name stand, then those by number."""
    axes = [str(axis) for axis in axes]
    return tuple(axes.index(each) for each in (first, second, *map(str, range(len(axes) - 2))))


@naming("gather")
def gather(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    given = op.given("dimension_numbers")
    return "gather", {
        "dimension_numbers": SimpleNamespace(
            **{key: numbers(given.get(key)) for key in ("offset_dims", "collapsed_slice_dims", "start_index_map")},
            **{key: numbers(given.get(key)) for key in ("operand_batching_dims",)},
            start_indices_batching_dims=numbers(given.get("start_indices_batching_dims")),
        ),
        "slice_sizes": numbers(op.given("slice_sizes")),
        "mode": "CLIP",
        "index_vector_dim": int(given.get("index_vector_dim", 0)),
    }


@naming("scatter")
def scatter(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    given = op.given("scatter_dimension_numbers")
    return "scatter", {
        "dimension_numbers": SimpleNamespace(
            **{key: numbers(given.get(key)) for key in ("update_window_dims", "inserted_window_dims")},
            scatter_dims_to_operand_dims=numbers(given.get("scatter_dims_to_operand_dims")),
            operand_batching_dims=numbers(given.get("input_batching_dims")),
            scatter_indices_batching_dims=numbers(given.get("scatter_indices_batching_dims")),
        ),
        "mode": "FILL_OR_DROP",
        "index_vector_dim": int(given.get("index_vector_dim", 0)),
    }


@naming("reduce_window")
def reduce_window(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    rank = len(op.takes[0].shape)
    every = lambda name: numbers(op.get(name)) or (1,) * rank
    return "reduce_window", {
        "window_dimensions": every("window_dimensions"),
        "window_strides": every("window_strides"),
        "padding": pairs(op.get("padding")) or [(0, 0)] * rank,
        "base_dilation": every("base_dilations"),
        "window_dilation": every("window_dilations"),
    }


@naming("select_and_scatter")
def select_and_scatter(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    rank = len(op.takes[0].shape)
    every = lambda name: numbers(op.get(name)) or (1,) * rank
    return "select_and_scatter", {
        "window_dimensions": every("window_dimensions"),
        "window_strides": every("window_strides"),
        "padding": pairs(op.get("padding")) or [(0, 0)] * rank,
    }


@naming("reduce")
def reduce(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "reduce", {"dimensions": numbers(op.given("dimensions"))}


@naming("sort")
def sort(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "sort", {"dimension": int(op.given("dimension"))}


@naming("case", "if")
def branch(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "cond", {}


@naming("while")
def while_loop(op: StableHloOperation) -> tuple[str, dict[str, Any]]:
    return "while", {}

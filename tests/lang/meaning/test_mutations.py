"""Wrong results, as kernels get them wrong: the data and the bounds of `griotte check` together catch each of them, and
right results pass.

A wrong kernel is the reference on arrays that are harmed where the fault would be, or its result harmed afterwards. Of
a maximum over a long array a run sees the one term that is the largest: a lost one elsewhere no data can show.
"""

import numpy as np
import pytest
from griotte.lang.calls.spec import Spec
from griotte.lang.functions.combiners import RUN
from griotte.lang.meaning.agreement import compare, tolerance
from griotte.lang.meaning.reference import interpret
from griotte.lang.meaning.samples import sample
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import convert, dtype, limits
from griotte.tools.commands.specs import RUNS

LANES = 16
SUMS = (
    "sum(f32[700001])",
    "sum(f64[30011])",
    "sum(f16[40003])",
    "sum(bf16[30011]) -> f32[]",
    "sum(s8[70001]) -> s32[]",
    "sum(f32[37,3001], axis=1)",
    "sum(bf16[3001,37], axis=0)",
    "matmul(f32[9,2013], f32[2013,11])",
    "matmul(f64[9,2013], f64[2013,11])",
    "matmul(f16[9,2013], f16[2013,11]) -> f16[9,11]",
    "matmul(bf16[9,2013], bf16[2013,11]) -> bf16[9,11]",
    "matmul(bf16[9,2013], f32[2013,11])",
    "matmul(bf16[1,70001], bf16[70001,3]{0,1}) -> f32[1,3]",
    "matmul(f32[2,5,2013], f32[2,2013,7])",
    "matmul(u8[9,2013], s8[2013,11])",
    "matmul(u8[9,2013], s8[2013,11]) -> s16[9,11]",
    "matmul(s8[9,2013], s8[2013,11])",
    "matmul(s32[9,2013], s32[2013,11])",
)
EXTREMES = (
    "max(f32[1103,1021], axis=1)",
    "min(f32[1021,1103], axis=0)",
    "max(bf16[1103,1021], axis=1)",
    "min(u8[1021,1103], axis=0)",
    "max(s64[1103,1021], axis=1)",
)
LONG_EXTREMES = ("max(f32[700001])", "min(s32[70001])", "max(bf16[30011])")
MAPS = (
    "cast(f32[1021]) -> bf16[1021]",
    "cast(bf16[1021]) -> s8[1021]",
    "cast(f32[1021]) -> s32[1021]",
    "exp(f32[1021])",
    "gelu(bf16[1021])",
    "neg(s8[1021])",
    "add(f32[31,33], f32[33])",
    "mul(bf16[31,33], bf16[31,33]{0,1})",
    "add(u8[1021], u8[1021])",
    "div(f64[1021], f64[1021])",
    "where(pred[31,33], f32[31,33], f32[33])",
    "transpose(f32[31,33])",
    "copy(s16[31,33]) -> s16[31,33]{0,1}",
    "take(f32[31,33], s32[50])",
)
PICKS = ("take(f32[31,33], s32[50])", "take(s8[31], s64[1021])", "take(bf16[5,33], u8[7])")


# ---- faults: each gives the result of a wrong kernel -----------------------------------------------------------------


def without(spec: Spec, arrays, lost) -> np.ndarray:
    """The result where the terms that `lost` picks along the last reduction are not met."""
    dim = spec.operation.reduction[-1]
    index = np.flatnonzero(lost(np.arange(spec.size[dim])))
    nothing = {"add": 0, "maximum": -np.inf, "minimum": np.inf}[spec.operation.combine]
    array, axis = arrays[0].copy(), spec.operation.inputs[0].axis_of(dim)
    if dtype(spec.inputs[0].dtype).kind != "float":
        nothing = np.clip(nothing, *limits(spec.inputs[0].dtype))
    array[(slice(None),) * axis + (index,)] = nothing
    return interpret(spec, array, *arrays[1:])


def one_in_a_thousand_lost(spec, arrays):
    return without(spec, arrays, lambda i: i % 1000 == 999)


def one_lost(spec, arrays):
    return without(spec, arrays, lambda i: i == len(i) // 2)


def tail_lost(spec, arrays):
    return without(spec, arrays, lambda i: i >= (len(i) - 1) // LANES * LANES)


def tail_of_zeros(spec, arrays):
    """Of a maximum or minimum: padding that takes part."""
    nothing = convert(np.zeros(()), spec.output.dtype)
    result = tail_lost(spec, arrays)
    return np.maximum(result, nothing) if spec.operation.combine == "maximum" else np.minimum(result, nothing)


def tail_repeats_a_lane(spec, arrays):
    """The last terms are the one before them, over and over."""
    dim = spec.operation.reduction[-1]
    size, axis = spec.size[dim], spec.operation.inputs[0].axis_of(dim)
    index = np.minimum(np.arange(size), (size - 1) // LANES * LANES - 1)
    return interpret(spec, arrays[0].take(index, axis), *arrays[1:])


def terms_swapped_in_one_operand(spec, arrays):
    dim = spec.operation.reduction[-1]
    index = np.arange(spec.size[dim])
    index[[5, 6]] = index[[6, 5]]
    return interpret(spec, arrays[0].take(index, spec.operation.inputs[0].axis_of(dim)), *arrays[1:])


def first_part_twice(spec, arrays):
    """A split in two that begins anew in place of where the first part ended."""
    dim = spec.operation.reduction[-1]
    index = np.arange(spec.size[dim])
    index[len(index) // 2 :] -= len(index) // 2
    return interpret(
        spec,
        *(a.take(index, x.axis_of(dim)) if x.axis_of(dim) >= 0 else a for a, x in zip(arrays, spec.operation.inputs)),
    )


def first_part_overwritten(spec, arrays):
    """A split whose second part does not add to the first."""
    return without(spec, arrays, lambda i: i < len(i) // 2)


def results_swapped(spec, arrays):
    result = interpret(spec, *arrays)
    flat = result.reshape(-1)
    differs = np.flatnonzero(flat != flat[0])
    if len(differs):
        flat[[0, differs[0]]] = flat[[differs[0], 0]]
    return flat.reshape(result.shape)


def end(result, value):
    """The result with its last, partial vector (of 1 to LANES elements) replaced."""
    flat = result.reshape(-1).copy()
    start = (len(flat) - 1) // LANES * LANES
    flat[start:] = value(flat, start)
    return flat.reshape(result.shape)


def end_of_zero_lanes(spec, arrays):
    """As of operands that were masked out."""
    of_zeros = interpret(spec, *(np.zeros_like(a) for a in arrays)).reshape(-1)
    return end(interpret(spec, *arrays), lambda flat, start: of_zeros[start:])


def end_repeats_a_lane(spec, arrays):
    return end(interpret(spec, *arrays), lambda flat, start: flat[start - 1])


def end_is_stale(spec, arrays):
    """Not written: what a call before left there, on other data."""
    others = sample("random", spec, np.random.default_rng(99))
    return end(interpret(spec, *arrays), lambda flat, start: interpret(spec, *others).reshape(-1)[start:])


def one_is_stale(spec, arrays):
    result = interpret(spec, *arrays)
    flat = result.reshape(-1).copy()
    flat[len(flat) // 3] = 1
    return flat.reshape(result.shape)


def rows_wrap(spec, arrays):
    """Row numbers beyond the rows there are, taken modulo their count."""
    return interpret(spec, arrays[0], (arrays[1].astype(np.int64) % len(arrays[0])).astype(arrays[1].dtype))


def the_next_row(spec, arrays):
    return interpret(spec, np.roll(arrays[0], -1, axis=0), arrays[1])


def the_last_row_is_lost(spec, arrays):
    """Row numbers clamped to one row less."""
    return interpret(spec, arrays[0], np.minimum(arrays[1], len(arrays[0]) - 2).astype(arrays[1].dtype))


LOST = (one_in_a_thousand_lost, one_lost, tail_lost, tail_repeats_a_lane, first_part_overwritten)
OF_RESULTS = (results_swapped, one_is_stale)
CASES = [
    *((text, fault) for text in SUMS for fault in (*LOST, first_part_twice, one_is_stale)),
    *((text, results_swapped) for text in SUMS if "," in text),
    *((text, terms_swapped_in_one_operand) for text in SUMS if "matmul" in text),
    *(
        (text, fault)
        for text in EXTREMES
        for fault in (*LOST, tail_of_zeros, first_part_twice, *OF_RESULTS, end_of_zero_lanes, end_is_stale)
    ),
    *(
        (text, fault)
        for text in LONG_EXTREMES
        for fault in (tail_lost, tail_of_zeros, tail_repeats_a_lane, first_part_twice, one_is_stale)
    ),
    *((text, fault) for text in PICKS for fault in (rows_wrap, the_next_row, the_last_row_is_lost)),
    *((text, fault) for text in MAPS for fault in (*OF_RESULTS, end_of_zero_lanes, end_repeats_a_lane, end_is_stale)),
]


def complaining(text: str, kernel) -> set[str]:
    """The kinds of data on which `griotte check` finds a kernel wrong."""
    spec, rng, found = parse(text), np.random.default_rng(7), set()
    for kind in RUNS:
        arrays = sample(kind, spec, rng)
        if not compare(spec, arrays, kernel(spec, arrays), tolerance(spec, arrays, random=kind == "random"))[1]:
            found.add(kind)
    return found


@pytest.mark.parametrize("text, fault", CASES)
def test_each_fault_is_caught(text, fault):
    found = complaining(text, fault)
    if fault is one_in_a_thousand_lost and text in SUMS:
        assert {"random", "whole-number"} <= found  # either would do
    elif fault in LOST:
        assert "whole-number" in found
    else:
        assert found


@pytest.mark.parametrize("text", (*SUMS, *EXTREMES, *LONG_EXTREMES, *MAPS))
def test_the_right_result_is_not(text):
    assert not complaining(text, lambda spec, arrays: interpret(spec, *arrays))


# ---- sums in any order -----------------------------------------------------------------------------------------------


def forward(terms):
    """Along the first axis, in f32."""
    return np.cumsum(terms, axis=0, dtype=np.float32)[-1]


def pairwise(terms):
    while len(terms) > 1:
        half = len(terms) // 2
        terms = np.concatenate([terms[:half] + terms[half : 2 * half], terms[2 * half :]])
    return terms[0]


def in_chunks(terms, size=997):
    return forward(np.stack([forward(terms[i : i + size]) for i in range(0, len(terms), size)]))


def in_levels(terms, run=RUN):
    """As leaves and loops do: runs of terms, runs of their sums, and so on."""
    while len(terms) > 1:
        terms = np.stack([forward(terms[i : i + run]) for i in range(0, len(terms), run)])
    return terms[0]


def in_lanes(terms):
    whole = len(terms) // LANES * LANES
    return forward(np.concatenate([forward(terms[:whole].reshape(-1, LANES, *terms.shape[1:])), terms[whole:]]))


ORDERS = {
    "forward": forward,
    "backward": lambda terms: forward(terms[::-1]),
    "pairwise": pairwise,
    "chunks": in_chunks,
    "lanes": in_lanes,
    "levels": in_levels,
}
OF_LONG = ("pairwise", "levels")  # sums whose error may not grow as their length


@pytest.mark.parametrize(
    "text, seeds",
    (
        ("sum(f32[3001])", 250),
        ("sum(f32[700001])", 12),
        ("sum(f16[3001]) -> f32[]", 100),
        ("matmul(f32[2,1500], f32[1500,3])", 250),
    ),
)
@pytest.mark.parametrize("kind", RUNS[:3])
def test_a_sum_is_right_in_any_order(text, seeds, kind):
    spec = parse(text)
    for seed in range(seeds):
        arrays = sample(kind, spec, np.random.default_rng(seed))
        bounds = tolerance(spec, arrays, random=kind == "random")
        with np.errstate(all="ignore"):
            a, *b = (x.astype(np.float32) for x in arrays)
            terms = a.T[:, :, None] * b[0][:, None, :] if b else a
            for name, order in ORDERS.items():
                if len(a) > 100_000 and name not in OF_LONG:
                    continue
                _, right, complaint = compare(spec, arrays, order(terms), bounds)
                assert right, f"{name}, seed {seed}: {complaint}"


def test_whole_numbers_leave_no_room_for_error():
    for text in SUMS:
        bounds = tolerance(spec := parse(text), sample("whole-number", spec, np.random.default_rng(0)))
        assert (bounds.low == bounds.high).all(), text


@pytest.mark.parametrize("text", ["sum(f32[700001])", "matmul(f32[5,300001], f32[300001,2])"])
def test_a_long_sum_of_random_terms_is_not_nothing(text):
    spec = parse(text)
    arrays = sample("random", spec, np.random.default_rng(0))
    nothing = np.zeros(spec.output.shape, np.float32)
    assert not compare(spec, arrays, nothing)[1]
    assert not compare(spec, arrays, nothing, tolerance(spec, arrays, random=True))[1]


def test_a_long_running_sum_is_not_right():
    """Of equal numbers each addition errs to the same side."""
    spec, arrays = parse("sum(f32[700001])"), [np.full(700001, 0.1, np.float32)]
    _, right, _ = compare(spec, arrays, np.add.accumulate(arrays[0])[-1])
    assert not right and compare(spec, arrays, in_levels(arrays[0]))[1]

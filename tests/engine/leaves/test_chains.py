"""Leaves of one sum take as many partial sums for all columns, and loops around them leave the order of its terms."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from features import priced_as, skip_without
from griotte.engine.leaves.prefetch import shared_chains
from griotte.engine.leaves.reduce.serve import chains, evenly
from griotte.engine.program.nodes import KernelCall, walk
from griotte.machine import BUILT_IN
from griotte.machine.measured import known
from machines import machine

X86 = [each for each in known() if each.served.architecture == "x86"]

# rows, columns, length of sums, the weights' mark. With 16 registers the last columns of 3 rows may have other tiles
PRODUCTS = {
    "avx2": [
        (1, 1000, 96, "const "),
        (1, 75, 333, "const "),
        (1, 75, 333, ""),
        (2, 997, 96, "const "),
        (6, 40, 96, ""),
    ],
    "avx512": [
        (1, 75, 333, "const "),
        (1, 40, 96, ""),
        (2, 1000, 96, "const "),
        (3, 75, 96, "const "),
        (6, 997, 96, ""),
    ],
}

CUT = {
    ("zen3-32m", (1, 75, 333, "const ")),
    ("zen-8m", (1, 75, 333, "const ")),
}
WHY_CUT = "the search cuts the reduction for the last columns alone (docs/explanation/space.md): k by 48, 96 or 128"


def _priced_products():
    for target, products in PRODUCTS.items():
        for measured in X86:
            if priced_as(target, measured).vector_bytes in measured.served.vector_bytes:
                for each in products:
                    is_cut = target == "avx2" and (measured.name, each) in CUT
                    marks = [pytest.mark.xfail(strict=True, raises=AssertionError, reason=WHY_CUT)] if is_cut else []
                    numbers = "x".join(map(str, each[:3])) + ("-const" if each[3] else "")
                    yield pytest.param(target, measured, each, marks=marks, id=f"{target}-{measured.name}-{numbers}")


@pytest.mark.parametrize("target, measured, product", list(_priced_products()))
def test_equal_columns_give_equal_results(target, measured, product):
    skip_without(BUILT_IN[target].features)
    rows, columns, length, mark = product
    spec = f"matmul(f32[{rows},{length}], {mark}f32[{length},{columns}])"
    kernel = gt.synthesize(spec, priced_as(target, measured), table="none").compile()
    rng = np.random.default_rng(columns)
    x, column = (rng.standard_normal(shape, np.float32) for shape in ((rows, length), (length, 1)))
    for weights in (np.full((length, 1), 0.37, np.float32), column):
        found = np.asarray(kernel(x, np.repeat(weights, columns, 1)))
        np.testing.assert_array_equal(found, np.repeat(found[:, :1], columns, 1))


def test_a_narrow_tile_takes_the_chains_of_those_beside_it():
    """Of 8 rows by 8 columns beside one of 24 it would take four times as many."""
    product = gt.schedule("matmul(f32[1,64], f32[64,40])", "avx2").tile("n", 32)
    program = gt.synthesize(product, table="none")
    calls = [node for node in walk(program.root) if isinstance(node, KernelCall)]
    widths = {call.state.size["n"]: call for call in calls}
    assert len(widths) > 1
    found = shared_chains(program.root, program.target)
    assert {found[id(call)] for call in calls} == {2}


def test_products_are_summed_by_the_kernel_that_is_for_them_whatever_others_cost():
    """One that adds what it multiplied before would round otherwise, beside it in one program."""
    target = machine("avx2")
    kernels = tuple(replace(each, uops=0.1) if each.name == "combine" else each for each in target.kernels)
    cheap = replace(target, kernels=kernels)
    used = lambda text: {
        call.kernel for call in walk(gt.synthesize(text, cheap, table="none").root) if isinstance(call, KernelCall)
    }
    assert "combine" in used("max(f32[24,40], axis=1)")
    for rows, columns in ((1, 40), (6, 23), (16, 128)):
        assert (
            "multiply_add" in (found := used(f"matmul(f32[{rows},64], f32[64,{columns}])")) and "combine" not in found
        )


@pytest.mark.parametrize("measured", X86, ids=lambda measured: measured.name)
def test_loops_over_the_reduction_leave_the_order_of_long_sums(measured):
    rng = np.random.default_rng(0)
    x, weights = rng.standard_normal((1, 4099), np.float32), rng.standard_normal((4099, 32), np.float32)
    results = [np.asarray(program.compile()(x, weights)) for program in _cut(priced_as("portable", measured))]
    for found in results[1:]:
        np.testing.assert_array_equal(found, results[0])


@pytest.mark.parametrize("measured", X86, ids=lambda measured: measured.name)
def test_what_is_left_of_a_reduction_takes_the_chains_of_what_was_before(measured):
    """A wide leaf of three steps has no registers for as many as the long ones beside it have: they keep theirs."""
    target = priced_as("portable", measured)
    kernel = next(each for each in target.kernels if each.name == "multiply_add")
    for program in _cut(target):
        calls = [node for node in walk(program.root) if isinstance(node, KernelCall)]
        long = (call for call in calls if call.state.size["k"] > 3)
        (own,) = {int(chains(kernel, call.state.family, target, call.lane, call.state.size)) for call in long}
        found = shared_chains(program.root, target)
        assert {found.get(id(call), own) for call in calls} == {own}


def _cut(target):
    """Loops over the reduction around leaves that are the same for all prices: 16 columns wide, but for what is left of
    3 steps, where they are 24 wide and 8."""
    whole = gt.schedule("matmul(f32[1,4099], f32[4099,32])", target)
    return [_by_hand(whole.tile("k", each)) for each in (2048, 3072, 1024)]


def _by_hand(schedule):
    while schedule.holes:
        size = schedule.holes[0].state.size
        width = 16 if size["k"] > 3 else 24
        if size["n"] > width:
            schedule = schedule.tile("n", width)
        schedule = schedule.move("y", "registers", lanes="n").select("multiply_add")
    return schedule


def test_chains_that_divide_lengths():
    assert [int(evenly(n)) for n in (1, 2, 3, 4, 7, 8)] == [1, 2, 2, 4, 4, 8]

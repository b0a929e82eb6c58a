"""Leaves of one sum take as many partial sums for all columns, and loops around them leave the order of its terms."""

import griotte as gt
import numpy as np
import pytest
from features import skip_without
from griotte.engine.leaves.prefetch import shared_chains
from griotte.engine.leaves.reduce.serve import evenly
from griotte.engine.program.nodes import KernelCall, walk
from griotte.machine import BUILT_IN

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


@pytest.mark.parametrize("target, product", [(target, each) for target, found in PRODUCTS.items() for each in found])
def test_equal_columns_give_equal_results(target, product):
    skip_without(BUILT_IN[target].features)
    rows, columns, length, mark = product
    kernel = gt.compile(f"matmul(f32[{rows},{length}], {mark}f32[{length},{columns}])", target)
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


def test_loops_over_the_reduction_leave_the_order_of_long_sums():
    rng = np.random.default_rng(0)
    x, weights = rng.standard_normal((1, 4099), np.float32), rng.standard_normal((4099, 32), np.float32)
    whole = gt.schedule("matmul(f32[1,4099], f32[4099,32])", "portable")
    results = [np.asarray(gt.synthesize(s, table="none").compile()(x, weights)) for s in _cut(whole)]
    for found in results[1:]:
        np.testing.assert_array_equal(found, results[0])


def _cut(whole):
    return [whole.tile("k", each) for each in (2048, 3072, 1024)]


def test_chains_that_divide_lengths():
    assert [int(evenly(n)) for n in (1, 2, 3, 4, 7, 8)] == [1, 2, 2, 4, 4, 8]

"""Reductions that no loop cuts: where they are finished as they are stored, and of products whose split gains nothing.
Their families have one size of what they sum over."""

import griotte as gt
import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites import tilings
from griotte.engine.rewrites.online import TILES, asked_by_rounds
from griotte.engine.search.graph import reach
from griotte.engine.search.grid import Grid
from griotte.engine.search.problem import problem
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.operation import uncut, whole
from machines import machine

FINISHED = "relu(matmul(f32[24,20], f32[20,16]))"


def products(text: str, name: str = "avx512"):
    graph = problem(canonical_form(gt.parse(text)), machine(name)).goal.operation
    return [nest.operation for nest in graph.nests if nest.operation.combine]


@pytest.mark.parametrize(
    "text, name, expected",
    [
        (FINISHED, "avx512", [True]),
        (FINISHED, "tiles", [True]),
        (FINISHED.replace("f32", "bf16"), "tiles", [False]),  # matrix registers take sums from memory
        ("relu(matmul(f32[4,500], f32[500,16]))", "avx512", [False]),  # the smaller input is more than the sums
        ("relu(matmul(f32[4000,2000], f32[2000,2000]))", "avx512", [False]),  # and here more than L2 lends
        ("max(matmul(f32[24,20], f32[20,16]), axis=1)", "avx512", [False, False]),  # nothing is finished
        (
            "requantize(conv2d(u8[1,8,9,9], s8[8,8,3,3]) -> s32[1,8,7,7], f32[8,1,1], 3) -> u8[1,8,7,7]",
            "avx512",
            [True],
        ),
    ],
)
def test_products_whose_split_gains_nothing_are_not_cut(text, name, expected):
    found = products(text, name)
    assert [op.uncut for op in found] == expected
    assert all((op.splits == ()) == op.uncut for op in found)


@pytest.mark.parametrize("keys", ("<=40", "40"))
def test_of_a_dynamic_size_no_map_need_follow(keys):
    """Scores, which a maximum and exponentials read."""
    scores, *others = products(f"attention(f32[2,3,4], f32[2,{keys},4], f32[2,{keys},4])")
    assert scores.uncut == (keys == "<=40") and not any(op.uncut for op in others)


CAUSAL = "attention(f32[2,40,8], f32[2,40,8], f32[2,40,8], causal=true)"


@pytest.mark.parametrize(
    "text, name, is_finished",
    [
        (CAUSAL, "avx512", True),
        (CAUSAL, "tiles", True),
        (CAUSAL.replace("f32", "bf16"), "avx512", True),
        (CAUSAL.replace("f32", "bf16"), "tiles", False),  # matrix registers take sums from memory
        (CAUSAL.replace("causal=true", "mask=f32[40,40]"), "avx512", True),
        (CAUSAL.replace("40", "<=40"), "avx512", False),
        ("log_softmax(add(matmul(f32[4,8], f32[8,40]), f32[40]), axis=1)", "avx512", True),
        ("log_softmax(gelu(matmul(f32[4,8], f32[8,40])), axis=1)", "avx512", False),  # it takes more than the product
        ("relu(add(matmul(f32[4,8], f32[8,40]), f32[40]))", "avx512", False),  # one reads it: may be, or not
    ],
)
def test_a_quick_map_of_a_product_that_several_read_is_done_as_it_is_stored(text, name, is_finished):
    assert (products(text, name)[0].finish is not None) == is_finished


def test_their_families_have_one_size_of_what_they_sum_over():
    target, start = machine("avx512"), problem(canonical_form(gt.parse(FINISHED)), machine("avx512"))
    sums = [node.family for node in reach(target, start.goal) if node.family.nest.combine]
    assert {family.nest.finish is not None for family in sums} == {True, False}
    for family in sums:
        (dim,) = family.operation.reduction
        grid = Grid(family.operation, start.ladders)
        assert family.operation.ladder(dim) == uncut(dim) and grid.shape[family.operation.dims.index(dim)] == 1
        assert not family.accumulate and dim not in [tiling.dim for tiling in tilings(family)]


def test_what_is_finished_has_the_sizes_of_rounds_too():
    softmax = problem(canonical_form(gt.parse("softmax(f32[8,1500])")), machine("avx512"))
    (dim,) = {d for nest in softmax.goal.operation.nests for d in nest.operation.reduction}
    assert softmax.ladders[uncut(dim)].sizes.tolist() == sorted(
        {
            1500,
            *TILES,
            *(1500 % tile for tile in TILES),
            *(1500 % tile % other for tile in TILES for other in TILES if 1500 % tile > other),
        }
        - {0}
    )
    assert softmax.ladders[whole(dim)].sizes.tolist() == [1500] and not softmax.ladders[uncut(dim)].tiles
    assert asked_by_rounds(canonical_form(gt.parse(FINISHED)).operation, "m", 1500) == set()


@pytest.mark.parametrize("threads", (1, 2))
def test_they_are_right(threads):
    spec = gt.parse("relu(add(conv2d(f32[1,5,8,8], const f32[6,5,3,3], padding=1), const f32[6,1,1]))")
    arrays = random_arrays(spec, np.random.default_rng(2))
    kernel = gt.compile(spec, "portable", threads=threads, table="none")
    np.testing.assert_allclose(kernel(*arrays), gt.interpret(spec, *arrays), rtol=1e-5, atol=1e-4)

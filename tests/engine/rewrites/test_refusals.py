"""A rewrite that does not apply says what it expected and what it found; what is not in the space is refused."""

from dataclasses import replace
from functools import reduce

import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites import (
    Batch,
    DoesNotApply,
    Move,
    Parallel,
    Select,
    Tile,
    ToAccumulator,
    accumulating,
    copy_family,
    tilings,
)
from griotte.engine.rewrites.batch import off
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import Family, Layout, Operand, Vector
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from hypothesis import given
from hypothesis import strategies as st
from machines import machine
from strategies import examples, specs

TARGET = machine("narrow")
MATMUL, SUM, MAP, NARROWED = (
    "matmul(f32[40,50], f32[50,60])",
    "sum(f32[40,50], axis=1)",
    "exp(f32[7,9]{0,1}) -> f32[7,9]",
    "matmul(u8[8,9], s8[9,8]) -> s16[8,8]",
)


def family(text: str, target=TARGET) -> Family:
    return problem(canonical_form(parse(text)), target).goal


def fast(text: str, i: int, level: int) -> Operand:
    return family(text).operands[i].at(level)


def registers(text: str, dim: str, lanes: int = 8) -> Operand:
    output = family(text).output
    return Operand("f32", 0, output.layout, Vector(dim, lanes))


@pytest.mark.parametrize(
    "text, rewrite, says",
    [
        (MATMUL, Move(3, fast(MATMUL, 0, 1)), "expected an operand 0..2, found 3"),
        (MATMUL, Move(0, fast(MATMUL, 0, 3)), "expected a level faster than memory, or another layout, found memory"),
        (MATMUL, Move(0, registers(MATMUL, "n")), "expected the output of a reduction"),
        (MAP, Move(1, registers(MAP, "i0")), "expected the output of a reduction"),
        (MATMUL, Move(2, registers(MATMUL, "z")), "expected a vector form along one of m n k"),
        (MATMUL, Select("multiply_ad", "n"), "expected a kernel of narrow .*multiply_add"),
        (MATMUL, Select("map", "n"), "map does not compute matmul over f32 f32 f32"),
        (MATMUL, Select("multiply_add", "n"), "multiply_add expects its output in registers; move it there first"),
        (MAP, ToAccumulator(), "expected a reduction, found exp"),
        (NARROWED, ToAccumulator(), "expected an output in memory of dtype s32"),
        (MATMUL, Batch("m"), "expected a batch dimension"),
    ],
)  # fmt: skip
def test_an_edge_that_does_not_apply_says_why(text, rewrite, says):
    with pytest.raises(DoesNotApply, match=says) as error:
        rewrite.edge(family(text), TARGET)
    assert isinstance(error.value, NoProgramError) and "\n" not in str(error.value)


def test_what_already_accumulates_is_not_split_again():
    with pytest.raises(DoesNotApply, match="already accumulates"):
        ToAccumulator().edge(accumulating(family(SUM)), TARGET)


@pytest.mark.parametrize(
    "text, rewrite, says",
    [
        (MATMUL, Tile("z", 4), r"expected a dimension of matmul \(m n k\), found 'z'"),
        (MATMUL, Tile("m", 0), "expected a tile of 1..39 for m = 40, found 0"),
        (MATMUL, Tile("m", 40), "expected a tile of 1..39 for m = 40, found 40"),
        (NARROWED, Tile("k", 3), "expected an output of s32, the accumulator's dtype, to split k; move it first"),
        (MATMUL, Parallel(("z",), (5,), 2), r"expected a dimension of matmul \(m n k\), found 'z'"),
        (MATMUL, Parallel(("m", "k"), (5, 5), 2), "expected k in 2..2 parts, one for each thread at most, found 10"),
        (MATMUL, Parallel(("k",), (50,), 2), "expected k in 2..2 parts, one for each thread at most, found 1"),
        (
            NARROWED,
            Parallel(("k",), (5,), 2),
            "expected an output of s32, the accumulator's dtype, to share out k, found s16",
        ),
        (
            "sum(f32[40,50,60], axis=(0,2))",
            Parallel(("i0", "i2"), (20, 30), 2),
            "expected one reduction at most, found i0 i2",
        ),
        (MATMUL, Parallel(("m",), (50,), 2), "expected a tile of 1..40 for m = 40, found 50"),
        (MATMUL, Parallel(("m", "n", "k"), (5, 5, 5), 2), "expected one dimension or two"),
        (MATMUL, Parallel(("m", "m"), (5, 5), 2), "expected one dimension or two, found m m"),
        (MATMUL, Parallel((), (), 2), "expected one dimension or two, found none"),
    ],
)
def test_a_loop_that_does_not_apply_says_why(text, rewrite, says):
    sizes = canonical_form(parse(text)).size
    with pytest.raises(DoesNotApply, match=says):
        rewrite.check(family(text), sizes)


def test_tiles_of_a_packed_operand_keep_to_its_panels():
    goal = family(MATMUL)
    packed = goal.with_operand(1, Operand("f32", 1, Layout((1, 0), panel=(1, 16))))
    Tile("n", 32).check(packed, {"m": 4, "n": 60, "k": 5})
    Tile("n", 3).check(packed, {"m": 4, "n": 16, "k": 5})  # within one panel any tile will do
    with pytest.raises(DoesNotApply, match="multiple of 16"):
        Tile("n", 24).check(packed, {"m": 4, "n": 60, "k": 5})


def test_a_copy_into_panels_writes_whole_panels():
    """The leaf pads the panel it ends in: a tile inside a panel would overwrite what its neighbour wrote."""
    goal = family(MATMUL)
    copy = copy_family(goal.access(1), goal.operands[1], Operand("f32", 1, Layout((1, 0), panel=(1, 16))))
    Tile("n", 16).check(copy, {"n": 40, "k": 5})
    for n in (16, 10):
        with pytest.raises(DoesNotApply, match="multiple of 16"):
            Tile("n", 6).check(copy, {"n": n, "k": 5})
        assert not any(t.allowed(n, 6) for t in tilings(copy) if t.dim == "n")


@examples(100)
@given(specs(30), st.sampled_from(("narrow", "avx512")), st.data())
def test_a_hand_made_loop_applies_exactly_where_the_space_has_it(spec, name, data):
    goal = family(str(spec), machine(name))
    if goal.batch or goal.ahead:
        assert not tilings(goal)  # constants are placed and batch dimensions come off first: nothing is tiled before
        goal = reduce(off, goal.batch, replace(goal, ahead=()))
    sizes = canonical_form(spec).size
    dim = data.draw(st.sampled_from(goal.operation.dims))
    tile = data.draw(st.integers(1, max(1, sizes[dim])))
    there = any(t.dim == dim and tile < sizes[dim] and t.allowed(sizes[dim], tile) for t in tilings(goal))
    try:
        Tile(dim, tile).check(goal, sizes)
        applies = True
    except DoesNotApply:
        applies = False
    assert applies == there

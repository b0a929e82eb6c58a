"""What experts write is in the space: GotoBLAS's five loops, with the tiles of registers that BLAS libraries use, the
order of MKL and oneDNN, and panels that threads share are hand schedules, and none is priced below what the search
chooses."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from checked import agrees
from features import skip_without
from generated_harness import Case, run
from griotte import parse, schedule, synthesize
from griotte.engine.program.interpret import interpret
from griotte.engine.rewrites import DoesNotApply
from griotte.lang.meaning.agreement import tolerance
from griotte.lang.meaning.samples import random_arrays
from machines import machine

SPEC = "matmul(f32[192,128], f32[128,192])"
# machine, rows, columns, steps of the reduction at a time, rows of a block (56 and 72 are not on the ladder); in
# slivers
TILES = (
    ("avx2", 6, 16, 48, 48),
    ("avx2", 4, 24, 48, 48),
    ("avx512", 14, 32, 48, 56),
    ("avx512", 9, 48, 32, 72),
)
# tiles that no slivers are as tall as: x0 goes into rows. 28 is not on the ladder: a legal schedule, but no point
IN_ROWS = (
    ("avx512", 12, 32, 48, 48),
    ("avx512", 8, 48, 32, 48),
    ("avx512", 28, 16, 64, 84),
)


@cache
def small(name: str):
    """A machine whose caches are as much smaller as SPEC is than what these programs are written for: all of it rests
    in L3. Without panels of four vectors, which none of them has: a smaller space costs no less."""
    wide = machine(name)
    levels = tuple(replace(x, capacity={"L1": 16 << 10, "L2": 64 << 10}.get(x.name, x.capacity)) for x in wide.levels)
    return replace(wide, name=f"small {name}", levels=levels, panel_vectors=(1, 2, 3))


@cache
def without_l2(name: str):
    """The same with one cache near the core, which holds what L2 does else: a third of the families."""
    target = small(name)
    registers, near, l2, *far = target.levels
    return replace(target, name=f"{target.name}, no L2", levels=(registers, replace(near, capacity=l2.capacity), *far))


@cache
def least(target, threads: int = 1) -> float:
    """The cost of what the search takes."""
    return synthesize(SPEC, target, threads=threads).cost


def in_registers(s):
    return s.move("y", "registers", lanes="n").select("multiply_add")


def five_loops(s, rows, columns, depth, height, in_rows=False):
    """x1 in panels for a block of the reduction, x0 for a block of rows in slivers (or in rows, for all of them), a
    panel near, a tile of registers."""
    s = s.to_accumulator().split("k", depth)
    home = s.target.levels[s.home].name
    s = s.move(0, home, compact=True) if in_rows else s
    s = s.move(1, home, panel=columns).tile("m", height)
    s = s.move(0, "L2") if in_rows else s.move(0, "L2", panel=rows)
    return in_registers(s.tile("n", columns).move(1, "L1").tile("m", rows))


def panels_in_l2(s, rows, columns, depth, width):
    """MKL's and oneDNN's order: panels of x1 of a block of the reduction and of columns in L2, a tile's rows of x0
    near, all panels by them."""
    s = s.to_accumulator().split("k", depth).tile("n", width).move(1, "L2", panel=columns)
    return in_registers(s.tile("m", rows).move(0, "L1").tile("n", columns))


def shared_panels(s, rows, columns, depth, height):
    """Two threads pack all panels of x1 in L3, where the arrays are, together; each goes over its half of the rows in
    blocks."""
    (m, n), home = (s.canonical.size[d] for d in "mn"), s.target.levels[s.home].name
    s = (
        s.move(1, home, panel=columns)
        .tile("m", -(-m // 2), parallel=2)
        .to_accumulator()
        .split("k", depth)
        .tile("m", height)
        .move(0, "L1", panel=rows)
    )
    s = in_registers(s.tile("n", columns).move(1, "L1").tile("m", rows))
    return s.at(0).tile("n", -(-n // (2 * columns)) * columns, parallel=2)


@pytest.mark.parametrize(
    "name, rows, columns, depth, height",
    (*TILES, IN_ROWS[0], *(pytest.param(*tile, marks=pytest.mark.long) for tile in IN_ROWS[1:])),
    ids=str,
)
def test_five_loops_are_in_the_space_and_no_cheaper_than_what_the_search_takes(name, rows, columns, depth, height):
    tile = name, rows, columns, depth, height
    by_hand = synthesize(five_loops(schedule(SPEC, small(name)), rows, columns, depth, height, tile in IN_ROWS))
    assert by_hand.cost >= least(small(name)) * (1 - 1e-6)


@pytest.mark.parametrize(
    "name, rows, columns, depth, width",
    [("avx2", 6, 16, 48, 96), ("avx512", 14, 32, 48, 96), ("avx512", 8, 48, 48, 96)],
    ids=str,
)
def test_panels_in_l2_and_rows_near_are_in_the_space_and_no_cheaper(name, rows, columns, depth, width):
    by_hand = synthesize(panels_in_l2(schedule(SPEC, small(name)), rows, columns, depth, width))
    assert by_hand.cost >= least(small(name)) * (1 - 1e-6)


@pytest.mark.parametrize("name, rows, columns, depth, height", (TILES[0], TILES[2]), ids=str)
def test_panels_that_two_threads_share_are_in_the_space_and_no_cheaper(name, rows, columns, depth, height):
    target = without_l2(name)
    by_hand = synthesize(shared_panels(schedule(SPEC, target), rows, columns, depth, height))
    assert by_hand.root.shared and by_hand.threads == 2
    assert by_hand.cost >= least(target, threads=2) * (1 - 1e-6)


@pytest.mark.parametrize("name, rows, columns, depth, height", TILES, ids=str)
def test_five_loops_over_slivers_are_right(name, rows, columns, depth, height, tmp_path):
    """Rows left of a block and of a sliver, columns left of a panel, steps left of the reduction; under sanitizers
    where the CPU has the instructions."""
    spec, target = (
        parse(f"matmul(f32[{2 * height + rows + 1},{depth + 37}], f32[{depth + 37},{columns + 5}])"),
        small(name),
    )
    root = synthesize(five_loops(schedule(spec, target), rows, columns, depth, height)).root
    arrays = tuple(random_arrays(spec, np.random.default_rng(0), hostile=True))
    bounds = tolerance(spec, arrays)
    agrees(spec, arrays, interpret(root, spec, *arrays), bounds)
    skip_without(target.features)
    (result,) = run([Case(root, spec, arrays)], target, tmp_path)
    agrees(spec, arrays, result, bounds)


def test_slivers_are_as_wide_as_the_tallest_tile_of_registers():
    s = schedule(parse("matmul(f32[48,64], f32[64,48])"), target=machine("avx2")).move(1, "L1", panel=16)
    with pytest.raises(DoesNotApply, match="panel=6, found panel=8"):
        s.move(0, "L1", panel=8)
    s.move(0, "L1", panel=6)


@pytest.mark.parametrize("panel", (None, 8), ids=("rows", "panels of one vector"))
def test_slivers_come_beside_panels_of_several_vectors(panel):
    s = schedule(parse("matmul(f32[48,64], f32[64,48])"), target=machine("avx2"))
    s = s.move(1, "L1", panel=panel) if panel else s
    with pytest.raises(DoesNotApply, match="found panel=6"):
        s.move(0, "L1", panel=6)

"""What experts write is in the space: GotoBLAS's five loops, with the tiles of registers that BLAS libraries use, are hand schedules, and none is priced below what the search chooses."""

import numpy as np
import pytest
from features import skip_without
from generated_harness import Case, run
from griotte import parse, schedule
from griotte.program.interpret import interpret
from griotte.rewrites import DoesNotApply
from griotte.spec import compare, random_arrays
from griotte.synthesis import synthesize
from machines import machine

TILES = (  # machine, rows, columns, steps of the reduction at a time, rows of a block
    ("avx2", 6, 16, 128, 48),
    ("avx2", 4, 24, 96, 48),
    ("avx512", 14, 32, 128, 56),
    ("avx512", 9, 48, 96, 72),
)


def five_loops(spec, target, rows, columns, depth, height):
    """x1 in panels for a block of the reduction, x0 in slivers for a block of rows, a panel near, a tile of registers."""
    s = schedule(spec, target=target)
    s = s.to_accumulator().split("k", depth).move(1, target.levels[s.home].name, panel=columns).tile("m", height)
    s = s.move(0, "L2", panel=rows).tile("n", columns).move(1, "L1")
    return s.tile("m", rows).move("y", "registers", lanes="n").select("multiply_add")


@pytest.mark.parametrize("name, rows, columns, depth, height", TILES, ids=str)
def test_five_loops_are_in_the_space_and_no_cheaper_than_what_the_search_takes(name, rows, columns, depth, height):
    spec, target = parse("matmul(f32[480,384], f32[384,480])"), machine(name)
    by_hand = synthesize(five_loops(spec, target, rows, columns, depth, height))
    assert by_hand.cost >= synthesize(spec, target, threads=1).cost * (1 - 1e-6)


@pytest.mark.parametrize("name, rows, columns, depth, height", TILES, ids=str)
def test_five_loops_over_slivers_are_right(name, rows, columns, depth, height, tmp_path):
    """Rows left of a block and of a sliver, columns left of a panel, steps left of the reduction; under sanitizers where the CPU has the instructions."""
    spec, target = parse(f"matmul(f32[{2 * height + rows + 1},{depth + 37}], f32[{depth + 37},{columns + 5}])"), machine(name)
    root = synthesize(five_loops(spec, target, rows, columns, depth, height)).root
    arrays = tuple(random_arrays(spec, np.random.default_rng(0), hostile=True))
    _, ok, complaint = compare(spec, arrays, interpret(root, spec, *arrays))
    assert ok, complaint
    skip_without(target.features)
    (result,) = run([Case(root, spec, arrays)], target, tmp_path)
    _, ok, complaint = compare(spec, arrays, result)
    assert ok, complaint


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

"""Leaves that were measured: which they are, and what they cost in place of what the ports say."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.leaves import price
from griotte.engine.leaves.reduce import measured as tiles
from griotte.engine.leaves.reduce import price as reduce
from griotte.engine.leaves.reduce.measured import form_of
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import Layout, Operand, Vector
from griotte.machine.leaves import Leaves, TimedForm, TimedTile
from machines import machine
from products import leaf_of

TARGET = machine("avx2")
PANEL = "multiply_add f32 f32 f32 panel"


def measured(*forms: TimedForm, target=TARGET):
    return replace(target, leaves=Leaves("cc 1", "0", forms))


def test_a_tile_that_was_measured_costs_what_was_measured_less_what_is_counted_besides():
    target = measured(TimedForm(PANEL, 1.1, (TimedTile(4, 2, 60.0, 7.0),)))
    kernel, family = leaf_of("matmul(f32[40,50], f32[50,16])", target, panel=16)
    beside = 1 * target.coefficient["call"] + target.coefficient["loop"] + 8 * 1.5 * target.coefficient["registers"]
    assert tiles.cycles(kernel, "n", family, target, {"m": 4, "n": 16, "k": 50}) == pytest.approx(60 - beside + 7 * 50)
    assert tiles.cycles(kernel, "n", family, target, {"m": 4, "n": 11, "k": 50}) == pytest.approx(
        60 - beside + 7 * 50
    )  # its last vector in part


@pytest.mark.parametrize(
    "text, converts", [("matmul(f32[40,50], bf16[50,32])", True), ("matmul(bf16[40,50], f32[50,32])", False)]
)
def test_a_tile_whose_lanes_are_converted_takes_what_the_plain_one_does_and_more_for_each_vector(text, converts):
    form = TimedForm("multiply_add f32 f32 f32 rows", 1.0, (TimedTile(4, 2, 60.0, 7.0),))
    target, size = measured(form), {"m": 4, "n": 16, "k": 50}
    plain = tiles.cycles(*_leaf("matmul(f32[40,50], f32[50,32])", target), target, size)
    found = tiles.cycles(*_leaf(text, target), target, size)
    more = 50 * 2 * target.handling.widened / target.ports.issue
    assert found == pytest.approx(plain + more if converts else reduce.cycles(*_leaf(text, target), target, size))


@pytest.mark.parametrize("columns, joined", [(8, 0), (9, 0), (12, 0), (13, 1), (15, 1), (16, 0)])
def test_a_vector_that_is_loaded_in_parts_takes_more_where_it_has_more_than_half(columns, joined):
    form = TimedForm("multiply_add f32 f32 f32 rows", 1.0, (TimedTile(4, 1, 60.0, 7.0), TimedTile(4, 2, 60.0, 7.0)))
    target, size = measured(form), {"m": 4, "n": columns, "k": 50}
    joining = replace(target, ports=replace(target.ports, joining=1.5))
    found = [tiles.cycles(*_leaf("matmul(f32[40,50], f32[50,32])", each), each, size) for each in (joining, target)]
    assert found[0] - found[1] == pytest.approx(joined * 50 * 1.5 / target.ports.arithmetic)


def _leaf(text: str, target):
    kernel, family = leaf_of(text, target)
    return kernel, "n", family


def test_less_than_nothing_is_entered_for_nothing():
    target = measured(TimedForm(PANEL, 1.1, (TimedTile(4, 2, 1.0, 7.0),)))
    kernel, family = leaf_of("matmul(f32[40,50], f32[50,16])", target, panel=16)
    assert tiles.cycles(kernel, "n", family, target, {"m": 4, "n": 16, "k": 50}) == 350


def test_a_tile_that_was_not_measured_costs_what_the_ports_say_times_the_median_ratio():
    forms = (
        TimedForm(PANEL, 1.1, (TimedTile(4, 2, 60.0, 7.0),)),
        TimedForm("multiply_add f32 f32 f32 split", 1.3, (TimedTile(4, 2, 60.0, 7.0),)),
        TimedForm("combine f32 f32 f32 rows", 9.0, (TimedTile(1, 1, 1.0, 1.0),)),
    )
    kernel, family = leaf_of("matmul(f32[40,50], f32[50,16])", TARGET, panel=16)
    for size in ({"m": 5, "n": 16, "k": 50}, {"m": 4, "n": 8, "k": 50}, {"m": 99, "n": 16, "k": 3}):
        assert tiles.cycles(kernel, "n", family, measured(*forms), size) == pytest.approx(
            1.2 * reduce.cycles(kernel, "n", family, TARGET, size)
        )


def test_without_measurements_the_ports_say_it_all():
    kernel, family = leaf_of("matmul(f32[40,50], f32[50,16])", TARGET, panel=16)
    size = {"m": 4, "n": 16, "k": 50}
    assert tiles.cycles(kernel, "n", family, TARGET, size) == reduce.cycles(kernel, "n", family, TARGET, size)
    assert price.features(kernel, "n", family, TARGET, size)["cycles"] == reduce.cycles(
        kernel, "n", family, TARGET, size
    )


@pytest.mark.parametrize("rows, columns", [(1, 16), (3, 16), (4, 16), (6, 16)])
def test_ports_compute_for_as_long_as_they_have_products_whatever_a_tile_waits_for(rows, columns):
    """Two products a cycle of vectors of eight."""
    kernel, family = leaf_of("matmul(f32[40,50], f32[50,48])", TARGET)
    size = {"m": rows, "n": columns, "k": 50}
    computes, taken = (each(kernel, "n", family, TARGET, size) for each in (reduce.busy, reduce.cycles))
    assert computes == 50 * rows * columns / 16 <= taken


@pytest.mark.parametrize("rows, columns, more", [(4, 16, 0), (3, 24, 0), (5, 16, 20), (4, 24, 20), (6, 16, 20)])
def test_a_tile_of_more_products_than_wait_for_each_other_ends_before_the_next_begins(rows, columns, more):
    """Two ports, and four cycles of latency: eight accumulators wait, ten keep the ports busy."""
    kernel, family = leaf_of("matmul(f32[40,50], f32[50,48])", TARGET)
    assert (TARGET.ports.arithmetic, TARGET.ports.drained, kernel.latency) == (2, 0, 4)
    slow, size = replace(TARGET, ports=replace(TARGET.ports, drained=20.0)), {"m": rows, "n": columns, "k": 50}
    before, after = (reduce.cycles(kernel, "n", family, target, size) for target in (TARGET, slow))
    assert after - before == pytest.approx(more)


def test_all_sizes_at_once_cost_what_they_cost_one_by_one():
    target = measured(
        TimedForm(
            PANEL,
            1.1,
            tuple(
                TimedTile(rows, vectors, 9.0 * rows, 1.0 + rows * vectors) for rows in (1, 3, 4) for vectors in (1, 2)
            ),
        )
    )
    kernel, family = leaf_of("matmul(f32[40,50], f32[50,16])", target, panel=16)
    grid = {
        "m": np.arange(1, 9)[:, None, None],
        "n": np.array([3, 8, 16, 40])[None, :, None],
        "k": np.array([1, 7, 64])[None, None, :],
    }
    found = tiles.cycles(kernel, "n", family, target, grid)
    assert found.shape == (8, 4, 3) and not np.isnan(found).any()
    for at in np.ndindex(found.shape):
        assert found[at] == tiles.cycles(
            kernel, "n", family, target, {d: int(values.ravel()[i]) for (d, values), i in zip(grid.items(), at)}
        )


@pytest.mark.parametrize("text", ["matmul(f32[2,3], f32[3,9])", "matmul(f32[3,2], f32[2,8])", "sum(f32[9,12], axis=1)"])
def test_the_search_is_exact_with_measured_leaves(text):
    narrow = machine("narrow")
    forms = (
        TimedForm(PANEL, 1.3, (TimedTile(1, 1, 30.0, 1.0), TimedTile(2, 1, 3.0, 2.5))),
        TimedForm("multiply_add f32 f32 f32 rows", 0.7, (TimedTile(1, 1, 40.0, 9.0),)),
        TimedForm("multiply_add f32 f32 f32 split", 0.9, (TimedTile(1, 1, 0.5, 0.25),)),
    )
    target = measured(*forms, target=narrow)
    at = problem(canonical_form(gt.parse(text)), target, 1)
    program = gt.synthesize(text, target, table="none")
    assert program.cost == pytest.approx(Oracle(target, at.home, at.ladders).least(at.goal, at.sizes, 1))


def test_a_schedule_by_hand_costs_what_was_measured():
    target = measured(TimedForm("multiply_add f32 f32 f32 rows", 1.0, (TimedTile(4, 2, 1000.0, 50.0),)))
    steps = lambda target: (
        gt.schedule(gt.parse("matmul(f32[4,32], f32[32,16])"), target)
        .move("y", "registers", lanes="n")
        .select("multiply_add")
    )
    before, after = (gt.synthesize(steps(t), table="none").cost for t in (TARGET, target))
    kernel, family = leaf_of("matmul(f32[4,32], f32[32,16])", TARGET)
    size = {"m": 4, "n": 16, "k": 32}
    assert after - before == pytest.approx(
        1000 - tiles.counted(target, 8) + 50 * 32 - reduce.cycles(kernel, "n", family, TARGET, size)
    )


def test_parts_of_groups_are_put_together_in_registers():
    """Of one row or four: a load of 2 elements and one of 1, a shift, an or, a broadcast of a register, where a whole
    group is one load."""
    target = machine("avx512")
    family = problem(canonical_form(gt.parse("matmul(u8[8,64], s8[64,16])")), target).goal
    family = family.with_operand(2, Operand("s32", 0, family.output.layout, Vector("n", 16)))
    family = family.with_operand(1, Operand("s8", 1, Layout((1, 0), panel=(1, 16), group=(0, 4))))
    kernel = next(k for k in target.kernels if k.name == "dot_u8s8")
    found = [
        reduce.in_parts(kernel, "n", family, target, {"m": m, "n": 16, "k": k}) * target.ports.issue
        for m, k in ((1, 64), (1, 63), (4, 63), (4, 61), (4, 3))
    ]
    assert np.allclose(found, [0, 4, 16, 4, 16])


@pytest.mark.parametrize("text, lane, panel, lies", [
    ("matmul(f32[40,50], f32[50,16])", "n", 16, "panel"),
    ("matmul(f32[40,50], f32[50,16])", "n", 0, "rows"),
    ("matmul(f32[40,50], f32[50,17])", "n", 0, "split"),
    ("matmul(f32[40,50], f32[50,16]{0,1})", "n", 0, ""),  # its elements are apart
    ("matmul(f32[40,50], f32[50,16])", "k", 0, ""),
    ("matmul(f32[40,50], f32[50,16])", "m", 0, ""),
])  # fmt: skip
def test_which_form_a_leaf_has(text, lane, panel, lies):
    kernel, family = leaf_of(text, TARGET, lane, panel)
    assert form_of(kernel, lane, family) == (f"multiply_add f32 f32 f32 {lies}" if lies else "")


def test_a_window_that_slides_has_none():
    kernel = next(k for k in TARGET.kernels if k.name == "multiply_add")
    family = problem(canonical_form(gt.parse("conv2d(f32[1,4,9,20], f32[8,4,3,3])")), TARGET).goal
    for lane in family.operation.parallel:
        assert (
            form_of(
                kernel,
                lane,
                replace(family, ahead=()).with_operand(2, Operand("f32", 0, family.output.layout, Vector(lane, 8))),
            )
            == ""
        )

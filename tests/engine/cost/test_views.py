"""What a view of a graph's operand costs beside the nest that first meets it."""

from dataclasses import replace

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.cost import views
from griotte.engine.rewrites import Move, Online
from griotte.engine.search.problem import problem
from machines import machine

SOFTMAX = "softmax(f32[64,400000])"
ROW = {"i0": 1, "i1": 4000}


def viewed(text: str, i: int, level: int, target):
    """What a row of operand i costs to bring to a level, in cycles."""
    family = problem(canonical_form(gt.parse(text)), target).goal
    return target.cost(Move(i, family.operands[i].at(level)).edge(family, target).features(dict(ROW)))


def slowed(times: float):
    """A machine whose arithmetic takes so many times as long."""
    target = machine("avx2")
    return replace(
        target,
        ports=replace(target.ports, arithmetic=target.ports.arithmetic / times, adders=target.ports.adders / times),
    )


def test_lines_that_come_while_a_nest_computes_are_not_paid_for():
    costs = [viewed(SOFTMAX, 1, 2, slowed(times)) for times in (1e-6, 1.5, 2, 1e6)]
    assert costs[0] > costs[1] > costs[2] > costs[3] > 0  # pages are left


def test_a_nest_without_arithmetic_hides_nothing():
    target, family = slowed(1e-6), problem(canonical_form(gt.parse(SOFTMAX)), slowed(1e-6)).goal
    assert views.left(family, 1, family.operands[1].at(2), target, ROW, 5000.0) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("crossing", [0.0, -3.0, 1.0, 1e9])
def test_no_more_is_hidden_than_there_is(crossing):
    target = slowed(1e3)
    family = problem(canonical_form(gt.parse(SOFTMAX)), target).goal
    assert 0 <= views.left(family, 1, family.operands[1].at(2), target, ROW, crossing) <= 1


def test_what_else_a_nest_is_the_first_to_meet_comes_before():
    """Of exp(x - m), x comes from where arrays are, unless the maximum has met it and it is viewed nearer."""
    target = slowed(2)
    far = problem(canonical_form(gt.parse(SOFTMAX)), target).goal
    near = far.with_operand(0, far.operands[0].at(2))
    of = lambda family: views.left(family, 1, family.operands[1].at(2), target, ROW, 5000.0)
    assert of(near) < of(far)


def test_an_operand_of_no_graph_is_paid_for():
    target, spec = slowed(1e6), canonical_form(gt.parse("matmul(f32[300,300], f32[300,300])"))
    family = problem(spec, target).goal
    assert views.left(family, 1, family.operands[1].at(1), target, {}, 100.0) == 1.0


@pytest.mark.parametrize("kept", [False, True])
def test_what_brings_the_tiles_of_rounds_passes_behind_all_of_their_nests(kept):
    """Slower arithmetic hides more, until only loops and pages are left; and never less than behind the nest that first
    meets a tile."""
    target = machine("avx2")
    family = problem(canonical_form(gt.parse(SOFTMAX)), target).goal
    found = []
    for times in (1e-6, 1.0, 1e6):
        slow = slowed(times)
        found.append(slow.cost(Online(1024, 1, kept).edge(family, slow).features({"i0": 1, "i1": 400000})))
    assert found[0] > found[1] >= found[2] > 0
    shares = [views.left_of_rounds(family, target, ROW, crossing) for crossing in (1.0, 1e9)]
    assert (
        shares[0] == 0
        and 0 < shares[1] < 1
        and shares[1] <= views.left(family, 0, family.operands[0].at(1), target, ROW, 1e9)
    )


def test_the_pages_of_an_input_are_met_once_and_those_of_what_is_added_to_twice():
    target = machine("avx512")
    family = problem(canonical_form(gt.parse("matmul(f32[64,1024], f32[1024,64])")), target).goal
    size = {"m": 64, "n": 64, "k": 1024}  # 256 KiB, as much again, and 16 KiB
    found = [Move(i, family.operands[i].at(1)).edge(family, target).features(size) for i in range(3)]
    assert [float(features["pages"]) for features in found] == [64, 64, 2 * 4]


@pytest.mark.parametrize(("axis", "dearer"), [(0, True), (1, False)])
def test_a_tile_beyond_its_level_that_is_walked_down_in_parts_costs_more(axis, dearer):
    target = machine("avx2")
    family = problem(canonical_form(gt.parse(f"max(f32[65536,331], axis={axis})")), target).goal
    view = Move(0, family.operands[0].at(2)).edge(family, target)
    (((rows, _),), ((columns, _),)) = family.access(0).axes
    few, many = (target.cost(view.features({rows: count, columns: 331})) for count in (64, 65536))
    assert bool(many > 1.01 * 1024 * few) is dearer


def test_lines_that_a_core_fetches_on_come_while_later_nests_compute():
    """Of softmax, x is met by the maximum first; the exponentials and quotients behind it hide `ahead` lines more."""

    def left(ahead, text=SOFTMAX, times=1.0):
        target = slowed(times)
        target = replace(target, crossing=replace(target.crossing, ahead=ahead))
        family = problem(canonical_form(gt.parse(text)), target).goal
        return views.left(family, 0, family.operands[0].at(1), target, ROW, 50_000.0)

    line = slowed(1).coefficient["stream.memory"] / 50_000
    assert left(0.0) - left(20.0) == pytest.approx(20 * line)
    assert left(20.0) - left(40.0) == pytest.approx(20 * line)
    assert left(0.0, times=1e-6) == pytest.approx(left(20.0, times=1e-6), abs=1e-3)  # nothing computes behind it
    assert left(0.0, "softmax(f32[4,4000])") == left(20.0, "softmax(f32[4,4000])")  # from L2


@pytest.mark.parametrize("i, dim", [(0, "n"), (1, "m")])
def test_the_more_is_multiplied_with_lines_the_less_of_their_way_is_paid_for(i, dim):
    """Down to the share that is not hidden; where nothing hides all of it is paid for."""
    target = machine("avx2")
    family = problem(canonical_form(gt.parse("matmul(f32[4096,1024], f32[1024,4096])")), target).goal

    def paid(behind: float, count: int) -> float:
        hiding = replace(target, crossing=replace(target.crossing, behind=behind))
        found = views.brought(family, i, hiding, {"m": 64, "n": 64, "k": 64, dim: count}, 1, 1)
        return float(-found["line.L1"]) / 256

    shares = [paid(0.75, count) for count in (1, 8, 16, 4096)]
    assert 1 > shares[0] > shares[1] > shares[2] > shares[3] == 0.25
    assert {paid(0.0, count) for count in (1, 4096)} == {1.0}


def test_lines_are_hidden_by_as_much_as_the_prices_of_their_own_level_say():
    """Where the target says so, and no less than by `behind`."""
    target = machine("avx2")
    family = problem(canonical_form(gt.parse("matmul(f32[4096,1024], f32[1024,4096])")), target).goal
    level = target.levels[family.operands[0].level].name

    def paid(shown: float, nearer: float) -> float:
        prices = target.coefficient | {f"line.{level}": shown, f"stream.{level}": 10.0}
        crossing = replace(target.crossing, behind=0.5, nearer=nearer)
        priced = replace(target, coefficients=tuple(prices.items()), crossing=crossing)
        found = views.brought(family, 0, priced, {"m": 64, "k": 64, "n": 4096}, 1, 1)
        return float(-found["line.L1"]) / 256

    assert [paid(shown, 1.0) for shown in (0.0, 1.0, 4.0, 5.0, 10.0)] == pytest.approx([0, 0.1, 0.4, 0.5, 0.5])
    assert {paid(shown, 0.0) for shown in (0.0, 10.0)} == {0.5}


def test_the_more_rows_are_read_in_parts_the_less_of_their_way_is_hidden():
    """Down to nothing, from where a line of each and what is asked for fill the nearest cache; of rows that share sets
    sooner. Not where the tile comes into that cache, nor of rows that are walked down, nor of panels."""
    target = replace(machine("avx2"), crossing=replace(machine("avx2").crossing, behind=0.75, nearer=1.0))

    def paid(text: str, rows: int, near: int = 2, i: int = 1) -> float:
        family = problem(canonical_form(gt.parse(text)), target).goal
        size = {"m": 4096, "n": 256, "k": 256} | {family.operation.dims[-1] if i else "m": rows}
        found = views.brought(family, i, target, size, 1, near)
        return float(-found[f"line.L{near}"]) / (rows * size["n" if i else "k"] / 16)

    plain, folded = "matmul(f32[4096,4096], f32[4096,4112])", "matmul(f32[4096,4096], f32[4096,4096])"
    shares = [paid(plain, rows) for rows in (8, 16, 128, 4096)]
    assert shares[0] == 0.25 <= shares[1] < shares[2] < shares[3] < 1
    assert paid(folded, 16) > paid(plain, 16)
    assert paid(plain, 4096, near=1) == 0.25 and paid(plain, 4096, i=0) == 0.25


@pytest.mark.parametrize("text", ["sum(f32[64,4096], axis=0)", "add(f32[64,4096], f32[64,4096])", SOFTMAX])
def test_what_is_summed_or_added_hides_nothing_as_products_do(text):
    target = machine("avx2")
    family = problem(canonical_form(gt.parse(text)), target).goal
    size = dict.fromkeys(family.operation.dims, 64)
    found = [
        views.brought(family, 0, replace(target, crossing=replace(target.crossing, behind=behind)), size, 1, 1)
        for behind in (0.0, 0.75)
    ]
    assert found[0] == found[1] and any(found[0].values())


@pytest.mark.parametrize("unfollowed, rows, crowded", [(0, 64, 0), (1, 64, 56 / 64), (1, 8, 0), (1, 2, 0)])
def test_rows_that_no_core_follows_are_crowded_though_they_fit_where_they_go(unfollowed, rows, crowded):
    """Rows of 1,000 elements, of which 64 fit into L2, and 8 do not fit into L1."""
    target = machine("avx2")
    target = replace(target, crossing=replace(target.crossing, unfollowed=float(unfollowed), streams=8.0, behind=0.0))
    spec = canonical_form(gt.parse("matmul(f32[1,4000], f32[4000,1000])"))
    family, size = problem(spec, target).goal, {"m": 1, "n": 1000, "k": rows}
    level, far = family.operands[1].level, target.levels[family.operands[1].level].name
    assert level > 2
    found = views.brought(family, 1, target, size, 1, 2)
    assert found.get(f"crowded.{far}", 0.0) == pytest.approx(crowded * found[f"line.{far}"])


def _steps_of_rows(text: str, level: int = 1, dim: str = "m", **size: int) -> float:
    """Cycles that each step but the first of a loop shows of the way of the second operand, which a view brought to a
    level; by a machine that measures it and has 16 lanes of a line."""
    crossing = replace(machine("avx2").crossing, walked=0.75, rests=3.0, behind=0.8)
    target, family = (
        replace(machine("avx2"), crossing=crossing),
        problem(canonical_form(gt.parse(text)), machine("avx2")).goal,
    )
    viewed = family.with_operand(1, family.operands[1].at(level))
    found = views.later_steps(viewed, dim, target, {"m": 6, "n": 256, "k": 16} | size)
    return float(target.cost(found))


WALKED = "matmul(f32[60,1472], f32[1472,256])"  # which rests in L3


@pytest.mark.parametrize("rows", [6, 12, 24])
def test_each_step_but_the_first_shows_a_share_of_the_way_of_rows_that_are_read_in_parts(rows):
    """The more rows all steps have together, the less of the way shows at each; twice the lines, twice as much."""
    shown = _steps_of_rows(WALKED, m=rows)
    assert shown > 0
    assert _steps_of_rows(WALKED, m=2 * rows) == pytest.approx(shown / 2)
    assert _steps_of_rows(WALKED, m=rows, k=32) == pytest.approx(2 * shown)


@pytest.mark.parametrize(
    "other",
    [
        {"dim": "n"},  # which steps along the rows
        {"dim": "k"},  # which meets no row again
        {"level": 3},  # which no view brought near
        {"text": "matmul(f32[60,1472], f32[1472,256]{0,1})"},  # whose rows lie along the sum
    ],
)
def test_steps_that_read_no_part_of_a_row_again_show_nothing_of_its_way(other):
    assert _steps_of_rows(**({"text": WALKED} | other)) == 0


@pytest.mark.parametrize("rests, walked", [(2.0, 0.75), (4.0, 0.75), (0.0, 0.75), (3.0, 0.0)])
def test_steps_show_the_way_of_what_rests_in_a_far_cache_where_that_was_measured(rests, walked):
    target = machine("avx2")
    family = problem(canonical_form(gt.parse(WALKED)), target).goal
    viewed = family.with_operand(1, family.operands[1].at(1))
    measured = replace(target, crossing=replace(target.crossing, rests=rests, walked=walked))
    assert views.later_steps(viewed, "m", measured, {"m": 6, "n": 256, "k": 16}) == {}

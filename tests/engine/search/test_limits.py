"""Memory limits, said again in plain words: what a child sees of each level, at every limit of every family of a
problem."""

import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.footprint import resident
from griotte.engine.search import limits
from griotte.engine.search.graph import reach
from griotte.engine.search.problem import problem
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.text.text import parse
from machines import machine

PROBLEMS = (
    ("narrow", "matmul(f32[12,13], f32[13,14])"),
    ("paired", "matmul(bf16[5,8], bf16[8,9]) -> f32[5,9]"),
    ("two", "sum(f32[9,30], axis=1)"),
)


def edges_of(name: str, text: str):
    """(target, home, family, child, sizes) of every child at the largest sizes and at some less than half of them."""
    target = machine(name)
    start = problem(canonical_form(parse(text)), target)
    for node in reach(target, start.goal):
        dims = node.family.operation.dims
        for at in (1, len(dims) + 1):
            size = {d: int(start.ladders[d].sizes[-at]) if len(start.ladders[d]) >= at else 1 for d in dims}
            yield from (
                (target, start.home, node.family, child, size) for edge in node.edges for child in edge.children
            )


def in_words(target, home: int, family, child, size, steps: dict[int, int]) -> dict[int, int] | None:
    """The step of each level that the child's family has as an axis; None where it has no room."""
    after = {level: len(limits.SHARES) - 1 for level in limits.axes(target, home, child.family)}
    if not child.carries:
        return after
    after |= {level: step for level, step in steps.items() if level in after}
    if child.uses is None or child.uses[0] >= home:
        return after
    level, lines, _ = child.uses
    capacity = target.capacity_lines(level)
    remains = limits.SHARES[steps.get(level, len(limits.SHARES) - 1)] * capacity - float(lines(size))
    fitting = [step for step, share in enumerate(limits.SHARES) if share * capacity <= remains]
    return {x: fitting[-1] if x == level else step for x, step in after.items()} if fitting else None


@pytest.mark.parametrize("name, text", PROBLEMS)
def test_a_child_sees_what_is_left(name, text):
    seen = set()
    for target, home, family, child, size in edges_of(name, text):
        levels = limits.axes(target, home, family)
        for limit in range(limits.count(levels)):
            wanted = in_words(target, home, family, child, size, dict(zip(levels, limits.steps(len(levels), limit))))
            found = limits.below(target, home, family, child, size, limit)
            assert (found, wanted) == (-1, None) or limits.steps(len(wanted), found) == tuple(wanted.values())
            seen.add((found < 0, child.carries))
    assert seen >= {(True, True), (False, True)}


@pytest.mark.parametrize("name, text", PROBLEMS)
def test_several_at_once_see_what_each_would(name, text):
    for target, home, family, child, size in edges_of(name, text):
        several = [-1, *range(limits.count(limits.axes(target, home, family)))]
        arrays = {d: np.full(len(several), n) for d, n in size.items()}
        alone = [-1, *(limits.below(target, home, family, child, size, limit) for limit in several[1:])]
        assert limits.below_each(target, home, family, child, arrays, several) == alone


def test_steps_undo_an_index():
    for rank in range(4):
        assert [limits.index(limits.steps(rank, i)) for i in range(len(limits.SHARES) ** rank)] == list(
            range(len(limits.SHARES) ** rank)
        )


@pytest.mark.parametrize("name, text", PROBLEMS)
def test_an_operand_fits_where_its_lines_do(name, text):
    target = machine(name)
    start = problem(canonical_form(parse(text)), target)
    met = set()
    for family in (node.family for node in reach(target, start.goal)):
        size = {d: int(start.ladders[d].sizes[-1]) for d in family.operation.dims}
        for i, operand in enumerate(family.operands):
            room = (
                resident(family.access(i), operand, size, target.spans, family.reduced(i))
                <= target.capacity_lines(operand.level)
                if 0 < operand.level < start.home
                else True
            )
            met.add(bool(room))
            need = (family.access(i), operand, family.reduced(i))
            assert room == (need not in limits.needs(start.home, family) or bool(limits.fits(target, need, size)))
    assert met == {True, False}


class Watched(Solver):
    """Asserts of each block that its costs never rise with a limit: the loops leave out by that what cannot be
    better."""

    def _keep(self, block):
        cost = block.cost.reshape(len(block.rows), *block.steps)
        for axis in range(1, cost.ndim):
            less, more = (
                np.take(cost, range(*ends), axis) for ends in ((0, cost.shape[axis] - 1), (1, cost.shape[axis]))
            )
            assert (more <= less).all()
        super()._keep(block)


@pytest.mark.parametrize("name, text", (*PROBLEMS, ("two", "softmax(f32[6,40], axis=-1)")))
def test_no_cost_rises_with_a_limit(name, text):
    target = machine(name)
    start = problem(canonical_form(parse(text)), target)
    assert Watched(Table(target, start.home, start.ladders)).solve(start.goal).families


class Costs(Solver):
    """Keeps every family's costs."""

    def _release(self, node, parents):
        pass


MET = (
    *PROBLEMS,
    ("two", "softmax(f32[6,40], axis=-1)"),
    ("two", "matmul(relu(matmul(f32[5,8], f32[8,12])), f32[12,6])"),
)


def costs(start, table, goals, whole=False):
    solver = Costs(table, whole=whole)
    solver.solve(*goals)
    return solver.blocks


def at_met(block, steps):
    """[rows, limits] of the first `steps` of each limit of a block that has all."""
    cost = block.cost.reshape(len(block.rows), *[len(limits.SHARES)] * len(block.axes))
    return cost[(slice(None), *map(slice, steps))].reshape(block.cost.shape[0], int(np.prod(steps)))


@pytest.mark.parametrize("name, text", MET)
def test_costs_at_the_limits_that_are_met_are_those_of_solving_all_to_the_bit(name, text):
    target = machine(name)
    start = problem(canonical_form(parse(text)), target)
    some, all_ = (
        costs(start, Table(target, start.home, start.ladders), (start.goal,), whole) for whole in (False, True)
    )
    assert all(np.array_equal(block.cost, at_met(all_[family], block.steps)) for family, block in some.items())
    assert any(block.cost.size < all_[family].cost.size for family, block in some.items()) and len(some) == len(all_)


@pytest.mark.parametrize("name, text", MET)
def test_a_goal_that_meets_more_limits_of_what_is_solved_finds_the_costs_of_solving_from_nothing(name, text):
    target = machine(name)
    start = problem(canonical_form(parse(text)), target)
    table = Table(target, start.home, start.ladders)
    blocks = costs(start, table, (start.goal,))
    inner = next(family for family, block in blocks.items() if block.steps != limits.whole(block.axes))
    again, fresh = costs(start, table, (inner,)), costs(start, Table(target, start.home, start.ladders), (inner,))
    assert again[inner].steps == limits.whole(again[inner].axes)
    assert all(np.array_equal(block.cost, fresh[family].cost) for family, block in again.items())

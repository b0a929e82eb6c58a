"""Families that a later Spec would meet: those that answers at every size on the goal's ladders are read from."""

from itertools import product

import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.graph import reach
from griotte.engine.search.problem import problem
from griotte.engine.search.reached import Reaching
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from machines import machine

CASES = (
    ("two", "matmul(f32[5,6], f32[6,9])"),
    ("scarce", "sum(f32[7,20], axis=1)"),
    ("narrow", "exp(f32[5,40])"),
    ("avx2", "matmul(f32[12,31], const f32[31,20])"),
    ("avx2", "softmax(f32[3,40])"),
    ("wide", "transpose(f32[9,20])"),
    ("avx2", "matmul(bf16[2,8,12], bf16[2,12,9]) -> f32[2,8,9]"),
    ("two", "matmul(f32[1,1], f32[1,1])"),  # one point
    ("two", "matmul(f32[1,1], f32[1,2])"),
)


@pytest.mark.parametrize("whole", (True, False))
@pytest.mark.parametrize("name, text", CASES)
def test_they_are_those_that_answers_are_read_from(name, text, whole):
    target = machine(name)
    start = problem(canonical_form(parse(text)), target)
    table = Table(target, start.home, start.ladders)
    solver = Solver(table, workers=1, whole=whole)
    solver.solve(start.goal)
    goals = [state.family for state in solver._kept(solver._largest(start.goal))]
    nodes = reach(target, start.goal)
    found = Reaching(table, solver._rows, solver.arrays).reached(nodes, goals)

    rebuild = Rebuild(table)
    for goal in goals:
        sizes, _ = table.axes(goal)
        for point in product(*sizes):
            try:
                rebuild.best(goal, dict(zip(goal.operation.dims, point)))
            except NoProgramError:
                pass
    assert found == {*goals, *(family for family, _, _ in rebuild._nodes)}
    assert len(found) < len(nodes) or len(nodes) < 3, "all are reached: the case tells nothing"

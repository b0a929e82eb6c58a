"""A solver holds what is still needed."""

import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.problem import problem
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.text.text import parse
from machines import machine


@pytest.mark.parametrize("text", ["matmul(f32[12,9], f32[9,20])", "softmax(f32[6,40])"])
def test_costs_are_held_no_longer_than_a_parent_needs_them(text):
    """At the end those of the goal alone; a search that begins again, for a table holds what cannot be, has none."""
    target = machine("two")
    start = problem(canonical_form(parse(text)), target)
    solver = Solver(Table(target, start.home, start.ladders), workers=1)
    solver.solve(start.goal)
    assert set(solver.blocks) == {start.goal}
    assert solver.statistics.families > 3
    solver._begin_again()
    assert not solver.blocks and not solver.statistics.families

"""The solver held against brute force, where the space is so small that every program in it can be tried out."""

from __future__ import annotations

from math import inf, isclose

import numpy as np
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import Problem, problem
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.calls.spec import Spec
from griotte.machine.target import Target
from griotte.support.errors import NoProgramError


def equals_brute_force(spec: Spec, target: Target, goal=None, met=None) -> Problem:
    """Assert that a goal of a canonical Spec, its own where none is given, costs by the solver, and by the program that
    is rebuilt, what brute force finds, or that all three find no program; the problem of the Spec. `met` are families
    that another search of this target has made."""
    start = problem(spec, target)
    goal = goal or start.goal
    sizes = {dim: start.sizes[dim] for dim in goal.operation.dims}
    solver = Solver(Table(target, start.home, start.ladders), met=met)
    solver.solve(goal)
    block = solver.blocks[goal]
    found = float(block.cost_at(np.array([block.grid.point(sizes)]), -1)[0])
    least = Oracle(target, start.home, start.ladders, solver.families).cost(goal, sizes)
    try:
        rebuilt = Rebuild(solver.table, solver.families).best(goal, sizes).cost
    except NoProgramError:
        rebuilt = inf
    assert isclose(found, least, rel_tol=1e-5) or found == least == inf
    assert isclose(rebuilt, least, rel_tol=1e-9) or rebuilt == least == inf
    return start

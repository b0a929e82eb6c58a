"""The solver is exact over threads, cuts at whole arrays and dynamic sizes too: at each of many drawn goals, single
nests and graphs, its cost is that of brute force.

What was met of the space is shared by all goals of a machine: families and their edges depend on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from json import dumps, loads
from math import inf, isclose, prod
from pathlib import Path

import numpy as np
import pytest
from drawn.dynamic import with_dynamic
from drawn.graphs import random_graph, random_outputs
from drawn.specs import random_spec
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.canonical.division import is_divided
from griotte.engine.rewrites import fixed
from griotte.engine.search.division import solving
from griotte.engine.search.goals import Goals
from griotte.engine.search.graph import FamilyGraph
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.sizes import SLACK, SizePrograms
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.calls.spec import Spec
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from machines import machine, with_prices

# and the most iterations of all dimensions together: brute force is slow
MACHINES = {"two": 24, "narrow": 9, "scarce": 24, "plain": 18, "paired": 12}
LARGEST, NESTS = 4, 3
STATIC, DYNAMIC, CUT, DIVIDED = 300, 170, 24, 8  # goals of each sort
NEAR = 1e-5  # costs of a search are float32

# graphs that are cut at whole arrays before all else: many contractions, or one that another nest feeds
LARGE = (
    "matmul(softmax(matmul(f32[{m},{k}], f32[{k},{n}])), f32[{n},{p}])",
    "matmul(relu(matmul(relu(matmul(f32[{m},{k}], f32[{k},{n}])), f32[{n},{p}])), f32[{p},{k}])",
    "add(matmul(exp(matmul(f32[{m},{k}], f32[{k},{n}])), f32[{n},{p}]), matmul(f32[{m},{k}], f32[{k},{p}]))",
    "outputs(%y: matmul(f32[{m},{k}], f32[{k},{n}]), matmul(softmax(%y), f32[{n},{p}]))",
    "matmul(rms_norm(matmul(f32[{m},{k}], const f32[{k},{n}]), f32[{n}]), const f32[{n},{p}])",
)


@dataclass(frozen=True)
class Goal:
    """A Spec on a machine where threads start for nothing, so that they pay for it."""

    name: str
    threads: int
    text: str

    @property
    def spec(self) -> Spec:
        return canonical(self.text)

    @property
    def target(self):
        return quick(self.name)


@cache
def canonical(text: str) -> Spec:
    return canonical_form(parse(text))


@cache
def quick(name: str):
    target = machine(name)
    return with_prices(target, fork=0.0)


@cache
def families(name: str) -> FamilyGraph:
    """What was met of a machine's space."""
    return FamilyGraph()


def drawn(count: int, is_dynamic: bool) -> list[Goal]:
    """Of four one is a single nest and one a graph of several outputs, on each machine in turn."""
    rng, found = np.random.default_rng(7 + is_dynamic), {}
    kinds = (random_spec, lambda *a: random_outputs(*a, NESTS), *[lambda *a: random_graph(*a, NESTS)] * 2)
    while len(found) < count:
        turn = len(found)
        name, text = list(MACHINES)[turn % len(MACHINES)], kinds[turn % 4](rng, LARGEST)
        text = with_dynamic(text, rng) if is_dynamic else text
        spec = canonical(text)
        is_of_its_sort = (spec.dynamic is not None) == is_dynamic and not (spec.dynamic and spec.dynamic.rows)
        if is_of_its_sort and len(spec.sizes) > 1 and LARGEST < prod(spec.sizes) <= MACHINES[name]:
            found[Goal(name, 2 + turn % 2 if not is_dynamic else 1 + turn % 3, text)] = None
    return list(found)


def large(count: int, is_divided_first: bool) -> list[Goal]:
    """Graphs that are cut at whole arrays: within one search, or before it, so that weights may be packed."""
    rng, found = np.random.default_rng(9), {}
    while len(found) < count:
        size: dict[str, int | str] = {d: int(rng.integers(1, 3)) for d in "mknp"}
        text, name = LARGE[int(rng.integers(len(LARGE)))], str(rng.choice(["two", "plain"]))
        if is_divided_first:
            size["m"], text, name = "<=2", text.replace("], f32[{", "], const f32[{"), "two"
        goal = Goal(name, 1 + len(found) % 3, text.format(**size))
        if (
            is_divided(goal.spec) and goal.spec.dynamic.rows is None
            if is_divided_first
            else goal.spec.operation.is_large
        ):
            found[goal] = None
    return list(found)


# its output has fewer elements than there are threads, and its last product is told to be uncut
FEW = Goal("two", 3, "matmul(relu(matmul(relu(matmul(f32[<=2,1], const f32[1,1])), f32[1,2])), f32[2,1])")
DRAWN = Path(__file__).parent / "golden" / "goals.json"  # drawing them takes 20 s


def draw() -> dict[str, list[Goal]]:
    return {
        "over threads": drawn(STATIC, False),
        "of a dynamic size": drawn(DYNAMIC, True),
        "cut": large(CUT, False),
        "divided": [*large(DIVIDED, True), FEW],
    }


GOALS = {sort: [Goal(*goal) for goal in goals] for sort, goals in loads(DRAWN.read_text()).items()}


@pytest.mark.long
def test_the_goals_are_those_that_are_drawn(request):
    found = draw()
    if request.config.getoption("--refresh-golden"):
        rows = {sort: [dumps([goal.name, goal.threads, goal.text]) for goal in goals] for sort, goals in found.items()}
        text = ",\n".join(f" {dumps(sort)}: [\n  " + ",\n  ".join(goals) + "\n ]" for sort, goals in rows.items())
        DRAWN.write_text(f"{{\n{text}\n}}\n")
    else:
        assert found == GOALS


def test_five_hundred_goals_are_in_every_run_and_hundreds_are_cut_or_of_a_dynamic_size():
    goals = [goal for found in GOALS.values() for goal in found]
    assert len(set(goals)) >= 500
    assert len([goal for goal in goals if goal.threads > 1]) >= 400
    assert len([goal for goal in goals if goal.spec.dynamic is not None or goal.spec.operation.is_large]) >= 200


class Solved:
    """A goal's table, and brute force over the same space."""

    def __init__(self, goal: Goal, spec: Spec, at_rest=None):
        self.threads, self.target, self.dynamic = goal.threads, goal.target, spec.dynamic
        self.start = problem(spec, goal.target, goal.threads, at_rest)
        table = Table(goal.target, self.start.home, self.start.ladders)
        Solver(table, workers=1, met=families(goal.name)).solve(self.start.goal)
        self.rebuild = Rebuild(table, families(goal.name))
        self.oracle = Oracle(goal.target, self.start.home, self.start.ladders, families(goal.name))

    def least(self, size: dict[str, int]) -> float:
        """By brute force."""
        along = self.dynamic and self.dynamic.dim
        return self.oracle.least(self.start.goal, size, self.threads, along)

    def sizes(self) -> Iterator[tuple[int, dict[str, int]]]:
        """The dynamic sizes, with those of all dimensions."""
        sizes = {d: self.start.sizes[d] for d in self.start.goal.operation.dims}
        return ((n, {**sizes, self.dynamic.dim: n}) for n in self.dynamic.extents)


def cost_of(program) -> float:
    """The cost of what a function gives, inf where that is none."""
    try:
        return program().cost
    except NoProgramError:
        return inf


def is_near(found: float, least: float) -> bool:
    return isclose(found, least, rel_tol=NEAR) or least == inf == found


@pytest.mark.parametrize("goal", [*GOALS["over threads"], *GOALS["cut"]], ids=str)
def test_a_goal_costs_what_brute_force_finds(goal):
    found = Solved(goal, goal.spec)
    goal_family, sizes = found.start.goal, found.start.sizes
    best = cost_of(lambda: Goals(found.rebuild).of(goal_family, sizes, goal.threads))
    assert is_near(best, found.least(sizes))


@pytest.mark.parametrize("goal", GOALS["of a dynamic size"], ids=str)
def test_each_dynamic_size_alone_costs_that_and_together_little_more(goal):
    found = Solved(goal, goal.spec)
    dim, family = found.dynamic.dim, found.start.goal
    goals = Goals(found.rebuild)
    least = {n: found.least(size) for n, size in found.sizes()}
    for n, size in found.sizes():
        assert is_near(cost_of(lambda size=size: goals.of(family, size, goal.threads, dim)), least[n]), n
    if inf in least.values():
        return
    whole = SizePrograms(found.rebuild, dim, goal.threads).goal(family, found.start.sizes, found.dynamic.extents)
    for n, lowest in least.items():
        cost = fixed(whole, found.dynamic, n // found.dynamic.unit, goal.target).cost
        assert cost >= lowest * (1 - NEAR), n
        # a constant is packed once, for all sizes
        assert family.ahead or cost <= SLACK * lowest * (1 + NEAR), n


@pytest.mark.parametrize("goal", GOALS["divided"], ids=str)
def test_the_cheapest_division_is_that_of_brute_force(goal):
    """Every way is written out, and brute force prices each part at the bound."""
    divided = solving(goal.spec, goal.target, goal.threads)

    @cache
    def least(part) -> float:
        found = Solved(goal, *part)
        return found.least(list(found.sizes())[-1][1] if found.dynamic else found.start.sizes)

    def costs(left) -> Iterator[float]:
        for way in divided._ways[left]:
            after = [0.0] if way.rest is None else [goal.target.cost({"call": 1}) + rest for rest in costs(way.rest)]
            yield from (least(way.part) + rest for rest in after)

    cheapest = min(costs(divided._whole))
    found = fixed(divided.best, divided.dynamic, divided.dynamic.bound, goal.target).cost
    assert cheapest * (1 - NEAR) <= found <= SLACK * cheapest * (1 + NEAR)

"""The solver is exact over graphs of nests too: at each of many drawn ones its cost is that of brute force, and its
program costs what it says."""

from functools import cache
from math import inf, isclose, prod

import griotte as gt
import numpy as np
import pytest
from brute_force import equals_brute_force
from drawn.graphs import random_graph, random_outputs
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.graph import FamilyGraph
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import problem
from griotte.lang.calls.spec import Spec
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from machines import machine, with_prices
from rewriting import adding

# and the most iterations of all dimensions together: brute force is slow
MACHINES = {"two": 27, "narrow": 9, "scarce": 27, "plain": 27, "paired": 18}
COUNT, OUTPUTS, LARGEST, NESTS = 120, 40, 3, 4
SMALL = 18


@cache
def canonical(text: str) -> Spec:
    return canonical_form(parse(text))


@cache
def families(name: str) -> FamilyGraph:
    """What was met of a machine's space, which all graphs share."""
    return FamilyGraph()


def size(spec: Spec) -> int:
    """The iterations of all dimensions together."""
    return prod(spec.sizes)


def drawn(draw, count: int) -> list[tuple[str, str]]:
    """(machine, text) of graphs of several nests, all small."""
    rng, found = np.random.default_rng(5), []
    while len(found) < count:
        text, name = draw(rng, LARGEST, NESTS), list(MACHINES)[len(found) % len(MACHINES)]
        spec = canonical(text)
        if (name, text) not in found and not spec.operation.is_lone and size(spec) <= MACHINES[name]:
            found.append((name, text))
    return found


def dear(text: str) -> bool:
    """Whether it is among the largest, which take most of the time: of these, every sixth is in `make test`."""
    return size(canonical(text)) > SMALL


CHAINS = (  # a loop along what their last nest sums over adds to the output
    "max(matmul(f32[2,2], f32[2,3]), axis=1)",
    "sum(abs(matmul(f32[2,1], f32[1,3])), axis=1)",
    "matmul(relu(matmul(f32[2,1], f32[1,3])), f32[3,1])",
    "matmul(relu(matmul(f32[1,2], f32[2,2])), f32[2,2])",
    "min(sub(matmul(f32[2,2], f32[2,2]), f32[2,1]), axis=0)",
    "max(abs(matmul(f32[2,2], f32[2,3])), axis=(0,1))",
)
# the maximum is computed ahead of the call
KNOWN = (
    "add(matmul(f32[2,2], %w: const f32[2,3]), max(%w, axis=0))",
    "sub(f32[3,2], exp(max(const f32[3,2], axis=0)))",
)
GRAPHS = (
    drawn(random_graph, COUNT)
    + drawn(random_outputs, OUTPUTS)
    + [(name, text) for name in ("two", "scarce") for text in (*CHAINS, *KNOWN)]
)
DEAR = [graph for graph in GRAPHS if dear(graph[1])]


@pytest.mark.parametrize(
    "name, text",
    [
        pytest.param(*graph, marks=[pytest.mark.long] * (graph in DEAR and DEAR.index(graph) % 6 > 0))
        for graph in GRAPHS
    ],
)
def test_the_solver_equals_brute_force_over_graphs(name, text):
    target = machine(name)
    start = problem(canonical(text), target)
    equals_brute_force(canonical(text), target, adding(start.goal, target), families(name))


def test_a_hundred_graphs_and_more_are_in_every_run():
    assert len(GRAPHS) - len(DEAR) + len(DEAR[::6]) >= 100


# so that threads pay for graphs so small
TEAMS = {"for nothing": 0.0, "for little": 20.0}


@pytest.mark.parametrize(
    "team, name, text",
    [pytest.param("for nothing", *graph, marks=[pytest.mark.long] * (graph in DEAR)) for graph in GRAPHS[::3]]
    + [("for little", *graph) for graph in GRAPHS[1::6] if graph not in DEAR],
)
def test_so_it_does_over_threads(team, name, text):
    target = machine(name)
    target = with_prices(target, fork=TEAMS[team])
    start = problem(canonical(text), target, 2)
    least = Oracle(target, start.home, start.ladders, families(f"{name} {team}")).least(start.goal, start.sizes, 2)
    try:
        program = gt.synthesize(text, target, 2, "none")
        found = inf if program.is_partitioned else program.cost  # of what has no program as one
    except NoProgramError:
        found = inf
    assert isclose(found, least, rel_tol=1e-5) or least == inf == found

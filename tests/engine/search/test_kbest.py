"""The k cheapest programs are those that brute force finds, in its order."""

from dataclasses import replace
from itertools import combinations, pairwise, product
from math import prod

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import of_call
from griotte.engine.rewrites import (
    PARTS,
    Parallel,
    applied,
    edges,
    join_state,
    may_share,
    parallel_cost,
    share_edges,
    shared_lines,
)
from griotte.engine.search.oracle import Oracle, enumerate_costs
from griotte.engine.search.solved import Solved
from griotte.lang.meaning.agreement import tolerance
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from machines import DESCRIPTIONS, machine, with_prices
from spaces import all_small

FLOAT32 = 1e-6  # what the table's costs do not tell apart
FEW = 20_000


def solved_problem(text: str, target, threads: int = 1) -> Solved:
    return Solved(canonical_form(parse(text)), target, threads)


def key(node) -> tuple:
    """All the choices of a program."""
    return node.rewrite, *(part and key(part) for part in node.rewrite.parts(node))


def replayed(node, target) -> float:
    """The cost of a program, priced anew from its leaves up."""
    parts = tuple(part and replace(part, cost=replayed(part, target)) for part in node.rewrite.parts(node))
    return applied(node.rewrite, node.state, target, parts).cost


def assert_cheapest(found: list, costs: list[float], target):
    """`found` are distinct programs whose costs are the first of `costs`."""
    assert len({key(program) for program in found}) == len(found)
    assert [program.cost for program in found] == pytest.approx(sorted(costs)[: len(found)], rel=FLOAT32)
    assert all(a.cost <= b.cost for a, b in pairwise(found[1:]))
    assert all(program.cost >= found[0].cost * (1 - FLOAT32) for program in found)
    for program in found[:: max(1, len(found) // 20)]:
        assert replayed(program, target) == pytest.approx(program.cost, rel=1e-12)


@pytest.mark.parametrize("target, text", all_small())
def test_they_are_those_of_brute_force(target, text):
    solved = solved_problem(text, target)
    start = solved.start
    costs = enumerate_costs(target, start.home, start.ladders, start.goal, start.sizes)
    assert len(costs) == Oracle(target, start.home, start.ladders).count(start.goal, start.sizes)
    found = solved.cheapest(min(len(costs), FEW) + 1)  # a k beyond the last gives all
    assert len(found) == min(len(costs), FEW + 1)
    assert_cheapest(found, costs, target)
    for k in (1, 7, len(costs) // 10):
        assert_cheapest(solved_problem(text, target).cheapest(k), costs, target)


def shared_out(start, target, threads: int, goal=None) -> list[float]:
    """The cost of every program over threads, wherever constants are placed; leftovers take their best, for they do not
    count in it."""
    goal, size, found = goal or start.goal, start.sizes, []
    if goal.ahead:
        return [cost for edge in edges(goal, target) for cost in shared_out(start, target, threads, edge.body.family)]
    dims = [d for d in goal.operation.dims if size[d] > 1]
    for grid in (*combinations(dims, 1), *combinations(dims, 2)):
        split = [d for d in grid if d in goal.operation.reduction]
        for tiles in product(
            *(
                (
                    [1]
                    if d in goal.batch
                    else [t for t in start.ladders[d].tiles if t <= size[d] and may_share(goal, d, size[d], t)]
                )
                for d in grid
            )
        ):
            if len(split) > 1 or any(not 1 < -(-size[d] // t) <= threads for d, t in zip(grid, tiles) if d in split):
                continue
            count = prod(-(-size[d] // t) for d, t in zip(grid, tiles))
            inside = Parallel(grid, tiles, threads).inside(goal)
            if count > 1:
                bodies = enumerate_costs(target, start.home, start.ladders, inside, {**size, **dict(zip(grid, tiles))})
                shared = shared_lines(goal, grid, tiles, size)
                joins = [0.0]
                if split:
                    join = join_state(State(goal, tuple(size.values())), 2)
                    joins = enumerate_costs(target, start.home, start.ladders, join.family, join.size)
                found += [
                    float(parallel_cost(target, count, threads, body, shared)) + join
                    for body in bodies
                    for join in joins
                ]
    return found + copied(start, target, threads, goal)


def copied(start, target, threads: int, goal) -> list[float]:
    """The cost of every program that begins with a copy for all threads."""
    size, found = start.sizes, []
    for edge in share_edges(goal, target, threads) if PARTS in start.ladders else ():
        copy, body = (child.family for child in edge.children)
        copies = enumerate_costs(target, start.home, start.ladders, copy, size)
        copies += shared_out(start, target, threads, copy)
        found += [
            float(target.cost(edge.features(size))) + a + b
            for a in copies
            for b in shared_out(start, target, threads, body)
        ]
    return found


@pytest.mark.parametrize("fork", (0, pytest.param(4000, marks=pytest.mark.long)))
@pytest.mark.parametrize(
    "name, text",
    [
        ("narrow", "exp(f32[2,3])"),
        ("plain", "matmul(f32[2,2], f32[2,2])"),
        ("plain", "matmul(f32[2,1,2], f32[2,2,1])"),
        ("two", "matmul(f32[1,2], f32[2,2])"),
        ("paired", "matmul(bf16[2,1], const bf16[1,2]) -> f32[2,2]"),
        ("avx2", "transpose(f32[2,3])"),
        ("plain", "sum(f32[2])"),
        ("plain", "max(f32[2,3], axis=1)"),
    ],
)
def test_over_threads_too(name, text, fork):
    target = machine(name)
    target = with_prices(target, fork=fork)
    solved = solved_problem(text, target, threads=2)
    start = solved.start
    serial = enumerate_costs(target, start.home, start.ladders, start.goal, start.sizes)
    costs = serial + shared_out(start, target, 2)
    found = solved.cheapest(FEW)
    assert len(found) == min(FEW, len(costs)) and len(costs) > len(serial)
    assert {getattr(of_call(program)[1], "threads", 1) for program in found} == {1, 2}
    assert_cheapest(found, costs, target)


@pytest.mark.parametrize(
    "text, name, threads",
    [
        ("matmul(f32[9,8], f32[8,17])", "avx2", 1),
        ("matmul(u8[3,6], s8[6,5])", "wide", 1),
        ("sum(bf16[9,20], axis=0)", "avx512", 2),
    ],
)
def test_each_is_right(text, name, threads):
    spec, target = parse(text), machine(name)
    arrays = random_arrays(spec, np.random.default_rng(0))
    found, bounds = Solved(canonical_form(spec), target, threads).cheapest(2000), tolerance(spec, arrays)
    for program in found[::100]:
        agrees(spec, arrays, interpret(program, spec, *arrays, target=target), bounds)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (i % 2)) for i, name in enumerate(DESCRIPTIONS)]
)
def test_costs_never_fall_on_any_machine(name):
    # a matmul has no program there
    text = "matmul(bf16[7,30], bf16[30,40]) -> f32[7,40]" if name != "scarce" else "sum(f32[30,40], axis=0)"
    found = solved_problem(text, machine(name)).cheapest(300)
    assert all(a.cost <= b.cost for a, b in pairwise(found[1:])) and len(found) == 300
    assert len({key(program) for program in found}) == len(found)


# Program.alternatives --------------------------------------------------------------------


@pytest.fixture(scope="module")
def program():
    return gt.synthesize("matmul(f32[40,30], f32[30,50])", target="portable")


def test_the_first_is_the_program(program):
    found = program.alternatives()
    assert len(found) == 10 and found[0].root is program.root and found[0].stats == program.stats
    assert str(found[0]) == str(program) and found[3].to_c() != program.to_c()
    assert program.alternatives(1)[0].cost == program.cost


def test_fewer_are_the_first_of_more(program):
    assert [p.root for p in program.alternatives(50)][:10] == [p.root for p in program.alternatives(10)]


def test_an_alternative_has_the_same_alternatives(program):
    assert [p.root for p in program.alternatives(5)[4].alternatives(5)] == [p.root for p in program.alternatives(5)]


@pytest.mark.parametrize("k", (0, -1, 2.0, "3", None, True))
def test_k_is_a_number_from_1(program, k):
    with pytest.raises(gt.SpecError, match="expected a number of programs of 1 or more, found .*; ask for"):
        program.alternatives(k)


def test_a_hand_schedule_has_none():
    schedule = gt.schedule("matmul(f32[8,8], f32[8,8])", target="portable").tile("m", 4)
    for by_hand in (schedule, gt.synthesize(schedule)):
        with pytest.raises(gt.SpecError, match="found one scheduled by hand, unpickled, or "):
            by_hand.alternatives(3)

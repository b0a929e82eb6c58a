"""The cheapest program of each first choice is the one that brute force finds; a path leads back to its program."""

from itertools import islice, product

import numpy as np
import pytest
from checked import agrees
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import KernelCall, Move, critical_path
from griotte.engine.program.printer import text as printed
from griotte.engine.rewrites import Ahead, Batch, Parallel, Share
from griotte.engine.search.kbest import FIRST_CHOICES, kind
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.recorded import Misfit, along, path_of
from griotte.engine.search.solved import Solved
from griotte.engine.search.space import Space
from griotte.lang.meaning.agreement import tolerance
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from machines import machine, with_prices
from spaces import all_small

FLOAT32 = 1e-6  # what the table's costs do not tell apart
MOST = 60_000  # programs that are written out
OVER_THREADS = [
    (machine(name), text)
    for name, text in (
        ("narrow", "exp(f32[2,3])"),
        ("plain", "matmul(f32[2,2], f32[2,2])"),
        ("plain", "matmul(f32[2,1,2], f32[2,2,1])"),
    )
]


def solved_problem(text: str, target, threads: int = 1) -> Solved:
    return Solved(canonical_form(parse(text)), target, threads)


def first_choice(program) -> tuple:
    """The rewrites of a program down to the first that places no constant, is no loop over threads or batches, and no
    copy for all threads."""
    found = []
    for node in critical_path(program):
        found.append(node.rewrite)
        if not isinstance(found[-1], (Ahead, Parallel, Batch, Share)):
            return tuple(found)


def least_by_first_choice(solved: Solved) -> dict:
    """The least cost after each first choice, over every program of the space."""
    start = solved.start
    space = Space(solved.target, start.home, start.ladders)

    def programs(place) -> list:
        found, state = [], State(*place[:2])
        for choice in space.options(place):
            parts = [[None] if part is None else programs(part[1]) for part in choice.parts]
            found += [choice.node(state, of_parts) for of_parts in product(*parts)]
        return found

    least = {}
    for program in programs(space.goal(start.goal, start.sizes, solved.threads)):
        least[first_choice(program)] = min(program.cost, least.get(first_choice(program), np.inf))
    return least


def assert_cheapest_of_each(solved: Solved):
    found, least = list(solved.ranked(FIRST_CHOICES)), least_by_first_choice(solved)
    assert [program.cost for program in found] == pytest.approx(sorted(least.values()), rel=FLOAT32)
    assert [program.cost for program in found] == pytest.approx(
        [least[first_choice(program)] for program in found], rel=FLOAT32
    )
    kinds = list(solved.kinds())
    assert [kind(program) for program in kinds] == list(dict.fromkeys(kind(program) for program in found))


@pytest.mark.parametrize("target, text", all_small())
def test_they_are_those_of_brute_force(target, text):
    solved = solved_problem(text, target)
    start = solved.start
    if Oracle(target, start.home, start.ladders).count(start.goal, start.sizes) > MOST:
        pytest.skip("too many programs to write out")
    assert_cheapest_of_each(solved)


@pytest.mark.parametrize("target, text", OVER_THREADS)
def test_over_threads_too(target, text):
    assert_cheapest_of_each(solved_problem(text, target, threads=2))


@pytest.mark.parametrize(
    "text, name, threads",
    [
        ("matmul(f32[9,8], f32[8,17])", "avx2", 2),
        ("matmul(u8[3,6], s8[6,5])", "wide", 1),
        ("sum(bf16[9,20], axis=0)", "avx512", 1),
    ],
)
def test_each_is_right_and_another(text, name, threads):
    spec, target = parse(text), machine(name)
    arrays = random_arrays(spec, np.random.default_rng(0), hostile=True)
    found = list(islice(Solved(canonical_form(spec), target, threads).kinds(), 12))
    assert len(found) == len({kind(program) for program in found}) > 3
    bounds = tolerance(spec, arrays)
    for program in found:
        agrees(spec, arrays, interpret(program, spec, *arrays, target=target), bounds)


def test_a_kind_is_what_a_machine_sees():
    """Copies, kernel and register tile of a program as printed, read off its critical path."""
    solved = solved_problem("matmul(f32[40,64], f32[64,80])", machine("avx2"))
    for program in islice(solved.kinds(), 10):
        shared, copies, kernel, lane, tile = kind(program)
        leaf = list(critical_path(program))[-1]
        assert isinstance(leaf, KernelCall) and (kernel, lane) == (leaf.kernel, leaf.lane) and shared == ()
        assert tile == (leaf.state.size["m"], leaf.state.size["n"])
        assert copies == {
            (node.operand, node.to, node.ahead, node.shared)
            for node in critical_path(program)
            if isinstance(node, Move) and node.copy is not None
        }


# Paths
# -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, name, threads",
    [
        ("matmul(f32[40,30], f32[30,50])", "avx2", 1),
        ("matmul(f32[16,20], f32[20,48])", "portable", 2),
        ("matmul(f32[3,8,8], f32[3,8,8])", "portable", 2),
        ("exp(f32[33])", "avx512", 1),
    ],
)
def test_a_path_leads_back(text, name, threads):
    solved = solved_problem(text, machine(name), threads)
    for program in islice(solved.kinds(), 10):
        rebuild = Rebuild(solved.table)
        again = along(path_of(program, rebuild.space, threads), program.state, rebuild, threads)
        assert again.cost == pytest.approx(program.cost, rel=1e-12)
        assert printed(again, solved.target) == printed(program, solved.target)


def test_a_path_leads_back_through_a_graph_that_is_cut_inside_of_a_loop_over_threads():
    """What is a goal elsewhere is none there: one thread has it, with the memory that is left."""
    target = machine("two")
    target = with_prices(target, fork=0.0)
    solved = solved_problem("softmax(f32[9,40])", target, 2)
    roots = list(islice(solved.kinds(), 3))
    assert any(isinstance(root.rewrite, Parallel) for root in roots)
    for root in roots:
        path = solved.read(lambda rebuild: path_of(root, rebuild.space, 2))
        again = solved.read(lambda rebuild: along(path, root.state, rebuild, 2))
        assert again.cost == pytest.approx(root.cost)


def test_a_path_that_leads_nowhere_says_so():
    solved = solved_problem("matmul(f32[9,8], f32[8,17])", machine("portable"))
    rebuild = Rebuild(solved.table)
    path = path_of(solved.best, rebuild.space, 1)
    assert along(path, solved.best.state, rebuild, 1).cost == pytest.approx(solved.best.cost, rel=1e-12)
    for wrong in ((), path[:-1], (*path, 0), (10**6, *path[1:]), (*path[:-1], 10**6)):
        with pytest.raises(Misfit):
            along(wrong, solved.best.state, rebuild, 1)

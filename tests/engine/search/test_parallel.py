"""Parts of a goal that run one after the other, each shared out over threads: priced as written, right, in the table,
and among the alternatives."""

import re
from collections.abc import Iterator
from itertools import islice
from math import inf, isclose

import griotte as gt
import numpy as np
import pytest
from counting import count
from generated_harness import Case, assert_right
from griotte.codegen.emit import emit
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.idioms import shards
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Block, Loop, Node, Pipeline, Shards, walk
from griotte.engine.rewrites import child_state, edge_node, edges, halo
from griotte.engine.search.goals import Goals
from griotte.engine.search.graph import is_split
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.recorded import along, path_of
from griotte.engine.search.solve import Solver
from griotte.engine.search.solved import Solved
from griotte.engine.table import Table
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from machines import machine, with_prices


def priced(name: str, fork: float = 1.0):
    """A machine whose teams cost little."""
    target = machine(name)
    return with_prices(target, fork=fork)


CHEAP = priced("plain")
BOTH = "relu(matmul(gelu(matmul(f32[5,9], f32[9,17])), f32[17,6]))"
CASES = {
    "two products": (BOTH, 2),
    "more threads than tiles": (BOTH, 7),
    "constants": ("relu(matmul(gelu(matmul(f32[5,9], const f32[9,17]{0,1})), const f32[17,6]))", 2),
    "several outputs": ("outputs(matmul(%x: f32[7,20], f32[20,18]), sum(%x, axis=0))", 3),
    "a thread alone": ("matmul(sub(%t: matmul(f32[1,9], f32[9,17]), max(%t, axis=1)), f32[17,6])", 2),
    "a shared reduction": ("mul(sum(f32[900], axis=0), f32[900])", 2),
    "any number of rows": ("relu(matmul(gelu(matmul(f32[<=3,9], f32[9,17])), f32[17,6]))", 2),
}


def solved(text: str, threads: int, target=CHEAP) -> gt.Program:
    return gt.synthesize(text, target, threads, table="none")


@pytest.fixture(scope="module")
def programs() -> dict[str, gt.Program]:
    return {name: solved(*case) for name, case in CASES.items()}


def over_threads(root: Node) -> list[Loop]:
    return [node for node in walk(root) if isinstance(node, Loop) and node.threads > 1]


def test_several_parts_are_shared_out(programs):
    assert all(len(over_threads(program.root)) > 1 for program in programs.values())
    assert any(loop.join is not None for loop in over_threads(programs["a shared reduction"].root))


def test_the_c_is_right(programs, tmp_path):
    cases = []
    for seed, program in enumerate(programs.values()):
        spec = program.spec
        for n in range(1, spec.dynamic.bound + 1) if spec.dynamic else (0,):
            arrays = random_arrays(spec.at(n), np.random.default_rng(seed), True)
            cases.append(Case(program.root, spec, tuple(arrays), n))
    assert_right(cases, CHEAP, tmp_path)


@pytest.fixture
def any_cut(monkeypatch):
    """Shards of one column and more, and blocks of rows even where they do not pay."""
    monkeypatch.setattr(shards, "LEAST", 1)
    monkeypatch.setattr(
        halo,
        "blocks",
        lambda family, target: (
            (found.extent // 2,) if (found := halo.rows_of(family)) and found.is_sound(found.extent // 2) else ()
        ),
    )


def by_parts(text: str, target, threads: int = 2) -> list[Case]:
    """The best programs by each way to cut a goal into parts."""
    spec, start = parse(text), problem(canonical_form(parse(text)), target, threads)
    table = Table(target, start.home, start.ladders)
    Solver(table, workers=1).solve(start.goal)
    goals = Goals(Rebuild(table))

    def programs(state: State) -> Iterator[Node]:
        for edge in (edge for edge in edges(state.family, target) if is_split(edge) and edge.fit(state.size)):
            parts = [child_state(child, state) for child in edge.children]
            if len(parts) == 1:
                yield from (edge_node(edge, state, target, (inside,)) for inside in programs(parts[0]))
            else:
                best = tuple(goals.of(part.family, part.size, threads) for part in parts)
                yield edge_node(edge, state, target, best)

    goal = State(start.goal, tuple(start.sizes[d] for d in start.goal.operation.dims))
    return [
        Case(root, spec, tuple(random_arrays(spec, np.random.default_rng(seed))))
        for seed, root in enumerate(programs(goal))
    ]


CUT = {
    "panels": (Pipeline, "avx2", "matmul(f32[4,9], mul(f32[9,21], f32[21]))"),
    "shards": (Shards, "plain", "softmax(f32[1,9])"),
    "blocks of rows": (
        Block,
        "plain",
        "max_pool2d(max_pool2d(f32[1,1,9,40], window=(2,1), stride=1), window=(3,1), stride=(2,1), padding=(1,0))",
    ),
}


@pytest.mark.parametrize("kind, name, text", CUT.values(), ids=CUT)
def test_so_is_it_however_a_goal_is_cut(kind, name, text, any_cut, tmp_path):
    target = priced(name)
    cases = by_parts(text, target)
    assert any(isinstance(node, kind) and over_threads(node) for case in cases for node in walk(case.root))
    assert_right(cases, target, tmp_path)


def test_a_padded_panel_is_zeroed_before_any_thread_writes_it():
    target = priced("avx2")
    case = next(case for case in by_parts(CUT["panels"][2], target) if case.root.to.layout.panel)
    found = emit(case.root, canonical_form(case.spec), target, "f", "").source
    assert re.search(r"(?s)\nvoid f\([^}]*__builtin_memset.*griotte_share_out\(", found)


def test_it_means_what_the_spec_does(programs):
    for program in programs.values():
        if not program.spec.dynamic:
            arrays = random_arrays(program.spec, np.random.default_rng(1))
            assert compare(program.spec, arrays, interpret(program.root, program.spec, *arrays, target=CHEAP))[1], (
                program.spec
            )


def test_the_price_is_of_what_is_written(programs):
    """A fork for each loop over threads."""
    for program in programs.values():
        if not program.spec.dynamic:
            found, loops = count(program.root, CHEAP), len(over_threads(program.root))
            assert program.to_c().count("    griotte_share_out(") == loops == found["fork"]
            assert program.cost == pytest.approx(CHEAP.cost(found))


@pytest.mark.parametrize("fork, several", [(40000.0, False), (1.0, True)])
def test_parts_are_shared_out_where_it_pays(fork, several):
    assert (len(over_threads(solved(BOTH, 2, priced("plain", fork)).root)) > 1) == several


SMALL = [
    ("plain", "matmul(relu(matmul(f32[2,2], f32[2,2])), f32[2,2])"),
    ("two", "softmax(f32[2,3])"),
    ("narrow", "add(%t: sum(f32[2,3], axis=1), exp(%t))"),
    ("plain", "outputs(sum(%x: f32[3,2], axis=0), exp(%x))"),
    ("paired", "matmul(bf16[2,3], bf16[3,2]) -> f32[2,2]"),
    ("plain", "matmul(exp(f32[2,2]), const f32[2,3]{0,1})"),
]


@pytest.mark.parametrize("name, text", SMALL)
def test_a_goal_costs_what_brute_force_finds(name, text):
    target = priced(name)
    start = problem(canonical_form(parse(text)), target, 2)
    least = Oracle(target, start.home, start.ladders).least(start.goal, start.sizes, 2)
    try:
        found = gt.synthesize(text, target, 2, "none").cost
    except NoProgramError:
        found = inf
    assert isclose(found, least, rel_tol=1e-5) or found == least == inf


def test_the_table_remembers_it(tmp_path):
    first, again = (gt.synthesize(BOTH, CHEAP, 2, tmp_path / "a.griotte") for _ in range(2))
    assert str(again) == str(first) and again.cost == first.cost and again.stats["specs_solved"] == 0


def test_alternatives_and_kinds_have_it_and_their_paths_lead_back():
    found = Solved(canonical_form(parse(BOTH)), CHEAP, 2)
    costs = [program.cost for program in found.cheapest(50)]
    assert costs == sorted(costs)
    for root in islice(found.kinds(), 12):
        path = found.read(lambda rebuild: path_of(root, rebuild.space, 2))
        assert found.read(lambda rebuild: along(path, root.state, rebuild, 2)).cost == pytest.approx(root.cost)


@pytest.mark.parametrize("text, shares", [("f32", {300}), ("const f32", {300, 320})])
def test_a_loop_may_give_each_thread_its_even_share_and_of_what_is_packed_ahead_in_whole_panels(text, shares):
    """Of 600 columns, in panels of up to 64."""
    spec = canonical_form(parse(f"matmul(f32[64,96], {text}[96,600])"))
    tiles = problem(spec, machine("avx512"), 2).ladders["n"].tiles
    assert {tile for tile in tiles if 300 <= tile < 384} == shares

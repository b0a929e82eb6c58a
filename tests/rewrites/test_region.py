"""One parallel region for parts that run one after the other: priced as it is written, found where it is cheapest,
right, in the table, and among the alternatives."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import inf, isclose

import griotte as gt
import numpy as np
import pytest
from counting import count
from generated_harness import Case, run
from griotte.codegen.emit import emit
from griotte.errors import NoProgramError
from griotte.frontends.text import parse
from griotte.ir import compare, random_arrays, shards
from griotte.ir.canonical import canonical_form
from griotte.ir.family import State
from griotte.program.interpret import interpret
from griotte.program.nodes import Alias, Block, Loop, Move, Node, Pipeline, Shards, shares_out, walk
from griotte.rewrites import Region, Single, child_state, edge_node, edges, halo
from griotte.search.graph import is_split
from griotte.search.oracle import Oracle
from griotte.search.parallel import Team
from griotte.search.path import along, path_of
from griotte.search.problem import problem
from griotte.search.rebuild import Rebuild
from griotte.search.solve import Solver
from griotte.search.solved import Solved
from griotte.table import Table
from machines import machine


def priced(name: str, fork: float = 300.0, barrier: float = 1.0):
    """A machine whose teams cost little, and less in a region that is open."""
    target = machine(name)
    return replace(target, coefficients=tuple((target.coefficient | {"fork": fork, "barrier": barrier}).items()))


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


def regions(root: Node) -> list[Alias]:
    return [node for node in walk(root) if isinstance(node.rewrite, Region)]


def test_each_has_one(programs):
    assert all(regions(program.root) for program in programs.values())
    assert {type(node.rewrite) for program in programs.values() for node in walk(program.root)} >= {Region, Single}
    assert any(
        node.join is not None
        for region in regions(programs["a shared reduction"].root)
        for node in walk(region)
        if isinstance(node, Loop)
    )


def test_the_c_is_right(programs, tmp_path):
    cases = []
    for seed, program in enumerate(programs.values()):
        spec = program.spec
        for n in range(1, spec.dynamic.bound + 1) if spec.dynamic else (0,):
            arrays = random_arrays(spec.at(n), np.random.default_rng(seed), True)
            cases.append(Case(program.root, spec, tuple(arrays), n))
    for case, result in zip(cases, run(cases, CHEAP, tmp_path)):
        assert compare(case.one, case.arrays, result)[1], case.spec


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


def in_regions(text: str, target, threads: int = 2) -> list[Case]:
    """The best programs in a region by each way to cut a goal into parts."""
    spec, start = parse(text), problem(canonical_form(parse(text)), target, threads)
    table = Table(target, start.home, start.ladders)
    Solver(table, workers=1).solve(*start.goals)
    team = Team(Rebuild(table), threads, joined=True)

    def programs(state: State) -> Iterator[Node]:
        for edge in (edge for edge in edges(state.family, target) if is_split(edge) and edge.fit(state.size)):
            parts = [child_state(child, state) for child in edge.children]
            if len(parts) == 1:
                yield from (edge_node(edge, state, target, (inside,)) for inside in programs(parts[0]))
            else:
                body = edge_node(edge, state, target, tuple(team.best(part.family, part.size) for part in parts))
                yield edge_node(Region(threads).edge(state.family, target), state, target, (body,))

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
        "max_pool2d(max_pool2d(f32[1,1,9,2], window=(2,1), stride=1), window=(3,1), stride=(2,1), padding=(1,0))",
    ),
}


@pytest.mark.parametrize("kind, name, text", CUT.values(), ids=CUT)
def test_so_is_it_however_a_goal_is_cut(kind, name, text, any_cut, tmp_path):
    target = priced(name)
    cases = in_regions(text, target)
    assert kind in {type(region.body) for case in cases for region in regions(case.root)}
    for case, result in zip(cases, run(cases, target, tmp_path)):
        assert compare(case.one, case.arrays, result)[1], case.root


def test_a_padded_panel_is_zeroed_before_any_thread_writes_it():
    case = next(case for case in in_regions(CUT["panels"][2], machine("avx2")) if case.root.body.to.layout.panel)
    found = emit(case.root, canonical_form(case.spec), machine("avx2"), "f", "").source
    assert re.search(r"(?s)\nvoid f\([^}]*__builtin_memset.*griotte_share_out\(", found)


def test_it_means_what_the_spec_does(programs):
    for program in programs.values():
        if not program.spec.dynamic:
            arrays = random_arrays(program.spec, np.random.default_rng(1))
            assert compare(program.spec, arrays, interpret(program.root, program.spec, *arrays, target=CHEAP))[1], (
                program.spec
            )


def test_the_price_is_of_what_is_written(programs):
    """A fork for each region; a barrier for each loop in one, and for each part that the others wait for, but for the
    last."""
    for program in programs.values():
        if not program.spec.dynamic:
            found, c = count(program.root, CHEAP), program.to_c()
            shared = [node for node in walk(program.root) if isinstance(node, Loop) and node.threads > 1]
            assert c.count("    griotte_share_out(") == len(shared)
            assert found["fork"] == 1 and found["barrier"] > 0
            assert program.cost == pytest.approx(CHEAP.cost(found))


def test_regions_do_not_nest_and_all_within_are_joined(programs):
    for program in programs.values():
        for region in regions(program.root):
            within = list(walk(region.body))
            assert shares_out(region) and not any(isinstance(node.rewrite, Region) for node in within)
            assert all(node.rewrite.joined for node in within if isinstance(node, Loop) and node.threads > 1)
        outside = [node for node in walk(program.root) if isinstance(node.rewrite, Single)]
        assert len(outside) == len(
            [node for region in regions(program.root) for node in walk(region) if isinstance(node.rewrite, Single)]
        )


@pytest.mark.parametrize("fork, barrier, found", [(40000.0, 1.0, "none"), (300.0, 1.0, "one"), (30.0, 31.0, "several")])
def test_it_is_taken_where_it_is_cheapest(fork, barrier, found):
    program = solved(BOTH, 2, priced("plain", fork, barrier))
    teams = [node for node in walk(program.root) if isinstance(node, Loop) and node.threads > 1]
    assert found == ("one" if regions(program.root) else "several" if len(teams) > 1 else "none"), str(program)


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
    target = priced(name, 20.0, 0.5)
    start = problem(canonical_form(parse(text)), target, 2)
    least = Oracle(target, start.home, start.ladders).goal(start.goal, start.sizes, 2)
    try:
        found = gt.synthesize(text, target, 2, "none").cost
    except NoProgramError:
        found = inf
    assert isclose(found, least, rel_tol=1e-5) or found == least == inf


def test_a_copy_for_all_threads_is_made_in_the_region_of_what_reads_it():
    target = machine("avx2")
    free = {name: 0.0 for name in target.coefficient if name.startswith("handover.")}
    target = replace(target, coefficients=tuple((target.coefficient | free | {"fork": 300.0, "barrier": 1.0}).items()))
    root = solved("matmul(f32[64,96], f32[96,128]{0,1})", 2, target).root
    assert regions(root) == [root] and isinstance(root.body, Move) and root.body.shared and shares_out(root.body.copy)


def test_it_is_printed_and_explained(programs):
    program = programs["a thread alone"]
    assert "one region of 2 threads\n" in str(program) and "by one thread\n" in str(program)
    assert "one region of 2 threads" in program.explain() and "cut into 2 parts at matmul 1x17" in program.explain()


def test_the_table_remembers_it(tmp_path):
    first, again = (gt.synthesize(BOTH, CHEAP, 2, tmp_path / "a.griotte") for _ in range(2))
    assert (
        regions(first.root)
        and str(again) == str(first)
        and again.cost == first.cost
        and again.stats["specs_solved"] == 0
    )


def test_alternatives_and_kinds_have_it_and_their_paths_lead_back():
    found = Solved(canonical_form(parse(BOTH)), CHEAP, 2)
    costs = [program.cost for program in found.cheapest(50)]
    assert costs == sorted(costs)
    for root in islice(found.kinds(), 12):
        path = found.read(lambda rebuild: path_of(root, rebuild.space, 2))
        assert found.read(lambda rebuild: along(path, root.state, rebuild, 2)).cost == pytest.approx(root.cost)

"""Programs for every size of a dynamic dimension: none is far from the best of its size, and all are in the space."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Loop, children
from griotte.engine.rewrites import DoesNotApply, Tile
from griotte.engine.search import limits
from griotte.engine.search.goals import Goals
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.sizes import SLACK
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.text.text import parse
from hypothesis import given, settings
from hypothesis import strategies as st
from machines import machine

CASES = (  # text, machine, threads, and every how many sizes are solved alone
    ("matmul(f32[<=40,9], f32[9,20])", "two", 1, 3),
    ("matmul(f32[<=20,9], f32[9,20])", "two", 2, 2),
    ("matmul(f32[<=30,33], f32[33,50])", "avx512", 1, 3),
    ("matmul(u8[<=9,12], s8[12,25]) -> s16[<=9,25]", "two", 1, 2),
    ("matmul(f32[<=9,6,7], f32[<=9,7,8])", "avx512", 1, 1),
    ("sum(f32[<=23,20], axis=1)", "narrow", 1, 4),
    ("max(bf16[<=17,5,9], axis=1)", "two", 1, 4),
    ("add(f32[<=20,3], f32[<=20,3])", "avx2", 1, 1),
    ("transpose(f32[<=9,10,7], perm=(0,2,1))", "narrow", 1, 1),
    ("gelu(f32[<=40,512])", "avx512", 2, 1),
    ("add(f32[<=33,1024], f32[<=33,1024])", "avx2", 3, 1),
    ("sum(f32[<=23,20], axis=0)", "narrow", 1, 4),
    ("max(bf16[5,<=23], axis=1)", "two", 1, 4),
    ("matmul(f32[5,<=12], f32[<=12,9])", "two", 1, 3),
    ("matmul(f32[5,<=40], f32[<=40,9])", "plain", 1, 20),  # in blocks of the sum, of which the first begins it
    ("matmul(f32[9,<=20], f32[<=20,20])", "avx512", 2, 4),
    ("softmax(f32[2,<=6])", "two", 1, 2),
    ("mean(f32[3,<=9], axis=1)", "two", 1, 3),
    ("take(f32[<=9,5], s32[3])", "narrow", 1, 3),
    ("attention(f32[2,1,4], f32[2,<=5,4], f32[2,<=5,4])", "avx2", 2, 2),
)
# parts of a graph, and copies, which have less room at some sizes than at others
TIGHT = (
    ("attention(f32[1,<=9,4], f32[1,9,4], f32[1,9,4])", "narrow"),
    ("softmax(matmul(f32[<=20,4], f32[4,9]))", "two"),
)


@pytest.mark.parametrize("text, name, threads, step", CASES)
def test_no_size_costs_much_more_than_it_costs_alone(text, name, threads, step):
    spec, target = parse(text), machine(name)
    program = gt.synthesize(spec, target, threads)
    bound = spec.dynamic.bound
    assert sorted(n for sizes, _ in program.groups for n in sizes) == list(range(1, bound + 1))
    assert program.cost == program.at(bound).cost == pytest.approx(program.root.cost, rel=SLACK - 1)
    for n in range(1 + (bound - 1) % step, bound + 1, step):
        assert program.at(n).cost <= SLACK * alone(program, n, target, threads) * (1 + 1e-5), n


def home(program) -> int:
    return program.root.state.family.operands[0].level


def alone(program, n: int, target, threads: int) -> float:
    """What one size of a program's Spec costs when it is solved by itself, with operands that lie and rest as they do
    for the bound."""
    start = problem(program.canonical.at(n), target, threads)
    goal = replace(start.goal, operands=problem(program.canonical, target, threads).goal.operands)
    table = Table(target, home(program), start.ladders)
    Solver(table).solve(goal)
    rebuild = Rebuild(table)
    return (Goals(rebuild).of(goal, start.sizes, threads)).cost


@pytest.mark.parametrize("text, name", [*((text, name) for text, name, threads, _ in CASES if threads == 1), *TIGHT])
def test_every_program_is_in_the_space(text, name):
    program = gt.synthesize(text, machine(name))
    for n in range(1, program.spec.dynamic.bound + 1):
        root = program.at(n).root
        assert_in_space(
            root, machine(name), home(program), limits.free(machine(name), home(program), root.state.family)
        )


@pytest.mark.parametrize("text", ["matmul(f32[<=20,9], f32[9,20])", "matmul(u8[<=9,12], s8[12,25]) -> s16[<=9,25]"])
def test_every_program_means_its_spec(text):
    program = gt.synthesize(text, machine("two"))
    for n in range(1, program.spec.dynamic.bound + 1):
        one = program.at(n)
        arrays = random_arrays(one.spec, np.random.default_rng(n))
        agrees(one.spec, arrays, interpret(one.root, one.spec, *arrays))
    with pytest.raises(gt.SpecError, match="expected the program of one size, found those of m up to"):
        interpret(program.root, one.spec, *arrays)


ANYWHERE = (
    "sum(f32[<={t},{a}], axis=0)",
    "max(f32[{a},<={t}], axis=1)",
    "matmul(f32[{a},<={t}], f32[<={t},{b}])",
    "softmax(f32[{a},<={t}])",
    "add(f32[{a},<={t},{b}], f32[<={t},{b}])",
)


@settings(max_examples=4)
@given(text=st.sampled_from(ANYWHERE), a=st.integers(1, 3), b=st.integers(1, 5), t=st.integers(1, 6), data=st.data())
def test_a_size_may_be_any_axis_and_be_summed_over(text, a, b, t, data):
    program = gt.synthesize(text.format(a=a, b=b, t=t), machine("portable"), table="none")
    one = program.at(data.draw(st.integers(1, t)))
    arrays = random_arrays(one.spec, np.random.default_rng(t), hostile=True)
    agrees(one.spec, arrays, interpret(one.root, one.spec, *arrays, canonical=one.canonical))


def assert_in_space(node, target, level: int, limit: int) -> None:
    """Loops and moves fit their Specs and what is left of the caches. A loop may have a single trip."""
    family, size = node.state.family, node.state.size
    assert limit >= 0
    if isinstance(node, Loop):
        for part in children(node):
            assert_in_space(
                part, target, level, limit if not family.batch else limits.free(target, level, part.state.family)
            )
        if node.tiles[0] < size[node.dims[0]] and not family.batch:
            Tile(node.dims[0], node.tiles[0]).check(family, size)
        return
    edge = node.rewrite.edge(family, target)
    assert edge.fits is None or edge.fits(size)
    for part, child in zip(children(node), edge.children):
        assert part.state.size == {d: size[d] for d in part.state.size}
        assert_in_space(part, target, level, limits.below(target, level, family, child, size, limit))


def test_a_check_of_the_space_sees_what_is_not_in_it():
    with pytest.raises(DoesNotApply):
        Tile("m", 9).check(
            problem(canonical_form(parse("matmul(f32[8,4], f32[4,5])")), machine("two")).goal, {"m": 8, "n": 5, "k": 4}
        )


@pytest.mark.parametrize("text, threads", [("matmul(f32[<=20,9], f32[9,20])", 1), ("gelu(f32[<=40,512])", 2)])
def test_asked_again_all_sizes_come_from_the_table(text, threads, tmp_path):
    first, again = (gt.synthesize(text, machine("avx512"), threads, tmp_path / "table") for _ in range(2))
    assert first.stats["specs_solved"] > 0 and again.stats["specs_solved"] == 0
    assert str(again) == str(first) and again.to_c() == first.to_c()


def test_alternatives_are_of_one_size():
    program = gt.synthesize("exp(f32[<=30,7])", machine("avx512"))
    with pytest.raises(gt.SpecError, match="expected a program of one size, found those of exp"):
        program.alternatives()


@pytest.mark.parametrize("threads", (pytest.param(1, marks=pytest.mark.long), 2))
def test_a_constant_is_packed_so_that_no_size_loses_much(threads):
    """Beside what each size costs with the constant packed as suits it alone, and beside every other way to pack it."""
    spec, target = parse("matmul(f32[<=40,200], const f32[200,150])"), machine("avx512")
    program = gt.synthesize(spec, target, threads, table="none")
    start = problem(canonical_form(spec), target, threads)
    table = Table(target, start.home, start.ladders)
    Solver(table).solve(start.goal)
    rebuild, sizes = Rebuild(table), [{**start.sizes, "m": m} for m in range(1, 41)]
    alone = np.array([Goals(rebuild).of(start.goal, size, threads).cost for size in sizes])
    ways = [edge.body.family for edge in rebuild.space.leaving(start.goal)[0]]
    least = min(
        max(np.array([Goals(rebuild).of(family, size, threads).cost for size in sizes]) / alone) for family in ways
    )
    assert max(program.at(m).cost / alone[m - 1] for m in range(1, 41)) <= max(SLACK, least * SLACK**0.5)


def test_groups_are_few_where_programs_differ_in_trips_alone():
    program = gt.synthesize("matmul(f32[<=100,33], f32[33,50])", machine("avx512"))
    sizes, largest = max(program.groups, key=lambda group: len(group[0]))
    assert len(program.groups) < 20 and len(sizes) > 60
    assert largest.spec.size["m"] == max(sizes) and str(largest) in str(program).replace("\n  ", "\n")
    assert len(gt.synthesize("exp(f32[<=30,7])", machine("avx512")).groups) == 1


@pytest.mark.parametrize(
    "text, expected",
    (
        ("matmul(f32[<=40,9], f32[9,80])", [1]),
        ("matmul(f32[<=40,9], f32[9,80]{0,1})", [1, 2, 3, 4, 6, 8, 12, 24]),  # lanes may lie along the sum
        ("matmul(f32[40,9], f32[9,80])", [1, 2, 3, 4, 6, 8, 12, 24]),  # no size is dynamic
    ),
)
def test_beside_a_dynamic_size_lanes_step_by_whole_vectors(text, expected):
    tiles = problem(canonical_form(parse(text)), machine("avx512")).ladders["n"].tiles
    assert [tile for tile in tiles if tile % 16] == expected

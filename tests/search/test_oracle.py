"""The solver is exact: at every Spec here its cost is that of brute force, and its program costs what it says."""

from functools import cache
from math import inf, isclose

import numpy as np
import pytest
from machines import DESCRIPTIONS, described, machine
from spaces import BINDING, ENUMERATED, ONE_LINE

from griotte.errors import NoProgramError
from griotte.frontends.text import parse
from griotte.search.oracle import Oracle, enumerate_costs
from griotte.search.problem import problem
from griotte.search.rebuild import Rebuild
from griotte.search.solve import Solver
from griotte.table import Table

SPECS = (
    "matmul(f32[3,4], f32[4,5])",
    "matmul(f32[3,5]{0,1}, f32[5,6]{0,1})",
    "matmul(f32[1,6], f32[6,9]{0,1})",
    "matmul(f64[3,4], f64[4,3]{0,1})",
    "matmul(f32[2,3,4], f32[2,4,3])",
    "matmul(bf16[3,5], bf16[5,4]) -> f32[3,4]",
    "matmul(bf16[3,5], bf16[5,3]{0,1}) -> bf16[3,3]",
    "matmul(bf16[2,5], f32[5,6])",
    "matmul(f16[3,5], f16[5,4]) -> f16[3,4]",
    "matmul(u8[3,5], s8[5,4])",
    "matmul(u8[3,5], s8[5,4]{0,1}) -> s16[3,4]",
    "matmul(s8[3,5], s8[5,4])",
    "matmul(s16[3,5], s16[5,4]) -> s32[3,4]",
    "matmul(s32[3,5], s32[5,4])",
    "matmul(f32[3,5], const f32[5,6]{0,1})",
    "matmul(const bf16[3,5], const bf16[5,4]{0,1}) -> f32[3,4]",
    "matmul(u8[3,5], const s8[5,4])",
    "matmul(const f32[4,5], f32[5,3]{0,1}) -> f32[4,3]{0,1}",
    "matmul(f32[2,3,4], const f32[2,4,3])",
    "copy(f32[5,9]) -> f32[5,9]{0,1}",
    "transpose(f64[4,7])",
    "copy(f32[8,20])",
    "transpose(bf16[3,4,5], perm=(1,2,0))",
    "cast(f32[6,10]) -> bf16[6,10]",
    "cast(bf16[7,9]{0,1}) -> s8[7,9]",
    "exp(f32[3,20])",
    "gelu(bf16[30])",
    "neg(s8[5,13]{0,1})",
    "abs(s64[11])",
    "add(f32[4,9], f32[9])",
    "mul(bf16[5,7], bf16[5,7]{0,1})",
    "div(s32[6,5], s32[6,1])",
    "maximum(u16[4,20], u16[4,20])",
    "where(pred[4,6], f32[4,6], f32[6])",
    "relu(add(f32[5,6], f32[6])) -> bf16[5,6]",
    "sum(f32[9,12], axis=1)",
    "sum(f32[9,12], axis=0)",
    "sum(bf16[40])",
    "sum(s8[6,11], axis=0) -> s32[11]",
    "max(f32[7,10], axis=1)",
    "max(bf16[6,9], axis=0)",
    "min(s64[5,6], axis=1)",
    "min(u8[3,4,5], axis=(0,2))",
)

@cache
def solved(text: str, target) -> tuple:
    spec = parse(text).canonical()
    start = problem(spec, target)
    solver = Solver(Table(target, start.home, start.ladders))
    solver.solve(start.goal)
    return start, solver, solver.table


def solver_cost(text: str, target) -> float:
    start, solver, _ = solved(text, target)
    block = solver.blocks[start.goal]
    return float(block.cost_at(np.array([block.grid.point(start.sizes)]), -1)[0])


def replayed_cost(text: str, target) -> float:
    start, _, table = solved(text, target)
    try:
        return Rebuild(table).best(start.goal, start.sizes).cost
    except NoProgramError:
        return inf


@pytest.mark.parametrize("name", DESCRIPTIONS)
@pytest.mark.parametrize("text", SPECS)
def test_the_solver_equals_brute_force(text, name):
    target = machine(name)
    start, _, _ = solved(text, target)
    least = Oracle(target, start.home, start.ladders).cost(start.goal, start.sizes)
    assert isclose(solver_cost(text, target), least, rel_tol=1e-5) or least == inf == solver_cost(text, target)
    assert isclose(replayed_cost(text, target), least, rel_tol=1e-9) or least == inf == replayed_cost(text, target)


@pytest.mark.parametrize("name, text", ENUMERATED)
def test_the_solver_equals_the_least_of_every_program_there_is(name, text):
    assert_equals_enumeration(machine(name), text)


@pytest.mark.parametrize("text", BINDING)
def test_so_it_does_where_a_limit_binds(text):
    start, _, table = solved(text, described(ONE_LINE))
    assert start.home == 2 and any(patch.levels for patches in table._patches.values() for patch in patches)
    assert_equals_enumeration(described(ONE_LINE), text)


@pytest.mark.parametrize("text, price", (("matmul(f32[3,5], const f32[5,40])", 5), ("matmul(f32[2,9], const f32[9,24])", 2500)))
def test_so_it_does_where_a_loop_cuts_panels(text, price):
    """The oracle takes a minute for each."""
    priced = {cycles: described(f'{DESCRIPTIONS["wide"]}\n[coefficients]\n"panel.memory" = {cycles}\n') for cycles in (0, 5, 2500)}
    costs = [solver_cost(text, target) for target in priced.values()]
    assert costs[0] < costs[1] < costs[2]
    start, _, _ = solved(text, priced[price])
    least = Oracle(priced[price], start.home, start.ladders).cost(start.goal, start.sizes)
    assert isclose(solver_cost(text, priced[price]), least, rel_tol=1e-5) and isclose(replayed_cost(text, priced[price]), least, rel_tol=1e-5)


def assert_equals_enumeration(target, text):
    start, _, _ = solved(text, target)
    oracle = Oracle(target, start.home, start.ladders)
    assert 1 < oracle.count(start.goal, start.sizes) < 300_000
    costs = enumerate_costs(target, start.home, start.ladders, start.goal, start.sizes)
    assert len(costs) == oracle.count(start.goal, start.sizes)
    assert isclose(min(costs), solver_cost(text, target), rel_tol=1e-5)
    assert isclose(min(costs), replayed_cost(text, target), rel_tol=1e-9)


def test_two_registers_are_too_few_for_a_matmul_and_the_message_says_so():
    start, _, table = solved(SPECS[0], machine("scarce"))
    with pytest.raises(NoProgramError, match="expected a program .*target scarce; more registers"):
        Rebuild(table).best(start.goal, start.sizes)


def test_every_operation_dtype_and_machine_is_among_the_cases():
    specs = [parse(text) for text in SPECS]
    assert len(SPECS) * len(DESCRIPTIONS) >= 200
    assert {s.operation.combine for s in specs} == {None, "add", "maximum", "minimum"}
    assert {t.dtype for s in specs for t in s.tensors} == set("f64 f32 f16 bf16 s8 u8 s16 u16 s32 s64 pred".split())
    homes = {problem(spec.canonical(), machine(name)).home for spec in specs for name in DESCRIPTIONS}
    assert homes == {1, 2, 3}

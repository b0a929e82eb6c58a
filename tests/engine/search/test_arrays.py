"""Arrays that families share, own costs of edges and lines of operands, are the ones that each would have made: a key
names all that they depend on."""

import numpy as np
import pytest
from drawn.graphs import random_graph
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.arrays import SearchArrays
from griotte.engine.search.grid import Grid
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import problem
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.text.text import parse
from machines import DESCRIPTIONS, described, machine
from spaces import by_turns

TWICE = "batch_norm(f32[3,3,1]{1,0,2}, f32[3], %x0: f32[3], %x0, f32[3]) -> f32[3,3,1]"
SPECS = (
    "matmul(f32[16,12], f32[12,20])",
    "matmul(bf16[5,16], const bf16[16,40]) -> f32[5,40]",
    "matmul(u8[7,16], s8[16,20]) -> s32[7,20]",
    "conv2d(f32[1,3,6,7], const f32[20,3,3,3], padding=1)",
    "add(f32[12,20], f32[12,20]{0,1})",
    "transpose(f32[12,20])",
    "sum(f32[12,20], axis=0)",
    "softmax(f32[6,20])",
    "layer_norm(f32[3,16], f32[16], f32[16])",
    "attention(f32[2,3,4], f32[2,4,4], f32[2,4,4])",
    "relu(add(matmul(f32[6,20], f32[20,24]), f32[24]))",
    "group_matmul(f32[2,64], const s4[12,2,32], f16[12,2])",
    TWICE,
)
TINY = (TWICE, "softmax(f32[2,4])", "attention(f32[2,2,2], f32[2,3,2], f32[2,3,2])")
MACHINES, SCARCE = ("avx512", "avx2", "measured"), ("plain", "two")  # and those on which a few lines are many


def target_of(name: str):
    """One of the machines of tests, or one whose prices follow from parameters, where products hide lines."""
    return (
        machine(name)
        if name != "measured"
        else described(f'name = "measured"\n{DESCRIPTIONS["avx2"]}\n[machine]\nlatency = 4')
    )


def same(a, b) -> bool:
    """Whether both are the same arrays, or as many of them."""
    if isinstance(a, Grid):
        return (a.dims, a.key, a.ladders) == (b.dims, b.key, b.ladders)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, int):
        return isinstance(b, int)  # the address of an array, of which both have their own
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    return a is b or a is not None and b is not None and np.array_equal(a, b)


def check(text: str, name: str, monkeypatch) -> Solver:
    kept, wrong = SearchArrays._cached, []

    def checked(self, key, make):
        found = kept(self, key, make)
        if not same(found, make()):
            wrong.append(key)
        return found

    monkeypatch.setattr(SearchArrays, "_cached", checked)
    target = target_of(name)
    start = problem(canonical_form(parse(text)), target)
    solver = Solver(Table(target, start.home, start.ladders), workers=1)
    solver.solve(start.goal)
    assert not wrong, (
        f"{len(wrong)} keys, of {sorted({key[0] for key in wrong})}, do not name all that their arrays depend on; the"
        f" first: {wrong[0]}"
    )
    return solver


@pytest.mark.parametrize("text, name", [*by_turns(SPECS, MACHINES), *by_turns(TINY, SCARCE)])
def test_what_families_share_is_what_each_would_make(text, name, monkeypatch):
    check(text, name, monkeypatch)


@pytest.mark.parametrize("seed", range(30))
def test_what_families_of_drawn_graphs_share_is_what_each_would_make(seed, monkeypatch):
    check(random_graph(np.random.default_rng(seed), 6, 5), (MACHINES + SCARCE)[seed % 5], monkeypatch)


def test_operands_alike_that_other_nests_meet_first_are_brought_at_their_own_cost():
    """Views of the second and the third input were one key: the solver said 221.25."""
    target = machine("plain")
    start = problem(canonical_form(parse(TWICE)), target)
    solver = Solver(Table(target, start.home, start.ladders))
    solver.solve(start.goal)
    block = solver.blocks[start.goal]
    assert block.cost_at(np.array([block.grid.point(start.sizes)]), -1)[0] == Oracle(
        target, start.home, start.ladders
    ).cost(start.goal, start.sizes)

"""Costs of all sizes at once: those of each size rebuilt by itself, to the bit; what a table cannot hold is told."""

from dataclasses import replace

import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search import limits
from griotte.engine.search.along import CostsAlong
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Rebuild, Unsolved
from griotte.engine.search.solve import Solver
from griotte.engine.table import NONE, TILE_CODE, Damaged, Table
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from machines import machine

CASES = (
    ("matmul(f32[<=30,33], f32[33,50])", "avx512"),
    ("matmul(f32[<=20,40], const f32[40,150])", "narrow"),
    ("matmul(u8[<=9,12], s8[12,25]) -> s16[<=9,25]", "two"),
    ("matmul(f32[5,<=40], f32[<=40,9])", "plain"),
    ("max(bf16[5,<=23], axis=1)", "two"),
    ("softmax(f32[2,<=6])", "two"),
    ("attention(f32[2,1,4], f32[2,<=5,4], f32[2,<=5,4])", "avx2"),
    ("gelu(f32[<=40,512])", "avx512"),
)


class Case:
    """A solved Spec of a dynamic size, and what is asked of it."""

    def __init__(self, text: str, name: str):
        spec, self.target = canonical_form(parse(text)), machine(name)
        start = problem(spec, self.target, 1)
        self.table, self.goal, self.size = Table(self.target, start.home, start.ladders), start.goal, start.sizes
        Solver(self.table).solve(self.goal)
        self.dim, self.sizes = spec.dynamic.dim, np.array(spec.dynamic.extents)
        self.free = limits.free(self.target, start.home, self.goal)

    def along(self) -> CostsAlong:
        return CostsAlong(Rebuild(self.table), self.dim)

    def costs(self, sizes: np.ndarray | None = None) -> np.ndarray:
        return self.along().at(self.goal, self.size, self.sizes if sizes is None else sizes, self.free)

    def decide(self, code: int, *families) -> None:
        """Let the table say one decision at all Specs of some families."""
        for family in families:
            (patch, *_) = self.table.patches(family)
            boxes = patch.boxes.covered
            boxes = replace(boxes, value=np.full(len(boxes.value), code, np.int16))
            self.table.keep(family, replace(patch, boxes=boxes))


def alone(rebuild: Rebuild, family, size: dict[str, int], limit: int) -> float:
    try:
        return rebuild.at(family, size, limit).cost
    except NoProgramError:
        return np.inf


@pytest.mark.parametrize("text, name", CASES)
def test_each_cost_is_that_of_the_size_rebuilt_alone(text, name):
    case = Case(text, name)
    along, rebuild = case.along(), Rebuild(case.table)
    along.at(case.goal, case.size, case.sizes, case.free)
    met = 0
    for (family, others, limit), known in along._known.items():
        dims = [d for d in family.operation.dims if d != case.dim]
        for n in np.flatnonzero(~np.isnan(known)).tolist():
            assert known[n] == alone(rebuild, family, {**dict(zip(dims, others)), case.dim: n}, limit), (family, n)
            met += 1
    assert met >= len(case.sizes)


def test_sizes_may_be_asked_for_in_any_order_and_again():
    case = Case(*CASES[0])
    along, every = case.along(), case.costs()
    for sizes in (np.array([7]), np.array([30, 2, 2]), np.array([], np.int64), case.sizes[::-1]):
        assert np.array_equal(along.at(case.goal, case.size, sizes, case.free), every[sizes - 1])


def test_a_family_without_the_dimension_costs_the_same_at_each():
    case = Case("matmul(f32[<=6,9], const f32[9,20])", "two")
    copies = {
        child.family
        for edge in Rebuild(case.table).space.leaving(case.goal)[0]
        for child in edge.children
        if case.dim not in child.family.operation.dims
    }
    assert copies
    for family in copies:
        limit = limits.free(case.target, case.table.home, family)
        found = case.along().at(family, case.size, case.sizes, limit)
        assert (found == alone(Rebuild(case.table), family, case.size, limit)).all()


def test_a_size_that_the_table_does_not_hold_is_unsolved():
    with pytest.raises(Unsolved, match="31"):
        Case(*CASES[0]).costs(np.array([30, 31]))


def test_where_there_is_no_program_the_cost_is_infinite():
    case = Case(*CASES[0])
    case.decide(NONE, case.goal)
    assert np.isinf(case.costs()).all()


@pytest.mark.parametrize(
    "code, told",
    (
        (4000, "decision 4000 for .*, which has"),
        (TILE_CODE + 255, "a loop that it does not have"),
        (TILE_CODE + 1, "a loop that not all of its sizes have|a loop that it does not have"),
    ),
)
def test_a_decision_that_cannot_be_is_damage(code, told):
    case = Case(*CASES[0])
    case.decide(code, case.goal)
    with pytest.raises(Damaged, match=told):
        case.costs()


def test_a_decision_that_leaves_what_has_no_program_is_damage():
    case = Case(*CASES[0])
    edges = Rebuild(case.table).space.leaving(case.goal)[0]
    case.decide(NONE, *{child.family for edge in edges for child in edge.children})
    with pytest.raises(Damaged, match="leaves what has no program"):
        case.costs()

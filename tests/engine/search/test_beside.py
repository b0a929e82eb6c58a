"""Searches of goals that differ by the layouts of their operands, as one."""

from __future__ import annotations

import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites.places import copied_order
from griotte.engine.search.graph import FamilyGraph, reach
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.solve import HERE, Solver
from griotte.engine.search.solved import Solved
from griotte.engine.table import Table
from griotte.engine.table.store import CachedStore, Store
from griotte.lang.nests.access import Access
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from griotte.support.memory import Memory
from machines import machine

VARIANTS = {
    "products of a batch": (
        "two",
        "matmul(f32[2,5,6]{0}, f32[2,6,9]{1})",
        [("", ""), ("{2,0,1}", ""), ("{0,2,1}", "{1,0,2}"), ("{1,2,0}", "{2,0,1}")],
    ),
    "a product": ("scarce", "matmul(f32[7,12]{0}, f32[12,5]{1})", [("", ""), ("{0,1}", ""), ("{0,1}", "{0,1}")]),
    "a map": ("two", "add(f32[5,40]{0}, f32[5,40]{1})", [("{0,1}", ""), ("", "{0,1}")]),
    "no program": ("scarce", "sum(f32[7,20]{0}, axis=1)", [("",), ("{0,1}",)]),
}


def searches(name, text, layouts, threads, store):
    target = machine(name) if isinstance(name, str) else name
    specs = [canonical_form(parse(text.replace("{0}", own[0]).replace("{1}", own[-1]))) for own in layouts]
    return [Solved(spec, target, threads, store) for spec in specs]


def found(solved: Solved) -> str:
    try:
        return f"{solved.best} {solved.best.cost!r}"
    except NoProgramError as none:
        return f"none: {none}"


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize("case", VARIANTS)
def test_each_has_the_program_that_it_has_alone(case, threads, tmp_path):
    """To the bit; and after the first search the table answers all others."""
    name, text, layouts = VARIANTS[case]
    target = machine(name)
    alone = [found(each) for each in searches(target, text, layouts, threads, None)]
    store = CachedStore(tmp_path / "t.griotte", target)
    again = lambda: searches(target, text, layouts, threads, store)
    first, *others = again()
    assert found(first.joined(others)) == alone[0] and first._beside
    others = again()[1:]
    assert [found(each) for each in others] == alone[1:]
    like = [each for each in others if each.table.answers_alike(first.table)]
    assert len(like) == len(first._beside)
    if not alone[0].startswith("none"):
        assert first.statistics.specs_solved > 0 and not any(each.statistics.specs_solved for each in like)


def test_each_is_as_cheap_as_the_cheapest_that_brute_force_finds(tmp_path):
    name, text, layouts = VARIANTS["products of a batch"]
    target = machine(name)
    store = CachedStore(tmp_path / "t.griotte", target)
    again = lambda: searches(target, text, layouts, 1, store)
    first, *others = again()
    for each in (first.joined(others), *again()[1:]):
        start = each.start
        least = Oracle(target, start.home, start.ladders).least(start.goal, start.sizes, 1)
        assert each.best.cost == pytest.approx(least, rel=1e-6)


def test_families_of_several_layouts_are_mostly_the_same():
    """Where a batch index is taken off, copies of tensors that lie otherwise are one; so few numbers are more."""
    target = machine("avx2")
    text, layouts = "matmul(f32[2,24,32]{0}, f32[2,32,40]{1})", [("", ""), ("{2,0,1}", ""), ("{2,0,1}", "{2,0,1}")]
    goals = [each.start.goal for each in searches(target, text, layouts, 1, None)]
    each = [{node.family for node in reach(target, goal, met=FamilyGraph())} for goal in goals]
    every = each[0] | each[1] | each[2]
    assert len(every) < 0.6 * sum(map(len, each))
    start = searches(target, text, layouts, 1, None)[0].start
    solver = lambda: Solver(Table(target, start.home, start.ladders), HERE, met=FamilyGraph())
    alone = sum(solver().solve(goal).specs_solved for goal in goals)
    assert solver().solve(goals[0], beside=tuple(goals[1:])).specs_solved < 0.6 * alone


def test_what_is_searched_otherwise_is_left_out(tmp_path):
    """Other sizes have other ladders; and a table that does not keep what is solved at the end of a search, or knows
    it, is asked for nothing besides."""
    target = machine("two")
    store = CachedStore(tmp_path / "t.griotte", target)
    of = lambda text, store: Solved(canonical_form(parse(text)), target, 1, store)
    first, other, longer = (
        of(f"exp(f32[{n}]{way})", store) for n, way in (("5,9", ""), ("5,9", "{0,1}"), ("5,11", ""))
    )
    assert first.joined([longer, first])._beside == ()
    assert of("exp(f32[5,9])", None).joined([of("exp(f32[5,9]{0,1})", None)])._beside == ()
    file = Store(tmp_path / "own.griotte", target)
    assert of("exp(f32[5,9])", file).joined([of("exp(f32[5,9]{0,1})", file)])._beside == ()
    assert first.joined([longer])._beside == () and first.best.cost > 0
    assert of("exp(f32[5,9])", store).joined([other])._beside == ()


def test_a_bound_on_memory_that_all_do_not_fit_is_for_what_is_asked(monkeypatch, tmp_path):
    """What stands beside it is left for its own search."""
    name, text, layouts = VARIANTS["products of a batch"]
    target = machine(name)
    alone = [found(each) for each in searches(target, text, layouts, 1, None)]
    store = CachedStore(tmp_path / "t.griotte", target)
    first, *others = searches(target, text, layouts, 1, store)
    relaxed = []

    def relax(memory: Memory, most: int) -> None:
        relaxed.append(most)
        if len(relaxed) > 1:  # the first time it is for all
            memory._bound = None

    monkeypatch.setattr(Memory, "relax", relax)
    first.joined(others)._memory = Memory(1 << 40)
    assert found(first) == alone[0] and len(relaxed) == 2 and relaxed[1] < relaxed[0]
    monkeypatch.undo()
    assert [found(each) for each in others] == alone[1:] and others[0].statistics.specs_solved > 0


@pytest.mark.parametrize(
    "order, axes, copied",
    [
        ((2, 1, 0), "..k", (2, 1, 0)),
        ((2, 0, 1), ".mk", (2, 1, 0)),
        ((0, 2, 1), ".mk", (0, 2, 1)),  # neighbours are no neighbours of the tile
        ((3, 0, 1, 2), "..mk", (3, 2, 1, 0)),
        ((3, 1, 0, 2), "b.mk", (3, 0, 2, 1)),
        ((1, 0), "mk", (1, 0)),
        ((0,), ".", (0,)),
        ((), "", ()),
    ],
)
def test_axes_of_one_element_are_the_last_of_a_copy(order, axes, copied):
    access = Access(tuple(() if d == "." else ((d, 1),) for d in axes))
    assert copied_order(order, access) == copied

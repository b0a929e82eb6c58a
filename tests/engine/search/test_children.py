"""Several children that carry limits, each at sizes and with room of its own: an odd border that is split off, against
brute force."""

from dataclasses import dataclass, replace
from functools import cache

import griotte as gt
import numpy as np
import pytest
from brute_force import equals_brute_force
from checked import like_reference
from griotte.engine import rewrites
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Loop, walk
from griotte.engine.rewrites import Child, Edge, Rewrite, RewriteRule
from griotte.engine.search.counting import programs_log10
from griotte.engine.search.kbest import KBest
from griotte.engine.search.oracle import Oracle, enumerate_costs
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.sizes import SLACK
from griotte.engine.search.solved import Solved
from machines import machine, with_prices

FRAMED = "framed"  # the name of an operation whose odd border may be split off


@dataclass(frozen=True)
class Less:
    """The size map of a part: `dim` less its border, or the border alone."""

    dim: str
    border: bool

    def __call__(self, size):
        return {**size, self.dim: 1 + 0 * size[self.dim] if self.border else size[self.dim] - 1}


@dataclass(frozen=True)
class OddBorder(Rewrite):
    """An odd size is an even one, and one of 1. A temporary of `room` lines lives in the first cache beside the even
    part.

    before  framed matmul m n k
    after   matmul (m - 1) n k ; matmul 1 n k
    """

    dim: str
    room: int

    def edge(self, family, target):
        plain = replace(family, operation=replace(family.operation, name="plain"))
        children = (
            Child(plain, uses=(1, lambda size: self.room, ("room", self.room)), sizes=Less(self.dim, False)),
            Child(plain, times=lambda size: 1 + 0 * size[self.dim], sizes=Less(self.dim, True)),
        )
        return Edge(
            self,
            lambda size: {},
            ("odd", self.dim),
            children,
            fits=lambda size: (size[self.dim] > 1) & (size[self.dim] % 2 == 1),
        )

    def node(self, state, parts, cost):
        return Loop(state, (self.dim,), (state.size[self.dim] - 1,), parts, cost=cost, rewrite=self)

    def critical_path(self, parts):
        return 0

    def line(self, node, target):
        return f"all of {self.dim} but one"


def odd_borders(room: int):
    def edges(family, target):
        if family.operation.name != FRAMED or family.output.level == 0:
            return []
        return [OddBorder(dim, room).edge(family, target) for dim in family.operation.parallel]

    return edges


def even(operation, dim: str, size: int) -> tuple[int, ...]:
    return (size - 1, 1) if size % 2 and size > 1 and operation.name == FRAMED and dim in operation.parallel else ()


@pytest.fixture(autouse=True)
def declared(monkeypatch):
    monkeypatch.setattr(rewrites, "RULES", (*rewrites.RULES, RewriteRule(odd_borders(1), asked=even)))


def framed(text: str) -> gt.Spec:
    spec = gt.parse(text)
    return replace(spec, operation=replace(spec.operation, name=FRAMED))


@cache
def dear(name: str, loop: float):
    """A machine on which a loop costs so much: borders are worth splitting off."""
    target = machine(name)
    return with_prices(target, loop=loop)


CASES = (
    ("two", 40.0, "matmul(f32[3,6], f32[6,9])"),
    ("two", 0.0, "matmul(f32[7,2]{0,1}, f32[2,5])"),
    ("two", 40.0, "sum(f32[9,12], axis=1)"),
    ("plain", 15.0, "matmul(f32[3,4], f32[4,5])"),
    ("plain", 40.0, "matmul(f32[5,6], f32[6,7])"),
    ("plain", 40.0, "exp(f32[3,21])"),
    ("narrow", 25.0, "matmul(f32[3,4], f32[4,5])"),
    ("narrow", 40.0, "exp(f32[3,9]{0,1}) -> f32[3,9]"),
    ("scarce", 40.0, "sum(f32[5,40], axis=0)"),
)


@pytest.mark.parametrize("name, loop, text", CASES)
def test_the_solver_equals_brute_force(name, loop, text):
    equals_brute_force(canonical_form(framed(text)), dear(name, loop))


@pytest.mark.parametrize(
    "name, text, dim", [("two", "matmul(f32[3,6], f32[6,9])", "m"), ("plain", "matmul(f32[3,2], f32[2,17])", "m")]
)
def test_a_border_is_split_off_where_that_pays_and_it_is_right(name, text, dim):
    program = gt.synthesize(framed(text), dear(name, 40.0), table="none")
    assert OddBorder(dim, 1) in {node.rewrite for node in walk(program.root)} and f"all of {dim} but one" in str(
        program
    )
    arrays = [np.random.default_rng(0).random(tensor.shape, np.float32) for tensor in program.spec.inputs]
    wanted = gt.interpret(program.spec, *arrays)
    assert np.allclose(interpret(program.root, program.spec, *arrays, target=program.target), wanted, rtol=1e-4)
    like_reference(program, arrays)


def test_the_least_and_the_number_of_all_programs_are_found():
    spec, target = canonical_form(framed("exp(f32[3,5])")), dear("two", 40.0)
    start = problem(spec, target)
    costs = sorted(enumerate_costs(target, start.home, start.ladders, start.goal, start.sizes))
    assert Oracle(target, start.home, start.ladders).cost(start.goal, start.sizes) == pytest.approx(costs[0])
    assert 10 ** programs_log10(framed("exp(f32[3,5])"), target) == pytest.approx(len(costs), rel=1e-2)
    solved = Solved(spec, target)
    ranking = KBest(Rebuild(solved.table)).goal(solved.best, 1)
    assert [ranking.at(i).cost for i in range(40)] == pytest.approx(costs[:40], rel=1e-6)


def test_what_lives_beside_a_part_takes_room_of_it(monkeypatch):
    """In a cache of two lines: nothing, one line, and more than there are, when the border cannot be split off."""
    costs = []
    bordered = (RewriteRule(odd_borders(room), asked=even) for room in (0, 1, 5))
    for declared in (*((*rewrites.BUILT_IN, rule) for rule in bordered), rewrites.BUILT_IN):
        monkeypatch.setattr(rewrites, "RULES", declared)
        costs.append(gt.synthesize(framed("matmul(f32[3,3], f32[3,9])"), dear("plain", 40.0), table="none").cost)
    assert costs[0] < costs[1] < costs[2] == costs[3]


def test_a_table_keeps_them(tmp_path):
    spec, target = framed("matmul(f32[9,3], f32[3,5])"), dear("two", 40.0)
    first, again = (gt.synthesize(spec, target, table=tmp_path / "table") for _ in range(2))
    assert again.stats["specs_solved"] == 0 < first.stats["specs_solved"] and (str(again), again.cost) == (
        str(first),
        first.cost,
    )


def test_a_dynamic_size_costs_at_most_the_slack_more():
    spec, target = framed("matmul(f32[<=7,3], f32[3,9])"), dear("two", 40.0)
    start, program = problem(canonical_form(spec), target), gt.synthesize(spec, target, table="none")
    oracle = Oracle(target, start.home, start.ladders)
    assert any(isinstance(node.rewrite, OddBorder) for n in (3, 7) for node in walk(program.at(n).root))
    for n in (1, 4, 5, 7):
        least = oracle.cost(start.goal, {**start.sizes, "m": n})
        assert least * (1 - 1e-6) <= program.at(n).cost <= least * SLACK * (1 + 1e-6)


def test_sizes_that_no_ladder_holds_are_told(monkeypatch):
    monkeypatch.setattr(rewrites, "RULES", (*rewrites.BUILT_IN, RewriteRule(odd_borders(1))))
    with pytest.raises(gt.GriotteError, match="expected sizes of plain on its ladders, found others; name them in"):
        gt.synthesize(framed("matmul(f32[3,11], f32[11,23])"), dear("two", 40.0), table="none")

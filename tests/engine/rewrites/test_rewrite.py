"""A rewrite is one file: one that is declared here alone is found, priced, rebuilt, printed, run, written as C and kept
like those of the package."""

from dataclasses import dataclass, replace

import griotte as gt
import numpy as np
import pytest
from counting import count
from griotte.compiler.reports.map import table_map
from griotte.engine import rewrites
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program import printer
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Block, critical_path, walk
from griotte.engine.rewrites import Child, Edge, Rewrite, RewriteRule
from griotte.engine.rewrites.edge import require, same
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.recorded import along, path_of
from griotte.engine.search.solved import Solved
from griotte.lang.nests.graph import lone
from griotte.lang.nests.operation import Operation
from griotte.lang.types.expr import Arg, Call
from machines import machine

NEGATIVES = Call("mul", (Call("neg", (Arg(0),)), Call("neg", (Arg(1),))))
TURNED = Operation.of("turned", "m n k", ("m k", "k n"), "m n", NEGATIVES, "add")
TYPES = gt.tensor((7, 5)), gt.tensor((5, 9)), gt.tensor((7, 9))
SPEC = gt.Spec(TURNED, (7, 9, 5), TYPES[:2], TYPES[2])
STRAIGHT = Call("mul", (Arg(0), Arg(1)))


def narrowed(target):
    """A machine whose reductions are products of x0 and x1, and joins, alone."""
    combine = next(kernel for kernel in target.kernels if kernel.name == "combine")
    others = tuple(kernel for kernel in target.kernels if kernel is not combine)
    return replace(
        target,
        kernels=(
            *others,
            replace(combine, name="products", body=str(STRAIGHT)),
            replace(combine, name="joins", body="x0"),
        ),
    )


TARGET = narrowed(machine("two"))


@dataclass(frozen=True)
class Unsigned(Rewrite):
    """A product of two negatives is that of the numbers: no cost, no code.

    before  turned(a, b): sum of -x0 * -x1
    after   alias ; the same with x0 * x1
    """

    def edge(self, family, target):
        require(family.nest.body == TURNED.body, "expected -x0 * -x1")
        straight = replace(family, operation=lone(replace(family.nest, body=STRAIGHT), family.accumulator))
        return Edge(self, lambda size: {}, ("free",), (Child(straight),))

    def node(self, state, parts, cost):
        return Block(state, parts, (tuple(range(len(state.family.operands))),), cost, self)

    def emits(self, family):
        return False

    def line(self, node, target):
        return "x0 * x1 for -x0 * -x1"


def commute_edges(family, target):
    return [Unsigned().edge(family, target)] if family.nest.body == TURNED.body and family.nest.combine else []


@pytest.fixture(autouse=True)
def declared(monkeypatch):
    monkeypatch.setattr(rewrites, "RULES", (*rewrites.RULES, RewriteRule(commute_edges)))


def test_without_it_there_is_no_program(monkeypatch):
    monkeypatch.setattr(rewrites, "RULES", rewrites.BUILT_IN)
    with pytest.raises(gt.NoProgramError):
        gt.synthesize(SPEC, TARGET, table="none")


@pytest.mark.parametrize("threads", [1, 2])
def test_it_is_found_at_the_price_of_what_it_leaves(threads):
    program, straight = (
        gt.synthesize(SPEC, TARGET, threads, table="none"),
        gt.synthesize(replace(SPEC, operation=replace(TURNED, body=STRAIGHT)), TARGET, threads, table="none"),
    )
    assert program.cost == straight.cost
    assert Unsigned() in {node.rewrite for node in walk(program.root)} - {node.rewrite for node in walk(straight.root)}
    start = Solved(canonical_form(SPEC), TARGET, threads).start
    assert program.cost == pytest.approx(
        Oracle(TARGET, start.home, start.ladders).least(start.goal, start.sizes, threads), rel=1e-5
    )


def test_it_is_printed_and_explained():
    program = gt.synthesize(SPEC, TARGET, table="none")
    assert "x0 * x1 for -x0 * -x1" in str(program) and "x0 * x1 for -x0 * -x1" in program.explain()
    legend = {word.text for found in table_map(SPEC, TARGET).families for word in found.words.values()}
    assert "Unsigned()" in legend


def test_it_means_what_the_spec_does_by_the_tree_and_in_c():
    arrays = [np.random.default_rng(0).random(tensor.shape, np.float32) for tensor in TYPES[:2]]
    program, wanted = gt.synthesize(SPEC, TARGET, table="none"), arrays[0] @ arrays[1]
    assert np.allclose(interpret(program.root, SPEC, *arrays, target=TARGET), wanted, rtol=1e-5)
    assert np.allclose(program.compile()(*arrays), wanted, rtol=1e-5)


def test_a_table_keeps_it(tmp_path):
    first, again = (gt.synthesize(SPEC, TARGET, table=tmp_path / "table") for _ in range(2))
    assert again.stats["specs_solved"] == 0 < first.stats["specs_solved"] and (str(again), again.cost) == (
        str(first),
        first.cost,
    )


def test_rankings_paths_and_counts_go_through_it():
    solved = Solved(canonical_form(SPEC), TARGET)
    found = solved.cheapest(20)
    assert (
        len(found) == 20
        and sum(Unsigned() in {node.rewrite for node in critical_path(program)} for program in found) == 20
    )
    rebuild = Rebuild(solved.table)
    for program in (next(solved.kinds()), found[0]):
        again = along(path_of(program, rebuild.space, 1), program.state, rebuild, 1)
        assert again.cost == pytest.approx(program.cost, rel=1e-6) and kernels(again) == kernels(program)
        assert TARGET.cost(count(program, TARGET)) == pytest.approx(program.cost, rel=1e-9)


def kernels(program) -> list:
    return [node.rewrite for node in critical_path(program)][-1:]


def test_an_alias_without_words_of_its_own_says_its_verb():
    @dataclass(frozen=True)
    class Plain(Rewrite):
        def node(self, state, parts, cost):
            return same(state, parts, cost, self)

    hole = gt.schedule(SPEC, TARGET).root
    assert printer.describe(Plain().node(hole.state, (hole,), None), TARGET) == "plain"

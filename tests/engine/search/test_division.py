"""Programs of large graphs of a dynamic size: parts one after the other, divided in the cheapest way."""

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.nodes import Move, Pipeline, walk
from griotte.engine.rewrites import fixed
from griotte.engine.search.division import Divided, solving
from griotte.lang.text.text import parse
from machines import machine
from sizes import mean_the_spec

PROJECTED = (
    "attention(matmul(%x: f32[1,<=5,4], const f32[4,4]), matmul(%x, const f32[4,4]), matmul(%x, const f32[4,4]))"
)
NORMED = "matmul(gelu(matmul(rms_norm(f32[<=3,8], f32[8]), const f32[8,24])), const f32[24,5])"
CACHED = (
    "outputs(%k: matmul(%x: f32[<=5,6], f32[6,5]), %v: matmul(%x, f32[6,5]), matmul(softmax(matmul(matmul(%x,"
    " f32[6,5]), transpose(%k))), %v))"
)


HEADS = "reshape(matmul({}, const f32[4,4])) -> f32[<=5,2,2], perm=(1,0,2)"
TURNED = (
    "outputs(%k: transpose("
    + HEADS.format("%x: f32[<=5,4]")
    + "), sum(exp(matmul(transpose("
    + HEADS.format("%x")
    + "), transpose(%k, perm=(0,2,1)))), axis=2))"
)


# exponentials may lie where the output goes
IN_PLACE = "softmax(matmul(f32[<=4,20,10], const f32[<=4,10,7]) -> f32[<=4,20,7]{0,1,2}) -> f32[<=4,20,7]{0,1,2}"


@pytest.mark.parametrize(
    "text, name, threads", [(PROJECTED, "two", 2), (CACHED, "avx2", 1), (TURNED, "two", 1), (IN_PLACE, "avx2", 1)]
)
def test_every_size_has_a_program_that_means_the_spec(text, name, threads):
    spec, target = parse(text), machine(name)
    program = gt.synthesize(spec, target, threads, table="none")
    bound = spec.dynamic.bound
    assert sorted(n for sizes, _ in program.groups for n in sizes) == list(range(1, bound + 1))
    mean_the_spec(program, spec, target, range(1, bound + 1))


def test_the_cheapest_division_at_the_bound_is_taken():
    """Every way is written out, and its parts' costs are added up."""
    target = machine("two")
    solved = solving(canonical_form(parse(NORMED)), target)
    assert isinstance(solved, Divided)

    def costs(left):
        for way in solved._ways[left]:
            first = solved._of_part(way.part)[0]
            if way.rest is None:
                yield first
            else:
                yield from (first + target.cost({"call": 1}) + after for after in costs(way.rest))

    every, dynamic = list(costs(solved._whole)), solved.dynamic
    assert len(every) > 3 and len(set(every)) > 1
    assert fixed(solved.best, dynamic, dynamic.bound, target).cost == pytest.approx(min(every))


def test_parts_alike_are_solved_once():
    """Of queries, keys and values, whose weights are alike."""
    solved = solving(canonical_form(parse(PROJECTED)), machine("two"))
    products = [part for part in solved.parts if part.start.goal.operation.is_lone]
    assert len(products) == 1 and products[0].start.goal.ahead


def test_constants_are_packed_ahead_and_no_size_costs_more_for_it():
    target = machine("two")
    program = gt.synthesize(NORMED, target, table="none")
    assert any(isinstance(node, Move) and node.ahead and node.copy is not None for node in walk(program.root))
    given = gt.synthesize(NORMED.replace("const ", ""), target, table="none")
    assert (
        not isinstance(given.root, Pipeline)
        and all(program.at(n).cost <= 1.05 * given.at(n).cost for n in (1, 2, 3))
        and program.cost < given.cost
    )


def test_a_part_without_the_size_has_one_program():
    """What is computed of inputs of fixed sizes alone."""
    spec, target = (
        parse(
            "add(sum(f32[<=5,4], axis=0), matmul(gelu(matmul(rms_norm(f32[2,4], f32[4]), const f32[4,5])), const"
            " f32[5,4]))"
        ),
        machine("two"),
    )
    program = gt.synthesize(spec, target, table="none")
    assert isinstance(program.root, Pipeline) and program.cost == program.at(5).cost > program.at(1).cost > 0
    mean_the_spec(program, spec, target, (1, 5))

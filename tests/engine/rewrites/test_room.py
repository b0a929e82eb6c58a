"""What views of a graph's operands need of a cache beside one another."""

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites import Move, Online
from griotte.engine.search.problem import problem
from griotte.lang.nests.parts import passes_into_output
from machines import machine

ROW = {"i0": 1, "i1": 4000}


def uses(text: str, *operands: int) -> float:
    """Lines of L2 that the last of these operands takes, a row of each of which is viewed there."""
    target = machine("avx2")
    family = problem(canonical_form(gt.parse(text)), target).goal
    for i in operands:
        edge = Move(i, family.operands[i].at(2)).edge(family, target)
        family = edge.children[0].family
    _, count, _ = edge.children[0].uses
    return float(count(ROW))


SOFTMAX = "softmax(f32[64,400000])"


def test_an_input_and_the_output_that_it_passes_into_need_the_room_of_one():
    assert uses(SOFTMAX, 0) == uses(SOFTMAX, 1) == 250
    assert uses(SOFTMAX, 0, 1) == uses(SOFTMAX, 1, 0) == 0


def test_of_which_the_larger_counts():
    halved = "softmax(bf16[64,400000])"
    assert uses(halved, 0, 1) == uses(halved, 1, 0) == 0
    assert uses("softmax(bf16[64,400000]) -> f32[64,400000]", 0, 1) == 125


def test_an_input_that_is_read_again_later_keeps_its_room():
    graph = problem(canonical_form(gt.parse("mul(softmax(%x: f32[64,400000]), %x)")), machine("avx2")).goal.operation
    assert not passes_into_output(graph, 0)


@pytest.mark.parametrize("tile", (1024, 4096))
def test_rounds_need_the_room_of_what_lives_from_one_nest_to_the_next(tile):
    """Of a row: a tile of the input and one of exponentials, of 16 elements a line, and of a line each the maximum and
    the sum, which swap with those before, and what the old sum is worth."""
    family = problem(canonical_form(gt.parse(SOFTMAX)), machine("avx2")).goal
    for child in Online(tile, 1).edge(family, machine("avx2")).children:
        level, lines, _ = child.uses
        assert (level, float(lines(ROW))) == (1, 2 * tile / 16 + 5)

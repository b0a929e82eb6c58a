"""A program on record is rebuilt as it was, without a search; what is no record leads to no program."""

import json
from itertools import islice

import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.nodes import walk
from griotte.engine.program.printer import text as printed
from griotte.engine.rewrites.move import Move
from griotte.engine.search.recorded import Misfit, ProgramReader, _said, decoded, name_of, written
from griotte.engine.search.solved import Solved
from griotte.engine.search.space import Space
from griotte.lang.nests.family import Layout, Operand, State
from griotte.lang.text.text import parse
from machines import machine

GOALS = [
    ("matmul(f32[9,8], f32[8,17])", 1),
    ("matmul(f32[9,8], const f32[8,17])", 2),
    ("softmax(f32[5,12])", 1),
    ("relu(add(matmul(f32[4,6], f32[6,9]), f32[9]))", 2),
]


def solved_and_reader(text: str, threads: int) -> tuple[Solved, ProgramReader, State]:
    solved = Solved(canonical_form(parse(text)), machine("plain"), threads)
    start = solved.start
    goal = State(start.goal, tuple(start.sizes[d] for d in start.goal.operation.dims))
    return solved, ProgramReader(Space(solved.target, start.home, start.ladders), threads), goal


@pytest.mark.parametrize("text, threads", GOALS)
def test_programs_are_rebuilt_as_they_were(text, threads):
    solved, reader, goal = solved_and_reader(text, threads)
    for root in (*solved.cheapest(6), *islice(solved.kinds(), 6)):
        again = reader.program(decoded(written(root)), goal)
        assert again.cost == pytest.approx(root.cost, rel=1e-12)
        assert printed(again, solved.target) == printed(root, solved.target)
        assert written(again) == written(root)


@pytest.mark.parametrize("text, threads", GOALS)
def test_a_name_tells_choices_of_a_point_apart(text, threads):
    solved, reader, _ = solved_and_reader(text, threads)
    space = reader.space
    for node in walk(solved.best):
        family = node.state.family
        for choices in (
            space.options(space.goal(family, node.state.size, threads)),
            space.choices(family, node.state.sizes, space.free(family)),
        ):
            rewrites = {choice.rewrite for choice in choices}
            assert len({name_of(rewrite) for rewrite in rewrites}) == len(rewrites)


def test_what_programs_share_is_one_node():
    solved, reader, goal = solved_and_reader("matmul(f32[9,8], f32[8,17])", 1)
    text = written(solved.best)
    assert reader.program(decoded(text), goal) is reader.program(decoded(text), goal)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "[[1, []]]",
        '[["Select:00000000", [0]]]',
        '[["Select:00000000", [null, 3]]]',
        '[["Select:00000000", [true]]]',
        "[" * 100_000,
        json.dumps([["a", []]] * 30_000),
    ],
)
def test_what_is_no_record_is_a_misfit(text):
    with pytest.raises(Misfit):
        decoded(text)


def test_a_record_that_leads_nowhere_is_a_misfit():
    solved, reader, goal = solved_and_reader("matmul(f32[9,8], f32[8,17])", 1)
    nodes = json.loads(written(solved.best))
    for change in (
        [[nodes[-1][0][:-1] + "x", nodes[-1][1]]],  # another choice
        [[nodes[-1][0], [*nodes[-1][1], 0]]],  # a part too many
    ):
        with pytest.raises(Misfit):
            reader.program(decoded(json.dumps([*nodes[:-1], *change])), goal)
    for other in ("exp(f32[9,17])", "matmul(f64[9,8], f64[8,17])"):
        with pytest.raises(Misfit):
            reader.program(decoded(written(solved_and_reader(other, 1)[0].best)), goal)


def test_a_record_of_many_references_is_read_once_each():
    """Each node names the one before it twice: 2^40 ways to go down, one for each node."""
    _, reader, goal = solved_and_reader("matmul(f32[9,8], f32[8,17])", 1)
    nodes = [["Select:00000000", []], *([f"Tile:{n:08x}", [n, n, None]] for n in range(40))]
    with pytest.raises(Misfit):
        reader.program(decoded(json.dumps(nodes)), goal)


def test_what_has_its_default_is_no_part_of_a_name():
    """So that a field that comes to a layout leaves the names of those that have nothing of it."""
    plain, other = Layout((1, 0), given=True), Layout((1, 0), given=True, apart=True)
    names = [name_of(Move(0, Operand("f32", 1, layout))) for layout in (plain, plain, other)]
    assert names[0] == names[1] != names[2]
    assert "apart" not in _said(plain) and "apart=True" in _said(other)
    assert _said((1, (plain,))) == f"(1, ({_said(plain)},),)"

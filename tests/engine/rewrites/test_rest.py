"""Rest: inputs that blocks of attention read again rest in a last cache where nothing is counted, all of them, as given
or turned, and rounds follow."""

import griotte as gt
import numpy as np
import pytest
from brute_force import equals_brute_force
from checked import like_reference
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.nodes import Move, Rounds, walk
from griotte.engine.rewrites import Bufferize, Factor, child_state, edges, inputs, online
from griotte.engine.rewrites import Move as Moving
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.machine import target as described_target
from griotte.support.errors import NoProgramError
from machines import described, four

SMALL = described(
    'name = "small"\nbase = "portable"\nregisters = 4\npanel_vectors = []\nkernels = ["map", "multiply_add",'
    ' "combine"]\ncache_share = 1.0' + four(64, 128, 160, 0)
)

LARGE = described('name = "large"\nbase = "avx2"' + four(4096, 32768, 1 << 20, 0) + '[machine]\n"read.memory" = 40.0\n')
L3, MEMORY = 3, 4
ATTENTION = "attention(f32[4,512,64], f32[4,512,64], f32[4,512,64])"


def begun(text: str, target) -> State:
    """The graph of one head, divided by the total after the sum of products where it may be."""
    start = problem(canonical_form(parse(text)), target)
    state = State(start.goal, tuple(start.sizes[d] for d in start.goal.operation.dims))
    while state.family.batch:
        edge, *_ = edges(state.family, target)
        state = child_state(edge.children[0], state)
    factored = [edge for edge in edges(state.family, target) if isinstance(edge.rewrite, Factor)]
    return child_state(factored[0].children[0], state) if factored else state


def moves(state: State, target) -> list[Moving]:
    return [
        edge.rewrite
        for edge in edges(state.family, target)
        if isinstance(edge.rewrite, Moving) and edge.rewrite.to.level == L3
    ]


def moved(state: State, target, form: int = 0) -> State:
    """After the next input rests: as it is given, or in one of the panels that it may be turned into."""
    return child_state(moves(state, target)[form].edge(state.family, target).body, state)


def test_inputs_that_products_read_rest_one_after_the_other():
    state = begun(ATTENTION, LARGE)
    assert [move.operand for move in moves(state, LARGE)] == [0]
    for following in (1, 2):
        state = moved(state, LARGE)
        assert {edge.rewrite.operand for edge in edges(state.family, LARGE)} == {following}
        assert moves(state, LARGE)[0] == Moving(following, state.family.operands[following].at(L3))
    assert len(moves(state, LARGE)) == 1, "values lie as they are wanted"
    state = moved(state, LARGE)
    assert [operand.level for operand in state.family.operands] == [L3, L3, L3, MEMORY]
    assert not moves(state, LARGE)


def test_keys_may_rest_in_panels_that_rounds_begin_at():
    state = moved(begun(ATTENTION, LARGE), LARGE)
    widths = [move.to.layout.panel and move.to.layout.panel[1] for move in moves(state, LARGE)]
    assert widths == [None, 8, 16, 32], "not 24, of which 64 is no multiple"


@pytest.mark.parametrize("form", [0, 1], ids=["as given", "turned"])
def test_what_rests_is_read_by_rounds_and_no_buffer_is_made_of_the_scores(form):
    state = begun(ATTENTION, LARGE)
    assert any(isinstance(edge.rewrite, Bufferize) for edge in edges(state.family, LARGE))
    for i in range(3):
        state = moved(state, LARGE, form if i == 1 else 0)
    assert inputs.is_resting(state.family, LARGE) and online.softmax_of(state.family) is not None
    assert not any(isinstance(edge.rewrite, Bufferize) for edge in edges(state.family, LARGE))


def test_nothing_rests_where_an_input_lies_nearer_or_no_such_cache_is_there():
    state = begun(ATTENTION, LARGE)
    nearer = State(state.family.with_operand(1, state.family.operands[1].at(2)), tuple(state.size.values()))
    assert not moves(nearer, LARGE)
    counted = described('name = "counted"\nbase = "avx2"' + four(4096, 32768, 1 << 20, 0.5))
    assert not inputs.rest_edges(begun(ATTENTION, counted).family, counted)
    within = described('name = "within"\nbase = "avx2"' + four(4096, 32768, 32 << 20, 0))
    assert not moves(begun(ATTENTION, within), within), "all arrays are in L3 already"


@pytest.mark.parametrize(
    "text",
    [
        "softmax(f32[900,700])",
        "layer_norm(f32[900,700], f32[700], f32[700])",
        "matmul(gelu(matmul(f32[900,70], f32[70,700])), f32[700,70])",
    ],
)
def test_nothing_rests_where_no_rounds_read_it_again(text):
    assert not inputs.rest_edges(begun(text, LARGE).family, LARGE)


def test_the_search_lets_keys_rest_where_no_near_level_holds_them():
    target = described(
        'name = "far"\nbase = "portable"\npanel_vectors = [1]'
        + four(2048, 8192, 1 << 17, 0)
        + '[machine]\n"read.memory" = 200.0\n'
    )
    program = gt.synthesize("attention(f32[4,256,16], f32[4,256,16], f32[4,256,16])", target, table="none")
    resting = {
        node.operand: node.copy is not None
        for node in walk(program.root)
        if isinstance(node, Move) and node.to.level == L3
    }
    assert resting == {0: False, 1: True, 2: False}, "keys are turned once a head"
    assert any(isinstance(node, Rounds) for node in walk(program.root))


@pytest.mark.parametrize("panel, said", [(None, "view x1 1x330x20 -> L3"), (4, "copy x1 1x330x20 -> L3, panels of 4")])
def test_by_hand_it_is_compiled(panel, said):
    spec = parse("attention(f32[3,90,20], f32[3,330,20], f32[3,330,20])")
    target = described('name = "hand"\nbase = "portable"' + four(4096, 32768, 1 << 17, 0))
    schedule = (
        gt.schedule(spec, target)
        .tile("h", 1)
        .factor("div")
        .move(0, "L3")
        .move(1, "L3", panel=panel)
        .move(2, "L3")
        .tile("m", 5)
        .online(64, "L2")
    )
    program = gt.synthesize(schedule, table="none")
    assert said in str(program)
    arrays = [np.random.default_rng(1).standard_normal(t.shape, np.float32) for t in spec.inputs]
    like_reference(program, arrays)


def test_a_head_that_the_cache_does_not_hold_may_not_rest():
    spec = parse("attention(f32[3,90,20], f32[3,330,20], f32[3,330,20])")
    target = described('name = "tight"\nbase = "portable"' + four(4096, 16384, 20480, 0))
    with pytest.raises(NoProgramError, match="80 lines that one operand may take of L3"):
        gt.schedule(spec, target).tile("h", 1).factor("div").move(0, "L3").move(1, "L3")


def test_the_solver_equals_brute_force_where_inputs_may_rest(monkeypatch):
    text = "attention(f32[1,3,1], f32[1,3,1], f32[1,3,1])"
    monkeypatch.setattr(online, "TILES", (2,))
    monkeypatch.setattr(described_target, "RESTING", 2.5)  # six lines each
    assert moves(begun(text, SMALL), SMALL)
    assert equals_brute_force(canonical_form(parse(text)), SMALL).home == MEMORY

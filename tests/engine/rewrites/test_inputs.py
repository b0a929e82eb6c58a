"""Whole inputs of a graph that blocks read again. Turn: one whose lanes lie across it is copied into panels once, and
nothing begins within a panel. Rest: inputs of attention rest in a last cache where nothing is counted, as given or
turned, and rounds follow."""

import itertools

import griotte as gt
import numpy as np
import pytest
from brute_force import equals_brute_force
from checked import like_reference
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program import nodes
from griotte.engine.program.nodes import Rounds, walk
from griotte.engine.rewrites import Bufferize, Factor, Move, child_state, edges, inputs, online
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import DTYPES, limits
from griotte.machine import missing, resolve
from griotte.machine import target as described_target
from griotte.machine.target import Target
from griotte.support.errors import NoProgramError
from hypothesis import given
from hypothesis import strategies as st
from machines import described, four
from rewriting import after_one, filled, keeps_meaning, whole, without_batch
from spaces import by_turns
from strategies import examples

LEVELS = (
    '[[levels]]\nname = "L1"\ncapacity = {l1}\n[[levels]]\nname = "L2"\ncapacity = {l2}\n[[levels]]\nname = "memory"\n'
)


def near(base: str, l1: int, l2: int) -> Target:
    """A machine of two caches, of a base: what is larger than both is in memory."""
    return described(f'name = "near"\nbase = "{base}"\n' + LEVELS.format(l1=l1, l2=l2))


TARGET = near("avx2", 32 << 10, 256 << 10)
SMALL = described(  # one cache: with two, brute force takes three times as long
    'name = "small"\nbase = "portable"\nregisters = 4\npanel_vectors = [1]\nkernels = ["map", "pack", "window",'
    ' "multiply_add", "combine"]\ncache_share = 1.0\n[[levels]]\nname = "L1"\ncapacity = 192\n[[levels]]\nname ='
    ' "memory"'
)


def one_head(text: str, target) -> State:
    """The graph of one head."""
    return without_batch(whole(text, target), target)


def turns(state: State, target) -> list[Move]:
    return [
        edge.rewrite
        for edge in edges(state.family, target)
        if isinstance(edge.rewrite, Move) and edge.rewrite.to.layout.panel
    ]


def test_keys_are_turned_into_the_widest_panels_in_the_slowest_near_level():
    (move,) = turns(one_head("attention(f32[4,512,64], f32[4,512,64], f32[4,512,64])", TARGET), TARGET)
    assert (move.operand, move.to.layout.panel, TARGET.levels[move.to.level].name) == (1, (1, 32), "L2")


@pytest.mark.parametrize(
    "text",
    [
        "matmul(gelu(matmul(f32[90,70], f32[70,60])), f32[60,50])",
        "softmax(f32[90,70])",
        "layer_norm(f32[90,70], f32[70], f32[70])",
    ],
)
def test_what_has_its_lanes_as_it_is_given_is_not_turned(text):
    assert not turns(one_head(text, TARGET), TARGET)


def test_once_turned_it_is_not_turned_again():
    state = one_head("attention(f32[4,512,64], f32[4,512,64], f32[4,512,64])", TARGET)
    (move,) = turns(state, TARGET)
    after = child_state(move.edge(state.family, TARGET).body, state)
    assert not turns(after, TARGET) and not inputs.turned(after.family, 1, TARGET)


@examples(25)
@given(
    m=st.integers(21, 40), n=st.integers(33, 150), k=st.integers(2, 20), masked=st.booleans(), seed=st.integers(0, 99)
)
def test_turned_keys_mean_the_same(m, n, k, masked, seed):
    target = near("avx2", 128, 1024)
    state = one_head(
        f"attention(f32[2,{m},{k}], f32[2,{n},{k}], f32[2,{n},7]{f', mask=f32[{m},{n}]' if masked else ''})", target
    )
    before = filled(state, np.random.default_rng(seed))
    (move,) = turns(state, target)
    keeps_meaning(state, before, lambda arrays: after_one(move, state, target, arrays))


@pytest.mark.parametrize(
    "name, sizes",
    [
        *by_turns(("portable", "avx2", "avx512"), ((90, 330, 20), (40, 200, 8), (70, 130, 64))),
        ("portable", (42, 200, 8)),  # two rows are left over, of which the search finds the program
    ],
)
def test_by_hand_it_is_compiled(name, sizes):
    m, n, k = sizes
    spec = parse(f"attention(f32[12,{m},{k}], f32[12,{n},{k}], f32[12,{n},{k}])")
    lanes = {"portable": 4, "avx2": 8, "avx512": 16}[name]
    turned = gt.schedule(spec, near(name, 8192, 98304)).tile("h", 1).move(1, "L2", panel=4 * lanes)
    program = gt.synthesize(turned.factor("div").tile("m", 5).online(64, "L1"), table="none")
    assert f"copy x1 1x{n}x{k} -> L2, panels of {4 * lanes}" in str(program)
    if not missing(program.target.features):
        like_reference(program)


def test_the_solver_equals_brute_force_where_keys_may_be_turned(monkeypatch):
    text = "attention(f32[1,3,2], f32[1,5,2], f32[1,5,1])"
    monkeypatch.setattr(online, "TILES", (4,))
    assert turns(one_head(text, SMALL), SMALL)
    equals_brute_force(canonical_form(parse(text)), SMALL)


@pytest.mark.parametrize("panel, begins", [(16, True), (48, False)])
def test_rounds_begin_where_panels_do(panel, begins):
    """Rounds of 64 keys would begin within panels of 48: what they read there is another's."""
    spec = parse("attention(f32[3,90,20], const f32[3,330,20], f32[3,330,20])")
    schedule = gt.schedule(spec, near("avx512", 8192, 65536)).ahead(1, panel=panel).tile("h", 1).factor("div")
    if not begins:
        with pytest.raises(
            NoProgramError, match="expected rounds that begin where panels of a packed operand do, found 64 of n"
        ):
            schedule.online(64, "L1")
        return
    program = gt.synthesize(schedule.tile("m", 5).online(64, "L1"), table="none")
    if not missing(program.target.features):
        like_reference(program)


SMALL_RESTING = described(
    'name = "small"\nbase = "portable"\nregisters = 4\npanel_vectors = []\nkernels = ["map", "multiply_add",'
    ' "combine"]\ncache_share = 1.0' + four(64, 128, 160, 0)
)

LARGE = described('name = "large"\nbase = "avx2"' + four(4096, 32768, 1 << 20, 0) + '[machine]\n"read.memory" = 40.0\n')
L3, MEMORY = 3, 4
ATTENTION = "attention(f32[4,512,64], f32[4,512,64], f32[4,512,64])"


def begun(text: str, target) -> State:
    """The graph of one head, divided by the total after the sum of products where it may be."""
    state = without_batch(whole(text, target), target)
    factored = [edge for edge in edges(state.family, target) if isinstance(edge.rewrite, Factor)]
    return child_state(factored[0].children[0], state) if factored else state


def moves(state: State, target) -> list[Move]:
    return [
        edge.rewrite
        for edge in edges(state.family, target)
        if isinstance(edge.rewrite, Move) and edge.rewrite.to.level == L3
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
        assert moves(state, LARGE)[0] == Move(following, state.family.operands[following].at(L3))
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
        + '[machine]\n"read.memory" = 200.0\n[crossing]\nnearer = 0.0\n'  # products hide little of a view's lines
    )
    program = gt.synthesize("attention(f32[4,256,16], f32[4,256,16], f32[4,256,16])", target, table="none")
    resting = {
        node.operand: node.copy is not None
        for node in walk(program.root)
        if isinstance(node, nodes.Move) and node.to.level == L3
    }
    assert resting == {0: False, 1: True, 2: False}, "keys are turned once a head"
    assert any(isinstance(node, Rounds) for node in walk(program.root))


@pytest.mark.parametrize("panel, said", [(None, "view x1 1x330x20 -> L3"), (4, "copy x1 1x330x20 -> L3, panels of 4")])
def test_what_rests_by_hand_is_compiled(panel, said):
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
    like_reference(program)


def test_a_head_that_the_cache_does_not_hold_may_not_rest():
    spec = parse("attention(f32[3,90,20], f32[3,330,20], f32[3,330,20])")
    target = described('name = "tight"\nbase = "portable"' + four(4096, 16384, 20480, 0))
    with pytest.raises(NoProgramError, match="80 lines that one operand may take of L3"):
        gt.schedule(spec, target).tile("h", 1).factor("div").move(0, "L3").move(1, "L3")


def test_the_solver_equals_brute_force_where_inputs_may_rest(monkeypatch):
    text = "attention(f32[1,3,1], f32[1,3,1], f32[1,3,1])"
    monkeypatch.setattr(online, "TILES", (2,))
    monkeypatch.setattr(described_target, "RESTING", 2.5)  # six lines each
    assert moves(begun(text, SMALL_RESTING), SMALL_RESTING)
    assert equals_brute_force(canonical_form(parse(text)), SMALL_RESTING).home == MEMORY


# ---- bytes as words --------------------------------------------------------------------------------------------------

BYTES = described(
    'name = "bytes"\nbase = "avx2"\nregisters = 6\npanel_vectors = [1]\nkernels = ["map", "pack", "multiply_add",'
    ' "madd_u8s8", "madd_s16s8"]\ncache_share = 1.0\n[[levels]]\nname = "L1"\ncapacity = 192\n[[levels]]\nname ='
    ' "memory"'
)


def widened(text: str, target: Target) -> set[tuple[int, str]]:
    """The inputs that may be copied into another dtype than the accumulator's, and into which."""
    family = whole(text, target).family
    moves = [edge.rewrite for edge in edges(family, target) if isinstance(edge.rewrite, Move)]
    own = [o.dtype for o in family.operands]
    return {(m.operand, m.to.dtype) for m in moves if m.to.dtype not in (own[m.operand], family.accumulator)}


@pytest.mark.parametrize(
    "text, base, wanted",
    [
        ("matmul(u8[6,34], s8[34,24])", "avx2", {(0, "s16")}),
        ("matmul(s8[6,34], s8[34,24])", "avx2", {(0, "s16")}),
        ("matmul(s16[6,34], s8[34,24])", "avx2", set()),
        ("matmul(bf16[6,34], bf16[34,24])", "avx2", set()),
        ("matmul(u8[6,34], s8[34,24])", "avx512", set()),
    ],
)
def test_bytes_that_lack_the_lanes_may_be_words_where_a_kernel_takes_them(text, base, wanted):
    assert widened(text, resolve(base)) == wanted


def test_the_solver_equals_brute_force_where_bytes_may_be_words():
    equals_brute_force(canonical_form(parse("matmul(u8[3,4], s8[4,8])")), BYTES)


@pytest.mark.parametrize("text", ["matmul(u8[3,1999], s8[1999,21])", "matmul(s8[3,1999], u8[1999,21])"])
def test_bytes_that_are_widened_once_give_the_same_sums(text):
    """Of numbers drawn, and of all pairs of the least and the largest."""
    spec = parse(text)
    program = gt.synthesize(gt.schedule(spec, target="avx2").move(0, "L1", compact=True, dtype="s16"))
    if missing(program.target.features):
        return
    kernel, rng = program.compile(), np.random.default_rng(0)
    ranges = [limits(t.dtype) for t in spec.inputs]
    drawn = [[(low, high) for low, high in ranges], *itertools.product(*([(x, x) for x in ends] for ends in ranges))]
    for each in drawn:
        arrays = [rng.integers(*ends, t.shape, DTYPES[t.dtype].numpy, True) for t, ends in zip(spec.inputs, each)]
        assert np.array_equal(kernel(*arrays), arrays[0].astype(np.int32) @ arrays[1].astype(np.int32))

"""Turn: an input of a graph whose lanes lie across it is copied into panels once, before the blocks that read it;
nothing begins within a panel."""

import griotte as gt
import numpy as np
import pytest
from brute_force import equals_brute_force
from checked import like_reference
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites import Move, child_state, edges, inputs, online
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.machine import missing
from griotte.machine.target import Target
from griotte.support.errors import NoProgramError
from hypothesis import given
from hypothesis import strategies as st
from machines import described
from rewriting import after_one, filled, keeps_meaning
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


def begun(text: str, target) -> State:
    """The graph of one head."""
    start = problem(canonical_form(parse(text)), target)
    state = State(start.goal, tuple(start.sizes[d] for d in start.goal.operation.dims))
    while state.family.batch:
        state = child_state(edges(state.family, target)[0].children[0], state)
    return state


def turns(state: State, target) -> list[Move]:
    return [
        edge.rewrite
        for edge in edges(state.family, target)
        if isinstance(edge.rewrite, Move) and edge.rewrite.to.layout.panel
    ]


def test_keys_are_turned_into_the_widest_panels_in_the_slowest_near_level():
    (move,) = turns(begun("attention(f32[4,512,64], f32[4,512,64], f32[4,512,64])", TARGET), TARGET)
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
    assert not turns(begun(text, TARGET), TARGET)


def test_once_turned_it_is_not_turned_again():
    state = begun("attention(f32[4,512,64], f32[4,512,64], f32[4,512,64])", TARGET)
    (move,) = turns(state, TARGET)
    after = child_state(move.edge(state.family, TARGET).body, state)
    assert not turns(after, TARGET) and not inputs.turned(after.family, 1, TARGET)


@examples(25)
@given(
    m=st.integers(21, 40), n=st.integers(33, 150), k=st.integers(2, 20), masked=st.booleans(), seed=st.integers(0, 99)
)
def test_turned_keys_mean_the_same(m, n, k, masked, seed):
    target = near("avx2", 128, 1024)
    state = begun(
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
        arrays = [np.random.default_rng(1).standard_normal(t.shape, np.float32) for t in spec.inputs]
        like_reference(program, arrays)


def test_the_solver_equals_brute_force_where_keys_may_be_turned(monkeypatch):
    text = "attention(f32[1,3,2], f32[1,5,2], f32[1,5,1])"
    monkeypatch.setattr(online, "TILES", (4,))
    assert turns(begun(text, SMALL), SMALL)
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
        arrays = [np.random.default_rng(1).standard_normal(t.shape, np.float32) for t in spec.inputs]
        like_reference(program, arrays)

"""Every rewrite keeps the meaning: interpret(before) == interpret(after), at odd sizes, wherever in the space it
applies."""

import numpy as np
import pytest
from checked import agrees
from griotte.engine.program.interpret import execute, interpret
from griotte.engine.program.nodes import Hole
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st
from machines import machine
from rewriting import KINDS, steps, tile_arrays, whole
from strategies import examples, nest_texts, seeds

# what to look for a rewrite of a kind in, and how deep
TEXTS = (
    "matmul(f32[{0},{1}], f32[{1},{2}])",
    "matmul(bf16[{0},{1}], bf16[{1},{2}]) -> f32[{0},{2}]",
    "matmul(bf16[{0},{1}]{{0,1}}, bf16[{1},{2}]) -> bf16[{0},{2}]",
    "matmul(u8[{0},{1}], s8[{1},{2}]{{0,1}}) -> s16[{0},{2}]",
    "matmul(f64[2,{0},{1}], f64[2,{1},{2}])",
    "sum(f32[{0},{1},{2}], axis=(0,2))",
    "max(s8[{0},{1}], axis=1)",
    "min(f16[{0},{1}]{{0,1}}, axis=0)",
    "transpose(f32[{0},{1}])",
    "add(f32[{0},{1}], f32[{1}])",
    "take(f32[{0},{1}], s32[{2}])",
    "conv2d(u8[1,{1},{0},4], s8[{2},{1},2,3], padding=1)",
)
CONSTANTS = (
    "matmul(f32[{0},{1}], const f32[{1},{2}])",
    "matmul(const bf16[{0},{1}], const bf16[{1},{2}]{{0,1}}) -> f32[{0},{2}]",
    "matmul(const u8[{0},{1}], s8[{1},{2}]) -> s16[{0},{2}]{{0,1}}",
    "matmul(f64[2,{0},{1}], const f64[2,{1},{2}])",
)
MATMULS, REDUCTIONS = TEXTS[:5], TEXTS[:8]
WHERE = {
    "ahead": CONSTANTS,
    "batch": TEXTS[4:5],
    "group": TEXTS[1:4],
    "cast": (TEXTS[1], TEXTS[2], TEXTS[7]),
    "wide output": TEXTS[2:4],
    "panel": MATMULS,
    "turned": (TEXTS[2], TEXTS[-1]),
}
MACHINES = ("avx512", "two", "narrow", "wide")


@pytest.mark.parametrize("kind", KINDS)
@examples(80, suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data())
def test_one_step_keeps_the_meaning(kind, data):
    sizes = data.draw(st.tuples(*[st.integers(2, 9)] * 3))
    text = data.draw(
        st.sampled_from(WHERE.get(kind, TEXTS if kind in ("tile", "view", "select", "parallel") else REDUCTIONS))
    ).format(*sizes)
    target = machine(data.draw(st.sampled_from(MACHINES[:1] if kind in ("group", "turned") else MACHINES)))
    rng = np.random.default_rng(data.draw(seeds))
    state, is_goal = whole(text, target), True
    for depth in range(6):
        possible = steps(state, target, goal=is_goal)
        of_kind = [s for s in possible if s.kind == kind]
        if of_kind and (depth == 5 or kind in ("parallel", "share", "batch", "ahead") or rng.random() < 0.4):
            assert_same_meaning(state, of_kind[rng.integers(len(of_kind))], rng, target)
            return
        onward = [child for step in possible if step.kind not in ("parallel", "share") for child in step.states]
        onward = [s for s in onward if s.family.operation.name != "fill"]
        assume(bool(onward))
        state, is_goal = onward[rng.integers(len(onward))], False
    assume(False)


def assert_same_meaning(state: State, step, rng, target) -> None:
    before = tile_arrays(state, rng)
    after = [a.copy() for a in before]
    execute(Hole(state), before)
    execute(step.node(tuple(map(Hole, step.states))), after, target)
    for found, expected in zip(after, before):
        np.testing.assert_array_equal(found, expected, err_msg=f"{step.kind} of {state}")


@examples(300)
@given(nest_texts(9), st.sampled_from(MACHINES), seeds, st.booleans())
def test_any_sequence_of_rewrites_keeps_the_meaning(text, name, seed, hostile):
    """A random partial program, holes and all, against the reference; data is hostile half of the time."""
    spec, target, rng = parse(text), machine(name), np.random.default_rng(seed)

    def grown(state: State, depth: int, is_goal: bool = False):
        possible = steps(state, target, goal=is_goal) if depth else []
        kinds = sorted({s.kind for s in possible})
        if not kinds or state.family.output.level == 0 and rng.random() < 0.5:
            return Hole(state)
        chosen = kinds[rng.integers(len(kinds))]
        of_kind = [s for s in possible if s.kind == chosen]
        step = of_kind[rng.integers(len(of_kind))]
        return step.node(tuple(grown(child, depth - 1, is_goal and step.kind == "ahead") for child in step.states))

    program = grown(whole(text, target), 5, True)
    arrays = random_arrays(spec, rng, hostile)
    agrees(spec, arrays, interpret(program, spec, *arrays, target=target))


def test_two_elements_in_each_others_place_are_caught(monkeypatch):
    def harmed(*arguments, **options):
        result = interpret(*arguments, **options)
        result[[0, -1]] = result[[-1, 0]]
        return result

    check, interpret = test_any_sequence_of_rewrites_keeps_the_meaning.hypothesis.inner_test, globals()["interpret"]
    check("sum(f32[9,7], axis=1)", "avx512", 1, False)
    monkeypatch.setitem(globals(), "interpret", harmed)
    with pytest.raises(AssertionError, match="2 of 9 elements are wrong"):
        check("sum(f32[9,7], axis=1)", "avx512", 1, False)

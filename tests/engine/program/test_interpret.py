"""Programs that the search found, executed by the interpreter, give what their Specs mean: on hostile data, too."""

import warnings

import numpy as np
import pytest
from checked import agrees
from griotte import synthesize
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import execute, interpret, poisoned
from griotte.engine.program.nodes import Hole, Loop, walk
from griotte.engine.search.problem import problem
from griotte.lang.meaning.reference import interpret as reference
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError, SpecError
from hypothesis import given, reject
from hypothesis import strategies as st
from machines import DESCRIPTIONS, machine
from strategies import examples, seeds, spec_texts


def hole(text: str, name: str = "two") -> tuple[Hole, State]:
    start = problem(canonical_form(parse(text)), machine(name))
    state = State(start.goal, tuple(start.sizes.values()))
    return Hole(state), state


@examples(120)
@given(spec_texts(14), st.sampled_from(sorted(DESCRIPTIONS)), seeds, st.integers(1, 3), st.booleans(), st.booleans())
def test_a_program_means_its_spec(text, name, seed, threads, hostile, through_kernels):
    target = machine(name)
    try:
        program = synthesize(text, target, threads=threads)
    except NoProgramError:
        reject()  # too many of these fail the test
    arrays = random_arrays(program.spec, np.random.default_rng(seed), hostile)
    out = interpret(program.root, program.spec, *arrays, target=target if through_kernels else None)
    agrees(program.spec, arrays, out)


@pytest.mark.parametrize(
    "text",
    [
        "matmul(f32[3,4], f32[4,5]{0,1})",
        "sum(s8[4,5,6], axis=(0,2))",
        "transpose(bf16[3,4,5], perm=(1,2,0)) -> bf16[4,5,3]{0,2,1}",
    ],
)
def test_a_hole_is_its_spec(text):
    spec = parse(text)
    arrays = random_arrays(spec, np.random.default_rng(0))
    out = interpret(hole(text)[0], spec, *arrays)
    np.testing.assert_array_equal(out, reference(spec, *arrays))
    assert out.strides == reference(spec, *arrays).strides


def test_arrays_may_have_any_strides():
    spec = parse("sub(f32[4,6], f32[4,6]{0,1})")
    x, y = (np.random.default_rng(1).standard_normal((8, 12)).astype(np.float32)[::2, ::-2] for _ in range(2))
    np.testing.assert_array_equal(interpret(hole(str(spec))[0], spec, x, y), x - y)


def test_what_is_not_written_shows():
    assert np.isnan(poisoned("bf16", (2,)).astype(np.float32)).all()
    _, state = hole("neg(f32[4])")
    unfinished = Loop(state, ("i0",), (2,), (Hole(State(state.family, (1,))), None))
    out = np.zeros(4, np.float32)
    execute(unfinished, [np.ones(4, np.float32), out])
    np.testing.assert_array_equal(out, [-1, 0, -1, 0])


def test_a_tile_outside_its_operand_is_refused():
    _, state = hole("neg(f32[5])")
    whole = Hole(State(state.family, (3,)))
    with pytest.raises(AssertionError, match="outside"):
        execute(Loop(state, ("i0",), (3,), (whole, whole)), [np.ones(5, np.float32), np.zeros(5, np.float32)])


def test_it_checks_its_arrays():
    with pytest.raises(SpecError, match="expected shape"):
        interpret(hole("neg(f32[4])")[0], parse("neg(f32[4])"), np.zeros(5, np.float32))


def test_no_warning_escapes():
    spec = parse("max(f32[3,7], axis=1)")
    program = synthesize(spec, machine("two"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        interpret(program.root, spec, np.full((3, 7), np.nan, np.float32), target=machine("two"))
    assert any(node.state for node in walk(program.root))

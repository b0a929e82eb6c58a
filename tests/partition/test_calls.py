"""Calls of a Spec, in groups that are Specs of their own."""

import griotte as gt
import numpy as np
import pytest
from griotte.partition import CallList

BLOCK = "add(%h: relu(matmul(f32[4,8], const f32[8,8])), exp(sum(%h, axis=1, keepdims=true)))"


def values(calls, arrays):
    """What every tensor is, call by call."""
    counted = []
    found = list(arrays)
    of = lambda t: counted[-1 - t] if t < 0 else found[t]
    for steps, given in ((calls.counted, counted), (calls.steps, found)):
        for step in steps:
            given.append(gt.interpret(step.spec, *map(of, step.reads)))
    return found


@pytest.mark.parametrize(
    "text", (BLOCK, "attention(f32[2,3,4], f32[2,5,4], f32[2,5,4], causal=true)", "argmax(exp(f32[3,4]), axis=1)")
)
def test_every_group_computes_what_its_calls_do(text):
    calls, rng = CallList(gt.parse(text)), np.random.default_rng(0)
    every = values(calls, [rng.standard_normal(t.shape, np.float32) for t in calls.spec.inputs])
    for start in range(len(calls)):
        for end in range(start + 1, len(calls) + 1):
            group = calls.group(tuple(range(start, end)))
            found = gt.interpret(group.spec, *(every[t] for t in group.reads))
            found = found if isinstance(found, tuple) else (found,)
            assert len(found) == len(group.gives)
            for t, array in zip(group.gives, found):
                assert np.array_equal(array, every[t])


def test_what_counts_places_is_no_call():
    """A causal mask compares a column's number with its row's: whoever reads them has them for itself."""
    calls = CallList(gt.parse("attention(f32[2,3,4], f32[2,5,4], f32[2,5,4], causal=true)"))
    words = [step.spec.operation.name for step in calls.steps]
    assert "iota" not in words and [step.spec.operation.name for step in calls.counted] == ["iota", "iota"]
    (masked,) = (s for s, word in enumerate(words) if word == "masked")
    assert calls.reads((masked,)) == (calls.inputs + words.index("scores"),)
    assert len(calls.group((masked,)).spec.graph.calls) == 3
    assert calls.results == (calls.inputs + len(calls) - 1,)


def test_what_is_computed_of_one_constant_is_known():
    calls = CallList(gt.parse("add(matmul(f32[4,8], exp(const f32[8,8])), add(const f32[8], const f32[8]))"))
    words = [step.spec.operation.name for step in calls.steps]
    known = dict(zip(words, calls.constants[calls.inputs :]))
    assert known["exp"] == 1 and known["matmul"] is None and calls.constants[:4] == (None, 1, 2, 3)
    assert calls.constants[calls.inputs + 2] is None  # of two constants
    group = calls.group((0,))
    assert not group.spec.inputs[0].constant  # it runs ahead of the call: nothing is packed before that
    assert calls.group((1,)).spec.inputs[1].constant


def test_a_result_is_never_known_ahead():
    calls = CallList(gt.parse("outputs(exp(const f32[8]), neg(f32[8]))"))
    assert calls.constants[calls.inputs :] == (None, None)


def test_a_long_chain_is_one_group():
    x = gt.sum(gt.tensor((2, 300)), axis=0)
    for _ in range(300):
        x = gt.sum(gt.mul(gt.tensor((2, 1)), x), axis=0)
    calls = CallList(x)
    every = tuple(range(len(calls)))
    assert len(calls) > 300 and calls.group(every).spec == x and calls.gives(every) == calls.results

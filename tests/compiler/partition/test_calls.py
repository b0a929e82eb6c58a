"""Calls of a Spec, in groups that are Specs of their own."""

import pickle

import griotte as gt
import numpy as np
import pytest
from griotte.compiler.partition import placed_calls
from griotte.compiler.partition.calls import group

BLOCK = "add(%h: relu(matmul(f32[4,8], const f32[8,8])), exp(sum(%h, axis=1, keepdims=true)))"


def values(spec, arrays):
    """What every tensor is, call by call."""
    found = {value.key: array for value, array in zip(spec.graph.inputs, arrays)}
    for value in spec.graph.calls:
        found[value] = gt.interpret(value.spec, *(found[read.key] for read in value.reads))
    return [found[value.key] for value in placed_calls(spec).tensors]


@pytest.mark.parametrize(
    "text", (BLOCK, "attention(f32[2,3,4], f32[2,5,4], f32[2,5,4], causal=true)", "argmax(exp(f32[3,4]), axis=1)")
)
def test_every_group_computes_what_its_calls_do(text):
    spec, rng = gt.parse(text), np.random.default_rng(0)
    calls = placed_calls(spec)
    every = values(spec, [rng.standard_normal(t.shape, np.float32) for t in spec.inputs])
    for start in range(len(calls)):
        for end in range(start + 1, len(calls) + 1):
            steps = tuple(range(start, end))
            found = gt.interpret(group(spec, calls, steps), *(every[t] for t in calls.read_by(steps)))
            found = found if isinstance(found, tuple) else (found,)
            assert len(found) == len(calls.given_by(steps))
            for t, array in zip(calls.given_by(steps), found):
                assert np.array_equal(array, every[t])


def test_what_counts_places_is_no_call():
    """A causal mask compares a column's number with its row's: whoever reads them has them for itself."""
    spec = gt.parse("attention(f32[2,3,4], f32[2,5,4], f32[2,5,4], causal=true)")
    calls = placed_calls(spec)
    words = [value.spec.name for value in calls.calls]
    left = [value.spec.name for value in spec.graph.calls if value not in calls.calls]
    assert "iota" not in words and left == ["iota", "iota"]
    (masked,) = (s for s, word in enumerate(words) if word == "masked")
    assert calls.read_by((masked,)) == (len(calls.inputs) + words.index("scores"),)
    assert len(group(spec, calls, (masked,)).graph.calls) == 3
    assert calls.results == (len(calls.inputs) + len(calls) - 1,)
    again = pickle.loads(pickle.dumps(calls))
    assert again == calls and again.reads == calls.reads and again.results == calls.results


def test_what_is_computed_of_one_constant_is_known():
    spec = gt.parse("add(matmul(f32[4,8], exp(const f32[8,8])), add(const f32[8], const f32[8]))")
    calls = placed_calls(spec)
    words, inputs = [value.spec.name for value in calls.calls], len(calls.inputs)
    known = dict(zip(words, calls.constants[inputs:]))
    assert known["exp"] == 1 and known["matmul"] is None and calls.constants[:4] == (None, 1, 2, 3)
    assert calls.constants[inputs + 2] is None  # of two constants
    # it runs ahead of the call: nothing is packed before that
    assert not group(spec, calls, (0,)).inputs[0].constant and group(spec, calls, (1,)).inputs[1].constant


def test_a_result_is_never_known_ahead():
    calls = placed_calls(gt.parse("outputs(exp(const f32[8]), neg(f32[8]))"))
    assert calls.constants[len(calls.inputs) :] == (None, None)


def test_a_long_chain_is_one_group():
    x = gt.sum(gt.tensor((2, 300)), axis=0)
    for _ in range(300):
        x = gt.sum(gt.mul(gt.tensor((2, 1)), x), axis=0)
    calls = placed_calls(x)
    every = tuple(range(len(calls)))
    assert len(calls) > 300 and group(x, calls, every) == x and calls.given_by(every) == calls.results

"""Calls of a Spec, in groups that are Specs of their own."""

import pickle

import griotte as gt
import numpy as np
import pytest
from drawn.networks import random_network
from griotte.compiler.partition import placed_calls
from griotte.compiler.partition.calls import cut_calls, flat_copy, group, is_view
from griotte.engine.cutting import atoms_of, cut_atoms

BLOCK = "add(%h: relu(matmul(f32[4,8], const f32[8,8])), exp(sum(%h, axis=1, keepdims=true)))"


def values(spec, arrays):
    """What every tensor is, call by call."""
    found = {value.key: array for value, array in zip(spec.graph.inputs, arrays)}
    for value in spec.graph.calls:
        found[value] = gt.interpret(value.spec, *(found[read.key] for read in value.values))
    return [found[value.key] for value in placed_calls(spec).values]


@pytest.mark.parametrize(
    "text", (BLOCK, "attention(f32[2,3,4], f32[2,5,4], f32[2,5,4], causal=true)", "argmax(exp(f32[3,4]), axis=1)")
)
def test_every_group_computes_what_its_calls_do(text):
    spec, rng = gt.parse(text), np.random.default_rng(0)
    calls = placed_calls(spec)
    every = values(spec, [rng.standard_normal(t.shape, np.float32) for t in spec.inputs])
    count = len(calls.calls)
    for start in range(count):
        for end in range(start + 1, count + 1):
            steps, own = tuple(range(start, end)), calls.calls[start:end]
            reads, gives = calls.numbers(calls.read_by(own)), calls.numbers(calls.given_by(own))
            found = gt.interpret(group(spec, calls, steps), *(every[t] for t in reads))
            found = found if isinstance(found, tuple) else (found,)
            assert len(found) == len(gives)
            for t, array in zip(gives, found):
                assert np.array_equal(array, every[t])


def test_what_counts_places_is_no_call():
    """A causal mask compares a column's number with its row's: whoever reads them has them for itself."""
    spec = gt.parse("attention(f32[2,3,4], f32[2,5,4], f32[2,5,4], causal=true)")
    calls = placed_calls(spec)
    words = [value.spec.name for value in calls.calls]
    left = [value.spec.name for value in spec.graph.calls if value not in calls.calls]
    assert "iota" not in words and left == ["iota", "iota"]
    (masked,) = (s for s, word in enumerate(words) if word == "masked")
    assert calls.read_by([calls.calls[masked]]) == (calls.calls[words.index("scores")],)
    assert len(group(spec, calls, (masked,)).graph.calls) == 3
    assert calls.gives == calls.calls[-1:]
    again = pickle.loads(pickle.dumps(calls))
    assert again == calls and again.gives == again.calls[-1:]
    assert [again.numbers(v.values) for v in again.calls] == [calls.numbers(v.values) for v in calls.calls]


def test_what_is_computed_of_one_constant_is_known():
    spec = gt.parse("add(matmul(f32[4,8], exp(const f32[8,8])), add(const f32[8], const f32[8]))")
    calls = placed_calls(spec)
    words, inputs = [value.spec.name for value in calls.calls], len(calls.inputs)
    known = dict(zip(words, calls.known[inputs:]))
    assert known["exp"] == 1 and known["matmul"] is None and calls.known[:4] == (None, 1, 2, 3)
    assert calls.known[inputs + 2] is None  # of two constants
    # it runs ahead of the call: nothing is packed before that
    assert not group(spec, calls, (0,)).inputs[0].constant and group(spec, calls, (1,)).inputs[1].constant


def test_a_result_is_never_known_ahead():
    calls = placed_calls(gt.parse("outputs(exp(const f32[8]), neg(f32[8]))"))
    assert calls.known[len(calls.inputs) :] == (None, None)


def test_a_long_chain_is_one_group():
    x = gt.sum(gt.tensor((2, 300)), axis=0)
    for _ in range(300):
        x = gt.sum(gt.mul(gt.tensor((2, 1)), x), axis=0)
    calls = placed_calls(x)
    every = tuple(range(len(calls.calls)))
    assert len(every) > 300 and group(x, calls, every) == x and calls.given_by(calls.calls) == calls.gives


def words(text):
    calls = placed_calls(gt.parse(text))
    return [" ".join(calls.calls[s].spec.name for s in atom) for atom in atoms_of(cut_calls(calls), with_maps=True)]


def test_maps_are_of_what_they_read():
    assert words("relu(add(matmul(f32[3,4], f32[4,5]), sum(f32[3,6], axis=1, keepdims=true)))") == [
        "sum",
        "matmul add relu",
    ]
    assert words("softmax(matmul(f32[3,4], f32[4,5]), axis=1)") == ["matmul", "max map", "sum map mul"]


def test_maps_of_inputs_are_of_what_alone_reads_them():
    assert words("matmul(relu(exp(f32[3,4])), f32[4,5])") == ["map matmul"]
    assert words("outputs(%a: relu(f32[3,4]), matmul(%a, f32[4,5]))") == ["relu", "matmul"]
    assert words("add(matmul(%a: relu(f32[3,4]), f32[4,5]), sum(%a, axis=1, keepdims=true))") == [
        "relu",
        "sum",
        "matmul add",
    ]


def test_what_is_picked_is_joined_to_nothing_before_it():
    assert words("take(sum(f32[3,4,5], axis=2), s32[2])") == ["sum", "take"]


def test_views_and_what_is_known_are_atoms_by_themselves():
    text = "matmul(reshape(relu(sum(f32[6,4,3], axis=2))) -> f32[8,3], exp(neg(sum(const f32[3,5,2], axis=2))))"
    calls = placed_calls(gt.parse(text))
    found = cut_calls(calls)
    atoms = atoms_of(found, with_maps=True)
    cut = dict(zip(words(text), cut_atoms(found, atoms)))
    assert set(cut) == {"sum", "sum relu", "copy", "neg", "exp", "matmul"}
    assert cut["copy"].is_view and cut["copy"].is_alone and not cut["exp"].is_view and cut["exp"].is_alone
    assert cut["matmul"].contractions == 1 and cut["sum relu"].nests == 2 and not cut["sum relu"].is_alone


@pytest.mark.parametrize("seed", range(12))
def test_atoms_are_all_calls_in_an_order(seed):
    calls = placed_calls(gt.parse(random_network(np.random.default_rng(seed), 5)))
    found = cut_calls(calls)
    atoms = atoms_of(found, with_maps=True)
    assert sorted(s for atom in atoms for s in atom) == list(range(len(calls.calls)))
    there = {*calls.inputs}
    for atom, cut in zip(atoms, cut_atoms(found, atoms)):
        own = [calls.calls[s] for s in atom]
        assert {*calls.read_by(own)} <= there and list(cut.gives) == own
        there.update(own)


def one(text):
    """The call that a text comes down to, with its types."""
    spec = gt.parse(text)
    return spec.graph.calls[-1].spec


@pytest.mark.parametrize(
    "text",
    (
        "reshape(f32[4,6]) -> f32[8,3]",
        "reshape(f32[4,6]) -> f32[24]",
        "reshape(f32[24]) -> f32[2,3,4]",
        "copy(f32[4,6])",
        "transpose(f32[1,6], perm=(1,0))",
        "transpose(f32[4,6]{0,1}, perm=(1,0))",
        "copy(f32[1,6]{0,1}) -> f32[1,6]",
    ),
)
def test_it_is_a_view(text):
    assert is_view(one(text))


@pytest.mark.parametrize(
    "text",
    (
        "transpose(f32[4,6], perm=(1,0))",
        "copy(f32[4,6]) -> f32[4,6]{0,1}",
        "cast(f32[4,6]) -> bf16[4,6]",
        "neg(f32[4,6])",
        "reshape(f32[4,6]{0,1}) -> f32[24]",
        "broadcast(f32[6]) -> f32[4,6]",
        "slice(f32[4,6], starts=(0,0), limits=(4,5))",
        "sum(f32[4,1], axis=1)",
        "take(f32[4,6], s32[4])",
        "reshape(f32[<=4,6]) -> f32[<=4,2,3]",
    ),
)
def test_it_is_none(text):
    assert not is_view(one(text))


def test_a_view_that_is_a_result_is_a_copy_of_one_run():
    assert str(flat_copy(one("reshape(f32[4,6]) -> f32[8,3]"))) == "copy(f32[24]) -> f32[24]"

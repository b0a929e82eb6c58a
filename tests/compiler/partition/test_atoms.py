"""The calls of a Spec as atoms."""

import griotte as gt
import numpy as np
import pytest
from drawn.networks import random_network
from griotte.compiler.partition import placed_calls
from griotte.compiler.partition.atoms import cut_calls
from griotte.engine.cutting import atoms_of, cut_atoms


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
    assert sorted(s for atom in atoms for s in atom) == list(range(len(calls)))
    there, inputs = set(range(len(calls.inputs))), len(calls.inputs)
    for atom, cut in zip(atoms, cut_atoms(found, atoms)):
        assert {*calls.read_by(atom)} <= there and [*map(calls.calls.index, cut.gives)] == list(atom)
        there.update(inputs + s for s in atom)

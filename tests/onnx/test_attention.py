"""Attention, angles and what is kept of the past, as ONNX has them, beside its reference."""

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from onnx.reference import ReferenceEvaluator
from onnx_models import model, node, typed

RNG = np.random.default_rng(19)
F32 = np.float32


def drawn(*shape):
    return RNG.standard_normal(shape).astype(F32)


def agree(made, opset, **arrays):
    """What the node gives, by the reference of what was read; and its calls."""
    proto = model([made], [typed(n, a.shape, a.dtype) for n, a in arrays.items()], [*filter(None, made.output)], opset)
    graph = gt.from_onnx(proto)
    assert graph.unsupported() == []
    found, wanted = interpret(graph, *arrays.values()), ReferenceEvaluator(proto).run(None, arrays)
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
    return [value.call for value in graph.calls]


MASKS = {
    "none": None,
    "of floats": np.where(RNG.random((5, 7)) < 0.5, 0.3, -1).astype(F32),
    "that hides": RNG.random((2, 1, 5, 7)) < 0.5,
    "that hides all of a row": np.arange(5)[:, None] + np.zeros((5, 7)) != 2,
}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("causal", [0, 1])
def test_attention(mask, causal):
    arrays = {"q": drawn(2, 4, 5, 8), "k": drawn(2, 2, 7, 8), "v": drawn(2, 2, 7, 6)}
    arrays |= {} if MASKS[mask] is None else {"m": MASKS[mask]}
    made = node("Attention", " ".join(arrays), is_causal=causal, scale=0.3)
    assert set(agree(made, 24, **arrays)) <= {"attention", "logical_and", "where"}


def test_attention_with_a_past():
    arrays = {
        "q": drawn(1, 3, 32),
        "k": drawn(1, 3, 16),
        "v": drawn(1, 3, 16),
        "pk": drawn(1, 2, 4, 8),
        "pv": drawn(1, 2, 4, 8),
    }
    made = node("Attention", "q k v  pk pv", "y nk nv", q_num_heads=4, kv_num_heads=2, is_causal=1)
    calls = agree(made, 23, **arrays)
    assert calls.count("attention") == 1 and "softmax" not in calls


@pytest.mark.parametrize("interleaved", [0, 1])
def test_angles(interleaved):
    tables = {"c": drawn(9, 4), "s": drawn(9, 4)}
    made = node("RotaryEmbedding", "x c s p", interleaved=interleaved)
    agree(made, 23, x=drawn(2, 3, 5, 8), **tables, p=np.array([[0, 1, 2, 3, 4], [4, 7, 2, 0, 8]]))
    one = agree(made, 23, x=drawn(1, 3, 5, 8), **tables, p=np.array([[0, 3, 2, 1, 4]]))
    assert one.count("rope") == 1
    rows = node("RotaryEmbedding", "x c s", interleaved=interleaved, num_heads=3, rotary_embedding_dim=4)
    agree(rows, 23, x=drawn(2, 5, 24), c=drawn(2, 5, 2), s=drawn(2, 5, 2))


@pytest.mark.parametrize("mode", ["linear", "circular"])
@pytest.mark.parametrize("axis", [1, -2])
def test_rows_that_are_kept(mode, axis):
    new = [2, 3, 9, 4]
    new[axis] = 2
    arrays = {"p": drawn(2, 3, 9, 4), "u": drawn(*new)}
    agree(node("TensorScatter", "p u", mode=mode, axis=axis), 24, **arrays)
    starts = np.array([1, 0] if mode == "linear" else [1, arrays["p"].shape[axis] - 1])
    agree(node("TensorScatter", "p u i", mode=mode, axis=axis), 24, **arrays, i=starts)

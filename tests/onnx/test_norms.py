"""Norms with what is added before them, beside onnxruntime."""

import griotte as gt
import numpy as np
import pytest
from onnx_models import alone, beside, microsoft, node

RNG = np.random.default_rng(13)
F32 = np.float32


def drawn(*shape):
    return RNG.standard_normal(shape).astype(F32)


GAINS = {"g": drawn(7), "s": drawn(7), "b": drawn(7)}


@pytest.mark.parametrize("skip", [(2, 5, 7), (1, 5, 7), (5, 7)])
def test_a_layer_norm_of_a_sum(skip):
    arrays = {"x": drawn(2, 5, 7), "z": drawn(*skip)}
    beside(microsoft("SkipLayerNormalization", "x z g s b", "y   t", epsilon=1e-5), arrays, GAINS)
    beside(microsoft("SkipLayerNormalization", "x z g"), arrays, GAINS)


def test_an_rms_norm_of_a_sum():
    arrays = {"x": drawn(2, 5, 7), "z": drawn(2, 5, 7)}
    beside(microsoft("SkipSimplifiedLayerNormalization", "x z g b", "y   t", epsilon=1e-5), arrays, GAINS)
    beside(microsoft("SkipSimplifiedLayerNormalization", "x z g"), arrays, GAINS)


def test_norms_before_their_operator_set():
    """onnxruntime's optimiser writes them into models of older ones."""
    for opset in (11, 17):
        beside(node("LayerNormalization", "x g s", epsilon=1e-3), {"x": drawn(2, 5, 7)}, GAINS, opset)
        beside(node("SimplifiedLayerNormalization", "x g", epsilon=1e-3), {"x": drawn(2, 5, 7)}, GAINS, opset)


def test_what_is_for_training_is_refused():
    made = microsoft("SkipLayerNormalization", "x z g", "y m")
    (refused,) = gt.from_onnx(alone(made, {name: drawn(2, 5, 7) for name in "xz"}, GAINS)).unsupported()
    assert "mean" in refused.why


@pytest.mark.parametrize("reads", ["i k w p q g s m", "i  w p  g s", "i k w p q g s  n"])
def test_rows_of_three_tables(reads):
    known = {"w": drawn(11, 7), "p": drawn(9, 7), "q": drawn(2, 7)} | GAINS
    numbers = lambda most, *shape: RNG.integers(0, most, shape).astype(np.int32)
    mask = (np.arange(5) < np.array([[3], [5], [1]])).astype(np.int32)
    given = {"i": numbers(11, 3, 5), "k": numbers(2, 3, 5), "m": mask, "n": numbers(9, 3, 5)}
    arrays = {name: array for name, array in given.items() if name in reads.split()}
    beside(microsoft("EmbedLayerNormalization", reads, "y c t", epsilon=1e-5), arrays, known)


def test_rows_of_three_tables_of_integers():
    whole = lambda *shape: RNG.integers(0, 256, shape).astype(np.uint8)
    names = {"w": (11, 7), "p": (9, 7), "q": (2, 7), "g": (7,), "b": (7,)}
    known = {name: whole(*shape) for name, shape in names.items()}
    known |= {f"{name}s": F32(0.01 * (n + 1)) for n, name in enumerate(names)}
    known |= {f"{name}z": np.uint8(100 + n) for n, name in enumerate(names)}
    numbers = lambda most: RNG.integers(0, most, (3, 5)).astype(np.int32)
    arrays = {"i": numbers(11), "k": numbers(2), "m": (np.arange(5) < np.array([[3], [5], [1]])).astype(np.int32)}
    reads = " ".join(["i k w p q g b m", *(f"{n}s" for n in names), *(f"{n}z" for n in names)])
    beside(microsoft("QEmbedLayerNormalization", reads, "y c", epsilon=1e-5), arrays, known)

"""What is large, cancels or is no number stays what a file says, from the file to the kernel."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from griotte.support.floats import WORDS
from onnx_models import by_onnxruntime, model, node, typed

RNG = np.random.default_rng(0)
ROWS, IMAGE = RNG.standard_normal((4, 8)), RNG.standard_normal((1, 8, 6, 6))
WEIGHTS, FILTERS, PLACES = (RNG.standard_normal(s) for s in ((8, 5), (4, 8, 3, 3), (4, 8, 1, 1)))
SIZES = np.array([1e-30, 1, -2.5, 1e30, -3e38, 3, 7.7, 1e-38])
ENDS = np.array([-np.inf, -0.0, 0, -1, 4, np.inf, np.nan, 2])
HIDDEN = np.where(np.tri(4, 5, -1) > 0, 0, -np.inf)
FAR = 5e6

CHAINS: dict[str, tuple[np.ndarray, list[tuple]]] = {
    "a scaler": (ROWS + FAR, [("Sub", FAR), ("MatMul", WEIGHTS)]),
    "a scaler of columns": (ROWS + FAR, [("Sub", np.full(8, FAR)), ("Div", np.full(8, 3.0)), ("MatMul", WEIGHTS)]),
    "a scaler, turned weights": (ROWS + FAR, [("Sub", FAR), ("Gemm", WEIGHTS.T, {"transB": 1})]),
    "a line": (ROWS + FAR, [("Mul", 0.5), ("Add", -FAR / 2), ("MatMul", WEIGHTS)]),
    "a shifted image": (IMAGE + FAR, [("Sub", FAR), ("Conv", FILTERS)]),
    "a shifted image, place by place": (IMAGE + FAR, [("Sub", FAR), ("Conv", PLACES)]),
    "a filter times inf": (IMAGE, [("Conv", FILTERS * (FILTERS > 0)), ("Mul", np.inf)]),
    "a product over 0": (ROWS, [("MatMul", WEIGHTS * (WEIGHTS > 0)), ("Div", np.array([1, 0, 1, 1, 2.0]))]),
    "a root": (ENDS, [("Pow", 0.5)]),
    "a root's inverse": (ENDS, [("Pow", -0.5)]),
    "two factors that grow": (SIZES, [("Mul", 1e25), ("Mul", 1e25)]),
    "two factors that shrink": (SIZES, [("Mul", 1e-30), ("Mul", 1e-30)]),
    "two terms": (SIZES, [("Add", 3e38), ("Add", 3e38)]),
    "a term and back": (SIZES, [("Add", 1e30), ("Sub", 1e30)]),
    "a round by a term": (SIZES, [("Add", 12582912.0), ("Sub", 12582912.0)]),
    "back and forth": (SIZES, [("Sub", 1e8), ("Add", 1e8)]),
    "a third three times": (SIZES, [("Div", 3.0), ("Mul", 3.0)]),
    "hidden rows": (
        RNG.standard_normal((2, 4, 8)),
        [
            ("MatMul", RNG.standard_normal((2, 8, 5))),
            ("Add", HIDDEN),
            ("Softmax", None, {"axis": -1}),
            ("MatMul", RNG.standard_normal((2, 5, 3))),
        ],
    ),
    "what a pad adds": (
        IMAGE,
        [
            ("Pad", np.array([0, 0, 1, 1, 0, 0, 1, 1])),
            ("AveragePool", None, {"kernel_shape": [3, 3], "count_include_pad": 0}),
        ],
    ),
}


def together(names):
    """A model in which each chain has an input and an output of its own, and what comes in."""
    nodes, inputs, outputs, known, arrays = [], [], [], {}, []
    for n, name in enumerate(names):
        x, steps = CHAINS[name]
        inputs.append(typed(f"x{n}", x.shape))
        arrays.append(x.astype(np.float32))
        before = f"x{n}"
        for k, (operator, number, *rest) in enumerate(steps):
            reads = before
            if number is not None:
                number = np.asarray(number)
                known[f"c{n}_{k}"] = number if number.dtype.kind == "i" else number.astype(np.float32)
                reads = f"{before} c{n}_{k}"
            before = f"y{n}_{k}"
            nodes.append(node(operator, reads, before, **(rest[0] if rest else {})))
        outputs.append(before)
    return model(nodes, inputs, outputs, opset=18, **known), arrays


def require_near(found, exact, names):
    for name, one, other in zip(names, found, exact, strict=True):
        most = np.max(np.abs(other), where=np.isfinite(other), initial=0)
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-6 * most, err_msg=name)


@pytest.mark.parametrize("word", WORDS)
def test_models_of_large_numbers_are_simplified_to_what_they_say(word):
    proto, arrays = together(CHAINS)
    with np.errstate(all="ignore"):
        found = interpret(simplify(gt.from_onnx(proto), math=word), *arrays)
    require_near(found, by_onnxruntime(proto, *arrays), CHAINS)


SHORT = ("a scaler", *(name for name, (x, _) in CHAINS.items() if x is SIZES or x is ENDS))


@pytest.mark.parametrize(
    ("names", "word"),
    [(SHORT, WORDS[0]), *(pytest.param(tuple(CHAINS), word, marks=pytest.mark.long) for word in WORDS)],
    ids=["some", *WORDS],
)
def test_kernels_of_large_numbers_give_what_they_say(names, word):
    proto, arrays = together(names)
    kernel = gt.compile(gt.from_onnx(proto), math=word, table="none")
    require_near(kernel(*arrays), by_onnxruntime(proto, *arrays), names)

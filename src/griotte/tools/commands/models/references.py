"""What else computes a model: griotte's own reference in NumPy, onnx's, and onnxruntime. Those of others are there for
ONNX files, where they are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from ....lang.types.dtypes import dtype
from ....models.reference import interpret
from .reading import ModelFile

Tensors = list[np.ndarray]
Reference = Callable[[ModelFile, Tensors], Tensors]


def own(file: ModelFile, arrays: Tensors) -> Tensors:
    """By griotte's reference, call by call."""
    with np.errstate(all="ignore"):
        return list(interpret(file.graph, *arrays))


def onnx(file: ModelFile, arrays: Tensors) -> Tensors:
    """By onnx's reference implementation."""
    from onnx.reference import ReferenceEvaluator

    with np.errstate(all="ignore"):
        return ReferenceEvaluator(str(file.path)).run([name for name, _ in file.graph.results], fed(file, arrays))


def onnxruntime(file: ModelFile, arrays: Tensors, optimised: bool = True) -> Tensors:
    """By onnxruntime."""
    import onnxruntime as library

    options = library.SessionOptions()
    options.log_severity_level = 4
    if not optimised:
        options.graph_optimization_level = library.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = library.InferenceSession(str(file.path), options, providers=["CPUExecutionProvider"])
    return session.run([name for name, _ in file.graph.results], fed(file, arrays))


REFERENCES: dict[str, Reference] = {"griotte": own, "onnx": onnx, "onnxruntime": onnxruntime}


def fed(file: ModelFile, arrays: Tensors) -> dict[str, Any]:
    """All inputs by name, those that are known among them."""
    given = {value.name: np.ascontiguousarray(array) for value, array in zip(file.graph.inputs, arrays)}
    return dict(file.constants) | given


def available(file: ModelFile) -> list[str]:
    """The references that there are for a model."""
    own = [] if file.graph.refused else ["griotte"]
    others = [name for name in ("onnx", "onnxruntime") if importlib.util.find_spec(name)]
    return own + (others if file.path is not None else [])


# ---- how far results are apart ---------------------------------------------------------------------------------------

EXACT, SHORT, STEPS = 1e-4, 2e-2, 5e-2


def rounding(file: ModelFile, arrays: Tensors) -> float:
    """How far rounding alone takes results of these arrays: those of inputs whose floats are off by a rounding in f32,
    and, where it is there, those of onnxruntime with and without its optimisations."""
    found, names = 0.0, available(file)
    if "griotte" in names:
        rng = np.random.default_rng(0)
        off = lambda x: (x * (1 + 2.0**-23 * rng.choice([-1, 1], x.shape))).astype(x.dtype)
        nudged = [off(x) if x.dtype.kind == "f" else x for x in arrays]
        found = max(map(apart, own(file, nudged), own(file, arrays)))
    if "onnxruntime" in names:
        with suppress(Exception):  # of onnxruntime: it lacks an operator
            found = max(found, *map(apart, onnxruntime(file, arrays, False), onnxruntime(file, arrays)))
    return found if np.isfinite(found) else 0.0


def tolerance(file: ModelFile) -> float:
    """By how much of its largest magnitude a result may be off: 1e-4; 2e-2 where 16-bit floats are in the model; 5e-2
    where numbers of 8 bits and fewer are, of which one may be rounded to the next."""
    dtypes = {value.type.dtype for value in file.graph.values}
    if any(dtype(name).bits <= 8 and name != "pred" for name in dtypes):
        return STEPS
    return SHORT if dtypes & {"bf16", "f16"} else EXACT


def beyond(found: Any, expected: Any, bound: np.ndarray) -> tuple[float, tuple[int, ...]]:
    """The largest difference as a share of what its element may differ by, and which element that is: of floats, where
    both are finite. `apart` judges the rest."""
    found, expected = np.asarray(found), np.asarray(expected)
    if expected.dtype.kind in "iub" or not expected.size or found.shape != expected.shape:
        return 0.0, ()
    one, other = found.astype(np.float64), expected.astype(np.float64)
    with np.errstate(all="ignore"):
        off = np.abs(one - other)
        share = np.where(np.isfinite(off) & (off > 0), off / bound, 0.0)
    where = np.unravel_index(int(np.argmax(share)), share.shape)
    return float(share[where]), tuple(map(int, where))


def apart(found: Any, expected: Any) -> float:
    """The largest difference, by the largest magnitude that is expected; infinite where what is not finite, or the
    shape, is another. Of whole numbers over 8 bits: the share that differs."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        return float("inf")
    if expected.dtype.kind in "iub" and expected.dtype.itemsize > 1 or expected.dtype.kind == "b":
        return float(np.mean(found != expected)) if expected.size else 0.0
    one, other = found.astype(np.float64), expected.astype(np.float64)
    if not np.array_equal(np.isfinite(one), np.isfinite(other)):
        return float("inf")
    finite = np.isfinite(other)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
        return float("inf")
    if not finite.any():
        return 0.0
    return float(np.max(np.abs(one - other)[finite]) / max(float(np.max(np.abs(other[finite]))), 1e-30))

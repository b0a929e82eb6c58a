"""What else computes a model, and how far a kernel's results are from that: griotte's own reference in NumPy, onnx's
and onnxruntime. Those of others are there for ONNX files, where they are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype
from ...models.reference import error_bounds, interpret
from ...support.printable import printable
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


# else its products of u8 by s8 saturate at 16 bits on CPUs that have no instruction for them
# (https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html)
_EXACT = "session.x64quantprecision"


def onnxruntime(file: ModelFile, arrays: Tensors, optimised: bool = True) -> Tensors:
    """By onnxruntime; where it can, with products of integers that are exact on every CPU."""
    import onnxruntime as library

    def opened(exact: bool) -> Any:
        options = library.SessionOptions()
        options.log_severity_level = 4
        options.add_session_config_entry(_EXACT, str(int(exact)))
        if not optimised:
            options.graph_optimization_level = library.GraphOptimizationLevel.ORT_DISABLE_ALL
        return library.InferenceSession(str(file.path), options, providers=["CPUExecutionProvider"])

    try:
        session = opened(True)
    except library.capi.onnxruntime_pybind11_state.NotImplemented:  # of s8 by s8, which do not saturate
        session = opened(False)
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
SPREAD = 4  # times as far as rounding alone takes results


def rounding(file: ModelFile, arrays: Tensors) -> float:
    """How far rounding alone takes results of these arrays: those of inputs whose floats are off by a rounding in f32.
    Where onnxruntime is there, also its results with and without its optimisations."""
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
    """By how much of its largest magnitude a result may be off: 1e-4; 2e-2 where 16-bit floats are in the model. 5e-2
    where numbers of 8 bits and fewer are, as one of these may be rounded to the next."""
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
    """The largest difference, by the largest magnitude that is expected; infinite where a value that is not finite, or
    the shape, differs. Of whole numbers over 8 bits: the share that differs."""
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


class Verdict:
    """How far a kernel is from each reference, and what of that is wrong."""

    def __init__(self, file: ModelFile, names: list[str], within: float):
        self.file, self.names, self.within = file, names, within
        self.errors: dict[str, float] = {}
        self.missing: dict[str, str] = {}
        self.wrong: list[str] = []
        self.share = 0.0

    def compare(self, data: str, arrays: list[np.ndarray], results: tuple[np.ndarray, ...]) -> None:
        """Results on some data, with what references give of the same."""
        given = self._given(arrays)
        if any(not error <= self.within for error in self._errors(given, results).values()):
            self.within = max(self.within, SPREAD * rounding(self.file, arrays))
        given = self._agreeing(given)
        bounds = self._bounds(arrays)
        for name, error in self._errors(given, results).items():
            self.errors[name] = max(self.errors.get(name, 0.0), error)
            if not error <= self.within:
                output = self._apart(results, given[name])[1]
                self.wrong.append(
                    f"{data}: expected {output} within {self.within:.2g} of {name}'s, found it {error:.2g} apart"
                )
            elif bounds:
                self._by_elements(data, name, results, given[name], bounds)

    def _bounds(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """By how much each element may differ. None of a model that the reference does not run, nor of one with numbers
        of few bits, as one of these may be rounded to the next."""
        if self.file.graph.refused or tolerance(self.file) == STEPS:
            return []
        return error_bounds(self.file.graph, arrays)

    def _by_elements(self, data: str, name: str, results: Any, expected: Any, bounds: list[np.ndarray]) -> None:
        """Each element within its own bound of a reference, and of one that errs itself within two."""
        for found, other, bound, output in zip(results, expected, bounds, self.file.graph.names):
            share, where = beyond(found, other, bound * (1 if name == "griotte" else 2))
            self.share = max(self.share, share)
            if share > 1:
                at = "".join(f"[{i}]" for i in where)
                difference = abs(float(np.asarray(found)[where]) - float(np.asarray(other)[where]))
                self.wrong.append(
                    f"{data}: expected {printable(output)}{at} within {difference / share:.2g} of {name}'s, by what its"
                    f" calls add up, found it {difference:.2g} apart"
                )

    def _errors(self, given: dict[str, Any], results: Any) -> dict[str, float]:
        return {name: self._apart(results, expected)[0] for name, expected in given.items()}

    def _agreeing(self, given: dict[str, Any]) -> dict[str, Any]:
        """The references, without one that differs from all others while some of those agree."""
        differ = lambda name, other: self._apart(given[name], given[other])[0] > self.within
        alone = [name for name in given if all(differ(name, other) for other in given if other != name)]
        if len(given) < 3 or len(alone) > len(given) - 2:
            return given
        for name in alone:
            self.missing[name] = "its results are not those of any other reference"
            self.errors.pop(name, None)
        return {name: found for name, found in given.items() if name not in alone}

    def _given(self, arrays: list[np.ndarray]) -> dict[str, Any]:
        """What each reference gives."""
        found = {}
        for name in self.names:
            if name not in self.missing:
                try:
                    found[name] = REFERENCES[name](self.file, arrays)
                except Exception as error:  # of another library: it has no such operator, or dtype
                    told = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                    self.missing[name] = printable(told)
                    self.errors.pop(name, None)
        return found

    def _apart(self, results: Any, expected: Any) -> tuple[float, str]:
        """How far outputs are apart at most, and which is that."""
        each = zip(results, expected, self.file.graph.names)
        return max((apart(found, other), printable(name)) for found, other, name in each)

    def keys(self) -> dict[str, Any]:
        """The verdict as JSON keys."""
        ok, largest = not self.wrong and bool(self.errors), max(self.errors.values(), default=0.0)
        found = {"max_rel_err": largest, "tolerance": self.within, "ok": ok, "references": self.errors}
        found["bound_share"] = self.share
        found |= {"not_compared": self.missing} if self.missing else {}
        if not ok:
            found["error"] = self.wrong[0] if self.wrong else "expected a reference, found none that runs the model"
        return found

"""A Spec held against NumPy: as text, as the reference has it, and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import griotte as gt
import numpy as np
from griotte.ir import compare, random_arrays

BASES = ("portable", "native")


def check(text: str, meaning: Callable[..., Any] | None = None, rtol: float = 0.0, kinds=(False, True)) -> gt.Spec:
    """The Spec of a text, which is read as it is printed, is what `meaning` makes of its arrays in f64 (of integers and
    conditions as they are), and compiled is what its reference says."""
    spec = gt.parse(text)
    assert gt.parse(str(spec)) == spec
    kernels = [gt.compile(spec, base, table="none") for base in BASES]
    for hostile in kinds:
        arrays = random_arrays(spec, np.random.default_rng(len(text)), hostile)
        with np.errstate(all="ignore"):
            found = gt.interpret(spec, *arrays)
            if meaning is not None:
                expected = np.asarray(meaning(*map(widened, arrays))).astype(found.dtype)
                assert found.shape == expected.shape
                np.testing.assert_allclose(widened(found), widened(expected), rtol=rtol, atol=0, equal_nan=True)
        for kernel in kernels:
            _, right, complaint = compare(spec, arrays, kernel(*arrays))
            assert right, f"{text}: {complaint}"
    return spec


def widened(array: np.ndarray) -> np.ndarray:
    """Floats of any width as f64."""
    return array if array.dtype.kind in "iub" else array.astype(np.float64)

"""NumPy: `matmul(a, b, out=c)`. Which kernels its OpenBLAS runs is said by the environment."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
from racing.contestant import Skip, Way, aligned


def ways(problem, a, b, threads):
    if problem.dtype != "f32":
        raise Skip(f"NumPy has no fast {problem.dtype} product")
    c = aligned((*a.shape[:-1], b.shape[-1]), np.float32)
    yield Way("matmul", lambda: np.matmul(a, b, out=c), lambda: c)
    if problem.batch == 1:
        yield Way("dot", lambda: np.dot(a, b, out=c), lambda: c)
    if problem.is_matvec:
        x, y = a[0], c[0]
        yield Way("dot of a vector", lambda: np.dot(x, b, out=y), lambda: c)


def versions() -> dict:
    return {"numpy": np.__version__, "openblas": _core_type()}


def _core_type() -> str:
    """The kernels that OpenBLAS picked."""
    np.dot(np.ones((2, 2)), np.ones((2, 2)))
    for line in Path("/proc/self/maps").read_text().splitlines():
        path = line.split()[-1]
        if "openblas" in path:
            library = ctypes.CDLL(path)
            for name in ("scipy_openblas_get_corename64_", "scipy_openblas_get_corename", "openblas_get_corename64_", "openblas_get_corename"):
                if hasattr(library, name):
                    function = getattr(library, name)
                    function.restype = ctypes.c_char_p
                    return function().decode()
    return "unknown"

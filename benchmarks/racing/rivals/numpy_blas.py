"""NumPy: `matmul(a, b, out=c)`. Which kernels its OpenBLAS runs is said by the environment."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import numpy as np

from racing import calls, exact
from racing.contestant import Skip, Way, output


def ways(problem, a, b, threads):
    if problem.dtype != "f32":
        raise Skip(f"NumPy has no fast {problem.dtype} product")
    c = output(problem)
    yield Way("matmul", lambda: np.matmul(a, b, out=c), lambda: c)
    if problem.batch == 1:
        yield Way("dot", lambda: np.dot(a, b, out=c), lambda: c)
    if problem.is_matvec:
        x, y = a[0], c[0]
        yield Way("dot of a vector", lambda: np.dot(x, b, out=y), lambda: c)


def graphs(problem, arrays, threads):
    """As a person writes it; the last call computes into the output where it is a function of NumPy's."""
    if problem.dtype != "f32" or "OPENBLAS_CORETYPE" in os.environ:
        raise Skip("f32 alone, and as installed: products are not all of it")
    c, (name, args, attributes) = output(problem), problem.call
    whole = calls.function(problem.call, exact.NUMPY)
    yield Way("expression", lambda: np.copyto(c, whole(*arrays)), lambda: c)
    if isinstance(exact.NUMPY[name], np.ufunc) and not attributes:
        parts = [
            (lambda i=arg: arrays[i]) if isinstance(arg, int) else _applied(calls.function(arg, exact.NUMPY), arrays)
            for arg in args
        ]
        yield Way(
            "expression, the last with out=", lambda: exact.NUMPY[name](*(part() for part in parts), out=c), lambda: c
        )


def _applied(function, arrays):
    count = function.__code__.co_argcount
    return lambda: function(*arrays[:count])


def versions() -> dict:
    return {"numpy": np.__version__, "openblas": _core_type()}


def _core_type() -> str:
    """The kernels that OpenBLAS picked."""
    np.dot(np.ones((2, 2)), np.ones((2, 2)))
    for line in Path("/proc/self/maps").read_text().splitlines():
        path = line.split()[-1]
        if "openblas" in path:
            library = ctypes.CDLL(path)
            for name in (
                "scipy_openblas_get_corename64_",
                "scipy_openblas_get_corename",
                "openblas_get_corename64_",
                "openblas_get_corename",
            ):
                if hasattr(library, name):
                    function = getattr(library, name)
                    function.restype = ctypes.c_char_p
                    return function().decode()
    return "unknown"

"""griotte: the kernels that race.py made before the race, bound to their arrays; constant weights packed by `bind`."""

from __future__ import annotations

import os
from pathlib import Path

import cffi
import griotte
import ml_dtypes
import numpy as np
from griotte.runtime import load
from griotte.runtime.toolchain import compile_shared

from racing.contestant import Skip, Way, output

_LOOP = """
void loop(void (*kernel)(const void *, const void *, void *), const void *a, const void *b, void *c, long count)
{
    for (long i = 0; i < count; i++) kernel(a, b, c);
}
"""


def ways(problem, a, b, threads):
    folder, kernel = _made(problem)
    c = output(problem)
    a, b = map(_typed, (a, b))
    yield Way(
        "bind", kernel.bind(a, b, out=c), lambda: c, _loop(folder, kernel, a, b, c) if not problem.const else None
    )


def graphs(problem, arrays, threads):
    rounds = problem.dtype == "bf16"
    c = output(problem, np.uint16 if rounds else None)
    given = [x.astype(ml_dtypes.int4) if t.dtype == "s4" else _typed(x) for x, t in zip(arrays, problem.inputs)]
    yield Way("bind", _made(problem)[1].bind(*given, out=_typed(c)), lambda: c, rounds_to_bf16=rounds)


def _made(problem):
    folder = Path(os.environ["RACE_KERNELS"]) / problem.name
    if not (folder / "kernel.json").exists():
        raise Skip((folder / "why_not").read_text() if (folder / "why_not").exists() else "no kernel was made")
    return folder, load(folder)


def _typed(x):
    return x.view(ml_dtypes.bfloat16) if x.dtype == np.uint16 else x


def _loop(folder, kernel, a, b, c):
    ffi = cffi.FFI()
    ffi.cdef(
        f"void loop(void *, const void *, const void *, void *, long); void {kernel.signature.function}(const void *,"
        " const void *, void *);"
    )
    library = ffi.dlopen(str(folder / "kernel.so"), ffi.RTLD_NOW | ffi.RTLD_NODELETE)
    looper = ffi.dlopen(str(compile_shared(_LOOP, ())))
    function = ffi.cast("void *", getattr(library, kernel.signature.function))
    pointers = [ffi.cast("void *", x.ctypes.data) for x in (a, b, c)]
    kept = (library, looper, a, b, c)
    return lambda count, kept=kept: looper.loop(function, *pointers, count)


def versions() -> dict:
    return {"griotte": griotte.__version__}

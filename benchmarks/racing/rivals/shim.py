"""C libraries behind a small shim of ours, compiled on demand:

    void *make(int way, int dtype, long batch, long m, long k, long n, int col, int constant, int threads, const void
      *a, const void *b, void *c)
    void run(void *)   void loop(void *, long)   void done(void *)

`make` packs, and gives NULL where the way does not apply.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import cffi

from racing.contestant import Way, output

HERE = Path(__file__).parent
BUILD = HERE.parent.parent / ".rivals" / "build"
DTYPES = {"f32": 0, "bf16": 1, "u8s8": 2}
FLAGS = ("-O3", "-march=native", "-fPIC", "-shared", "-fopenmp")
_DECLARED = """
void *make(int, int, long, long, long, long, int, int, int, const void *, const void *, void *);
void run(void *); void loop(void *, long); void done(void *);
"""
_FFI = cffi.FFI()
_FFI.cdef(_DECLARED)


@functools.cache
def library(source: str, *flags: str):
    """The shim of that name, compiled and loaded."""
    path = HERE / source
    is_cpp = path.suffix == ".cpp"
    compiler = os.environ.get("CXX" if is_cpp else "CC") or next(
        filter(shutil.which, ("g++", "c++", "clang++") if is_cpp else ("gcc", "cc", "clang"))
    )
    command = [compiler, *FLAGS, *(["-std=c++17"] if is_cpp else ["-std=gnu11"]), str(path), *flags]
    key = hashlib.sha256("\0".join([path.read_text(), (HERE / "shim.h").read_text(), *command]).encode()).hexdigest()[
        :16
    ]
    built = BUILD / f"{path.stem}-{key}.so"
    if not built.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            half = Path(folder) / "shim.so"
            found = subprocess.run([*command, "-o", str(half)], capture_output=True, text=True)
            if found.returncode:
                complaints = [x for x in found.stderr.splitlines() if "error" in x or "undefined" in x]
                raise RuntimeError(f"{source} does not compile: {next(iter(complaints), found.stderr[-300:])}")
            half.replace(built)
    return _FFI.dlopen(str(built))


def ways(shim, names: tuple[str, ...], problem, a, b, threads: int):
    """A Way for each name, in the order in which the shim numbers them."""
    c = output(problem)
    address = [_FFI.cast("void *", x.ctypes.data) for x in (a, b, c)]
    for way, name in enumerate(names):
        sizes = problem.batch, problem.m, problem.k, problem.n
        state = shim.make(way, DTYPES[problem.dtype], *sizes, problem.layout == "col", problem.const, threads, *address)
        if state != _FFI.NULL:
            kept = (a, b, c)
            yield Way(
                name,
                functools.partial(shim.run, state),
                lambda kept=kept: kept[2],
                functools.partial(shim.loop, state),
                release=functools.partial(shim.done, state),
            )

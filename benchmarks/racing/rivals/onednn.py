"""oneDNN's matmul primitive: B as given; B in the layout that oneDNN asks for, reordered ahead; and inner product for
constant weights."""

from __future__ import annotations

import sys
from pathlib import Path

from racing.rivals import shim

NAMES = ("matmul", "matmul, packed", "inner product, packed")
ROOT = Path(sys.prefix)


def ways(problem, a, b, threads):
    yield from shim.ways(_library(), NAMES, problem, a, b, threads)


def _library():
    return shim.library(
        "onednn.cpp", f"-I{ROOT / 'include'}", f"-L{ROOT / 'lib'}", "-ldnnl", f"-Wl,-rpath,{ROOT / 'lib'}"
    )


def versions() -> dict:
    _library()
    return {"oneDNN": next((ROOT / "lib").glob("libdnnl.so.*.*")).name}

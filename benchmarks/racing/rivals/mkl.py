"""MKL through C: gemm as it is, with B packed ahead, gemv, batches, and kernels made for the shape."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

from racing.rivals import shim

NAMES = ("gemm", "gemm, packed", "gemv", "batch", "jit")
ROOT = Path(sys.prefix)


def ways(problem, a, b, threads):
    yield from shim.ways(_library(), NAMES, problem, a, b, threads)


def _library():
    lib = ROOT / "lib"
    runtime = next(lib.glob("libmkl_rt.so*"))
    return shim.library("mkl.c", f"-I{ROOT / 'include'}", f"-L{lib}", f"-l:{runtime.name}", f"-Wl,-rpath,{lib}")


def versions() -> dict:
    _library()
    text = ctypes.create_string_buffer(200)
    ctypes.CDLL(str(next((ROOT / "lib").glob("libmkl_rt.so*")))).MKL_Get_Version_String(text, 200)
    return {"mkl": text.value.decode().strip()}

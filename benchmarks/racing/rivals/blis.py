"""BLIS: cblas_sgemm."""

from __future__ import annotations

import os

from racing.contestant import Skip
from racing.rivals import shim

NAMES = ("sgemm",)


def ways(problem, a, b, threads):
    if problem.dtype != "f32":
        raise Skip("f32 only")
    yield from shim.ways(_library(), NAMES, problem, a, b, threads)


def _library():
    folder = f"{os.environ['RACE_DEBS']}/usr/lib/x86_64-linux-gnu/blis-openmp"
    return shim.library("blis.c", f"-L{folder}", "-l:libblis.so.4", f"-Wl,-rpath,{folder}")


def versions() -> dict:
    _library()
    return {"blis": "0.9.0"}

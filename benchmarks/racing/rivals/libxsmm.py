"""libxsmm's kernels, made for the shape: f32, up to 256 a side; always on one thread, which is best for the
smallest."""

from __future__ import annotations

import os

from racing.contestant import Skip
from racing.rivals import shim

NAMES = ("smm",)
LARGEST = 256


def ways(problem, a, b, threads):
    if problem.dtype != "f32" or problem.layout != "row" or max(problem.m, problem.k, problem.n) > LARGEST:
        raise Skip(f"f32 rows up to {LARGEST} a side")
    yield from shim.ways(_library(), NAMES, problem, a, b, threads)


def _library():
    root = os.environ["RACE_DEBS"]
    return shim.library(
        "libxsmm.c", f"-L{root}/usr/lib", "-l:libxsmm.a", "-l:libxsmmnoblas.a", "-lpthread", "-lrt", "-ldl", "-lm"
    )


def versions() -> dict:
    _library()
    return {"libxsmm": "1.17"}

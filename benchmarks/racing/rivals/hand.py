"""A plain matrix-vector loop in C, ours, as a person would write it: for the distance between that and the rest."""

from __future__ import annotations

from racing.contestant import Skip
from racing.rivals import shim

NAMES = ("loop",)


def ways(problem, a, b, threads):
    if not problem.is_matvec or problem.dtype == "u8s8" or problem.batch > 1:
        raise Skip("a matrix-vector loop only")
    yield from shim.ways(_library(), NAMES, problem, a, b, threads)


def _library():
    return shim.library("hand.c", "-mprefer-vector-width=512")


def versions() -> dict:
    return {"hand.c": "-O3 -march=native"}

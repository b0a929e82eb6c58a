"""Many Specs solved, compiled as one unit and compared with the reference, on random and on hostile data."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from unittest import mock

import numpy as np
from batch import kernels_of
from griotte import synthesize
from griotte.compiler.programs import Program
from griotte.engine.search.graph import FamilyGraph
from griotte.lang.meaning.agreement import compare, tolerance
from griotte.lang.meaning.reference import as_parts, empty, one_or_all
from griotte.lang.meaning.samples import sample
from griotte.lang.text.text import parse
from griotte.machine.target import Target

RIGHT, WRONG, NO_PROGRAM, GIVEN_UP = "right", "WRONG", "no program", "given up"
VERDICTS = RIGHT, WRONG, NO_PROGRAM, GIVEN_UP
KINDS = ("random", "hostile")
UNIT = 32  # programs of a compilation: more take less time each, and all of them at once
MOST_FAMILIES = 4000
"""Of a search; what needs more takes too long for a test. Not a clock, so that it is the same on every machine."""


class TooManyFamiliesError(Exception):
    """A search that is given up."""


@dataclass(frozen=True)
class Found:
    """What came of a Spec (GIVEN_UP: its search is too long), and what is to be said of it."""

    text: str
    verdict: str
    why: str = ""
    seconds: float = 0.0  # of CPU, for its search


def examined(texts: Sequence[tuple[str, int]], target: Target, families: int = MOST_FAMILIES) -> Iterator[Found]:
    """Texts, each with a number of threads, for one target, in their order."""
    solved = [solve(text, threads, target, families) for text, threads in texts]
    programs = [found for found, _ in solved if isinstance(found, Program)]
    kernels = iter(kernels_of(programs) if programs else ())
    for i, ((text, _), (found, seconds)) in enumerate(zip(texts, solved)):
        if isinstance(found, Program):
            complaint = complaint_of(next(kernels), found.spec, i)
            yield Found(text, WRONG if complaint else RIGHT, complaint, seconds)
        else:
            yield Found(
                text,
                GIVEN_UP if isinstance(found, TooManyFamiliesError) else NO_PROGRAM,
                f"{type(found).__name__}: {found}",
                seconds,
            )


def solve(text: str, threads: int, target: Target, families: int = MOST_FAMILIES) -> tuple[Program | Exception, float]:
    """The program of a Spec, or what is raised in its place, and the seconds of CPU that it took. Anything may be
    raised: the caller knows which Specs may have no program."""
    started = time.process_time()
    try:
        with at_most(families):
            found: Program | Exception = synthesize(parse(text), target, threads, table="none")
            found.to_c()
    except Exception as error:
        found = error
    return found, time.process_time() - started


def at_most(families: int):
    """A search in this block gives up where it needs more families."""
    left, leaving = families, FamilyGraph._leaving

    def counted(*args):
        nonlocal left
        left -= 1
        if left < 0:
            raise TooManyFamiliesError(f"more than {families} families")
        return leaving(*args)

    return mock.patch.object(FamilyGraph, "_leaving", counted)


def repriced(target: Target, seed) -> Target:
    """The target with each price e times as high or as low, more or less."""
    rng = np.random.default_rng(seed)
    return replace(
        target, coefficients=tuple((name, price * float(np.exp(rng.normal()))) for name, price in target.coefficients)
    )


def complaint_of(kernel, spec, seed: int) -> str:
    """What is wrong with a kernel's results; empty where nothing is."""
    rng = np.random.default_rng(seed)
    for kind in KINDS:
        arrays = sample(kind, spec, rng)
        complaint = compare(
            spec, arrays, run(kernel, spec, as_parts(spec, arrays)), tolerance(spec, arrays, random=kind == "random")
        )[2]
        if complaint:
            return f"{kind} data: {complaint}"
    return ""


def run(kernel, spec, arrays):
    """A kernel's result with constants bound, in arrays full of what no kernel writes by chance."""
    out = one_or_all([_garbage(tensor) for tensor in spec.outputs])
    fixed = kernel.bind(*(a if t.constant else None for a, t in zip(arrays, spec.inputs)))
    return fixed(*(a for a, t in zip(arrays, spec.inputs) if not t.constant), out=out)


def _garbage(tensor) -> np.ndarray:
    out = empty(tensor)
    out.transpose(tensor.minor_to_major[::-1]).view(np.uint8 if out.ndim else out.dtype)[...] = 0x5B
    return out

"""What a target predicts, beside the clock: twelve fixed programs of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..compiler.session import Session
from ..compiler.synthesis import searched
from ..engine.program.nodes import Node
from ..engine.search.recorded import Misfit, written
from ..lang.text.text import parse
from ..machine.target import Target
from ..runtime.calibrate.timing import Stopwatch, arrays_of, opened, undisturbed
from ..runtime.toolchain import compile_shared
from ..support.errors import GriotteError
from .learn.drafts import SpecSpace

SPECS = (
    ("matmul(f32[64,64], f32[64,64])", 1),
    ("matmul(f32[256,256], f32[256,256])", 1),
    ("matmul(f32[640,640], f32[640,640])", 1),
    ("matmul(f32[4,1024], f32[1024,1024])", 1),
    ("matmul(f32[1,2048], f32[2048,2048])", 1),
    ("exp(f32[256,1024])", 1),
    ("add(f32[2000,2000], f32[2000])", 1),
    ("transpose(f32[700,900])", 1),
    ("sum(f32[1000,500], axis=1)", 1),
    ("conv2d(f32[1,16,30,30], f32[32,16,3,3])", 1),
    ("matmul(f32[512,512], f32[512,512])", 2),
    ("exp(f32[1024,1024])", 2),
)
ROUNDS = 7
SAMPLES = 8
"""Turns of a program in a round; the least of them counts. A last cache takes several passes to hold what it can, and
the programs before have taken it."""


@dataclass(frozen=True)
class Comparison:
    """The program of a Spec that the target chooses: cycles predicted and measured; NaN where no turn of it was
    undisturbed."""

    spec: str
    threads: int
    predicted: float
    measured: float

    @property
    def ratio(self) -> float:
        return self.predicted / self.measured


@dataclass(frozen=True)
class CheckedProgram:
    """The program of a Spec that a target chooses, compiled."""

    spec: str
    threads: int
    root: Node
    kernel: Callable
    arrays: list[np.ndarray]

    def priced(self, target: Target) -> float:
        """Its cycles by the prices of another target of the same levels."""
        try:
            return float(SpecSpace(parse(self.spec), target, self.threads).rebuilt(written(self.root)).cost)
        except (Misfit, GriotteError):
            return float(self.root.cost)


def check(
    target: Target, threads: int = 2, beside: Callable[[], None] | None = None, now: Callable[[], Target] | None = None
) -> list[Comparison]:
    """Each program in turns with the others, the median of what the rounds found best; those of two threads only where
    there are two. What neighbours take of a cache changes within minutes. So the machine may be measured anew in turns
    with the programs: `beside` is called before each round, and `now` says the prices of all its calls."""
    watch, runs = Stopwatch(), chosen(target, threads)
    rounds = []
    for _ in range(ROUNDS):
        if beside:
            beside()
        rounds.append([min(watch.cycles(each.kernel, each.arrays, SAMPLES) or [float("nan")]) for each in runs])
    prices = now() if now else target
    return [
        Comparison(each.spec, each.threads, each.priced(prices), undisturbed(cycles, 0.5))
        for each, cycles in zip(runs, zip(*rounds))
    ]


def chosen(target: Target, threads: int) -> list[CheckedProgram]:
    """The programs, of no more threads than there are."""
    rng, found = np.random.default_rng(0), []
    for text, count in SPECS:
        if count <= threads:
            spec = parse(text)
            program, arrays = searched(spec, Session(target, count, "none")), arrays_of(spec, rng)
            library = compile_shared(program.to_c(), target.flags)
            found.append(
                CheckedProgram(text, count, program.root, opened(library, program.function, len(arrays)), arrays)
            )
    return found


def order(found: Sequence[Comparison]) -> float:
    """Kendall's tau of prediction and clock, over the programs that were measured."""
    known = [c for c in found if not np.isnan(c.measured)]
    return tau([c.predicted for c in known], [c.measured for c in known])


def tau(prices: Sequence[float], times: Sequence[float]) -> float:
    """Kendall's tau-b (M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 1945): 1 for the same
    order; 0 where all prices, or all times, are equal."""
    i, j = np.triu_indices(len(prices), 1)
    p, t = (np.sign(np.asarray(values)[i] - np.asarray(values)[j]) for values in (prices, times))
    norm = np.sqrt(np.count_nonzero(p) * np.count_nonzero(t))
    return float(np.sum(p * t) / norm) if norm else 0.0

"""What a target predicts, beside the clock: twelve fixed programs of all kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..compiler.session import Session
from ..compiler.synthesis import searched
from ..lang.text.text import parse
from ..machine.target import Target
from ..runtime.calibrate.timing import Stopwatch, arrays_of, opened, undisturbed
from ..runtime.toolchain import compile_shared

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
ROUNDS = 5


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


def check(target: Target, threads: int = 2) -> list[Comparison]:
    """Each program in turns with the others, the median of what the rounds found best; those of two threads only where
    there are two."""
    asked = [(text, count) for text, count in SPECS if count <= threads]
    rng, watch, runs = np.random.default_rng(0), Stopwatch(), []
    for text, count in asked:
        program = searched(parse(text), Session(target, count, "none"))
        arrays = arrays_of(parse(text), rng)
        library = compile_shared(program.to_c(), target.flags)
        runs.append((program.cost, opened(library, program.function, len(arrays)), arrays))
    rounds = [
        [min(watch.cycles(kernel, arrays) or [float("nan")]) for _, kernel, arrays in runs] for _ in range(ROUNDS)
    ]
    return [
        Comparison(text, count, float(run[0]), undisturbed(cycles, 0.5))
        for (text, count), run, cycles in zip(asked, runs, zip(*rounds))
    ]


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

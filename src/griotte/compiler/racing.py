"""Candidates of one Spec, compiled, checked and timed on this machine: all in a race, or a few at a time, picked by
what is believed of the others.

    Bench    -> each candidate as a call on the same arrays, its result checked
    race     -> the slower half leaves after each round; who is left runs once more beside the first
    Picking  -> batches of the most promising; what they took corrects what is believed of those that were not timed
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..engine.learned.features import features
from ..engine.learned.model import PerformanceModel
from ..engine.learned.updates import BATCH, Updated
from ..lang.meaning.agreement import compare, tolerance
from ..lang.meaning.reference import empty_outputs
from ..lang.meaning.timed import timed_arrays
from ..runtime import timing
from ..support.cpus import usable
from ..support.errors import ToolchainError
from .programs import Program

ROUND = 0.6  # seconds that the candidates of a round share
FINALISTS = 3  # of the picked, beside the first
_WRONG = 4.0  # times the first one's time: what a program counts as whose result is wrong

Run = Callable[[], Any]


class Bench:
    """The arrays of a Spec that candidates run on."""

    def __init__(self, program: Program):
        self.spec = program.spec
        self._arrays, self._out = timed_arrays(self.spec, np.random.default_rng(0)), empty_outputs(self.spec)
        self._bounds = tolerance(self.spec, self._arrays, random=True)

    def runs(self, among: Mapping[int, Program]) -> dict[int, Run]:
        """A call of each candidate, by its place; those with a wrong result are told and left out, but for place 0:
        ToolchainError."""
        with ThreadPoolExecutor(usable()) as pool:
            kernels = dict(zip(among, pool.map(lambda candidate: candidate.compile(), among.values())))
        found = {}
        for place, kernel in kernels.items():
            self._out.fill(1)  # not the result of the one before
            run = kernel.bind(*self._arrays, out=self._out)
            _, right, complaint = compare(self.spec, self._arrays, run(), self._bounds)
            if right:
                found[place] = run
            elif place == 0:
                raise ToolchainError(
                    f"expected the right result of the model's best program for {self.spec}, found another; please"
                    " report it, with what griotte doctor says"
                )
            else:
                warnings.warn(
                    f"expected the right result of a program for {self.spec}, found another: {complaint}; it is left"
                    " out: please report it",
                    RuntimeWarning,
                    stacklevel=5,
                )
        return found


def race(runs: dict[int, Run]) -> tuple[int, float, float]:
    """(the winner's place, its median in microseconds, that of place 0): the faster half goes on after each round. Who
    is left runs once more beside place 0, and wins if it is faster then too: the last round alone tells by how much."""
    left = list(runs)
    while len(left) > 1:
        times = timing.interleaved({str(place): runs[place] for place in left}, ROUND / len(left))
        left = sorted(left, key=lambda place: times[str(place)].median_us)[: len(left) // 2]
    times = timing.interleaved({str(place): runs[place] for place in dict.fromkeys((0, left[0]))}, ROUND / 2)
    winner = min(times, key=lambda place: times[place].median_us)
    return int(winner), times[winner].median_us, times["0"].median_us


class Picking:
    """The candidates of a Spec of which some are timed, the first of them always.

    Attributes:
        timed: how many were.
        first_us: microseconds of the first; None before it was timed.
    """

    def __init__(self, candidates: Sequence[Program], model: PerformanceModel | None):
        first = candidates[0]
        self.candidates, self._bench = candidates, Bench(first)
        rows = features([each.root for each in candidates], first.target, first.threads)
        self._belief = Updated(model, rows, [max(1e-9, each.cost) for each in candidates])
        self._runs: dict[int, Run] = {}
        self.timed = 0
        self.first_us: float | None = None

    def next(self, most: int = BATCH) -> list[int]:
        """The places of those to be timed now; none where no other is expected to gain more than the clock tells."""
        if self.timed:
            return self._belief.next(min(most, BATCH))
        return list(dict.fromkeys((0, *self._belief.next(BATCH, least=-1.0))))[: min(most, BATCH)]

    def time(self, places: Sequence[int]) -> None:
        """Time candidates in turns, with the first beside them: by it, what the machine did meanwhile is taken out."""
        runs = self._bench.runs({place: self.candidates[place] for place in places})
        self._runs |= runs
        turns = {str(place): self._runs[place] for place in dict.fromkeys((0, *runs))}
        times = {place: each.median_us for place, each in timing.interleaved(turns, ROUND / len(turns)).items()}
        now = times["0"]
        self.first_us = self.first_us or now
        took = [times.get(str(place), _WRONG * now) * self.first_us / now for place in places]
        self._belief.tell(places, took)
        self.timed += len(places)

    def gain(self) -> float:
        """What the next run is expected to gain, relative to the best that was timed; infinite before any was."""
        return self._belief.gain()

    def winner(self) -> tuple[int, float, float]:
        """(the winner's place, its median in microseconds, that of the first), of a race of the best that were timed;
        where that is the first, there is no race."""
        assert self.first_us is not None
        mean, _ = self._belief.believed()
        best = sorted(self._runs, key=lambda place: float(mean[place]))[:FINALISTS]
        if best[0] == 0:
            return 0, self.first_us, self.first_us
        return race({place: self._runs[place] for place in dict.fromkeys((0, *best))})

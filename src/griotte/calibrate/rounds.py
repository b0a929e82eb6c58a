"""A whole calibration: rounds of drawing, timing and fitting; each draws with the coefficients that the one before found.

The programs that matter are those that the search is about to choose. So after each fit the best programs of Specs already measured are
sought anew, and join the samples where they are others than before.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..errors import GriotteError
from ..targets.target import Target
from . import samples as files
from .count import count
from .fit import fit
from .judge import Verdict, judge
from .measure import Runnable, measure
from .outline import outline
from .programs import Goal, Program, built
from .samples import Sample
from .specs import specs

ROUNDS = 3
PROGRAMS = 14  # of each Spec
AGAIN = 4  # of a Spec that was measured before, under new coefficients
TIMINGS = 60  # rounds of timing in each round, where the time allows
MEASURING = 0.75  # of the time; what is left goes to pricing all samples anew at the end
DRAWING = 0.7  # of a round's time
HELD_OUT = 3  # one Spec in three is never fitted
DIGITS = 4  # of a coefficient
MOST_CYCLES = 3e7  # of a program, by the model: some 10 ms


@dataclass(frozen=True)
class Found:
    """A calibrated target, and how the coefficients before and after rank the programs of held-out Specs: of all, and by
    threads and home level."""

    target: Target
    samples: list[Sample]
    before: dict[str, Verdict]
    after: dict[str, Verdict]


class Calibration:
    """Samples of one target's programs, drawn, timed and fitted. `step` is called with a word on what is done."""

    def __init__(self, target: Target, threads: int, seed: int, known: Iterable[Sample] = (), step: Callable[[str], None] = lambda word: None):
        self.start, self.target, self.threads, self.step = target, target, threads, step
        self.samples = list(known)
        self.rng = np.random.default_rng([seed, len(self.samples)])
        self._runnable: dict[int, Runnable] = {}
        self._programs: dict[int, Program] = {}  # as they were drawn

    def run(self, minutes: float, path: Path | None = None) -> Found:
        """All rounds, within about `minutes`; the samples are kept in a file after each of them."""
        begun, span = time.monotonic(), 60 * minutes * MEASURING / ROUNDS
        for number in range(ROUNDS):
            end = begun + (number + 1) * span
            self.draw(end - (1 - DRAWING) * span)
            self.time(end)
            if path is not None:
                files.write(path, self.samples)
            self.fit()
        self._programs.clear()  # views move to where they cost least now
        self.fit()
        return Found(self.target, self.samples, self.verdicts(self.start), self.verdicts(self.target))

    # ---- the parts of a round -----------------------------------------------------------------------------------------

    def draw(self, until: float) -> None:
        """New Specs, and after the first round known ones again, until a time of time.monotonic; one to fit and one to hold
        out at least."""
        fresh = specs(self.rng, self.threads)
        known = list(dict.fromkeys((s.spec, s.threads) for s in self.samples)) if self.target != self.start else []
        with ThreadPoolExecutor() as pool:
            while True:
                text, threads = known[self.rng.integers(len(known))] if known and self.rng.random() < 0.4 else next(fresh)
                self.add(Goal(text, threads, self.target), AGAIN if (text, threads) in known else PROGRAMS, pool)
                if time.monotonic() > until and len({held_out(sample) for sample in self.samples}) == 2:
                    return

    def add(self, goal: Goal, number: int, pool: ThreadPoolExecutor) -> None:
        """Draw programs of a goal, and build those which are not among the samples."""
        known = {s.outline for s in self.samples if (s.spec, s.threads) == (goal.text, goal.threads)}
        drawn = [p for p in goal.draw(self.rng, number) if p.cost < MOST_CYCLES and outline(p.root) not in known]
        for program, where in zip(drawn, pool.map(built, drawn)):
            self.samples.append(Sample(goal.text, goal.threads, outline(program.root)))
            number = len(self.samples) - 1
            self._runnable[number], self._programs[number] = Runnable(self.samples[-1], *where), program
        self.step("draw")

    def time(self, until: float) -> None:
        """Rounds of timing of all programs that this process has drawn; one at least."""
        kernels = list(self._runnable.values())
        measure(kernels, self.rng, 1)
        measure(kernels, self.rng, TIMINGS - 1, until)
        self.step("time")

    def fit(self) -> None:
        """New coefficients from all Specs that are not held out."""
        fitted = list(self.priced(self.target, self._programs, lambda sample: not held_out(sample)))
        if not fitted:
            raise GriotteError("expected a machine that does nothing else, found other processes at work whenever programs to be fitted were timed; stop them, or give it more --minutes")
        counts, cycles = [count(program.root, self.target) for _, program in fitted], [sample.measured for sample, _ in fitted]
        found = fit(counts, cycles, self.start.coefficient)
        self.target = replace(self.start, coefficients=tuple((name, rounded(value)) for name, value in found.items()))
        self.step("fit")

    def priced(self, target: Target, known: dict[int, Program], wanted: Callable[[Sample], bool]) -> Iterator[tuple[Sample, Program]]:
        """The timed samples that are wanted with their programs: those `known` by the sample's number, or found under the target and
        added to them. Left out is what its space does not hold."""
        goals: dict[tuple[str, int], Goal] = {}
        for i, sample in enumerate(self.samples):
            if sample.cycles and wanted(sample):
                if i not in known:
                    key = sample.spec, sample.threads
                    program = goals.setdefault(key, Goal(*key, target)).program(sample.outline)
                    if program is None:
                        continue
                    known[i] = program
                yield sample, known[i]

    def verdicts(self, target: Target) -> dict[str, Verdict]:
        """How a target ranks the programs of held-out Specs, by part."""
        parts: dict[str, dict[tuple, tuple[list, list, list]]] = {}
        for sample, program in self.priced(target, {}, held_out):
            home = target.levels[program.root.state.family.operands[0].level].name
            for part in ("all", f"{sample.threads} thread{'s' * (sample.threads > 1)}", f"at home in {home}"):
                group = parts.setdefault(part, {}).setdefault((sample.spec, sample.threads), ([], [], []))
                for values, value in zip(group, (program.cost, sample.measured, sample.halves)):
                    values.append(value)
        return {part: judge(list(groups.values())) for part, groups in sorted(parts.items())}


def held_out(sample: Sample) -> bool:
    """Whether a Spec is kept from the fit: by its text alone, so that samples may be added to."""
    return hashlib.sha256(sample.spec.encode()).digest()[0] % HELD_OUT == 0


def rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def changed(before: Target, after: Target) -> dict[str, tuple[float, float]]:
    """Coefficients that differ by a hundredth or more: before and after."""
    old, new = before.coefficient, after.coefficient
    return {name: (old[name], new[name]) for name in new if abs(new[name] - old[name]) >= 0.01 * max(old[name], 0.01)}

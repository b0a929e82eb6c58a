"""How a machine is measured unasked: at once, or in turns whose rounds are kept beside the file that they will make."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from ...machine import Machine, best, build, measured, places
from ...machine.machine import applied
from ...machine.measured import Measured
from ...machine.target import Target
from ...support.folders import kept_dir, write_atomically
from . import functions, measure
from .measure import Measurement
from .probes import Probe, probes
from .shared import agreed, machine_file

SECONDS = 2.5
"""Of rounds of probes, beside which there are the C compiler, functions and the caches' capacities: 8 in all at
most."""
GLANCE_S, TURN_S = 0.4, 0.7
"""Of rounds that tell whether the machine is quiet; and of a turn, with what its probes take to start."""
ENOUGH_S = 2.8
"""Of rounds of turns that make a file."""

ALONE, APART = 0.9, 0.25
"""Bounds of a quiet machine. The thread that measures has a core for at least this share of the time; and the quartiles
of a parameter are at most so far apart, in the median of parameters. Measured on two cores, with 0, 1, 2 and 4
processes that stream through memory beside: 0.98 to 1.00, 0.80, 0.65 and 0.33 of a core. Quartiles are 0.05 to 0.24
apart with none, as neighbours on the host have it, and 0.11 to 0.21 with others, so they tell less (docs/lab/asked)."""

CURVED_S = 0.5
"""Seconds of rounds to each round of the curve of repeated reads."""

Cycles = dict[str, list[dict[str, float]]]
"""Of `rounds`, and of those of the `curve`, by probe."""

_unkept: dict[str, tuple[Cycles, float]] = {}
"""By fingerprint, rounds of quiet turns and their seconds, of a process that can keep them nowhere else."""


def at_once(machine: Machine, is_forced: bool = False) -> Measured | None:
    """What was measured of the machine, which is kept; None where it is not quiet, unless that does not matter."""
    found = _Measuring(machine)
    started = time.monotonic()
    if not is_forced and not is_quiet(*found.rounds(GLANCE_S), found.goal):
        return None
    print(
        f"griotte: no file fits this machine ({machine.name}), so it is measured, once, in at most 8 s;"
        f" {places.CALIBRATE}=off leaves that out, griotte doctor shows it",
        file=sys.stderr,
        flush=True,
    )
    rounds, share = found.rounds(SECONDS)
    if not is_forced and not is_quiet(rounds, share, found.goal):
        return None
    return found.finished(rounds, time.monotonic() - started, is_whole=True)


def one_turn(machine: Machine) -> bool:
    """Rounds for less than a second, which are kept where the machine is quiet; or, where there are enough, the file of
    them. Whether there is a file now."""
    found = _Measuring(machine)
    before, seconds = kept_rounds(found.name)
    if seconds >= ENOUGH_S:
        found.finished(before, seconds)
        return True
    started = time.monotonic()
    rounds, share = found.rounds(TURN_S)
    if is_quiet(rounds, share, found.goal):
        joined = {kind: before.get(kind, []) + rounds[kind] for kind in rounds}
        _keep_rounds(found.name, joined, seconds + time.monotonic() - started)
    return False


def kept_rounds(name: str) -> tuple[Cycles, float]:
    """The rounds of quiet turns so far, of all processes, and their seconds; this one's where those cannot be read."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        if path := _rounds_file(name):
            found = json.loads(path.read_text())
            rounds = {str(kind): [_numbers(each) for each in of] for kind, of in found["rounds"].items()}
            if rounds and all(of and all(each.keys() == of[0].keys() for each in of) for of in rounds.values()):
                return rounds, float(found["seconds"])
    return _unkept.get(name, ({}, 0.0))


def _numbers(cycles: dict[str, float]) -> dict[str, float]:
    return {str(probe): float(found) for probe, found in cycles.items()}


def _keep_rounds(name: str, rounds: Cycles, seconds: float) -> None:
    try:
        path = _rounds_file(name)
        if path is None:
            raise OSError
        write_atomically(path, json.dumps({"seconds": seconds, "rounds": rounds}).encode())
    except OSError:  # nothing can be written
        _unkept[name] = rounds, seconds


def _rounds_file(name: str) -> Path | None:
    folder = kept_dir(places.KEPT)
    return folder and folder / f"{name}.rounds"


class _Measuring:
    """The probes of a machine, compiled, and the use of their rounds."""

    def __init__(self, machine: Machine):
        self.machine, self.name = machine, places.fingerprint(machine, best(machine))
        self.goal: Target = measure.unshared(build(best(machine), machine, "native", whole=True))
        self.runner = measure.Runner(self.goal, machine.cores)

    @cached_property
    def probes(self) -> tuple[Probe, ...]:
        return probes(self.goal, 2 if self.runner.has_company() else 1)

    def rounds(self, seconds: float) -> tuple[Cycles, float]:
        """Rounds of all probes for so long, and for which share of it the thread had a core."""
        asked = self.probes
        wall, own = time.monotonic(), time.thread_time()
        found = {"rounds": [self.runner.round(asked)], "curve": [measure.curve_round(self.runner, self.goal)]}
        while time.monotonic() - wall < seconds:
            found["rounds"].append(self.runner.round(asked))
            if time.monotonic() - wall > CURVED_S * len(found["curve"]):
                found["curve"].append(measure.curve_round(self.runner, self.goal))
        return found, (time.thread_time() - own) / max(1e-9, time.monotonic() - wall)

    def finished(self, rounds: Cycles, seconds: float, is_whole: bool = False) -> Measured:
        """What they say, written beside the kernels; on a full disk it is for this process alone. `is_whole`: functions
        are measured besides, which takes more than a turn."""
        goal, assumed = self.goal, self.machine.assumed
        goal = measure.sized(self.runner, goal, assumed) if assumed else goal
        found = said(rounds, goal)
        remark = (
            f"measured without being asked, in {seconds:.1f} s, {len(rounds['rounds'])} rounds; quartiles"
            f" {apart(found):.3f} of a value apart, in the median"
        )
        caches = measure.capacities(self.runner, goal)
        if is_whole:
            goal = functions.measure(applied(goal, agreed(found)[0], {each.level: each.held for each in caches}))
        content = machine_file(self.machine, goal, found, caches, (remark,))
        folder = kept_dir(places.KEPT)
        path = (folder or Path()) / f"{self.name}.toml"
        with suppress(OSError):
            if folder is not None:
                write_atomically(path, content.encode())
                path.with_suffix(".rounds").unlink(missing_ok=True)
        return measured.read(path, content)


def said(rounds: Cycles, goal: Target) -> dict[str, Measurement]:
    """What rounds say of parameters."""
    return measure.said(rounds["rounds"], rounds["curve"], goal)


def is_quiet(rounds: Cycles, share: float, goal: Target) -> bool:
    """Whether nothing else ran to speak of: by the share of the time for which the thread had a core, and by how far
    the quartiles of the parameters are apart."""
    return share >= ALONE and apart(said(rounds, goal)) <= APART


def apart(found: Mapping[str, Measurement]) -> float:
    """How far the quartiles of a parameter are apart, to its value: the median of all parameters."""
    spreads = sorted((m.high - m.low) / max(abs(m.value), 1e-9) for m in found.values())
    return spreads[len(spreads) // 2] if spreads else 0.0

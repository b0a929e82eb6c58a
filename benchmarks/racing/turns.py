"""Taking turns across processes: each contestant holds its arrays and sleeps on its pipe until the coordinator lets it
run.

    {"do": "hello"}                               -> {"versions": {...}}
    {"do": "prepare", "problem", "data", "begin"} -> {"way": "mm(out=)", "tried": {way: us}, "wrong": [...]} or {"skip":
      reason}
    {"do": "turn", "seconds", "warm"}             -> {"us": median of a call, "disturbed": bool}
    {"do": "drop"}                                -> {}

One JSON object a line, both ways. What a library prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import IO

from .stats import Turn

PATIENCE = 300.0  # seconds for an answer: packing 235 MB and trying every way takes some
SLICE, WARM = 0.02, 0.005  # seconds a turn: counted, and before that uncounted
# Waiting threads of OpenMP, OpenBLAS and thread pools spin after a call, on the core that the next one needs: those of
# OpenBLAS 0.3.31 for up to 110 ms.
REST = 0.15  # seconds before a turn, where there is more than one thread


class Died(Exception):
    """A contestant's process ended, or did not answer in time."""


@dataclass
class Contestant:
    """A process that answers the protocol above. `start` makes it anew after it died."""

    name: str
    command: Sequence[str]
    env: dict[str, str]
    cwd: str | None = None
    patience: float = PATIENCE
    cpus: frozenset[int] | None = None
    versions: dict = field(default_factory=dict)
    _process: subprocess.Popen | None = None
    _rest: bytes = b""
    _errors: IO[bytes] | None = None

    def start(self) -> None:
        """Running and greeted; Died where it cannot."""
        self.close()
        self._rest, self._errors = b"", tempfile.TemporaryFile()  # noqa: SIM115 - closed in close
        pin = (lambda: os.sched_setaffinity(0, self.cpus)) if self.cpus else None
        self._process = subprocess.Popen(
            self.command,
            env=self.env,
            cwd=self.cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            preexec_fn=pin,  # noqa: PLW1509
        )
        self.versions = self.ask({"do": "hello"})["versions"]

    def ask(self, message: dict) -> dict:
        if self._process is None:
            self.start()
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._died("ended") from error
        return json.loads(self._line())

    def cpu_seconds(self) -> float:
        """Used so far by all of its threads (Linux; in steps of 10 ms), 0 elsewhere."""
        try:
            with open(f"/proc/{self._process.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, AttributeError):
            return 0.0

    def close(self) -> None:
        if self._process is None:
            return
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            try:
                stream.close()
            except OSError:
                pass
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def _line(self) -> bytes:
        until = time.monotonic() + self.patience
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                self._process.kill()
                raise self._died(f"gave no answer in {self.patience:g} s")
            more = os.read(self._process.stdout.fileno(), 1 << 16)
            if not more:
                raise self._died("ended")
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _died(self, how: str) -> Died:
        try:
            status = self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip().splitlines()
        self.close()
        last = next((line for line in reversed(said) if "Error" in line), said[-1] if said else "")
        return Died(f"{how}, status {status}" + (f": {last}" if last else ""))


@dataclass
class Prepared:
    """What a contestant said to a problem: its way, or why it does not take part."""

    way: str | None
    why_not: str = ""
    details: dict = field(default_factory=dict)


def prepare(contestant: Contestant, message: dict) -> Prepared:
    """Ready to take turns, its result checked; or not, with the reason. One that died is started again when next
    asked."""
    try:
        found = contestant.ask({"do": "prepare", **message})
    except Died as died:
        return Prepared(None, str(died))
    if "skip" in found:
        return Prepared(None, found["skip"], found)
    return Prepared(found["way"], "", found)


def take_turns(
    contestants: Sequence[Contestant],
    rounds: int,
    rest: float = 0.0,
    seconds: float = SLICE,
    warm: float = WARM,
    sleep: Callable = time.sleep,
) -> tuple[dict[str, list[Turn]], dict[str, str]]:
    """({name: a Turn a round}, {name: why} of those that died on the way). Who begins moves on by one each round, and
    every other round goes backwards."""
    running, taken, lost = list(contestants), {c.name: [] for c in contestants}, {}
    for i in range(rounds):
        for contestant in _order(running, i):
            if rest:
                sleep(rest)
            try:
                found = contestant.ask({"do": "turn", "seconds": seconds, "warm": warm})
            except Died as died:
                lost[contestant.name] = str(died)
                continue
            taken[contestant.name].append(Turn(found["us"], found["disturbed"]))
        running = [c for c in running if c.name not in lost]
    return {name: turns for name, turns in taken.items() if name not in lost}, lost


def _order(items: list, i: int) -> list:
    if not items:
        return []
    start = i % len(items)
    turned = items[start:] + items[:start]
    return turned[::-1] if i % 2 else turned

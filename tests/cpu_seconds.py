"""What tests take of the CPU, by file: their process, and the processes that they started and waited for. Not the
clock's seconds, so that it is much the same on a machine that is busy."""

from __future__ import annotations

import os
from collections import defaultdict

KEY = "CPU seconds"
SHOWN = 40  # files


class CpuByFile:
    """The sums; a fixture of a module or of the session counts where it was first asked for."""

    def __init__(self) -> None:
        self._files: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
        self.begin()

    def begin(self) -> None:
        """What came before is no test's."""
        self._last = _now()

    def note(self, report) -> None:
        """Note with the report of a phase what this process took since the one before."""
        last, self._last = self._last, _now()
        report.user_properties.append((KEY, [now - then for now, then in zip(self._last, last)]))

    def add(self, report) -> None:
        """Add what a report of this process or another tells."""
        found = self._files[report.nodeid.split("::")[0]]
        for own, others in (value for key, value in report.user_properties if key == KEY):
            found[0] += own
            found[1] += others
        found[2] += report.when == "call"

    def lines(self) -> list[str]:
        """A table, the dearest file first."""
        rows = sorted(self._files.items(), key=lambda row: -row[1][0] - row[1][1])
        whole = [sum(row[i] for _, row in rows) for i in range(3)]
        head = "  in all  itself  others   tests"
        return [
            head,
            *(_line(name, row) for name, row in rows[:SHOWN]),
            *([f"{len(rows) - SHOWN} files more"] if len(rows) > SHOWN else []),
            _line("of all files", whole),
        ]


def _now() -> tuple[float, float]:
    """(of this process, of those that it waited for)."""
    times = os.times()
    return times.user + times.system, times.children_user + times.children_system


def _line(name: str, row: list[float]) -> str:
    own, others, tests = row
    return f"{own + others:8.1f}{own:8.1f}{others:8.1f}{tests:8.0f}  {name}"

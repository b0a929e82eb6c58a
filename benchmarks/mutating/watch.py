"""A pytest plugin: which tests run and in which order, how long each may take, what they enter of griotte."""

from __future__ import annotations

import signal
import sys
import threading
import time
from pathlib import Path

COLLECTION = 180  # seconds, at most, until the first test begins
NAME = "griotte-mutants"


class Watch:
    """Runs the tests that are wanted (all, if none are named), in that order.

    `limits` is the CPU seconds after which a test has hung; so has one that takes twenty times as many by the clock.
    The process then ends by a signal. A collection that takes too long ends so too.
    """

    def __init__(self, wanted: list[str] | None = None, limits: dict[str, float] | None = None, entered=None):
        self.order = None if wanted is None else {test: at for at, test in enumerate(wanted)}
        self.limits, self.entered = limits or {}, entered
        self.failed, self.tests = "", {}
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        self._limit(COLLECTION)

    def pytest_collection_modifyitems(self, items):
        if self.order is not None:
            items[:] = sorted(
                (item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid]
            )

    def pytest_collectreport(self, report):
        if report.failed:
            self.failed = self.failed or f"collection of {report.nodeid}"

    def pytest_runtest_logstart(self, nodeid):
        self._limit(self.limits.get(nodeid, COLLECTION))
        self.began = time.perf_counter(), time.process_time()
        if self.entered:
            self.entered.begin()

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed = self.failed or report.nodeid
            self.tests[report.nodeid] = {"failed": True}

    def pytest_runtest_logfinish(self, nodeid):
        clock, cpu = time.perf_counter() - self.began[0], time.process_time() - self.began[1]
        row = self.tests.setdefault(nodeid, {"failed": False})
        row |= {"seconds": round(clock, 3), "cpu": round(max(cpu, clock), 3)}
        if self.entered:
            row["entered"] = self.entered.end()

    def pytest_sessionfinish(self):
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)

    @staticmethod
    def _limit(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 20 * seconds)


class Entered:
    """The functions below a folder that are entered between `begin` and `end`, as "engine/search/solve.py
    Solver.solve"."""

    def __init__(self, source: Path):
        self.source, self.found = f"{source}/", set()
        if sys.version_info >= (
            3,
            12,
        ):  # each function reports its first call after `begin` alone: costs next to nothing
            self.events = sys.monitoring
            self.events.use_tool_id(self.events.COVERAGE_ID, NAME)
            start = self.events.events.PY_START
            self.events.register_callback(self.events.COVERAGE_ID, start, self._started)
            self.events.set_events(self.events.COVERAGE_ID, start)

    def begin(self) -> None:
        self.found = set()
        if sys.version_info >= (3, 12):
            self.events.restart_events()
        else:
            threading.settrace(self._traced)
            sys.settrace(self._traced)

    def end(self) -> list[str]:
        if sys.version_info < (3, 12):
            sys.settrace(None)
            threading.settrace(None)
        return sorted(self.found)

    def _started(self, code, _):
        self._add(code)
        return self.events.DISABLE

    def _traced(self, frame, event, _):
        self._add(frame.f_code)

    def _add(self, code) -> None:
        if code.co_filename.startswith(self.source):
            file, name = code.co_filename.removeprefix(self.source), code.co_qualname.partition(".<locals>")[0]
            self.found.add(f"{file} {'' if name.startswith('<') else name}")

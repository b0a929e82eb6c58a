"""What the forecast of a model's time is told while the model is solved, on a made-up clock: that of a machine whose
workers have a CPU each.

A search takes the CPU seconds of its process, what the asking process does between rounds its own. So a trace that is
taken on a machine which others use is that of a quiet one. Its events are [seconds, what, arguments]; cuts and searches
are numbers, and a kind is its place in `kinds`.
"""

from __future__ import annotations

import os
import resource
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

TICKS = os.sysconf("SC_CLK_TCK")
Event = dict[str, Any]


class Trace:
    """Listens to the forecast of this process, from now on."""

    def __init__(self) -> None:
        from griotte.models import forecast, pool
        from griotte.runtime import toolchain

        self._compilers = 1  # that run at once
        self._events: list[Event] = []
        self._numbers: dict[int, int] = {}
        self._searches: dict[Any, int] = {}
        self.kinds: list[Any] = []
        self._places: dict[Any, int] = {}
        self._local = threading.local()
        cut, one, many = self._cut, self._kind, lambda kinds: [self._kind(each) for each in kinds]
        search = lambda key: self._searches.setdefault(key, len(self._searches))
        same = lambda number: number
        arguments = {
            "begins": (cut, same, many),
            "may_ask": (cut, many, lambda short: round(short, 5)),
            "ends": (cut,),
            "asked": (cut, one),
            "began": (search, one),
            "went_on": (search, round, round),
            "done": (search,),
        }
        for name, told in arguments.items():
            self._listen(forecast.Forecast, name, told)
        self._listen_to_pool(pool.Pool)
        self._listen_to_compilers(toolchain.ObjectFiles)

    def _cut(self, cut: object) -> int:
        return self._numbers.setdefault(id(cut), len(self._numbers))

    def _kind(self, kind: Any) -> int:
        if kind not in self._places:
            self._places[kind] = len(self.kinds)
            self.kinds.append([list(atom) for atom in kind])
        return self._places[kind]

    def _listen(self, of: Any, name: str, told: Iterable[Callable[[Any], Any]]) -> None:
        own = getattr(of, name)

        def heard(itself: Any, *given: Any) -> Any:
            lasting = [each if isinstance(each, int) or not hasattr(each, "__next__") else [*each] for each in given]
            self._put(name, [of(each) for of, each in zip(told, lasting)], getattr(self._local, "pid", None))
            return own(itself, *lasting)

        setattr(of, name, heard)

    def _listen_to_pool(self, pool: Any) -> None:
        serve, leave = pool._serve, pool.__exit__

        def serving(itself: Any, number: int, *given: Any) -> None:
            self._local.pid = itself._processes[number].pid
            serve(itself, number, *given)

        def leaving(itself: Any, *given: object) -> None:
            self._put("left", {process.pid: _cpu(process.pid) for process in itself._processes})
            leave(itself, *given)

        pool._serve, pool.__exit__ = serving, leaving

    def _listen_to_compilers(self, files: Any) -> None:
        own = files.linked

        def linked(itself: Any, texts: Iterable[str] = ()) -> Any:
            texts = [*texts]
            self._compilers = max(self._compilers, len(texts))
            return own(itself, texts)

        files.linked = linked

    def _put(self, what: str, given: Any, pid: int | None = None) -> None:
        now = {"what": what, "given": given, "main": time.process_time()}
        self._events.append(now if pid is None else {**now, "pid": pid, "cpu": _cpu(pid)})

    def quiet(self, workers: int = 2) -> dict[str, Any]:
        """The events so far on the made-up clock, and when the kernel is there."""
        left = {pid: cpu for event in self._events if event["what"] == "left" for pid, cpu in event["given"].items()}
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        compiler = max(0.0, children.ru_utime + children.ru_stime - sum(left.values()))
        events, now = on_quiet_clock(self._events, seconds_of(self._events, left), workers)
        compiler /= min(workers, self._compilers)
        end = now + time.process_time() - self._events[-1]["main"] + compiler
        return {"workers": workers, "end": round(end, 3), "kinds": self.kinds, "events": events}


def seconds_of(events: list[Event], left: dict[int, float]) -> dict[int, float]:
    """CPU seconds of each search: of a worker until its next begins, or it has done what it does."""
    found: dict[int, float] = {}
    running: dict[int, tuple[int, float]] = {}  # by process
    here: tuple[int, float] | None = None
    for event in events:
        if event["what"] == "began":
            number, pid = event["given"][0], event.get("pid")
            if pid is None:
                here = number, event["main"]
                continue
            if pid in running:
                found[running[pid][0]] = event["cpu"] - running[pid][1]
            running[pid] = number, event["cpu"]
        elif event["what"] == "done" and here and here[0] == event["given"][0]:
            found[here[0]] = event["main"] - here[1]
            here = None
    return found | {number: left[pid] - began for pid, (number, began) in running.items()}


def so_far(events: list[Event]) -> dict[int, list[tuple[float, int, int]]]:
    """Of each search, after how many CPU seconds how far it was, as often as that is told where a CPU is its own."""
    from griotte.engine.search.progress import EVERY_S

    began: dict[int, float] = {}
    found: dict[int, list[tuple[float, int, int]]] = {}
    for event in events:
        seconds = event["cpu"] if event.get("pid") is not None else event["main"]
        if event["what"] == "began":
            began[event["given"][0]] = seconds
        elif event["what"] == "went_on":
            number, done, known = event["given"]
            told, after = found.setdefault(number, []), seconds - began[number]
            if not told or told[-1][2] != known or after - told[-1][0] >= EVERY_S:
                told.append((after, done, known))
    return found


def on_quiet_clock(events: list[Event], seconds: dict[int, float], workers: int) -> tuple[list[Any], float]:
    """The events in order of a clock on which each worker has a CPU: [seconds, what, arguments]; and when the last
    was."""
    started: dict[int, float] = {}  # by process, seconds that it took to start
    for event in events:
        if event["what"] == "began" and "pid" in event:
            started.setdefault(event["pid"], event["cpu"])
    starting = [*started.values()][:workers]
    starting += [max(starting, default=0.0)] * (workers - len(starting))
    found: list[Any] = []
    now, before = 0.0, 0.0  # the clock, and the asking process's seconds by the event before
    at, batch, told = 0, ("began", "went_on", "done"), so_far(events)
    while at < len(events):
        event = events[at]
        if event["what"] not in batch:
            now, before = now + event["main"] - before, event["main"]
            if event["what"] != "left":
                found.append([now, event["what"], *event["given"]])
            at += 1
            continue
        until = next((n for n in range(at, len(events)) if events[n]["what"] not in batch), len(events))
        free, here, last = [now] * workers, now, now
        if any("pid" in each for each in events[at:until]):
            free, starting = [now + each for each in starting], [0.0] * workers
        for begun in (each for each in events[at:until] if each["what"] == "began"):
            number, kind = begun["given"]
            if begun.get("pid") is None:
                begins = here
                here = ends = begins + seconds[number]
            else:
                place = free.index(min(free))
                begins = free[place]
                free[place] = ends = begins + seconds[number]
            found += [[begins, "began", number, kind], [ends, "done", number]]
            found += [[begins + min(s, seconds[number]), "went_on", number, *far] for s, *far in told.get(number, ())]
            last = max(last, ends)
        now, before, at = last, events[until - 1]["main"], until
    found.sort(key=lambda each: each[0])
    return [[round(each[0], 3), *each[1:]] for each in found], now


def _cpu(pid: int) -> float:
    """Seconds that a process has been on a CPU; 0 of one that has ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / TICKS

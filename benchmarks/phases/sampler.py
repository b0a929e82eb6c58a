"""Where a process's CPU time goes, by sampling: every few milliseconds each thread's CPU time since the last sample is
put down to what it is at. Nothing of griotte is changed, and what is not sampled runs as ever.

A thread is at a phase of rules.py, by the innermost of its frames that one is told of. A line that calls a function of
Numba's counts as that function. The sums are written to a file of the process, anew each quarter of a second, for a
worker is killed when it is done with.
"""

from __future__ import annotations

import json
import linecache
import os
import re
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType

from rules import NUMBA, OTHER_NUMBA, phase_of

EVERY_S, WRITTEN_S = 0.01, 0.25
ROOT, PACKAGES = f"{os.sep}griotte{os.sep}", f"{os.sep}site-packages{os.sep}"
NAME = re.compile(r"[A-Za-z_]\w*")


class Sampler:
    """The sums of one process. `seconds`: by phase and by function of griotte, of CPU."""

    def __init__(self, folder: str):
        self._file = Path(folder) / f"{os.getpid()}.json"
        self._pid = os.getpid()
        self._seconds: Counter[tuple[str, str]] = Counter()
        self._spent: dict[int, int] = {}
        self._calls: dict[str, dict[int, str]] = {}  # by file the lines that call a function of Numba's

    def run(self) -> None:
        """Sample until the process ends."""
        written = 0.0
        while os.getpid() == self._pid:
            time.sleep(EVERY_S)
            self._sample()
            if (now := time.monotonic()) - written > WRITTEN_S:
                written = now
                self.write()

    def write(self) -> None:
        """The file, whole or as it was."""
        rows = [[*key, round(seconds, 4)] for key, seconds in self._seconds.items()]
        is_worker = "griotte.models.worker" in sys.orig_argv
        text = json.dumps({"worker": is_worker, "cpu_s": time.process_time(), "rows": rows})
        beside = self._file.with_suffix(".new")
        beside.write_text(text)
        beside.replace(self._file)

    def _sample(self) -> None:
        frames: dict[int, FrameType | None] = {**sys._current_frames()}
        # its own frame holds this: a cycle, which would keep all frames, and their arrays, where nothing is collected
        frames[threading.get_ident()] = None
        for thread in threading.enumerate():
            number = thread.native_id
            if number is None or thread.ident not in frames:
                continue
            frame, spent = frames[thread.ident], _spent(self._pid, number)
            more = spent - self._spent.get(number, 0)
            self._spent[number] = spent
            if more > 0:
                self._seconds[("sampler", "") if frame is None else self._at(frame)] += more / 1e9

    def _at(self, frame: FrameType) -> tuple[str, str]:
        """The phase that a thread is at, and the innermost function of griotte, or the package that is imported."""
        compiled, innermost, module = self._numba(frame), "", ""
        at: FrameType | None = frame
        while at is not None:
            code = at.f_code
            path = _below(code.co_filename, ROOT)
            if "importlib._bootstrap" in code.co_filename:
                return "imports", module or _importing(at)
            if code.co_name == "<module>":
                module = module or _module(code.co_filename)
            elif path:
                innermost = innermost or f"{path}:{code.co_qualname}"
                if compiled is not None:
                    return NUMBA.get(compiled, OTHER_NUMBA), f"{path}:{compiled}"
                if (phase := phase_of(path)) is not None:
                    return phase, innermost
            elif f"{os.sep}numba{os.sep}" in code.co_filename:
                return "imports", "numba"
            at = at.f_back
        return "other", innermost or f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_qualname}"

    def _numba(self, frame: FrameType) -> str | None:
        """The function of Numba's that a frame's line calls."""
        file, line = frame.f_code.co_filename, frame.f_lineno
        if file not in self._calls:
            if frame.f_code.co_name == "<module>":  # is being imported
                return None
            own = ROOT in file
            kinds = {name: type(value).__name__ for name, value in frame.f_globals.items()} if own else {}
            names = {name for name, kind in kinds.items() if kind == "CPUDispatcher"}
            lines = enumerate(linecache.getlines(file) if names else (), 1)
            called = ((n, names.intersection(NAME.findall(text))) for n, text in lines)
            self._calls[file] = {n: min(found) for n, found in called if found}
        return self._calls[file].get(line or 0)


def _importing(at: FrameType | None) -> str:
    """The module that imports another one, from a frame within the import."""
    while at is not None and at.f_code.co_name != "<module>":
        at = at.f_back
    return "" if at is None else f"{_module(at.f_code.co_filename)}, what it imports"


def _module(file: str) -> str:
    """A module's name in the sums: of griotte its file, else its package."""
    path = _below(file, ROOT)
    return f"griotte/{path}" if path else _below(file, PACKAGES).split(os.sep)[0]


def _below(file: str, folder: str) -> str:
    """A file's path below the last folder of a name; "" where it is not in one."""
    place = file.rfind(folder)
    return file[place + len(folder) :] if place >= 0 else ""


def _spent(pid: int, thread: int) -> int:
    """Nanoseconds that a thread has been on a CPU; 0 of one that has ended."""
    try:
        with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            return int(file.read().split()[0])
    except (OSError, ValueError, IndexError):
        return 0


def start(folder: str) -> None:
    """Sample this process into a folder."""
    threading.Thread(target=Sampler(folder).run, name="sampler", daemon=True).start()

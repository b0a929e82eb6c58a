"""Processes forked from one that has loaded what griotte needs, but not griotte.

Each that runs at a time has a copy of the tree, and takes one task after the other in it.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

LOADED = """numpy numba numba.core.typed_passes ml_dtypes click rich.console rich.table cffi platformdirs sqlite3 pytest
 hypothesis.strategies hypothesis.extra.numpy""".split()
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".hypothesis", "scratch", "results", "images", ".*_cache")
MEMORY = 6 << 30  # bytes that one process may hold: a fault may ask for more than there is


def load() -> None:
    """What is loaded here need not be by any of the forked."""
    for name in LOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    sys.modules["numba"].njit(lambda: 0)()  # loads the compiler


def numba_keeps_in(folder: Path) -> None:
    """Let Numba, loaded already, keep its code in a folder: what it keeps of a file has parts of others in it."""
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    sys.modules["numba"].config.reload_config()


class Trees:
    """Copies of a working tree, numbered; removed at the end."""

    def __init__(self, root: Path, count: int):
        self.folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        self.trees = [self.folder / str(number) / "tree" for number in range(count)]
        for tree in self.trees:
            shutil.copytree(root, tree, ignore=LEFT_OUT, symlinks=True)

    def __enter__(self) -> list[Path]:
        return self.trees

    def __exit__(self, *_) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def each(tasks: Iterable, work: Callable[[Path, object], dict], trees: list[Path], until: float):
    """(task, answer, seconds) of each task, as they end.

    `work(tree, task)` runs in a process of its own, as many at a time as there are trees. A process that was ended by
    a signal answers {"signal": its name}. What is not done when the clock (time.monotonic) says `until` is given up.
    """
    waiting, free, running = iter(tasks), list(enumerate(trees)), {}
    try:
        while True:
            while free and time.monotonic() < until and (task := next(waiting, None)) is not None:
                number, tree = free.pop()
                running[_start(number, tree, work, task)] = number, tree, task, time.monotonic()
            if not running or time.monotonic() >= until:
                return
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid not in running:
                for large in (pid for pid in running if _held(pid) > MEMORY):
                    _end(large)
                time.sleep(0.05)
                continue
            number, tree, task, began = running.pop(pid)
            _end(pid)
            free.append((number, tree))
            yield task, _answer(tree, status), time.monotonic() - began
    finally:
        for pid in running:
            _end(pid)
            os.waitpid(pid, 0)


def _start(number: int, tree: Path, work: Callable, task) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setsid()
        _settle(number, tree)
        (tree.parent / "answer.json").write_text(json.dumps(work(tree, task)))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _settle(number: int, tree: Path) -> None:
    """Two CPUs, as on the smallest machines that run the tests; folders of its own; what it prints goes to a file."""
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) > 2:
        os.sched_setaffinity(0, {cpus[number % len(cpus)], cpus[(number + 1) % len(cpus)]})
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for folder in ("tmp", "cache"):
        shutil.rmtree(tree.parent / folder, ignore_errors=True)
        (tree.parent / folder).mkdir()
    (tree.parent / "answer.json").unlink(missing_ok=True)
    log = os.open(tree.parent / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.chdir(tree)
    tempfile.tempdir = os.environ["TMPDIR"] = str(tree.parent / "tmp")
    os.environ["GRIOTTE_CACHE"] = str(tree.parent / "cache")
    os.environ["PYTHONPATH"] = str(tree / "src")
    sys.path[:0] = [str(tree / "src")]


def _held(pid: int) -> int:
    """Bytes of memory that a process holds; no limit of the system counts them, and sanitizers map far more."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def _end(pid: int) -> None:
    """A process, and what it has started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _answer(tree: Path, status: int) -> dict:
    if os.WIFSIGNALED(status):
        return {"signal": signal.Signals(os.WTERMSIG(status)).name}
    try:
        return json.loads((tree.parent / "answer.json").read_text())
    except (OSError, ValueError):
        return {"signal": "no answer", "log": (tree.parent / "log").read_text(errors="replace")[-2000:]}

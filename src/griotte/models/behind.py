"""The whole search behind a first kernel, in a process of its own: `python -m griotte.models.behind`.

The process gets a job, gives way to others, and has its own processes in its group. It ends with the pipe that the job
came by: so it ends with the process that asked, however that ends. Searches of one process run one after the other.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple
from weakref import WeakSet

from ..compiler.session import Session
from ..compiler.synthesis import program_of
from ..engine import rewrites
from ..lang.calls.spec import Spec, shortened
from ..lang.functions import BUILT_IN, COMBINERS, FUNCTIONS
from ..support.errors import GriotteError
from ..support.forks import ForkLock
from ..support.unforeseen import reported
from .graph import ModelGraph
from .kept import compiled, for_others, known
from .pool import environment

NICE = 10  # how far it gives way to the calls of the first kernel

_turn = ForkLock(waits=False)


class WholeJob(NamedTuple):
    """The Spec or model to compile, and how."""

    of: Spec | ModelGraph
    session: Session

    def __str__(self) -> str:
        return shortened(self.of, 400) if isinstance(self.of, Spec) else repr(self.of)


class WholeSearch:
    """A search that a process of its own does."""

    def __init__(self, asked: WholeJob) -> None:
        self.asked: WholeJob | None = asked
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopped = False

    def begin(self, done: Callable[[Any], None], failed: Callable[[], None]) -> None:
        """As of runtime.first.Search."""
        self._process, self._is_stopped = None, False
        threading.Thread(target=self._run, args=(done, failed), daemon=True, name="griotte search").start()

    def stop(self) -> None:
        """As of runtime.first.Search."""
        self._is_stopped = True
        if self._process is not None and self in _running:
            _end(self._process)

    def _run(self, done: Callable[[Any], None], failed: Callable[[], None]) -> None:
        try:
            with _turn:
                if self._is_stopped:
                    return
                found = self._found()
            if not self._is_stopped:
                done(found)
            self.asked = None  # and the model's constants
        except Exception as error:
            if not self._is_stopped:
                self._tell(error)
                failed()

    def _found(self) -> Any:
        """The kernel that the process has found; where functions are declared in the asking process alone, that
        one finds it."""
        assert self.asked is not None
        found = answer(self.asked) if _has_own() else self._answered(self.asked)
        if isinstance(found, Exception):
            raise found
        of, session = self.asked
        kernel = known(of, session) if found is None and isinstance(of, ModelGraph) else found
        if kernel is None:
            raise GriotteError("expected the kernel in the cache, found that it is gone; compile it again")
        return for_others(kernel, of, session) if isinstance(of, ModelGraph) else kernel

    def _answered(self, asked: WholeJob) -> Any:
        """What the process answers."""
        self._process = process = _started()
        _running.add(self)
        try:
            if self._is_stopped:
                _end(process)
            return _told(process, asked)
        finally:
            _running.discard(self)
            _end(process)
            process.wait()
            assert process.stdin is not None
            process.stdin.close()

    def _tell(self, error: Exception) -> None:
        told = " ".join(str(error).split()) or type(error).__name__
        with suppress(Warning):  # where warnings are errors
            warnings.warn(f"{told}; the first kernel goes on", RuntimeWarning, stacklevel=2)


def _started() -> subprocess.Popen[bytes]:
    """The process, in a group of its own: an interrupt from the keyboard is not for it."""
    command = [sys.executable, "-m", f"{__package__}.behind"]
    return subprocess.Popen(
        command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), process_group=0
    )


def _told(process: subprocess.Popen[bytes], asked: WholeJob) -> Any:
    """What a process answers; GriotteError where it ends before."""
    assert isinstance(process.stdin, io.RawIOBase) and isinstance(process.stdout, io.RawIOBase)
    writer = io.BufferedWriter(process.stdin)
    try:
        with suppress(BrokenPipeError):  # what it gives says more
            pickle.dump(asked, writer, pickle.HIGHEST_PROTOCOL)
            writer.flush()
            writer.detach()  # it stays open: its end is that of the process
        with io.BufferedReader(process.stdout) as reader:
            return pickle.load(reader)
    except (OSError, EOFError, ValueError, pickle.PickleError) as error:
        raise GriotteError(
            f"expected a kernel of the whole search, found that its process ended ({type(error).__name__}); more"
            " memory, or memory=, may help"
        ) from error


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, with all that it has started."""
    if process.returncode is None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def _has_own() -> bool:
    """Whether rewrites or functions are declared in this process that another one does not know."""
    return rewrites.RULES is not rewrites.BUILT_IN or len(FUNCTIONS) + len(COMBINERS) != len(BUILT_IN)


def _in_child() -> None:
    """A search is that of the process that started it: a child of a fork holds none of its pipes."""
    for search in list(_running):
        process = search._process
        for pipe in () if process is None else (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
    _running.clear()


_running: WeakSet[WholeSearch] = WeakSet()
with suppress(AttributeError):  # Windows: no forks
    os.register_at_fork(after_in_child=_in_child)


# ---- in the process --------------------------------------------------------------------------------------------------


def main() -> None:
    """Compile the job, and send the kernel, or None where the cache has it, or the error."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(OSError, AttributeError):
        os.nice(NICE)
    try:
        asked: WholeJob = pickle.load(source)
    except EOFError:
        return
    threading.Thread(target=_end_with, args=(source,), daemon=True).start()
    with suppress(BrokenPipeError):
        pickle.dump(answer(asked), sink, pickle.HIGHEST_PROTOCOL)
        sink.flush()


def _end_with(source: Any) -> None:
    """End, with all that was started, when the other side of a pipe is gone."""
    source.read()
    os.killpg(0, signal.SIGKILL)


def answer(asked: WholeJob) -> Any:
    """The kernel, None where the cache has it, or the error that there is none."""
    of, session = asked
    try:
        with reported(lambda: f"a kernel of {asked}"):
            if isinstance(of, ModelGraph):
                kernel = compiled(of, session)
                return None if known(of, session) is not None else kernel
            return program_of(of, session).compile(session.denormals)
    except GriotteError as error:
        return error


if __name__ == "__main__":
    main()

"""A machine that no file fits, measured without being asked. Where it is quiet that takes a few seconds before the
first search of a process. Else it goes in turns of at most a second before later searches; the rounds of all processes
add up.

The result is kept in the cache as a file of machines (griotte.machine.measured), once a machine. A process that has
begun to search with some prices stays with them. Here is who is measured, and when; how is in `turns`.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass

from ...engine.table.claims import Claims
from ...machine import BUILT_IN, NAMES, Machine, best, detect, measured, places
from ...support.errors import GriotteError
from ...support.folders import kept_dir
from ...support.forks import ForkLock

REST_S = 5.0
"""Between two turns of a process, at least."""


@dataclass
class OfProcess:
    """How far a process is: `settled` once nothing is left to do in it; `began` once it searches; when it last took a
    turn; why it does not measure."""

    settled: bool = False
    began: bool = False
    last: float = float("-inf")
    why: str = ""


_here = OfProcess()
_lock = ForkLock(waits=False)


def before_search(target: object) -> None:
    """The work before a search for a target of this name: nothing for most. TargetError where GRIOTTE_CALIBRATE says
    neither of its words."""
    said = places.word()
    if _here.settled or target not in NAMES:
        return
    with _lock:
        if not _here.settled:
            _take_turn(said)
            _here.began = True


def reason(said: str) -> str:
    """Why nothing is measured unasked in such a process, in words; empty where it may be."""
    if said == places.NOW:
        return ""
    if said == places.OFF:
        return f"{places.CALIBRATE} is off"
    if "pytest" in sys.modules or "PYTEST_CURRENT_TEST" in os.environ:
        return "this is a test"
    if os.environ.get("CI"):
        return "CI is set"
    return "" if sys.stderr is not None and sys.stderr.isatty() else "standard error is no terminal"


def is_fitted(machine: Machine) -> bool:
    """Whether a file fits the machine by the vectors of its best target: one that was given, one that comes with
    griotte, or the one that was measured."""
    width = BUILT_IN[best(machine)].vector_bytes
    return any(m.fits(machine) for m in (*measured.known(), *measured.own(machine)) if m.serves(machine, width))


def _take_turn(said: str) -> None:
    machine = detect()
    _here.why = reason(said)
    if _here.why or is_fitted(machine):
        _here.settled = True
    elif time.monotonic() - _here.last >= REST_S:
        try:
            _here.settled = _measured(machine, said)
        except (GriotteError, OSError) as error:  # no compiler, no memory: it is searched as it was before
            _here.settled, _here.why = True, str(error)
        _here.last = time.monotonic()


def _measured(machine: Machine, said: str) -> bool:
    """Whether there is a file now. Of processes that ask at once one measures: before its first search another waits
    for it, later on it does not."""
    name, folder = places.fingerprint(machine, best(machine)), kept_dir(places.KEPT)
    if folder is None:
        return _alone(machine, name, said)
    claims = Claims(folder / name)
    try:
        with claims.claim("0", wait=not _here.began) as is_mine:
            return is_mine and _alone(machine, name, said)
    finally:
        claims.close()


def _alone(machine: Machine, name: str, said: str) -> bool:
    if any(measured.kept(name)):  # another process was first
        if not _here.began:
            measured.keep(machine, None)
        return True
    from .turns import at_once, one_turn  # and with it the probes, which who is never measured needs none of

    if _here.began:
        return one_turn(machine)
    found = at_once(machine, is_forced=said == places.NOW)
    if found is not None:
        measured.keep(machine, found)
    return found is not None

"""Locks that a child of a fork finds free.

A child has the thread that forked, and no other: a lock that another thread held stays held in it, and what that thread
was at stays half done. So a fork waits, up to a bound, until nobody is within a short section of a library whose state
must be whole (SQLite, Numba's compiler, the parser of C declarations). It also waits until no thread is importing a
module of griotte. Locks that are held for long are new in the child instead; so are those of
`functools.cached_property`, which before Python 3.12 has one for all objects of a class.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import threading
import time
import weakref
from contextlib import suppress
from typing import Any

PATIENCE_S = 20.0  # that a fork waits for other threads; then it goes on

_waited: list[weakref.ref[ForkLock]] = []
_renewed: list[weakref.ref[ForkLock]] = []
_adopted: list[tuple[Any, str]] = []
_here = threading.local()  # what the thread that forks holds meanwhile


class ForkLock:
    """A re-entrant lock that is free in a child of a fork.

    Args:
        waits: whether a fork waits for who has it, so that what it guards is whole in the child; False where it may be
            held for long.
    """

    def __init__(self, waits: bool = True) -> None:
        self.lock = threading.RLock()
        known = _waited if waits else _renewed
        known.append(weakref.ref(self, known.remove))

    def __enter__(self) -> None:
        self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


def hold_at_fork(owner: Any, name: str) -> None:
    """Let forks wait for who has a library's own lock, which is an attribute; nothing where there is none."""
    if hasattr(getattr(owner, name, None), "acquire") and (owner, name) not in _adopted:
        _adopted.append((owner, name))


def _places() -> list[tuple[Any, str]]:
    """Where the locks are that a fork waits for."""
    own = [found for each in list(_waited) if (found := each()) is not None]
    return [*((each, "lock") for each in own), *_adopted]


def _before() -> None:
    until = time.monotonic() + PATIENCE_S
    while _importing() and time.monotonic() < until:
        time.sleep(0.001)
    _here.held = _all_held([(getattr(*place), place) for place in _places()], until)


def _all_held(wanted: list[Any], until: float) -> list[Any]:
    """The locks, taken: all at once, for who waits while holding one may be waited for. Late, those that are free."""
    while True:
        held: list[Any] = []
        for each in wanted:
            left = 0.0 if held else max(0.0, until - time.monotonic())
            if not each[0].acquire(timeout=left):
                break
            held.append(each)
        else:
            return held
        late = time.monotonic() >= until
        if late:
            return [*held, *(other for other in wanted[len(held) :] if other[0].acquire(timeout=0))]
        _release(held)
        wanted = [each, *(other for other in wanted if other is not each)]


def _release(held: list[Any]) -> None:
    for lock, _ in held:
        lock.release()


def _in_parent() -> None:
    _release(_here.__dict__.pop("held", []))


def _in_child() -> None:
    held = _here.__dict__.pop("held", [])
    _release(held)
    free = {id(lock) for lock, _ in held}
    late = [place for place in _places() if id(getattr(*place)) not in free]
    for owner, name in (*late, *((found, "lock") for each in list(_renewed) if (found := each()) is not None)):
        _renew(owner, name)
    if sys.version_info < (3, 12):
        _renew_cached_properties()


def _renew(owner: Any, name: str) -> None:
    """Make a lock free, whoever had it; the same object, for others may have it by another name."""
    try:
        getattr(owner, name)._at_fork_reinit()
    except AttributeError:
        setattr(owner, name, threading.RLock())


def _own_modules() -> list[Any]:
    return [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "griotte"]


def _importing() -> bool:
    """Whether another thread is importing a module of griotte: a lock of a module is there for as long as that."""
    locks = dict(getattr(importlib._bootstrap, "_module_locks", {}))
    held = [lock for name, ref in locks.items() if name.partition(".")[0] == "griotte" and (lock := ref()) is not None]
    return any(lock.owner not in (None, threading.get_ident()) for lock in held)


def _renew_cached_properties() -> None:
    for module in _own_modules():
        for each in list(vars(module).values()):
            if isinstance(each, type):
                for own in vars(each).values():
                    if isinstance(own, functools.cached_property):
                        _renew(own, "lock")


with suppress(AttributeError):  # Windows: no forks
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)

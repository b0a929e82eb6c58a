"""A kernel that is there at once. Between two calls the kernel of the whole search takes its place.

A call reads once which kernel runs, so an exchange is never within one. What holds a pointer into a kernel's library (a
call whose arrays are fixed, a call of tensors) is made anew of the next kernel, and holds the library of its own.

Not here: how either kernel is found, and in which process.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from ..machine.target import Target
from ..support.errors import GriotteError, SpecError
from ..support.forks import ForkLock
from .saved import Library, OfLibrary
from .signature import Signature

FAST = "fast"
WORDS = (FAST,)


class Search(Protocol):
    """A search that goes on elsewhere."""

    def begin(self, done: Callable[[Any], None], failed: Callable[[], None]) -> None:
        """Start it; one of both is called once, on another thread, unless it is stopped: with the kernel, or when it
        has been told why there is none."""

    def stop(self) -> None:
        """End it, and all its processes."""


class FollowingCall:
    """What runs by the kernel that there is: made anew when that is exchanged."""

    __slots__ = ("__weakref__", "_kernel", "_make", "_run")

    def __init__(self, kernel: FirstKernel, make: Callable[[Any], Callable[..., Any]], now: Any) -> None:
        self._kernel, self._make, self._run = kernel, make, make(now)

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        """Run it."""
        return self._run(*arrays, **named)

    def follow(self, kernel: Any) -> None:
        """Run by another kernel from the next call on; where that cannot be made, by the same as before."""
        try:
            self._run = self._make(kernel)
        except GriotteError:  # an array that was fixed is no longer what it was
            pass


class FirstKernel(OfLibrary):
    """A kernel that is there at once, `gt.compile(.., first="fast")`, while the whole search goes on in other
    processes. It is called, bound and saved as the kernels that it stands for.

    It may be called from many threads at once. When the search is done the kernels are exchanged between two calls:
    results may change by rounding, once. Where the search fails, a message says so once, and the first kernel stays.
    """

    def __init__(self, kernel: Any, search: Search | None) -> None:
        """`search` finds the other kernel; None: this one is that."""
        self._now, self._search, self._is_whole, self._is_open = kernel, search, search is None, False
        self._following: weakref.WeakSet[FollowingCall] = weakref.WeakSet()
        self._lock = ForkLock(waits=False)
        self._settled, self._process = threading.Event(), os.getpid()
        if search is None:
            self._settled.set()
        else:
            self._begin(search)

    def _begin(self, search: Search) -> None:
        own = weakref.ref(self)  # a kernel that nobody has is searched for no longer

        def done(kernel: Any) -> None:
            if (first := own()) is not None:
                first._exchange(kernel)

        settled = self._settled
        search.begin(done, settled.set)
        weakref.finalize(self, search.stop)

    def _exchange(self, kernel: Any) -> None:
        with self._lock:
            if self._is_open:
                kernel.open_door()
            self._now, self._is_whole = kernel, True
            for call in list(self._following):
                call.follow(kernel)
        self._settled.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the search is done; whether its kernel runs now. False too where it failed.

        Args:
            timeout: seconds to wait at most; None: as long as it takes.

        Examples:
            >>> kernel = gt.compile("exp(f32[8])", first="fast")
            >>> kernel.wait(), kernel.stats["first"]
            (True, False)
        """
        if self._process != os.getpid():  # the search is that of the process that was forked
            self._process, self._settled = os.getpid(), threading.Event()
            if self._is_whole or self._search is None:
                self._settled.set()
            else:
                self._begin(self._search)
        self._settled.wait(timeout)
        return self._is_whole

    @property
    def stats(self) -> dict[str, Any]:
        """Those of the kernel that runs now; `first`: whether that is the first one."""
        return {**self._now.metadata, "first": not self._is_whole}

    @property
    def kernel(self) -> Any:
        """The kernel that runs now, which is never exchanged."""
        return self._now

    # ---- calls -------------------------------------------------------------------------------------------------------

    def __call__(self, /, *arrays: Any, **named: Any) -> Any:
        """Run it: as a call of the kernel that runs now."""
        return self._now(*arrays, **named)

    def at_once(self, *arrays: Any) -> Any:
        """A call of arrays that are just as the signature has them; it gives NotImplemented of others."""
        return self._now.at_once(*arrays)

    def open_door(self) -> None:
        """`at_once`, and calls that are such, go past cffi from now on, of the next kernel too."""
        with self._lock:
            self._is_open = True
            self._now.open_door()

    def bind(self, *arrays: Any, out: Any = None, **named: Any) -> Callable[..., Any]:
        """Fix inputs now, and perhaps `out`, as `bind` of the kernel: the call is one of the next kernel after the
        exchange, with the same arrays.

        Args:
            *arrays: as of the kernel's `bind`.
            out: as of the kernel's `bind`.
            **named: as of the kernel's `bind`.

        Raises:
            SpecError: an array does not fit, one is missing, or `out` shares memory with an input.
        """
        if out is None:
            out = self._now._room_for(arrays, named)  # the same arrays after the exchange
        return self._followed(lambda kernel: kernel.bind(*arrays, out=out, **named))

    def bind_many(self, *arrays: Any, out: Any) -> Callable[[], Any]:
        """Fix many calls now, as `bind_many` of a Spec's kernel.

        Args:
            *arrays: as of the kernel's `bind_many`.
            out: as of the kernel's `bind_many`.

        Raises:
            SpecError: an array does not fit, or shares memory with its output.
        """
        return self._followed(lambda kernel: kernel.bind_many(*arrays, out=out))

    def on_tensors(self) -> Callable[..., Any]:
        """As of the kernel, for tensors that are none of a trace.

        Raises:
            SpecError: as of the kernel.
        """
        return self._followed(lambda kernel: kernel.on_tensors())

    def _followed(self, make: Callable[[Any], Callable[..., Any]]) -> FollowingCall:
        with self._lock:
            call = FollowingCall(self, make, self._now)
            self._following.add(call)
        return call

    def torch(self) -> Callable[..., Any]:
        """The kernel that runs now as an operator of torch: it stays that one. `wait()` before, for the other.

        Raises:
            SpecError: as of the kernel.
        """
        return self._now.torch()

    def jax(self) -> Callable[..., Any]:
        """The kernel that runs now as a function of JAX's arrays: it stays that one. `wait()` before, for the other.

        Raises:
            SpecError: as of the kernel.
        """
        return self._now.jax()

    # ---- what it is --------------------------------------------------------------------------------------------------

    def save(self, directory: str | os.PathLike[str], **package: Any) -> Path:
        """Write the kernel of the whole search, for which this waits; the first one where that failed.

        Args:
            directory: as of the kernel's `save`.
            **package: as of the kernel's `save`.

        Raises:
            SpecError: as of the kernel's `save`.
            ToolchainError: as of the kernel's `save`.
        """
        self.wait()
        return self._now.save(directory, **package)

    @property
    def library(self) -> Library:
        """The compiled C of the kernel that runs now, not loaded."""
        return self._now.library

    @property
    def signature(self) -> Signature:
        """What it takes: the same for both kernels, but for the C function's name and how constants are packed."""
        return self._now.signature

    @property
    def others(self) -> Callable[[Target], Library] | None:
        """What makes the same for another target; None where that is not known."""
        return self._now.library.others

    def __reduce__(self) -> tuple[Any, ...]:
        """That of the kernel that runs now."""
        return self._now.__reduce__()

    def __repr__(self) -> str:
        return f"<griotte.FirstKernel, {'done' if self._is_whole else 'searching'}, of {self._now!r}>"


def require_first(first: Any) -> None:
    """Raise SpecError unless it is None or the word for a kernel that may run first."""
    if first is not None and first not in WORDS:
        raise SpecError(
            f'expected "fast" or None as first, found {first!r}; write first="fast", or leave it out to wait for the'
            " whole search"
        )

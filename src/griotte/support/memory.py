"""The place of the costs of live families: memory up to a bound, and beyond it a scratch file. And how pages of mapped
files leave memory.

Without a bound costs are NumPy's own allocation. With one, a block that would pass it is mapped from a file without a
name, which the system writes out when it needs the memory. Loops then go over such blocks in slabs of rows, and let go
of a slab's pages before they turn to the next. The results are the same to the bit.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import tempfile
import threading
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from .errors import GriotteError

SLAB = 8 << 20  # bytes of a slab, each of the parent's and the child's costs
# bytes beyond what the process holds before the search: the loops' machine code, the graph of families
LEAST = 128 << 20
MARGIN = 32 << 20  # bytes left to what is not counted


class BoundError(GriotteError):
    """A bound on memory is too small for a search."""


class Memory:
    """Memory for costs. `bound` is in bytes, of all that the process holds resident; None: no bound.

    BoundError where the bound is too small to begin, or for the working set of a single family, or there is no room for
    the scratch file.
    """

    def __init__(self, bound: int | None = None, scratch: str | None = None):
        self._scratch = scratch
        self._maps: dict[int, mmap.mmap] = {}
        self._free = threading.Condition()
        self._given = self._bound = bound
        self._base, self._busy = 0, 0

    @property
    def bounded(self) -> bool:
        return self._bound is not None

    def begin(self) -> None:
        """Called before a search: BoundError where the bound leaves no room for one."""
        self._bound = self._given  # a search before may have needed none
        if self._bound is None:
            return
        self._base = _resident()
        if self._bound - self._base < LEAST:
            raise BoundError(
                f"expected --memory of at least {_mib(self._base + LEAST)} to begin a search, found"
                f" {_mib(self._bound)}; give more"
            )

    def relax(self, most: int) -> None:
        """Take costs of `most` bytes at once to be within the bound, and keep no account of them, where they are."""
        if self._bound is not None and self._base + most <= self._bound:
            self._bound = None

    def full(self, shape: tuple[int, int], value) -> np.ndarray:
        """A float32 array of `value`."""
        nbytes = 4 * shape[0] * shape[1]
        if self._bound is None or not nbytes:
            return np.full(shape, value, np.float32)
        with self._free:
            array = self._room(shape, nbytes)
            for part in self.slabs(array):
                array[part] = value
                self.settle(array)
        return array

    @property
    def _half(self) -> int:
        """Bytes that the process may hold before arrays are mapped: as many again are for working sets to come."""
        assert self._bound is not None
        return (self._bound + self._base) // 2

    def _room(self, shape: tuple[int, int], nbytes: int) -> np.ndarray:
        if _resident() + nbytes + self._busy > self._half:
            return self._mapped(shape, nbytes)
        # which goes back to the system when it is free
        return np.frombuffer(mmap.mmap(-1, nbytes), np.float32).reshape(shape)

    def free(self, array: np.ndarray) -> None:
        """Take back an array that nothing needs any more."""
        self._maps.pop(array.ctypes.data, None)

    def slabs(self, *arrays: np.ndarray) -> list[slice]:
        """Ranges of rows to take one after the other: one for all, unless one of the arrays is in the scratch file."""
        rows = len(arrays[0])
        if not self._maps or not any(self._scratched(a) for a in arrays):
            return [slice(0, rows)]
        step = max(1, SLAB // max(1, arrays[0].nbytes // max(1, rows)))
        return [slice(i, min(i + step, rows)) for i in range(0, rows, step)]

    def settle(self, *arrays: np.ndarray) -> None:
        """Let go of the pages of arrays in the scratch file; their contents stay."""
        for array in arrays if self._maps else ():
            if self._scratched(array):
                self._maps[array.ctypes.data].madvise(mmap.MADV_DONTNEED)

    @contextmanager
    def working(self, nbytes: int, what: object):
        """Hold `nbytes` for the temporary arrays of one family; waits while others hold too much beside it."""
        if self._bound is None:
            yield
            return
        with self._free:
            self._free.wait_for(lambda: not self._busy or self._fits(nbytes))
            if not self._fits(nbytes):
                raise BoundError(
                    f"expected --memory of at least {_mib(_resident() + nbytes + MARGIN)} for {what}, found"
                    f" {_mib(self._bound)}; give more, or a smaller SPEC"
                )
            self._busy += nbytes
        try:
            yield
        finally:
            if _resident() > self._half:
                _trim()
            with self._free:
                self._busy -= nbytes
                self._free.notify_all()

    def _fits(self, nbytes: int) -> bool:
        return self._bound is None or _resident() + self._busy + nbytes <= self._bound

    def _scratched(self, array: np.ndarray) -> bool:
        return bool(self._maps) and array.ctypes.data in self._maps

    def _mapped(self, shape: tuple[int, int], nbytes: int) -> np.ndarray:
        try:
            with tempfile.TemporaryFile(dir=self._scratch) as file:
                os.posix_fallocate(file.fileno(), 0, nbytes)
                pages = mmap.mmap(file.fileno(), nbytes)
        except OSError as error:
            where = self._scratch or tempfile.gettempdir()
            raise BoundError(
                f"expected {_mib(nbytes)} of room for a scratch file in {where}, found: {error.strerror}; make room, or"
                " give more --memory"
            ) from None
        array = np.frombuffer(pages, np.float32).reshape(shape)
        self._maps[array.ctypes.data] = pages
        return array


def nbytes(value: int | str | None) -> int | None:
    """The bytes that a bound names: a number of them, or a text such as 512MiB or 1.5GiB (MB and GB likewise)."""
    if value is None or isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(Ki|Mi|Gi|Ti|k|M|G|T)?B?\s*", value) if isinstance(value, str) else None
    size = int(float(found[1]) * _UNITS[found[2]]) if found else 0
    if size <= 0:
        raise GriotteError(
            f"expected a bound on memory such as 512MiB or 1GiB, found {value!r}; write one, or leave it out"
        )
    return size


_UNITS = {None: 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}


def beyond(more: int) -> int | None:
    """A bound of so many bytes beside what the process holds now; None where the system does not say what it holds."""
    try:
        return _resident() + more
    except BoundError:
        return None


@contextmanager
def returned():
    """Memory that is freed within goes back to the system at the end, where the process grew by more than `KEPT`. The C
    library alone keeps freed arrays for the next ones; for one large search that is as much as several processes
    take."""
    before = held()
    try:
        yield
    finally:
        if held() - before > KEPT:
            _trim()


KEPT = 32 << 20  # bytes that are not worth a call


def held() -> int:
    """What the process holds; 0 where the system does not say."""
    try:
        return _resident()
    except BoundError:
        return 0


def _resident() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except FileNotFoundError:
        raise BoundError(
            "expected Linux, which says what a process holds, for --memory, found another system; leave it out"
        ) from None


def _trim() -> None:
    """Give what the C library has kept of freed arrays back to the system."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _mib(nbytes: int) -> str:
    return f"{-(-nbytes // (1 << 20))}MiB"


def release(array: np.ndarray) -> None:
    """Give back the memory that holds pages of the file that an array lies in; one that lies in none is left alone."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        with suppress(OSError, ValueError):
            base.madvise(mmap.MADV_DONTNEED)

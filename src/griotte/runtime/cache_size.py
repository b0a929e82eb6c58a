"""The limit of the cache, for solved Specs and compiled kernels together. Beyond it, the files that were unused for
longest go.

A process checks the limit after it wrote, and again once it wrote a part of the room that it found. Files used a moment
ago stay, whatever the limit: another process may be about to load them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..engine.table.store import HeldFamily, drop_families, held_families
from ..support.errors import GriotteError, ToolchainError
from ..support.folders import MOMENT_S, base_dir
from ..support.memory import nbytes

DEFAULT = "1GiB"
KEPT = 0.9  # of the limit, what is left once things went: so that not every write ends in a search for what may go
PART = 8  # of the room that a process found it writes this part before it looks again

_room: dict[tuple[Path, int], int] = {}  # bytes that this process may write before it looks again, by cache and limit


@dataclass(frozen=True)
class Usage:
    """What the cache holds, in bytes."""

    tables: int
    kernels: int
    limit: int

    @property
    def bytes(self) -> int:
        return self.tables + self.kernels


@dataclass(frozen=True)
class _Kept:
    """What may go by itself: a family of the table, or files that belong together."""

    is_met: bool
    at: float
    bytes: int
    what: HeldFamily | tuple[Path, ...]


def limit() -> int:
    """Bytes that the cache may hold: GRIOTTE_CACHE_SIZE, such as 512MiB."""
    given = os.environ.get("GRIOTTE_CACHE_SIZE") or DEFAULT
    try:
        found = nbytes(int(given) if given.isdigit() else given)
    except GriotteError:
        found = None
    if found is None:
        raise ToolchainError(
            f"expected a size such as 512MiB or 1GiB in GRIOTTE_CACHE_SIZE, found {given!r}; write one, or unset it"
        )
    return found


def table() -> Path:
    """The user's own table."""
    return base_dir() / "tables" / "default.griotte"


def usage() -> Usage:
    folder = base_dir()
    kernels = sum(kept.bytes for kept in _files(folder, "kernels", "models", "failed"))
    return Usage(_size(table()) + sum(kept.bytes for kept in _files(folder, "tables")), kernels, limit())


def wrote(count: int) -> None:
    """Note that so many bytes were written into the cache, and drop files where the cache is too large."""
    place = base_dir(), limit()
    _room[place] = _room.get(place, 0) - count
    if _room[place] < 0:
        _room[place] = (place[1] - sweep()) // PART


def sweep() -> int:
    """Drop the files used least lately where the cache is over its limit. Returns the bytes that it holds then."""
    found = usage()
    if found.bytes <= found.limit:
        return found.bytes
    folder, until, over = base_dir(), time.time() - MOMENT_S, found.bytes - int(KEPT * found.limit)
    families: list[HeldFamily] = []
    for kept in sorted(_all(folder), key=lambda kept: (kept.is_met, kept.at)):
        if over <= 0:
            break
        if kept.at > until:
            continue
        over -= kept.bytes
        if isinstance(kept.what, HeldFamily):
            families.append(kept.what)
        else:
            _remove(kept)
    if families:
        drop_families(table(), families)
    return usage().bytes


def _all(folder: Path) -> Iterator[_Kept]:
    yield from _files(folder, "kernels", "models", "failed", "tables")
    if table().exists():
        for family in held_families(table()):
            yield _Kept(family.is_met, family.at, family.bytes, family)


def _files(folder: Path, *rooms: str) -> Iterator[_Kept]:
    """Files of a name, whatever they end in, each such group; of tables those that were set aside."""
    for room in rooms:
        groups: dict[str, list[os.DirEntry]] = {}
        with suppress(OSError), os.scandir(folder / room) as entries:
            for entry in entries:
                if room != "tables" or ".damaged" in entry.name:
                    groups.setdefault(entry.name.partition(".")[0] or entry.name, []).append(entry)
        for group in groups.values():
            with suppress(OSError):  # another process removed one
                found = [entry.stat() for entry in group]
                at, size = max(one.st_mtime for one in found), sum(one.st_size for one in found)
                yield _Kept(room in ("kernels", "models"), at, size, tuple(Path(entry.path) for entry in group))


def _remove(kept: _Kept) -> None:
    """Remove files, unless they were used since they were looked at: of a kernel the digest first, without which its
    library is none."""
    assert isinstance(kept.what, tuple)
    with suppress(OSError):
        if max(path.stat().st_mtime for path in kept.what) <= kept.at:
            for path in sorted(kept.what):
                path.unlink(missing_ok=True)


def _size(path: Path) -> int:
    """Bytes of a table, its log included."""
    found = 0
    for file in (path, Path(f"{path}-wal")):
        with suppress(OSError):
            found += file.stat().st_size
    return found

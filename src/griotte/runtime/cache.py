"""Where griotte keeps files between runs, and how it writes them.

Code is loaded only from where nobody else can write (`is_private`); a reader of data checks
what it reads.  Not here: what the files mean.
"""

import atexit
import contextlib
import functools
import os
import secrets
import shutil
import stat
import tempfile
import time
import warnings
from pathlib import Path

import platformdirs
from griotte.errors import ToolchainError

__all__ = [
    "cache_dir",
    "is_private",
    "note_use",
    "private_dir",
    "process_dir",
    "writable_dir",
    "write_atomically",
]

MOMENT_S = 60.0  # that what was used stays in the cache, whatever its limit (cache_size.py)

_OTHERS_WRITE, _STICKY = stat.S_IWGRP | stat.S_IWOTH, stat.S_ISVTX


def cache_dir() -> Path:
    """The directory of tables and compiled kernels; it may not exist yet.

    GRIOTTE_CACHE where it is set and not empty, else the user's cache directory.
    """
    chosen = os.environ.get("GRIOTTE_CACHE") or platformdirs.user_cache_dir("griotte")
    if chosen.startswith("~"):
        chosen = os.path.expanduser(chosen)
    if chosen.startswith("~"):  # a user without a home directory, as in some containers
        return process_dir()
    return Path(chosen).absolute()


def writable_dir(name: str) -> Path:
    """The folder `name` of the cache, made if need be; without one, of this process.

    Where the cache cannot be written, warns once and answers a temporary
    directory that goes when the process ends.
    """
    folder = cache_dir() / name
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # `mode` is the last one's only
        folder.mkdir(mode=0o700, exist_ok=True)
        # Asking os.access is not enough: root passes, and then a read-only mount refuses.
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        warn_unwritable(error)
        folder = process_dir() / name
        folder.mkdir(exist_ok=True)
        return folder


def private_dir(name: str) -> Path:
    """`writable_dir`, where nobody else can write; else, with a warning, a folder of this process."""
    folder = writable_dir(name)
    if why := _open_to_others(folder):
        _warn_open(str(folder), why)
        folder = process_dir() / name
        folder.mkdir(exist_ok=True)
    return folder


def is_private(path: Path) -> bool:
    """Whether a file or folder is this user's own (or root's), and nobody else can change it, or what is on the way to
    it."""
    return not _open_to_others(path)


def _open_to_others(path: Path) -> str:
    """Who else can write to a path, or to a folder that leads to it; empty where nobody can.

    In a folder with the sticky bit, as /tmp, others cannot rename or remove what is not theirs.
    """
    if not hasattr(os, "geteuid"):  # Windows: a user's own folder is private by its access list
        return ""
    try:
        path = path.resolve(strict=True)
        for part in (path, *path.parents):
            found = part.stat()
            if found.st_uid not in (0, os.geteuid()):
                return f"{part} belongs to user {found.st_uid}"
            if found.st_mode & _OTHERS_WRITE and not (found.st_mode & _STICKY and part != path):
                return f"{part} has mode {stat.S_IMODE(found.st_mode):04o}"
    except OSError as error:
        return f"{path}: {error.strerror or error}"
    return ""


def write_atomically(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Give `path` the content `data`: all of it or none, whoever else writes it.

    `mode` less what the umask takes.  Raises OSError, and then leaves `path` as it was.
    """
    # Not mkstemp: its files are for one user only, whatever the umask says.
    temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}"
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def note_use(path: Path) -> None:
    """Note that a file of the cache is used now: it is not among those that go for a moment at least."""
    with contextlib.suppress(OSError):
        if path.stat().st_mtime < time.time() - MOMENT_S / 2:
            os.utime(path)


def warn_unwritable(error: OSError) -> None:
    """Say, once a process for each directory, that the cache cannot be written."""
    _warn_unwritable(str(cache_dir()), error.strerror or str(error))


def process_dir() -> Path:
    """A temporary directory of this process, removed when it ends; else ToolchainError."""
    # A forked child must not share, nor remove, its parent's.
    return _process_dir(os.getpid())


@functools.cache
def _process_dir(owner: int) -> Path:
    try:
        folder = Path(tempfile.mkdtemp(prefix="griotte-"))
    except OSError as error:
        raise ToolchainError(
            f"expected a temporary directory, found none: {error}; set TMPDIR to a directory that can be written"
        ) from error

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


@functools.cache
def _warn_open(folder: str, why: str) -> None:
    warnings.warn(
        f"expected a cache directory that only you can write to, found {folder}, where {why}; "
        "no code is loaded from it, and compiled kernels last for this process only: remove "
        "the kernels in it and take others' right to write (chmod go-w), or set GRIOTTE_CACHE "
        "to another directory",
        RuntimeWarning,
        stacklevel=4,
    )


@functools.cache
def _warn_unwritable(folder: str, reason: str) -> None:
    warnings.warn(
        f"expected a writable cache directory, found {folder}: {reason}; compiled kernels "
        "last for this process only; set GRIOTTE_CACHE to a directory that can be written",
        RuntimeWarning,
        stacklevel=4,
    )

"""Where griotte keeps files between runs, and how it writes them.

Code is loaded only from where nobody else can write (`is_private`); a reader of data checks what it reads.

Not here: what the files mean.
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
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs

from .errors import ToolchainError

SHARED_MEMORY = "/dev/shm"  # files there are in memory; containers have it when all else is read-only

MOMENT_S = 60.0  # that what was used stays in the cache, whatever its limit (cache_size.py)

_OTHERS_WRITE, _STICKY = stat.S_IWGRP | stat.S_IWOTH, stat.S_ISVTX


def cache_dir() -> Path:
    """The directory of tables and compiled kernels; it may not exist yet, nor be one that can be written.

    GRIOTTE_CACHE where it is set and not empty, else the user's cache directory; of a user without a home
    (a container's uid without a name), with a warning, what `spare_dir` answers.
    """
    chosen = os.environ.get("GRIOTTE_CACHE") or _users()
    if chosen.startswith("~"):
        chosen = os.path.expanduser(chosen)
    if not chosen or chosen.startswith("~"):
        _warn(
            f"expected a home directory or GRIOTTE_CACHE, found neither; what is compiled is kept in {instead()}; set"
            " GRIOTTE_CACHE to a directory that can be written"
        )
        return spare_dir() or process_dir()
    return Path(chosen).absolute()


def has_place() -> bool:
    """Whether a cache was chosen, or its user has a home, be it one that cannot be written."""
    return bool(os.environ.get("GRIOTTE_CACHE") or _users())


def _users() -> str:
    """The user's cache directory; empty where there is no home."""
    try:
        return platformdirs.user_cache_dir("griotte")
    except (RuntimeError, KeyError):  # no HOME, and a uid that has no name
        return ""


def spare_dir() -> Path | None:
    """What serves where the cache cannot be written: a folder among the temporary ones that is this user's alone and
    lasts; None where there is none that nobody else can write to."""
    try:
        folder = Path(tempfile.gettempdir(), f"griotte-{os.geteuid()}" if hasattr(os, "geteuid") else "griotte")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        # Another user may have made it first, or a link in its place: neither is believed.
        if folder.is_symlink() or not folder.is_dir() or _open_to_others(folder) or unwritable(folder):
            return None
    except OSError:
        return None
    return folder


def base_dir() -> Path:
    """The directory that griotte writes to: the cache, else `spare_dir`, else, while it runs, this process's."""
    return writable_dir(".")


def writable_dir(name: str) -> Path:
    """The folder `name` of the cache, made if need be; of `spare_dir` where the cache cannot be written, without one
    of this process.

    Warns, once a process, where it is not the cache.
    """
    folder = cache_dir() / name
    try:
        return _made(folder)
    except OSError as error:
        warn_unwritable(error)
    with contextlib.suppress(OSError):
        if spare := spare_dir():
            return _made(spare / name)
    folder = process_dir() / name
    folder.mkdir(exist_ok=True)
    return folder


def _made(folder: Path) -> Path:
    """A folder that can be written; OSError where there is none."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # `mode` is the last one's only
    folder.mkdir(mode=0o700, exist_ok=True)
    # Asking os.access is not enough: root passes, and then a read-only mount refuses.
    with tempfile.TemporaryFile(dir=folder):
        return folder


def unwritable(folder: Path) -> OSError | None:
    """Why a folder can neither be made nor written; None where it can (and then it is there)."""
    try:
        _made(folder)
    except OSError as error:
        return error
    return None


def kept_dir(name: str) -> Path | None:
    """The folder `name` for code that is kept between runs, where nobody else can write; None, without a warning, where
    there is no such place."""
    for place in (cache_dir, spare_dir) if has_place() else (spare_dir,):  # asked for in turn: the second makes one
        with contextlib.suppress(OSError):
            if (base := place()) and not _open_to_others(folder := _made(base / name)):
                return folder
    return None


def reading_dirs() -> Iterator[Path]:
    """Folders of kept files, in the order of the look-up. A cache that cannot be written (one that came with a
    container) is read all the same."""
    chosen = cache_dir()
    yield chosen
    if (unwritable(chosen) or not takes_code(chosen)) and (spare := spare_dir()):  # else nothing was written there
        yield spare
    yield from _code_dirs
    yield process_dir()  # asked for in turn: it makes one


def private_dir(name: str) -> Path:
    """`writable_dir`, where nobody else can write; else, with a warning, a folder of this process."""
    folder = writable_dir(name)
    if why := _open_to_others(folder):
        _warn(
            f"expected a cache directory that only you can write to, found {folder}, where {why}; no code is loaded"
            " from it, and compiled kernels last for this process only: remove the kernels in it and take others' right"
            " to write (chmod go-w), or set GRIOTTE_CACHE to another directory"
        )
        folder = process_dir() / name
        folder.mkdir(exist_ok=True)
    return folder


def code_dir(name: str) -> Path:
    """`private_dir`, where code may be loaded from: not on a file system that is mounted noexec. Else, with a warning,
    such a folder elsewhere; ToolchainError where there is none."""
    folder = private_dir(name)
    if takes_code(folder):
        return folder
    if (spare := spare_dir()) is None or not takes_code(spare):
        spare = _code_dir(os.getpid())
    _warn(
        f"expected a cache directory that code can be loaded from, found {folder} on a file system that is mounted"
        f" noexec; kernels are kept in {spare}; set GRIOTTE_CACHE to a directory on another"
    )
    (spare / name).mkdir(mode=0o700, exist_ok=True)
    return spare / name


def takes_code(path: Path) -> bool:
    """Whether code may be loaded from a file or folder."""
    try:
        return not os.statvfs(path).f_flag & os.ST_NOEXEC
    except (OSError, AttributeError):  # not there; Windows
        return True


def is_private(path: Path) -> bool:
    """Whether a file or folder is this user's own (or root's), and nobody else can change it, or a folder on the way to
    it."""
    return not _open_to_others(path)


def _open_to_others(path: Path) -> str:
    """Who else can write to a path, or to a folder that leads to it; empty where nobody can.

    In a folder with the sticky bit, as /tmp, others cannot rename or remove files that are not theirs.
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
    _warn(
        f"expected a writable cache directory, found {cache_dir()}: {error.strerror or error}; what is compiled is kept"
        f" in {instead()}; set GRIOTTE_CACHE to a directory that can be written"
    )


def process_dir() -> Path:
    """A temporary directory of this process, removed when it ends; else ToolchainError."""
    # A forked child must not share, nor remove, its parent's.
    return _process_dir(os.getpid())


@functools.cache
def _process_dir(owner: int) -> Path:
    return _leaving(Path(_temporary(tempfile.mkdtemp)), owner)


def _leaving(folder: Path, owner: int) -> Path:
    """A folder that goes with the process that made it."""

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


_code_dirs: list[Path] = []


@functools.cache
def _code_dir(owner: int) -> Path:
    """The same, where code may be loaded from."""
    for place in (None, os.environ.get("GRIOTTE_CACHE") or _users() or None, SHARED_MEMORY):
        with contextlib.suppress(OSError):
            if takes_code(Path(place or tempfile.gettempdir())):
                _code_dirs.append(_leaving(Path(tempfile.mkdtemp(prefix="griotte-", dir=place)), owner))
                return _code_dirs[-1]
    raise ToolchainError(
        f"expected a directory that code can be loaded from, found {cache_dir()} and the temporary ones on file systems"
        " that are mounted noexec; set GRIOTTE_CACHE or TMPDIR to one on another"
    )


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that goes when it is left, as `tempfile.TemporaryDirectory`, which asks for TMPDIR, /tmp or the like:
    where none can be written, in the cache or in memory. What processes of a compiler that was killed still write there
    may stay. Raises ToolchainError where there is no such place either."""
    return _temporary(partial(tempfile.TemporaryDirectory, ignore_cleanup_errors=True))


def _temporary(make: Callable[..., Any]) -> Any:
    places: tuple[Callable[[], str | None], ...] = (
        lambda: None,  # Python's own choice
        lambda: str(_made(Path(os.environ.get("GRIOTTE_CACHE") or _users() or "/nowhere").expanduser())),
        lambda: SHARED_MEMORY,
    )
    first: OSError | None = None
    for place in places:
        try:
            return make(prefix="griotte-", dir=place())
        except (OSError, RuntimeError) as error:
            first = first or (error if isinstance(error, OSError) else OSError(str(error)))
    raise ToolchainError(
        f"expected a temporary directory, found none: {first}; set TMPDIR to a directory that can be written"
    ) from first


@functools.cache
def _warn(text: str) -> None:
    """Say something, once a process."""
    warnings.warn(text, RuntimeWarning, stacklevel=4)


def instead() -> str:
    """The words for the place that serves where the cache cannot be written."""
    return str(spare_dir() or "this process alone")

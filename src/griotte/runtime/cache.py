"""Where griotte keeps files between runs, and how it writes them.

Not here: what the files mean.  A reader of the cache checks what it reads.
"""

import atexit
import functools
import os
import secrets
import shutil
import tempfile
import warnings
from pathlib import Path

import platformdirs

from griotte.errors import ToolchainError

__all__ = ["cache_dir", "process_dir", "writable_dir", "write_atomically"]


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
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Asking os.access is not enough: root passes, and then a read-only mount refuses.
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        warn_unwritable(error)
        folder = process_dir() / name
        folder.mkdir(exist_ok=True)
        return folder


def write_atomically(path: Path, data: bytes) -> None:
    """Give `path` the content `data`: all of it or none, whoever else writes it.

    Raises OSError, and then leaves `path` as it was.
    """
    # Not mkstemp: its files are for one user only, whatever the umask says.
    temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}"
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


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
            f"expected a temporary directory, found none: {error}; set TMPDIR to a directory "
            "that can be written"
        ) from error

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


@functools.cache
def _warn_unwritable(folder: str, reason: str) -> None:
    warnings.warn(
        f"expected a writable cache directory, found {folder}: {reason}; compiled kernels "
        "last for this process only; set GRIOTTE_CACHE to a directory that can be written",
        RuntimeWarning,
        stacklevel=4,
    )

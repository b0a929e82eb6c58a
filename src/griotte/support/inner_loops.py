"""The search's loops as machine code, by Numba, kept between runs where there is a place for it.

Numba keeps code beside its source, or where NUMBA_CACHE_DIR says, and else ends with RuntimeError. An installed package
is often not its user's to write; then the code lies in griotte's own cache, and where nothing can be kept it is
compiled anew in each process. Other packages that use Numba meet nothing of this.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numba.core.compiler_lock

from .folders import kept_dir
from .forks import ForkLock, hold_at_fork

_config: Any = numba.config  # whose settings Numba sets by name
_choosing = ForkLock()

hold_at_fork(numba.core.compiler_lock.global_compiler_lock, "_lock")
hold_at_fork(llvmlite.binding.ffi.lib._lock, "_lock")


def inner_loop(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """As `numba.njit`, without the interpreter lock; its code is kept where that can be done.

    Args:
        options: of `numba.njit`.

    Example:
        >>> @inner_loop()
        ... def twice(x):
        ...     return 2 * x
        >>> twice(3)
        6
    """

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher = numba.njit(nogil=True, **options)(function)
        _keep(dispatcher, Path(function.__code__.co_filename).parent)
        return dispatcher

    return compiled


def kept_in(sources: Path) -> Path | None:
    """The folder in which code of the sources in a folder is kept; None where there is none that can be written."""
    if _config.CACHE_DIR:
        return Path(_config.CACHE_DIR)
    if _is_writable(sources):
        return sources / "__pycache__"
    return Path(own) if (own := _own()) else None


def _keep(dispatcher: Any, sources: Path) -> None:
    if not hasattr(dispatcher, "enable_caching"):  # NUMBA_DISABLE_JIT: the function itself
        return
    with _choosing:
        given = _config.CACHE_DIR
        own = "" if given or _is_writable(sources) else _own()
        if own is None:
            return
        try:
            # Numba asks once, while the function is declared. What is set is restored before anyone else is served.
            _config.CACHE_DIR = given or own
            dispatcher.enable_caching()
        except (OSError, RuntimeError):  # NUMBA_CACHE_DIR, or what is beside the source, cannot be written after all
            pass
        finally:
            _config.CACHE_DIR = given


@functools.cache
def _is_writable(sources: Path) -> bool:
    """Whether code can lie beside its source."""
    folder = sources / "__pycache__"
    try:
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@functools.cache
def _own() -> str | None:
    """The folder of such code in griotte's cache; None where nothing lasts longer than the process."""
    folder = kept_dir("search")
    return None if folder is None else str(folder)

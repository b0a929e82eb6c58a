"""The search's loops as machine code, by Numba, kept between runs where there is a place for it.

Numba keeps code beside its source, or where NUMBA_CACHE_DIR says, and else ends with RuntimeError. An installed package
is often not its user's to write; then the code lies in griotte's own cache, and where nothing can be kept it is
compiled anew in each process. Other packages that use Numba meet nothing of this.

Code that is kept is loaded without the tables that Numba compiles by: they take 40 MB and a third of a second, more
than most searches. Numba makes them itself once something is to be compiled.
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
import numba.core.runtime
import numba.extending
from numba.core.caching import FunctionCache

from .folders import kept_dir
from .forks import ForkLock, hold_at_fork

_config: Any = numba.config  # whose settings Numba sets by name
_choosing = ForkLock()

hold_at_fork(numba.core.compiler_lock.global_compiler_lock, "_lock")
hold_at_fork(llvmlite.binding.ffi.lib._lock, "_lock")

# of Numba's runtime, what code of loops calls: arrays as arguments and results, and arrays of its own
RUNTIME = {
    "Free",
    "MemInfo_alloc_aligned",
    "MemInfo_call_dtor",
    "adapt_ndarray_from_python",
    "adapt_ndarray_to_python_acqref",
}


def inner_loop(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """As `numba.njit`, without the interpreter lock; its code is kept where that can be done.

    Args:
        options: of `numba.njit`.

    Examples:
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


def inner_part(function: Callable[..., Any]) -> Any:
    """A part of loops, compiled and kept within each that calls it; Python calls the function itself.

    Examples:
        >>> @inner_part
        ... def half(x):
        ...     return x // 2
        >>> @inner_loop()
        ... def quarter(x):
        ...     return half(half(x))
        >>> quarter(9), half(9)
        (2, 4)
    """
    return numba.extending.register_jitable(function)


class _KeptCode(FunctionCache):
    """The code of a loop on disk."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for arguments of these types; None where none is kept."""
        if not _has_runtime():
            return super().load_overload(sig, target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


@functools.cache
def _has_runtime() -> bool:
    """Make what code calls of Numba's runtime known by name, which Numba does where it begins to compile; False where
    this Numba's runtime is another."""
    helpers = getattr(getattr(numba.core.runtime, "_nrt_python", None), "c_helpers", {})
    if not helpers.keys() >= RUNTIME:
        return False
    for name, address in helpers.items():
        llvmlite.binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
    return True


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
            # Numba asks once, while the function is declared. The setting is restored before anyone else is served.
            _config.CACHE_DIR = given or own
            dispatcher.enable_caching()
            dispatcher._cache = _KeptCode(dispatcher.py_func)
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

"""The team of threads that all kernels of a process share, and how many of them may compute at once.

Not here: its C (codegen/team.c); each library that shares out work has a copy.
"""

import ctypes
import functools
import os
from typing import Any

from ..support.errors import SpecError, ToolchainError
from .toolchain import compile_shared

PREFIX = "griotte_team_"  # of the library's name: by it threadpoolctl knows it


@functools.cache
def load_team() -> Any:
    """Load the team, once, before libraries that share out work; its library.

    The dynamic linker takes `griotte_share_out` where it finds it first: here, for all of them. Where there is no
    compiler for it (None), each runs on its own copy.
    """
    from ..codegen.teams import team_text  # and with it the writers of C

    try:
        path = compile_shared(team_text(), prefix=PREFIX)
        library = ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_GLOBAL | os.RTLD_NODELETE)
    except (ToolchainError, OSError):
        return None
    _tell_threadpoolctl()
    return library


def get_num_threads() -> int:
    """How many threads may compute at once in the calls of this process.

    That is what `set_num_threads` said, or as many as affinity and quotas leave.

    Raises:
        ToolchainError: there is no C compiler, and so no team that kernels share.

    Examples:
        >>> gt.get_num_threads() >= 1
        True
    """
    return int(_team().griotte_get_num_threads())


def set_num_threads(threads: int | None) -> None:
    """From the next call on no more than so many threads compute at once in the calls of this process.

    So it is whatever kernels were compiled for. Threads that call meanwhile count; none of them waits.

    Args:
        threads: how many, at least 1; None, or as many as affinity and quotas leave: no limit but those.

    Raises:
        SpecError: it is no such number.
        ToolchainError: there is no C compiler, and so no team that kernels share.

    Examples:
        >>> gt.set_num_threads(1)
        >>> gt.get_num_threads()
        1
        >>> gt.set_num_threads(None)
    """
    if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or threads < 1):
        raise SpecError(f"expected a number of threads of at least 1, or None, found {threads!r}; pass one")
    _team().griotte_set_num_threads(min(threads or 0, 2**31 - 1))


def _team() -> Any:
    """The library of the team."""
    if (library := load_team()) is None:
        raise ToolchainError(
            "expected a C compiler for the team of threads that kernels share, found none that works; install gcc or"
            " clang"
        )
    return library


def _tell_threadpoolctl() -> None:
    """The limit is among those that threadpoolctl sees and sets, where that is installed."""
    try:
        from threadpoolctl import LibController, register
    except ImportError:  # or one of before it took others' libraries
        return

    class TeamController(LibController):
        user_api = internal_api = "griotte"
        filename_prefixes = (PREFIX,)
        check_symbols = ("griotte_get_num_threads",)

        def get_num_threads(self) -> int:
            return int(self.dynlib.griotte_get_num_threads())

        def set_num_threads(self, num_threads: int) -> None:
            self.dynlib.griotte_set_num_threads(num_threads)

        def get_version(self) -> None:
            return None

    register(TeamController)

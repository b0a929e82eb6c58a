"""The team of threads that all kernels of a process share.

Not here: its C (codegen/team.c), of which each library that shares out work has a copy.
"""

import ctypes
import functools
import os

from griotte.errors import ToolchainError
from griotte.runtime.toolchain import compile_shared

__all__ = ["load_team"]


@functools.cache
def load_team() -> None:
    """Load the team, once, before libraries that share out work.

    The dynamic linker takes `griotte_share_out` where it finds it first: here, for all of them. Where there is no
    compiler for it, each runs on its own copy.
    """
    from griotte.codegen.teams import team_text  # and with it the writers of C

    try:
        ctypes.CDLL(str(compile_shared(team_text())), mode=os.RTLD_NOW | os.RTLD_GLOBAL | os.RTLD_NODELETE)
    except (ToolchainError, OSError):
        pass

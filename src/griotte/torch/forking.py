"""What torch leaves undone in a child of a fork, as far as graphs of this backend meet it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from torch._dynamo import convert_frame

from ..support.forks import hold_at_fork


def _in_child() -> None:
    """Inductor's pool of threads has none in a child: what it is given there, for another size say, would wait forever.
    It makes a new one."""
    inductor = sys.modules.get("torch._inductor.async_compile")
    with suppress(AttributeError):  # a torch that has no such pool
        inductor.AsyncCompile.pool.cache_clear()  # type: ignore[union-attr]


hold_at_fork(convert_frame, "compile_lock")  # while another thread captures a graph
with suppress(AttributeError):  # Windows: no forks
    os.register_at_fork(after_in_child=_in_child)

"""Functions of NumPy's arrays as models: `graph` traces one, `jit` makes one that griotte runs, `report` says what of
it griotte runs."""

from typing import TYPE_CHECKING

from ...support.later import later

if TYPE_CHECKING:
    from .door import graph
    from .jitting import jit
    from .reporting import report

__all__ = ["graph", "jit", "report"]

if not TYPE_CHECKING:
    __getattr__ = later(__name__, {"door": "graph", "jitting": "jit", "reporting": "report"})

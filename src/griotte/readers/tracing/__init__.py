"""Functions of NumPy's arrays as models: `graph` traces one, `jit` makes one that griotte runs, `report` says what of
it griotte runs."""

from typing import TYPE_CHECKING

from ...support.later import later

if TYPE_CHECKING:
    from .jitting import jit
    from .runs import report
    from .tracer import graph

__all__ = ["graph", "jit", "report"]

if not TYPE_CHECKING:
    __getattr__ = later(__name__, {"tracer": "graph", "jitting": "jit", "runs": "report"})

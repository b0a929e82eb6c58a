"""The verbs of `griotte table`, one module each; they import what they need when they run."""

from .export import export
from .map import map_
from .merge import merge
from .precompute import precompute
from .prune import prune
from .stats import stats
from .verify import verify

COMMANDS = (stats, map_, precompute, merge, verify, export, prune)

__all__ = ["COMMANDS"]

"""The verbs of `griotte table`, one module each; they import what they need when they run."""

from .export import export
from .merge import merge
from .prune import prune
from .stats import stats
from .verify import verify

COMMANDS = (stats, verify, merge, export, prune)

__all__ = ["COMMANDS"]

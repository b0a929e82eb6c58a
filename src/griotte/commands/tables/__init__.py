"""The verbs of `griotte table`, one module each; they import what they need when they run."""

from .export import export
from .merge import merge
from .prune import prune
from .stats import stats

COMMANDS = (stats, merge, export, prune)

__all__ = ["COMMANDS"]

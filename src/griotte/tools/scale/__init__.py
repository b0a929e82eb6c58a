"""Many Specs solved into one table ahead of time, on one machine or several."""

from .fill import fill
from .goals import Goal, goals

__all__ = ["Goal", "fill", "goals"]

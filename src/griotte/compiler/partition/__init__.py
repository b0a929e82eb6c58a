"""Calls cut at whole arrays into groups that are each searched as one: what is more than one search, or has no program
as one, is solved all the same."""

from .calls import Steps, placed_calls
from .record import searched_as
from .solving import Partition, Refusal, SolvedGroup, TooMuchError

__all__ = ["Partition", "Refusal", "SolvedGroup", "Steps", "TooMuchError", "placed_calls", "searched_as"]

"""Calls cut at whole arrays into groups that are each searched as one. So a Spec is solved even where one search does
not cover it, or finds no program for it as one."""

from .calls import Steps, placed_calls
from .record import searched_as
from .solving import Partition, Refusal, SolvedGroup, TooMuchError

__all__ = ["Partition", "Refusal", "SolvedGroup", "Steps", "TooMuchError", "placed_calls", "searched_as"]

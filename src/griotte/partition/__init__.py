"""Calls cut at whole arrays into groups that are each searched as one: what is more than one search, or has no program
as one, is solved all the same."""

from .calls import CallGroup, CallList
from .solving import Partition, Refusal, SolvedGroup

__all__ = ["CallGroup", "CallList", "Partition", "Refusal", "SolvedGroup"]

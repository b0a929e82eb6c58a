"""Solved Specs: what `synthesize` gives, to be printed, explained, written as C, compiled and saved."""

from .base import SolvedProgram
from .program import Program, signature

__all__ = ["Program", "SolvedProgram", "signature"]

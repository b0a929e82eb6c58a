"""A loop of C that no search makes, with a price."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a model that is read needs no code generator
    from ...engine.vectors.library import VectorLibrary
    from ...machine.target import Target

Lines = list[Any]  # of C; lists within are those of a block


class KernelLoop(ABC):
    """Steps that threads may share out, as C. Printed it is what it does, in a few words."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What it is."""

    @property
    def is_open(self) -> bool:
        """Whether a size is known only up to a bound: then its C has it as `m`."""
        return False

    @property
    def shares(self) -> int:
        """How many steps there are that threads may share out; of a dynamic size at its bound."""
        return 1

    @property
    def steps(self) -> int | str:
        """How many those are at a call, in C."""
        return self.shares

    @abstractmethod
    def cost(self, target: Target) -> float:
        """Cycles of one thread."""

    @abstractmethod
    def arguments(self, library: VectorLibrary) -> dict[str, str]:
        """The names that its C has for arrays, and their types in C."""

    @abstractmethod
    def loop(self, first: str, end: str, library: VectorLibrary, target: Target) -> Lines:
        """The steps from one to before another, in C."""


def line_moved(target: Target, lines: float) -> float:
    """Cycles of a line that is read and written, where all the data of the loop takes so many lines."""
    level = target.levels[target.home(lines)].name
    moved = target.coefficient[f"stream.{level}"] + target.coefficient[f"store.{level}"]
    return max(moved, 2 * target.spans.line / target.vector_bytes / target.ports.load)

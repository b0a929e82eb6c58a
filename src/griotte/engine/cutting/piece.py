"""A piece: a connected set of atoms that may be one part, with layouts for the values that go in and out."""

from __future__ import annotations

from dataclasses import dataclass

from .crossing import Stored


@dataclass(eq=False)
class AtomSet:
    """Connected atoms that no path leaves and enters again.

    Attributes:
        atoms: by number, ascending.
        bits: the same as a set.
        needs: the atoms that must be done before.
        takes: the values with several layouts that they read.
        gives: the values with several layouts that they give.
    """

    atoms: tuple[int, ...]
    bits: int = 0
    needs: int = 0
    takes: tuple[int, ...] = ()
    gives: tuple[int, ...] = ()


@dataclass(eq=False)
class Piece(AtomSet):
    """A set of atoms that may be one part, with the layouts of the values that go in and out.

    Attributes:
        stored: the values that have another layout than their own.
        bound: no less than it costs.
        cost: what it costs, where it is solved.
        floor: what its arithmetic takes at best.
        moves: whether something runs for it: for a view, nothing does.
        copies: of no atoms: the value that is copied, and the layouts that it has before and after.
    """

    stored: Stored = ()
    bound: float = 0.0
    cost: float | None = None
    floor: float = 0.0
    moves: bool = True
    copies: tuple[int, int, int] | None = None

    @property
    def least(self) -> float:
        """No less than it costs."""
        return self.bound if self.cost is None else self.cost

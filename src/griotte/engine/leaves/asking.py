"""What a leaf asks for before it needs it, as far as that is the same for all forms.

All that decides it is the level, the layout, the way a program walks along an operand, and the machine's `Prefetch`.
The code generator writes the requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ...lang.nests.family import Family
from ...machine.core import Prefetch
from ...machine.target import Kernel, Target
from ..program.nodes import KernelCall, Request, Supply
from ..program.view import View


@dataclass(frozen=True)
class Place:
    """Where a leaf stands: `around` are the dimensions of the serial loops around it, outermost first; `home` is the
    level where the arrays of the call are."""

    target: Target
    home: int
    around: Sequence[str] = ()

    @property
    def prefetch(self) -> Prefetch:
        return self.target.prefetch

    def comes_from(self, view: View) -> str:
        """Where an operand comes from, as far as its requests depend on it: of a panel its level, else the nearest
        cache, near or far."""
        level = self.target.levels[view.level]
        if view.layout.panel or view.level == 1:
            return level.name
        return "near" if self.lies_near(view) else "far"

    def lies_near(self, view: View) -> bool:
        """Whether it is asked for, row by row as it was given, some steps of a reduction ahead
        (docs/lab/prices/README.md, Rows in L2)."""
        return self.prefetch.later_row > 0 and view.layout.given and not self.target.levels[view.level].prefetch

    def comes_from_far(self, view: View) -> bool:
        """Whether it is a panel that is asked for long before (docs/lab/prices/README.md, Panels from far)."""
        return bool(view.layout.panel) and self.target.levels[view.level].prefetch


@dataclass(frozen=True)
class Asking:
    """A leaf that stands at `place`, its operands at `views`; `outer` has its output as it lies in memory. This
    one asks for nothing: the core sees what it reads far enough ahead."""

    place: Place
    outer: Family
    call: KernelCall
    views: tuple[View, ...]

    @cached_property
    def kernel(self) -> Kernel:
        return next(k for k in self.place.target.kernels if k.name == self.call.kernel)

    @property
    def family(self) -> Family:
        return self.call.state.family

    def supply(self, i: int) -> Supply:
        """Where operand i comes from, and the requests for it."""
        return Supply(self.place.comes_from(self.views[i]), self.requests(i), self.left_alone(i))

    def requests(self, i: int) -> tuple[Request, ...]:
        return ()

    def left_alone(self, i: int) -> bool:
        """Whether it streams in, and the core is left to see that by itself."""
        return False

"""What the leaves of a program ask for before they need it: of each operand where it comes from, and the requests for
that."""

from __future__ import annotations

from collections.abc import Sequence

from ...lang.nests.family import Family
from ..program.nodes import KernelCall, Supply
from ..program.view import View
from .asking import Place
from .forms import form_of


def supplies(place: Place, outer: Family, call: KernelCall, views: Sequence[View]) -> tuple[Supply, ...]:
    """One for each operand of a leaf that stands at `place`, its operands at `views`; `outer` has its output as it lies
    in memory."""
    kernel = next(k for k in place.target.kernels if k.name == call.kernel)
    asking = form_of(kernel).asking(place, outer, call, tuple(views))
    return tuple(asking.supply(i) for i in range(len(views)))

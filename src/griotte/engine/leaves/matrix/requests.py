"""What a leaf over matrix registers asks for before it needs it."""

from __future__ import annotations

from ...program.nodes import PANEL, Request
from ..asking import Asking
from . import serve


class MatrixAsking(Asking):
    """Panels that come from far."""

    def requests(self, i: int) -> tuple[Request, ...]:
        """The rows of a register that a later step loads from a panel that comes from far."""
        whole = (
            i == self.kernel.columns
            or i == serve.row_operand(self.kernel)
            and serve.blocked_rows(self.kernel, self.family)
        )
        far = self.place.prefetch.far_panel
        return (Request(PANEL, far, 2),) if whole and far and self.place.comes_from_far(self.views[i]) else ()

"""An output tile in matrix registers; the loop over one reduction dimension inside."""

from __future__ import annotations

from ...program.nodes import PANEL, Request
from ..conditions import neighbours, no_border, no_index, to_memory
from ..form import Asking, LeafForm, Price, Serving
from . import price, serve
from .code import MatrixLeaf


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


MATRIX = LeafForm(
    "matrix",
    Serving(neighbours, (no_index, no_border, to_memory), serve.refuses, serve.conditions),
    Price("cycles", price.cycles, price.crossing, has_blocks=True),
    MatrixLeaf,
    MatrixAsking,
)

"""What a reduction asks for before it needs it."""

from __future__ import annotations

from functools import cached_property
from math import prod

from ....lang.nests.family import Spans
from ....lang.types.dtypes import dtype
from ...program.nodes import LATER_ROW, NEXT_ROWS, PANEL, RESULT, ROW, Request
from ...program.view import View
from ..form import Asking
from . import price
from .serve import turned_dim


class ReduceAsking(Asking):
    """Rows, panels and results of a reduction in registers."""

    @property
    def is_along(self) -> bool:
        """Whether lanes lie along the reduction: the leaf walks down its rows."""
        return self.call.lane in self.family.nest.reduction

    def requests(self, i: int) -> tuple[Request, ...]:
        return self._result() if i == len(self.views) - 1 else self._read(i)

    def left_alone(self, i: int) -> bool:
        """Whether it streams in, and the core is left to see that by itself: what a step takes element by element, and
        where there is little work for a line."""
        return i in self._streams and not (self._carries(i) and self._works_enough(i))

    def _carries(self, i: int) -> bool:
        return self.call.lane in self.views[i].access.dims

    def _works_enough(self, i: int) -> bool:
        """Whether there is so much arithmetic for each line that the core does not see its own next loads far enough
        ahead."""
        return self._work(i) >= self.place.prefetch.least_work

    def _work(self, i: int) -> float:
        """Arithmetic-port slots for each line of an input."""
        return float(
            price.for_each_line(self.kernel, self.call.lane, self.family, self.place.target, i, self.call.state.size)
        )

    def _result(self) -> tuple[Request, ...]:
        """Outputs that are asked for as the leaf begins, so that their way passes behind the loops. These are an output
        that is added to, one that is stored in squares, and one that lies far, for a store fetches a line of it
        first."""
        lies_far = self.place.target.levels[self.views[-1].level].prefetch
        asked = not self.is_along and (
            self.outer.accumulate or turned_dim(self.outer, self.call, self.views[-1], self.place.target) or lies_far
        )
        return (Request(RESULT),) if asked else ()

    def _read(self, i: int) -> tuple[Request, ...]:
        """The requests for an input that is beyond the nearest cache and carries the lanes. For a panel `_panel` says
        them. Else they are, along the row, for the next rows and for what later steps take."""
        view = self.views[i]
        if view.level == 1 or not self._carries(i) or i >= self.family.nest.streamed:
            return ()
        if view.layout.panel:
            return () if self.is_along else self._panel(i)
        if not self._works_enough(i):
            return self._beyond(i) if i in self._streams else ()
        if i in self._streams and self._walks_down(view):
            return (Request(LATER_ROW, self.place.prefetch.far_row),)
        later = self.place.lies_near(view) and not self.is_along
        return (
            *(self._along(i) if i in self._streams else ()),
            *[Request(LATER_ROW, self.place.prefetch.later_row)] * later,
        )

    def _walks_down(self, view: View) -> bool:
        """Whether it goes down parts of rows that rest in a cache, and these are asked for row by row: along a row that
        serves few parts, and never the first. Not where the rows up to the one asked for lie on one set of L1."""
        steps, spans = self.place.prefetch.far_row, self._spans
        pitch = view.step(self.family.nest.summed[-1], 1) * dtype(view.dtype).bytes
        beside = min(pitch % spans.page, -pitch % spans.page)
        return self._rests_in_cache and not self.is_along and steps * beside >= spans.line

    def _panel(self, i: int) -> tuple[Request, ...]:
        """Lines from far go to L2 long before they are needed, and to L1 shortly before, as lines that lie in L2 do.
        Where few rows take a line it goes to L2 alone: the core sees its own next loads far enough ahead to fetch on
        from there; or to L1 at once. Where such a panel rests in a cache, the core fetches it as fast as it comes, and
        requests only take their turn among its loads (docs/lab/requests/README.md, Weights from L3). Distances are for
        the panel that the leaf reads most of; for others as many steps."""
        prefetch = self.place.prefetch
        near = self._steps_on(i, prefetch.near_panel)
        if not self.place.comes_from_far(self.views[i]):
            return (near,)
        if prefetch.far_panel and self._rows >= prefetch.far_rows:
            return (self._steps_on(i, prefetch.far_panel, 2), near)
        if prefetch.light_panel and self._rests_in_cache:
            return ()
        return (
            self._steps_on(i, prefetch.light_panel, 2) if prefetch.light_panel else self._steps_on(i, prefetch.panel),
        )

    @property
    def _spans(self) -> Spans:
        return self.place.target.spans

    @property
    def _rests_in_cache(self) -> bool:
        """Whether the arrays of the call are in a cache between calls."""
        return self.place.home < len(self.place.target.levels) - 1

    @property
    def _rows(self) -> int:
        """Accumulators that take each vector of the leading panel."""
        of_it, operation = self.views[self._leading].access.dims, self.family.nest
        return prod(self.call.state.size[d] for d in operation.results if d not in of_it)

    def _steps_on(self, i: int, distance: int, level: int = 1) -> Request:
        return Request(PANEL, int(distance * self._bytes(i) // self._bytes(self._leading)), level)

    @cached_property
    def _leading(self) -> int:
        """The panel that the leaf reads most of."""
        return max(
            (i for i in range(self.family.nest.streamed) if self.views[i].layout.panel and self._carries(i)),
            key=self._bytes,
        )

    def _bytes(self, i: int) -> float:
        """The bytes of an input that the leaf reads."""
        return float(prod(self.call.state.size[d] for d in self.views[i].access.dims) * self.family.operands[i].bytes)

    def _along(self, i: int) -> tuple[Request, ...]:
        """Requests for rows that stream in: in these rows, and in the next ones. Parts of rows that a view holds in L2
        are not asked for there: a line asked for some parts on is lost from L1 before its turn comes
        (docs/lab/folds/README.md)."""
        is_held = not self.place.target.levels[self.views[i].level].prefetch
        return (*self._beyond(i), *(() if is_held and not self.is_along else self._row(self.family.operands[i].bytes)))

    def _beyond(self, i: int) -> tuple[Request, ...]:
        """The next rows of streamed inputs, where they are near: their beginnings are asked for as early as the rest.
        The core sees its own next loads along a row, but none behind its end."""
        bytes_on = self._next_rows(self.views[i], self._streams[i])
        return (Request(NEXT_ROWS, bytes_on, 2),) if bytes_on else ()

    def _row(self, width: int) -> tuple[Request, ...]:
        """In a row of elements of `width` bytes. Along the lanes the leaf walks down the row, and what it asks for
        behind the end is lost. Else this call reads a part of each row: nearer lines, of its own or the first of the
        next call's, come too late. The core fetches little by itself of many rows side by side, and L1 can wait for few
        lines at once that come from memory: they go to L2 first (docs/lab/requests/README.md)."""
        prefetch, line = self.place.prefetch, self._spans.line
        row = -(-self.call.state.size[self.call.lane] * width // line) * line
        if self.is_along:
            return (Request(ROW, max(prefetch.row, min(prefetch.long_row, row // prefetch.tail // line * line))),)
        if prefetch.far_part:
            return (Request(ROW, max(prefetch.far_part, row), 2), Request(ROW, max(prefetch.near_part, row)))
        return (Request(ROW, max(prefetch.part, row)),)

    def _next_rows(self, view: View, walked: str) -> int:
        """Bytes to the rows that the innermost loop across them takes after those of this leaf. 0 where there is no
        such loop, or more than `next_rows` is asked for before it is read. That is a tile where the leaf walks down its
        rows and no loop between goes on with them, else all up to there (docs/lab/prices/README.md, Short rows;
        docs/lab/rows/README.md)."""
        if self._rests_in_cache:
            return 0
        inwards = list(reversed(self.place.around))
        at = next((at for at, d in enumerate(inwards) if d in view.access.dims and d != walked), None)
        if at is None:
            return 0
        across, between = inwards[at], inwards[:at]
        found = view.step(across, self.call.state.size[across]) * dtype(view.dtype).bytes
        is_tile = self.is_along and walked not in between
        early = found // max(1, view.step(across, 1)) * self.call.state.size[walked] if is_tile else found
        return found if self.place.prefetch.row < min(found, early) and early <= self.place.prefetch.next_rows else 0

    # ---- what streams in ---------------------------------------------------------------------------------------------

    @cached_property
    def _streams(self) -> dict[int, str]:
        """Inputs of a reduction that come in as they lie from a level that is asked ahead, and that are walked through
        in order of memory. Each has the dimension that it is walked along: by the leaf's own loop along its lanes, or
        else the innermost loop around it."""
        if not self.place.target.levels[self.place.home].prefetch:
            return {}
        walked = [*[self.call.lane] * self.is_along, *reversed(self.place.around)]
        innermost = (next((d for d in walked if d in view.access.dims), None) for view in self.views[:-1])
        return {
            i: dim
            for i, (view, dim) in enumerate(zip(self.views, innermost))
            if view.layout.given and dim is not None and view.step(dim, 1) == 1
        }

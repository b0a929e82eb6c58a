"""Where an operand's tile is in C: a pointer's name and how far, in elements, a step along each dimension goes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..spec.dtypes import dtype
from ..spec.family import LINE, Layout, Operand
from ..spec.operation import Access, Border
from ..targets.target import Target

FOLDING = 512  # bytes: rows of a buffer that a multiple of this would part begin on at most 8 of the 64 lines of a page
AHEAD = 512  # bytes ahead in a row that streams in from a far level
PARTS_AHEAD = 640  # in a row of which each call of a leaf reads a part
FARTHER = 1024  # in a row of 64 KiB and more, walked down by a leaf
PANEL_AHEAD = 8192  # in a panel: two pages, with most kernels more than the latency of memory; of panels in L2 less would do
INTO_L2 = ", 0, 2"  # of a request: read, and keep beyond L1
NEAR_AHEAD = 1024  # in a panel that was asked for into L2 before
_WIDEST_VECTOR = 64  # bytes: a tile that starts inside the last panel is read by whole vectors (or rows of groups), which may end past it


@dataclass(frozen=True)
class Reach:
    """Along an axis on which tiles may reach beyond the tensor, whose `size` elements are in memory: the tile's first element, as terms of
    C to add up. The pointer of the view does not move along this axis."""

    axis: int
    size: int
    start: tuple[tuple[str, int] | int, ...]

    def moved(self, count: int, index: str = "") -> Reach:
        return self if not count else replace(self, start=(*self.start, (index, count) if index else count))


@dataclass(frozen=True)
class View:
    """A tile at `name[0]`, but along the axes on which it may reach `beyond` its tensor, at the tensor's first element. `strides` are elements per index of each axis, inside one panel where the layout has panels;
    `panel` is elements from one panel to the next. `level` is where it comes from: where it was put, or lies from the second use on. One that is
    `inside` may lie where another one does."""

    name: str
    dtype: str
    access: Access
    layout: Layout
    strides: tuple[int, ...]
    level: int
    panel: int = 0
    beyond: tuple[Reach, ...] = ()
    inside: bool = False

    def step(self, dim: str, count: int) -> int:
        """Elements from the tile to the one `count` indices further along `dim`."""
        total, still = 0, {reach.axis for reach in self.beyond}
        for axis, terms in enumerate(self.access.axes):
            for name, coefficient in terms if axis not in still else ():
                if name == dim:
                    total += self._axis_step(axis, count * coefficient)
        return total

    def _axis_step(self, axis: int, count: int) -> int:
        if self.layout.panel and self.layout.panel[0] == axis and count % self.layout.panel[1] == 0:
            return count // self.layout.panel[1] * self.panel
        return count * self.strides[axis]

    def reaching(self, dim: str, count: int, index: str = "") -> View:
        """`count` (times the C variable `index`) indices further along `dim`, where that moves no pointer."""
        if not self.beyond:
            return self
        steps = [sum(c for name, c in self.access.axes[reach.axis] if name == dim) for reach in self.beyond]
        return replace(self, beyond=tuple(reach.moved(step * count, index) for reach, step in zip(self.beyond, steps)))

    def at(self, name: str) -> View:
        return replace(self, name=name)

    def through(self, access: Access) -> View:
        """The same memory as another Spec indexes it (one with fewer dimensions)."""
        return self if access is self.access else replace(self, access=access)

    def within(self, border: Border, shape: tuple[int, ...]) -> tuple[View, int]:
        """The view of what an access with this border touches of a tensor of this shape: it knows what of its tiles is not there. And
        how many elements after the tensor's first one it begins."""
        reaches = tuple(Reach(axis, shape[axis], (-border.sides[axis][0],)) for axis in border.beyond)
        start = sum(step * first for axis, (step, first) in enumerate(zip(self.strides, border.starts)) if axis not in border.beyond)
        return replace(self, layout=self.layout.within(border), beyond=reaches), start

    def stated(self, access: Access, operand: Operand, extents: tuple[int, ...]) -> View:
        """The same array, whole and dense, with runs of its axes as one each; as it is where it has all its axes."""
        if len(access.axes) == len(self.strides):
            return self.through(access)
        return replace(self, access=access, layout=operand.layout, strides=dense(operand.layout.order, extents))

    def cut(self, dim: str, each: int) -> View:
        """The same memory with an axis before the others that steps over `each` elements along `dim`; as it is where that moves no axis."""
        axis = self.access.axis_of(dim)
        return self if axis < 0 else replace(self, strides=(each * self.strides[axis], *self.strides))

    def shape_key(self, target: Target) -> tuple:
        """All but the name, and of the level what requests depend on: leaves that agree on it can share one function."""
        near = self.level if self.layout.panel else (self.level == 1, lies_near(self, target))
        return (self.dtype, self.layout, self.strides, self.panel, near, tuple((reach.axis, reach.size) for reach in self.beyond), self.inside)


def panel_ahead(view: View, target: Target) -> list[tuple[int, str]]:
    """How a panel that streams in is asked for: bytes ahead, and what the request says of the cache that it is for. What comes from far
    goes to L2 long before it is needed, and to L1 shortly before (docs/lab/prices-2026-11.md, Panels from far)."""
    if view.level == 1:
        return []
    return [(target.far_ahead, INTO_L2), (NEAR_AHEAD, "")] if comes_from_far(view, target) else [(PANEL_AHEAD, "")]


def comes_from_far(view: View, target: Target) -> bool:
    """Whether it is asked for into L2 long before."""
    return target.far_ahead > 0 and target.levels[view.level].prefetch


def lies_near(view: View, target: Target) -> bool:
    """Whether it is asked for, row by row as it was given, some steps of a reduction ahead (docs/lab/prices-2026-11.md, Rows in L2)."""
    return target.rows_ahead > 0 and view.layout.given and not target.levels[view.level].prefetch


def dense(order: tuple[int, ...], extents: tuple[int, ...]) -> tuple[int, ...]:
    """Element strides of a dense array with its axes in this order, fastest first."""
    strides, step = [0] * len(extents), 1
    for axis in order:
        strides[axis] = step
        step *= extents[axis]
    return tuple(strides)


def packed_view(name: str, operand: Operand, access: Access, extents: tuple[int, ...]) -> tuple[View, int]:
    """The view of a fresh buffer that holds a tile of these extents, and the elements it needs."""
    layout = operand.layout
    if layout.panel is None:
        strides, step = [0] * len(extents), 1
        for axis in layout.order:
            strides[axis] = step
            is_row = axis == layout.order[0] and not layout.given
            step = _apart(step * extents[axis], operand.bytes) if is_row else step * extents[axis]
        return View(name, operand.dtype, access, layout, tuple(strides), operand.level), max(1, step)
    axis, width = layout.panel
    group_axis, group = layout.group or (-1, 1)
    run = width * group // operand.packed
    strides, step = [0] * len(extents), run
    strides[axis] = group // operand.packed
    for other in layout.order[1:]:
        if other == group_axis:
            strides[other] = step // group
            step *= -(-extents[other] // group)
        else:
            strides[other] = step
            step *= extents[other]
    panels = -(-extents[axis] // width)
    return View(name, operand.stored, access, layout, tuple(strides), operand.level, step), panels * step + max(run, _WIDEST_VECTOR // dtype(operand.stored).bytes)


def _apart(pitch: int, width: int) -> int:
    """Elements from a row of a buffer to the next: a line more where rows would fall on few sets of a cache (`resident` in
    spec.family counts none of that for buffers)."""
    return pitch + LINE // width if pitch * width % FOLDING == 0 else pitch

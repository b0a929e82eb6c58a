"""Where an operand's tile is: a pointer's name and how far, in elements, a step along each dimension goes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from ...lang.calls.spec import Spec
from ...lang.nests.access import Access, Border
from ...lang.nests.family import LINE, Family, Layout, Operand, State
from ...lang.types.dtypes import dtype
from .nodes import Loop, Node

FOLDING = 512  # bytes: rows of a buffer that a multiple of this would part begin on at most 8 of the 64 lines of a page
# bytes: a tile that starts inside the last panel is read by whole vectors (or rows of groups), which may end past it
_WIDEST_VECTOR = 64


@dataclass(frozen=True)
class Reach:
    """Along an axis on which tiles may reach beyond the tensor, whose `size` elements are in memory: the tile's first
    element, as terms of C to add up. The pointer of the view does not move along this axis."""

    axis: int
    size: int
    start: tuple[tuple[str, int] | int, ...]

    def moved(self, count: int, index: str = "") -> Reach:
        return self if not count else replace(self, start=(*self.start, (index, count) if index else count))


@dataclass(frozen=True)
class View:
    """A tile at `name[0]`, but along the axes on which it may reach `beyond` its tensor, at the tensor's first element.
    `strides` are elements per index of each axis, inside one panel where the layout has panels; `panel` is elements
    from one panel to the next. `level` is where it comes from: where it was put, or lies from the second use on. One
    that is `inside` may lie where another one does."""

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
        """The view of the elements that an access with this border touches of a tensor of this shape: it knows which
        elements of its tiles are missing. And how many elements after the tensor's first one it begins."""
        reaches = tuple(Reach(axis, shape[axis], (-border.sides[axis][0],)) for axis in border.beyond)
        start = sum(
            step * first
            for axis, (step, first) in enumerate(zip(self.strides, border.starts))
            if axis not in border.beyond
        )
        return replace(self, layout=self.layout.within(border), beyond=reaches), start

    def stated(self, access: Access, operand: Operand, extents: tuple[int, ...]) -> View:
        """The same array, whole and dense, with runs of its axes as one each; as it is where it has all its axes."""
        if len(access.axes) == len(self.strides):
            return self.through(access)
        return replace(self, access=access, layout=operand.layout, strides=dense(operand.layout.order, extents))

    def cut(self, dim: str, each: int) -> View:
        """The same memory with an axis before the others that steps over `each` elements along `dim`; as it is where
        that moves no axis."""
        axis = self.access.axis_of(dim)
        return self if axis < 0 else replace(self, strides=(each * self.strides[axis], *self.strides))

    @property
    def geometry(self) -> tuple:
        """All but the name and the level: with the requests, what sets the C of two leaves apart."""
        return (
            self.dtype,
            self.layout,
            self.strides,
            self.panel,
            tuple((reach.axis, reach.size) for reach in self.beyond),
            self.inside,
        )


def given_views(spec: Spec, family: Family, names: list[str]) -> list[tuple[View, int]]:
    """The views of a canonical Spec's arrays, called `names`, as its program takes them; with each how many elements
    after its array's first it begins."""
    found = []
    for i, (name, tensor, access) in enumerate(zip(names, spec.tensors, spec.operation.accesses)):
        view = View(
            name, tensor.dtype, family.access(i), family.operands[i].layout, tensor.strides(), family.operands[i].level
        )
        found.append((view, 0) if access.border is None else view.within(access.border, tensor.shape))
    return found


def as_stated(state: State, views: list[View]) -> list[View]:
    """The views of a part of a graph, which may state its arrays with runs of their axes as one."""
    accesses = state.family.operation.accesses
    return [
        view.stated(access, operand, access.shape(state.size))
        for view, access, operand in zip(views, accesses, state.family.operands)
    ]


def within_part(view: View, part: Node, operand: int) -> View:
    """A view as a program sees it that it is an operand of."""
    family = part.state.family
    return replace(view, access=family.access(operand), layout=family.operands[operand].layout)


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
    return View(name, operand.stored, access, layout, tuple(strides), operand.level, step), panels * step + max(
        run, _WIDEST_VECTOR // dtype(operand.stored).bytes
    )


def parts_view(name: str, node: Loop, output: View, line: int) -> tuple[View, int]:
    """The view of the buffer for what threads make of a reduction that they share, and the elements from one part to
    the next. Each part is on cache lines of its own, of so many bytes."""
    access, extents = node.join.state.family.access(0), node.state.family.operation.output.shape(node.state.size)
    unit = line // dtype(node.state.family.accumulator).bytes
    pitch = -(-prod(extents) // unit) * unit
    layout = node.join.state.family.operands[0].layout
    return (
        View(
            name,
            node.state.family.accumulator,
            access,
            layout,
            (pitch, *dense(output.layout.order, extents)),
            output.level,
        ),
        pitch,
    )


def one_part(parts: View, node: Loop, output: View) -> View:
    """The view of one of them, as the output of a part's program."""
    return replace(parts, access=node.state.family.operation.output, layout=output.layout, strides=parts.strides[1:])


def _apart(pitch: int, width: int) -> int:
    """Elements from a row of a buffer to the next: a line more where rows would fall on few sets of a cache (`resident`
    in spec.family counts none of that for buffers)."""
    return pitch + LINE // width if pitch * width % FOLDING == 0 else pitch

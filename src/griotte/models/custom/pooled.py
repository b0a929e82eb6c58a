"""Pools of row-major images, row by row: the rows of a window are combined first, then the columns of what that gives.

A search combines each element of a window by itself, so that each is loaded, and its neighbours put apart, once for
each window that it is in. Of images with channels last it has vectors along channels: this one serves none of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ...engine.cost.ports import evaluated, on_ports
from ...engine.vectors.library import VectorLibrary, literal
from ...engine.vectors.text import indent
from ...lang.constructors.windows import PoolWindows, pooled
from ...lang.nests.family import LINE
from ...lang.types.expr import Arg, Call, Const
from ...machine.target import Target
from ..graph import ModelValue
from ..parts import ModelPart
from .kernel import CustomKernel, Implementation, Making
from .loop import KernelLoop, Lines
from .stages import as_stage

F32 = "f32"
AT_ONCE = 8  # rows that lie on the stack
WIDEST = 1024  # elements of one, at most
ROW = 10.0  # cycles of a row of the result beside its vectors
DIVIDED = 5.0  # cycles of dividing a vector by what is counted, beside what else is done
GIVEN = ("window", "stride", "padding", "dilation")


@dataclass(frozen=True)
class PooledRows(KernelLoop):
    """A pool over planes.

    Attributes:
        planes: how many.
        windows: those that are pooled.
        is_mean: whether it is the mean of a window; else the largest element.
        counts_all: whether what lies beyond is among what a sum is divided by.
    """

    planes: int
    windows: PoolWindows
    is_mean: bool
    counts_all: bool
    title = "pool by rows"

    @property
    def shares(self) -> int:
        """Rows of all results."""
        return self.planes * self.windows.size[0]

    def lanes(self, target: Target, width: int) -> int:
        """Of vectors along rows of a width."""
        found = target.lanes(F32)
        while found > width:
            found //= 2
        return found

    def cost(self, target: Target) -> float:
        """Lines, and of each row of the result the rows that are combined, and their columns."""
        w = self.windows
        size = self.planes * (prod(w.image) + prod(w.size)) * 4
        level = target.levels[target.home(size / target.spans.line)].name
        line = target.spans.line
        moved = {"stream": self.planes * prod(w.image) * 4 / line, "store": self.planes * prod(w.size) * 4 / line}
        lines = sum(target.coefficient[f"{kind}.{level}"] * count for kind, count in moved.items())
        down = -(-w.image[1] // self.lanes(target, w.image[1])) * (w.window[0] / target.ports.load + 1)
        loads = w.window[1] * (2 * w.stride[1] - 1) / target.ports.load
        across = -(-w.size[1] // self.lanes(target, w.size[1])) * (loads + w.window[1] + self._divided(target) + 1)
        return lines + self.shares * (ROW + down + across)

    def _divided(self, target: Target) -> float:
        """Cycles in which a vector of sums becomes one of means."""
        if not self.counts_all or not self.is_mean:
            return self.is_mean * DIVIDED
        slots = evaluated(target, Call("div", (Arg(0), Const(prod(self.windows.window)))), F32)
        return float(on_ports(target.ports, slots.all, slots.multiplying))

    def arguments(self, library: VectorLibrary) -> dict[str, str]:
        return {"x": "const float *", "y": "float *"}

    def __str__(self) -> str:
        window = " x ".join(map(str, self.windows.window))
        return f"pool of {window}: {self.shares:,} rows, each of rows that are combined first"

    def loop(self, first: str, end: str, library: VectorLibrary, target: Target) -> Lines:
        """Rows `b` of rows that are combined, each between what lies beyond; then, for what was just written cannot be
        loaded across at once, the columns of all of them."""
        w = self.windows
        (height, width), (tall, wide) = w.image, w.window
        step, far, across = w.stride[0], w.dilation[0], self.lanes(target, w.size[1])
        reach = self._front - w.padding[1][0] + (w.size[1] - 1) * w.stride[1] + (wide - 1) * w.dilation[1] + 1
        room = _rounded(max(self._front + width, reach) + 2 * across)
        fill = literal(F32, 0.0 if self.is_mean else float("-inf"))
        rows = [
            "const int64_t i = at + r;",
            f"const int64_t plane = i / {w.size[0]}, top = i % {w.size[0]} * {step} - {w.padding[0][0]};",
            f"const int64_t low = top < 0 ? (-top + {far - 1}) / {far} : 0;",
            f"const int64_t rest = ({height} - top + {far - 1}) / {far}, high = rest < {tall} ? rest : {tall};",
            f"const float *const from = x + (plane * {height} + top) * {width};",
            f"float *const into = b + r * {room} + {self._front};",
            f"if (high - low == {tall}) {{",
            *indent(self._combined(library, target, "0", f"{tall}")),
            "} else {",
            *indent(self._combined(library, target, "low", "high")),
            "}",
            *(["many[r] = (float)(high - low);"] if self._is_counted else []),
        ]
        columns = [
            f"const float *const row = b + r * {room} + {self._front - w.padding[1][0]};",
            f"float *const to = y + (at + r) * {w.size[1]};",
            *self._columns(library, across),
        ]
        return [
            f"float b[{AT_ONCE * room}] __attribute__((aligned({LINE})));",
            *self._counts(),
            f"for (int64_t j = 0; j < {AT_ONCE * room}; j++)",
            f"    b[j] = {fill};",
            f"for (int64_t at = {first}; at < {end}; at += {AT_ONCE}) {{",
            f"    const int64_t rows = {end} - at < {AT_ONCE} ? {end} - at : {AT_ONCE};",
            "    for (int64_t r = 0; r < rows; r++) {",
            *indent(indent(rows)),
            "    }",
            "    for (int64_t r = 0; r < rows; r++) {",
            *indent(indent(columns)),
            "    }",
            "}",
        ]

    @property
    def _front(self) -> int:
        """Where in a row the image begins: on a line, behind what lies before it."""
        return _rounded(self.windows.padding[1][0])

    @property
    def _is_counted(self) -> bool:
        """Whether a sum is divided by the number of elements within the image."""
        return self.is_mean and not self.counts_all

    def _both(self, library: VectorLibrary, lanes: int, one: str, other: str) -> str:
        return f"{library.binary('add' if self.is_mean else 'maximum', F32, lanes)}({one}, {other})"

    def _combined(self, library: VectorLibrary, target: Target, low: str, high: str) -> list[str]:
        """The rows of windows as one, from the first to before the last."""
        w = self.windows
        width, lanes = w.image[1], self.lanes(target, w.image[1])
        load, store = library.load(F32, lanes), library.store(F32, lanes)
        pitch = w.dilation[0] * width
        each = [
            f"{library.type(F32, lanes)} v = {load}(from + {low} * {pitch} + j);",
            f"for (int64_t k = {low} + 1; k < {high}; k++)",
            f"    v = {self._both(library, lanes, 'v', f'{load}(from + k * {pitch} + j)')};",
            f"{store}(into + j, v);",
        ]
        return _over(width, lanes, each)

    def _counts(self) -> list[str]:
        """Of a mean over the elements within the image, how many columns of each window are within."""
        w = self.windows
        if not self._is_counted:
            return []
        starts = [j * w.stride[1] - w.padding[1][0] for j in range(w.size[1])]
        counts = [min(start + w.window[1], w.image[1]) - max(start, 0) for start in starts]
        return [
            f"static const float columns[] = {{{', '.join(f'{n}.0f' for n in counts)}}};",
            f"float many[{AT_ONCE}];",
        ]

    def _columns(self, library: VectorLibrary, lanes: int) -> list[str]:
        """A row of the result, of the columns of `b`."""
        w = self.windows
        load, store, size = library.load(F32, lanes), library.store(F32, lanes), w.size[1]
        taken = [self._taken(library, lanes, k * w.dilation[1]) for k in range(w.window[1])]
        each = [f"{library.type(F32, lanes)} v = {taken[0]};"]
        each += [f"v = {self._both(library, lanes, 'v', more)};" for more in taken[1:]]
        if self.is_mean:
            mean = library.divided("v", prod(w.window), F32, lanes)
            if self._is_counted:
                mean = f"v / ({library.splat(F32, lanes)}(many[r]) * {load}(columns + j))"
            each.append(f"v = {mean};")
        each.append(f"{store}(to + j, v);")
        return _over(size, lanes, each)

    def _taken(self, library: VectorLibrary, lanes: int, further: int) -> str:
        """The columns of neighbouring windows that are so much further on."""
        load, stride = library.load(F32, lanes), self.windows.stride[1]
        at = f"row + j * {stride} + {further}"
        if stride == 1 or lanes == 1:
            return f"{load}({at})"
        order = ", ".join(str(2 * lane) for lane in range(lanes))
        return f"__builtin_shufflevector({load}({at}), {load}({at} + {lanes}), {order})"


def windows_of(value: ModelValue) -> PooledRows | None:
    """A call as such a pool; None of other calls, and of those whose rows are no vectors."""
    if value.call not in ("avg_pool2d", "max_pool2d") or not value.values:
        return None
    (x,) = value.values
    if {x.type.dtype, value.type.dtype} != {F32} or x.type.dynamic is not None:
        return None
    given = dict(value.attributes)
    window, stride, padding, dilation = (
        given.get(name, default) for name, default in zip(GIVEN, (2, 2, 0, 1), strict=True)
    )
    found = pooled(value.call, x.type, window, stride, padding, dilation)
    if found.stride[1] > 2 or x.type.shape[3] > WIDEST or found.size != value.type.shape[2:]:
        return None
    is_mean = value.call == "avg_pool2d"
    return PooledRows(prod(x.type.shape[:2]), found, is_mean, given.get("count_pad", True))


class PooledByRows(CustomKernel):
    """Pools of f32 along rows, beside their search."""

    def implementation(self, part: ModelPart, making: Making) -> Implementation | None:
        """The pool, where both images lie row-major."""
        if len(part.calls) != 1 or (rows := windows_of(part.calls[0])) is None:
            return None
        if not all(type.rank == 4 and type.is_row_major for type in (*part.spec.inputs, *part.spec.outputs)):
            return None
        return as_stage(part, rows, (0,), making, instead=False)

    def share(self, calls: Sequence[ModelValue]) -> float:
        """What columns share is combined once."""
        found = [rows.windows for value in calls if (rows := windows_of(value)) is not None]
        return min((min(1.0, (w.stride[1] * w.window[0] + w.window[1]) / prod(w.window)) for w in found), default=1.0)


def _rounded(elements: int) -> int:
    """Whole lines."""
    return -(-elements * 4 // LINE) * LINE // 4


def _over(size: int, lanes: int, each: list[str]) -> list[str]:
    """C for each vector `j` of a row; the rest at its end is a vector that begins earlier."""
    loop = [f"for (int64_t j = 0; j < {size // lanes * lanes}; j += {lanes}) {{", *indent(each), "}"]
    last = ["{", *indent([f"const int64_t j = {size - lanes};", *each]), "}"]
    return [*loop, *(last if size % lanes else [])]

"""A form of leaf: everything built around a kernel's step, as one declaration of all that others ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...lang.nests.family import Family
from ...machine.core import Prefetch
from ...machine.instructions import Kernel
from ...machine.target import Target
from ..cost import traffic
from ..program.nodes import KernelCall, Request, Supply
from ..program.view import View
from ..vectors.apart import may_join
from ..vectors.library import VectorLibrary
from .conditions import Condition, computes


@dataclass(frozen=True)
class Serving:
    """Which families a form serves.

    lanes       (kernel, family) -> dimensions along which the kernel may put its lanes
    expects     (kernel, family) -> why it cannot serve the family, each; empty when it can (conditions.py)
    refuses     (kernel, lane, family, target) -> why it cannot serve the family at any size, where those are empty
    conditions  (kernel, lane, family, target, size) -> what it asks of sizes
    opens       (kernel, lane, family, dimension) -> whether its length along that may be known when it runs
    computes    (kernel, operation, accumulator) -> whether the kernel's declaration matches the operation
    """

    lanes: Callable[..., list[str]]
    expects: tuple[Callable[..., str], ...]
    refuses: Callable[..., str]
    conditions: Callable[..., list[Condition]] = lambda *_: []
    opens: Callable[..., bool] = lambda *_: False
    computes: Callable[..., bool] = computes


def crossing(kernel, lane: str, family: Family, target: Target, size, cycles) -> Iterator[dict]:
    """What operands that are in memory count on their way."""
    for i, operand in enumerate(family.operands):
        if operand.level > 0:
            yield traffic.features(family, i, target, size)


@dataclass(frozen=True)
class Price:
    """What a form costs; sizes are ints or arrays.

    coefficient  that of its cycles
    cycles       (kernel, lane, family, target, size) -> how many the port model counts
    crossing     of these and its cycles -> what crosses between memory and the core
    busy         (kernel, lane, family, target, size) -> of those, in which its ports compute
    outlasting   (family, target, size, cycles, busy, lane) -> cycles of lines whose way is longer than its arithmetic
    has_blocks   whether rows in L1 that fold onto few of its sets cost more: blocks of them are taken
    """

    coefficient: str
    cycles: Callable
    crossing: Callable[..., Iterator[dict]] = crossing
    busy: Callable = lambda *_: 0
    outlasting: Callable = lambda *_: 0
    has_blocks: bool = False


def kernel_of(call: KernelCall, target: Target) -> Kernel:
    """The kernel that a leaf is built around."""
    return next(kernel for kernel in target.kernels if kernel.name == call.kernel)


class LeafCode:
    """The C of a leaf: what its function of a leaf does, over pointers named by the views of its operands.

    apart    whether it is to stay a function of its own, wherever it is called
    follows  the parts of its C that follow from the largest length, where its length is known when it runs
    """

    library: VectorLibrary

    @property
    def apart(self) -> bool:
        return False

    @property
    def follows(self) -> tuple[int, ...] | None:
        return None

    def statements(self) -> list[str]:
        raise NotImplementedError

    def loaded(self, dtype: str, lanes: int, at: str, count: int | str) -> str:
        """C of the first `count` lanes, a number or in C, from `at` on; the others are 0."""
        if count == lanes:
            return f"{self.library.load(dtype, lanes)}({at})"
        return f"{self.library.load_tail(dtype, lanes)}({at}, {count})"

    def spaced(self, dtype: str, lanes: int, at: str, stride: int, count: int | str) -> str:
        """The same of elements that lie `stride` apart. Where a few whole loads hold them, what lies between them is
        read too."""
        if isinstance(count, int) and may_join(stride, lanes):
            return f"{self.library.load_every(dtype, lanes, stride, count)}({at})"
        return f"{self.library.load_strided(dtype, lanes)}({at}, {stride}, {count})"

    def stored(self, dtype: str, lanes: int, at: str, value: str, count: int | str) -> str:
        """The statement that stores the first `count` lanes of a vector at `at`."""
        if count == lanes:
            return f"{self.library.store(dtype, lanes)}({at}, {value});"
        return f"{self.library.store_tail(dtype, lanes)}({at}, {value}, {count});"


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
        return kernel_of(self.call, self.place.target)

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


@dataclass(frozen=True)
class LeafForm:
    """A form of leaf.

    name     `Kernel.form` of the kernels that it is built around
    serving  which families it serves
    price    what it costs
    code     (node, views, target, library) -> its C: of the call, or of the Move that takes the result into registers.
             Views are of the operands as the function names them; the library has the vector functions
    asking   what it asks for before it needs it
    """

    name: str
    serving: Serving
    price: Price
    code: Callable[..., LeafCode]
    asking: type[Asking] = Asking

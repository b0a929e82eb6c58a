"""A form of leaf: what is built around a kernel's step, as one declaration of all that others ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...lang.nests.family import Family
from ...machine.target import Target
from ..cost import traffic
from .asking import Asking
from .conditions import Condition, computes
from .leaf_code import LeafCode


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
    outlasting   (family, target, size, cycles, lane) -> cycles of lines whose way is longer than its arithmetic
    has_blocks   whether rows in L1 that fold onto few of its sets cost more: blocks of them are taken
    """

    coefficient: str
    cycles: Callable
    crossing: Callable[..., Iterator[dict]] = crossing
    outlasting: Callable = lambda *_: 0
    has_blocks: bool = False


@dataclass(frozen=True)
class LeafForm:
    """A form of leaf.

    name     `Kernel.form` of the kernels that it is built around
    serving  which families it serves
    price    what it costs
    code     (node, views, target, library) -> its C: of the call, or of the Move that takes the result into registers,
             with views of the operands as the function names them, and the library of vector functions
    asking   what it asks for before it needs it
    """

    name: str
    serving: Serving
    price: Price
    code: Callable[..., LeafCode]
    asking: type[Asking] = Asking

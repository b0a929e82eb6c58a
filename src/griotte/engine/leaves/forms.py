"""All forms of leaves, and what others ask of them. Which leaf serves a family: a kernel whose declaration matches, and
a form that refuses neither the family nor its sizes. And what that leaf asks for ahead."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ...lang.nests.family import Family
from ..program.nodes import KernelCall, Supply
from ..program.view import View
from .conditions import Condition
from .form import LeafForm, Place, kernel_of
from .map import MAP
from .matrix import MATRIX
from .pack import PACK
from .pairs import PAIRS
from .reduce import REDUCE
from .transpose import TRANSPOSE
from .window import WINDOW

FORMS: tuple[LeafForm, ...] = (REDUCE, MAP, PACK, WINDOW, TRANSPOSE, MATRIX, PAIRS)


def form_of(kernel) -> LeafForm:
    """The form of a kernel's leaves."""
    for form in FORMS:
        if form.name == kernel.form:
            return form
    raise KeyError(kernel.form)


def supplies(place: Place, outer: Family, call: KernelCall, views: Sequence[View]) -> tuple[Supply, ...]:
    """One for each operand of a leaf that stands at `place`, its operands at `views`; `outer` has its output as it lies
    in memory."""
    asking = form_of(kernel_of(call, place.target)).asking(place, outer, call, tuple(views))
    return tuple(asking.supply(i) for i in range(len(views)))


def computes(kernel, family: Family) -> bool:
    """Whether the kernel's declaration matches the operation of the family, whatever its inputs' dtypes."""
    return _computes(kernel, family.operation, family.accumulator)


def _computes(kernel, op, accumulator: str) -> bool:
    return form_of(kernel).serving.computes(kernel, op, accumulator)


def serves(kernel, family: Family) -> bool:
    """Whether the kernel's declaration matches the operation and dtypes of the family."""
    return computes(kernel, family) and _reads(kernel, family)


def _reads(kernel, family: Family) -> bool:
    return kernel.inputs is None or kernel.inputs == tuple([o.dtype for o in family.operands[: family.nest.streamed]])


def computing(target, family: Family) -> tuple:
    """The target's kernels that `computes` holds for."""
    return _computing(target, family.operation, family.accumulator)


@lru_cache(1 << 12)  # most families of a search have one of few operations
def _computing(target, op, accumulator: str) -> tuple:
    return tuple(k for k in target.kernels if _computes(k, op, accumulator))


def serving(target, family: Family) -> list:
    """The target's kernels that `serves` holds for."""
    return [k for k in computing(target, family) if _reads(k, family)]


def takes(kernel, family: Family) -> bool:
    """Whether the kernel may serve the family once those inputs that are still as given are copied as it wants them."""
    for i, operand in enumerate(family.operands[: family.nest.streamed]):
        if (
            kernel.inputs
            and kernel.inputs[i] != operand.dtype
            and not (operand.layout.given and kernel.inputs[i] == family.accumulator)
        ):
            return False
        panel, group = operand.layout.panel, operand.layout.group
        if i in (*kernel.single, *kernel.addresses):
            if group or panel and i in kernel.addresses:
                return False
            continue
        blocks = kernel.matrix is not None and i != kernel.columns
        wanted = kernel.matrix.depth(operand.dtype) if blocks else kernel.group
        if group[1] != wanted if group else panel and (kernel.group > 1):
            return False
    return True


def lanes(kernel, family: Family) -> list[str]:
    """Dimensions along which the kernel may put its lanes in this family."""
    return form_of(kernel).serving.lanes(kernel, family)


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why this kernel cannot serve the family at any size; empty when it can."""
    serving = form_of(kernel).serving
    for expects in serving.expects:
        if why := expects(kernel, family):
            return why
    return serving.refuses(kernel, lane, family, target)


def conditions(kernel, lane: str, family: Family, target, size) -> list[Condition]:
    """What the leaf asks of sizes: registers suffice, panels hold the tile."""
    return form_of(kernel).serving.conditions(kernel, lane, family, target, size)


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the leaf's length along a dimension may be known when it runs."""
    return form_of(kernel).serving.opens(kernel, lane, family, dim)


def fits(kernel, lane: str, family: Family, target, size):
    """Where (as a bool or an array of them) the leaf may be used."""
    ok = np.asarray(True)
    for holds, _ in conditions(kernel, lane, family, target, size):
        ok = ok & holds
    return ok

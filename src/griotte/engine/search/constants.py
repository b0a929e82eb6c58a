"""What is constant in a problem: what is computed of constants first, or ahead of the call, which of them may be
packed, and arrays that the program itself has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...lang.calls.spec import Spec
from ...lang.nests.family import Family, Operand
from ...lang.nests.graph import Graph, is_contraction
from ...lang.types.tensor import TensorType
from ..rewrites import may_pack

COUNTS = -1  # among a Spec's sources: of an array that the program itself has
FAR_LESS = 8  # times: as weights of a byte are of their sums in s32 from 32 of them on
SMALL_SHARE = 4  # such arrays fit L1; it takes two of them to hide what is behind a diagonal


def with_counts(spec: Spec) -> Any:
    """Its operation over operands with their borders around them, of which it is told which count 0, 1, 2, .."""
    counts = tuple(i for i, source in enumerate(spec.sources or ()) if source == COUNTS)
    return spec.operation.bare.annotated(counts=counts)


def near_counts(operand: Operand, tensor: TensorType, target) -> Operand:
    """An array that counts 0, 1, 2, ..., which is part of the program: where it is small it is in L1 at all times, and
    no place is sought for it."""
    is_small = tensor.bytes * SMALL_SHARE <= target.levels[1].capacity
    return replace(operand, level=1, layout=replace(operand.layout, uncached=False)) if is_small else operand


def early(graph: Graph, spec: Spec) -> tuple[int, ...]:
    """The tensors between nests that are sums, or the like, of constants (and of scalars), and by far less than those:
    sums of weights."""
    constants = {i for i, (t, access) in enumerate(zip(spec.inputs, graph.inputs)) if t.constant or not access.dims}
    nests = {t: graph.writer(t) for t in graph.unplaced}
    of_constants = [t for t, nest in nests.items() if nest.operation.combine and constants.issuperset(nest.reads)]
    return tuple(t for t in of_constants if FAR_LESS * graph.bytes[t] <= max(graph.bytes[i] for i in nests[t].reads))


def known(operation: Any, spec: Spec) -> tuple[int, ...]:
    """The tensors between nests that are computed of one constant alone, and are not more than it: those that are read
    with what is not."""
    if spec.dynamic:
        return ()
    found = [t for t in operation.unplaced if _is_of_one_constant(operation, t, spec)]
    return tuple(
        t for t in found if all(other == t or operation.number(t) not in operation.needs(other) for other in found)
    )


def _is_of_one_constant(graph: Graph, tensor: int, spec: Spec) -> bool:
    needs = graph.needs(tensor)
    given = {t for j in needs for t in graph.nests[j].reads if graph.comes_in(t)}
    fixed = all(
        spec.inputs[i].constant and not (access.border and any(access.border.starts))
        for i in given
        for access in [spec.operation.inputs[i]]
    )
    apart = all(set(graph.readers(t)) <= set(needs) for t in map(graph.tensor, needs) if t != tensor)
    reduces = any(graph.nests[j].operation.combine for j in needs)
    sources = {i if spec.sources is None else spec.sources[i] for i in given}
    return (
        fixed
        and len(sources) == 1
        and COUNTS not in sources
        and apart
        and reduces
        and graph.bytes[tensor] <= max(graph.bytes[i] for i in given)
    )


def ahead(spec: Spec, goal: Family, target) -> tuple[int, ...]:
    """Constants that may be packed ahead of the call. One of a dynamic size is not: its size is not known by then; nor
    is any where rows are taken by bands."""
    if spec.dynamic and (spec.operation.is_large or spec.dynamic.rows):
        return ()
    fixed = [
        (spec.dynamic is None or spec.dynamic.dim not in access.dims)
        and not (access.border and any(access.border.starts))
        for access in spec.operation.inputs
    ]
    return tuple(
        i
        for i, t in enumerate(spec.inputs)
        if t.constant and fixed[i] and _is_packed(spec, i) and may_pack(goal, i, target)
    )


def _is_packed(spec: Spec, i: int) -> bool:
    """Whether panels of constant i are worth a search: where it is several operands, of those that products read."""
    op, sources = spec.operation, spec.sources
    return (
        sources is None
        or sources.count(sources[i]) == 1
        or op.held
        and any(is_contraction(op.nests[j].operation) for j in op.readers(i))
    )

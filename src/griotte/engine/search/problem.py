"""From a canonical Spec and a target to the search's starting point: the goal family, its home level, its ladders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from ...lang.calls.spec import Spec
from ...lang.nests.family import Family, Operand, given_layout
from ...lang.nests.graph import Graph
from ...lang.nests.merging import finished, may_finish
from ...lang.nests.operation import Nest, is_contraction
from ...lang.nests.pending import AsOne, Early, Near
from ...lang.types.dtypes import dtype
from ...lang.types.tensor import TensorType
from ..cost.ports import evaluated
from ..rewrites import annotated, at_sums, may_pack, standing_whole
from .ladder import Ladder, band_heights, ladders_of

QUICK = 8  # arithmetic slots of a vector: less than a division takes, and a mask or a bias takes less
NEAR = 2  # the slowest level that a product's whole panels are near at, without a split


@dataclass(frozen=True)
class Problem:
    """What `Solver` needs: `home` is the level where operands rest, the fastest that holds all of them; `heights` are
    those of bands, where rows are taken by such. The goal, and `sizes`, are those of the highest then."""

    goal: Family
    sizes: dict[str, int]
    home: int
    ladders: dict[str, Ladder]
    heights: tuple[int, ...] = ()


def problem(spec: Spec, target, threads: int = 1, at_rest: Family | None = None) -> Problem:
    """Start the search for a canonical Spec; `at_rest` says where its arrays lie, if that is not the usual place.
    `threads` adds each thread's even share of a dimension to its ladder."""
    heights = band_heights(spec)
    size = _sizes(spec, heights)
    at_rest = at_rest or resting(spec, target, size)
    home = at_rest.slowest
    goal = replace(at_rest, operation=_whole(spec, target, home))
    goal = _in_band(goal, spec, heights[-1]) if heights else goal
    if spec.dynamic:
        goal = replace(goal, operation=_uncut(goal.operation, spec, target, home, finishes=False))
        goal = standing_whole(goal, spec.size, target, apart=spec.dynamic.dims if heights else ())
    else:
        goal = annotated(goal, size, target, threads)
    goal = at_sums(goal, size, target, threads)
    goal = replace(goal, ahead=(*known(goal.operation, spec), *ahead(spec, goal, target)))
    return Problem(goal, size, home, ladders_of(goal, spec, size, target, threads, heights), heights)


def resting(spec: Spec, target, size: Mapping[str, int]) -> Family:
    """The operation of a Spec over its arrays at rest. All of them rest at the fastest level that holds them together
    with the intermediates at these sizes."""
    home = target.home(_bytes(spec, size) / target.spans.line)
    uncached = home == len(target.levels) - 1
    spans = with_counts(spec).naming(target.spans)
    operands = tuple(
        Operand(t.dtype, home, given_layout(t, uncached, access.border, spans))
        for t, access in zip(spec.tensors, spec.operation.accesses)
    )
    operands = tuple(
        near_counts(o, t, target) if source == COUNTS else o
        for o, t, source in zip(operands, spec.tensors, (*(spec.sources or ()), *[None] * len(operands)))
    )
    return Family(_graph(spec, target), False, operands, spec.accumulator)


def _whole(spec: Spec, target, home: int) -> Graph:
    """The operation over operands with their borders around them, annotated with what holds because they are whole
    arrays."""
    found = _graph(spec, target)
    if spec.dynamic:
        return found
    graph = _finished_early(found, spec, target)
    return _uncut(graph.annotated(Early(early(graph, spec))), spec, target, home)


def _finished_early(graph: Graph, spec: Spec, target) -> Graph:
    """The graph in which a map of a product is done as the product is stored. This is where several nests read the
    map's result, as those of attention read masked scores, and the map takes an instruction or a few. It would be done
    there anyhow, or again for each reader. As a nest of its own it would be one more in every way to make all
    others."""
    for tensor in graph.unplaced if len(graph.nests) > 2 else ():
        nest = graph.writer(tensor)
        may_be = is_contraction(nest.operation) and not _by_matrix(graph, nest, spec, target)
        if may_be and may_finish(graph, tensor) and _is_shared_and_quick(graph, graph.readers(tensor)[0], target):
            return _finished_early(finished(graph, tensor).operation, spec, target)
    return graph


def _is_shared_and_quick(graph: Graph, j: int, target) -> bool:
    """Whether several nests read the result of a map, and the map takes few slots."""
    nest = graph.nests[j]
    is_quick = evaluated(target, nest.operation.body, nest.accumulator).all < QUICK
    return is_quick and len(graph.readers(graph.tensor(j))) > 1


def _by_matrix(graph: Graph, nest: Nest, spec: Spec, target) -> bool:
    """Whether the target has matrix registers for the inputs of a product: they take sums from memory alone."""
    held = (*(t.dtype for t in spec.inputs), *(tensor.dtype for tensor in graph.held))
    dtypes = {held[t] for t in nest.reads[: nest.operation.streamed]}
    return any(kernel.matrix and dtypes <= {*(kernel.inputs or ())} for kernel in target.kernels)


def _uncut(graph: Graph, spec: Spec, target, home: int, finishes: bool = True) -> Graph:
    """The graph whose products are marked as uncut where a split gains nothing. That is where a map may be done to the
    sums in registers (if it `finishes`), and the smaller input, which is less than the sums, lies near as a whole. A
    nest by itself is searched with every split."""
    if graph.is_lone:
        return graph
    near = max(
        (
            target.capacity_lines(level) * target.spans.line
            for level in target.places(min(home, NEAR, len(target.levels) - 2) + 1)
        ),
        default=0,
    )

    def gains(nest: Nest, tensor: int) -> bool:
        least = min((graph.bytes[t] for t in nest.reads[: nest.operation.streamed]), default=0)
        return not (
            is_contraction(nest.operation)
            and not _by_matrix(graph, nest, spec, target)
            and (nest.operation.finish is not None or may_finish(graph, tensor) or not finishes)
            and least <= min(near, graph.bytes[tensor])
        )

    nests = (
        nest if gains(nest, graph.tensor(j)) else replace(nest, operation=replace(nest.operation, uncut=True))
        for j, nest in enumerate(graph.nests)
    )
    return replace(graph, nests=tuple(nests))


def _in_band(goal: Family, spec: Spec, height: int) -> Family:
    """A goal whose tensors are as large, along the rows, as a band of them; its operands lie as those of the bound. A
    graph is searched as one: bands do the work of cuts, and keep its intermediates near."""
    graph, rows, bound = goal.operation, spec.dynamic.rows, spec.dynamic.bound
    return replace(
        goal,
        operation=graph.annotated(
            AsOne(graph.is_covered),
            Near(True),
            bytes=tuple(
                n * height // bound if rows in access.dims else n for n, access in zip(graph.bytes, graph.tensors)
            ),
        ),
    )


def bytes_of_call(spec: Spec) -> int:
    """Bytes that a call of a canonical Spec goes over: its arrays, and its whole intermediates (of the highest band,
    where rows are taken by bands). By them its arrays rest at a level, and lines from there have their price
    (`Target.called`)."""
    return _bytes(spec, _sizes(spec, band_heights(spec)))


def _sizes(spec: Spec, heights: tuple[int, ...]) -> dict[str, int]:
    """The sizes of a Spec's dimensions; of the rows, the height of the highest band."""
    return {**spec.size, spec.dynamic.rows: heights[-1]} if heights else dict(spec.size)


def _bytes(spec: Spec, size: Mapping[str, int]) -> int:
    """Bytes of a Spec's arrays and of the tensors between the nests of its graph."""
    op = spec.operation
    between = sum(prod(op.access(t).shape(size)) * dtype(op.between(t).dtype).bytes for t in op.unplaced)
    return sum(t.bytes for t in spec.tensors) + between


COUNTS = -1  # among a Spec's sources: of an array that the program itself has
FAR_LESS = 8  # times: as weights of a byte are of their sums in s32 from 32 of them on
SMALL_SHARE = 4  # such arrays fit L1; it takes two of them to hide elements behind a diagonal


def _graph(spec: Spec, target) -> Graph:
    """`with_counts`, with arrays between nests as the target sees their rows."""
    return with_counts(spec).on(target.spans, spec.size)


def with_counts(spec: Spec) -> Any:
    """The operation over operands with their borders around them; it marks the operands that count 0, 1, 2, .."""
    counts = tuple(i for i, source in enumerate(spec.sources or ()) if source == COUNTS)
    return spec.operation.bare.annotated(counts=counts)


def near_counts(operand: Operand, tensor: TensorType, target) -> Operand:
    """An array that counts 0, 1, 2, .. is part of the program: a small one is always in L1, and the search seeks no
    place for it."""
    is_small = tensor.bytes * SMALL_SHARE <= target.levels[1].capacity
    return replace(operand, level=1, layout=replace(operand.layout, uncached=False)) if is_small else operand


def early(graph: Graph, spec: Spec) -> tuple[int, ...]:
    """The intermediates that are sums, or the like, of constants (and of scalars) and far smaller than those: sums of
    weights."""
    constants = {i for i, (t, access) in enumerate(zip(spec.inputs, graph.inputs)) if t.constant or not access.dims}
    nests = {t: graph.writer(t) for t in graph.unplaced}
    of_constants = [t for t, nest in nests.items() if nest.operation.combine and constants.issuperset(nest.reads)]
    return tuple(t for t in of_constants if FAR_LESS * graph.bytes[t] <= max(graph.bytes[i] for i in nests[t].reads))


def known(operation: Any, spec: Spec) -> tuple[int, ...]:
    """The intermediates that are computed of one constant alone and are no larger than it; of several that lead to each
    other the last."""
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
    """Constants that may be packed ahead of the call. One of a dynamic size is not, because its size is not known by
    then; nor is any where rows are taken by bands."""
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
    """Whether the search tries panels of constant i: where it is several operands, only for products."""
    op, sources = spec.operation, spec.sources
    return (
        sources is None
        or sources.count(sources[i]) == 1
        or not op.is_lone
        and any(is_contraction(op.nests[j].operation) for j in op.readers(i))
    )

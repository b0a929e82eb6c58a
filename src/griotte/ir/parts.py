"""Parts of a graph: some of its nests as an operation of their own, before and after a tensor that is given a place,
and without copies that need not be made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from .expr import Arg
from .graph import Graph, Held, Nest
from .operation import Access, Operation

# many families are over one graph; and equal operations that are one object are found equal at once
cached = lru_cache(1 << 14)


@dataclass(frozen=True)
class Part:
    """Some nests of a graph as an operation of their own: `sees[i]` is the tensor of the whole that its operand i is,
    its output last; `nests[j]` is the nest of the whole that its nest j is."""

    operation: Operation | Graph
    sees: tuple[int, ...]
    accumulator: str
    nests: tuple[int, ...]


@cached
def before(graph: Graph, tensor: int) -> Part:
    """What computes `tensor`."""
    return part(graph, graph.needs(tensor), tensor)


@cached
def parts_at(graph: Graph, tensor: int, to: int | None = None) -> bool:
    """Whether a graph may be cut at a tensor (put into operand `to`): what both parts then compute are maps alone, and
    outputs are in one of them."""
    both = set(graph.needs(tensor)) & set(left(graph, *_after(graph, tensor, to)))
    return all(graph.nests[j].operation.combine is None for j in both)


def left(graph: Graph, known: set[int], last: tuple[int, ...]) -> list[int]:
    """The nests that compute the tensors `last` once those that are `known` are there."""
    kept: set[int] = set()
    stack = [*last]
    while stack:
        t = stack.pop()
        if t >= len(graph.inputs) and t not in known and t - len(graph.inputs) not in kept:
            kept.add(t - len(graph.inputs))
            stack += graph.nests[t - len(graph.inputs)].reads
    return sorted(kept)


@cached
def after(graph: Graph, tensor: int, to: int | None = None) -> Part:
    """What computes the outputs once `tensor` is there; in operand `to`, where one is given. What it needs besides is
    computed again, where the tensor needed it too."""
    found = part(graph, left(graph, *_after(graph, tensor, to)), graph.last)
    if to != len(graph.inputs) or not isinstance(found.operation, Graph):
        return found
    return replace(found, operation=_same(replace(found.operation, inside=(found.sees.index(tensor),))))


def _after(graph: Graph, tensor: int, to: int | None) -> tuple[set[int], tuple[int, ...]]:
    """The tensors that are there, and those that are still to be computed, once `tensor` is in `to`: the output that
    lies there is one with it."""
    delivered = tensor if to is None else graph.written.get(to, tensor)
    return {tensor, delivered}, (*(t for t, _ in graph.placed if t != delivered), graph.last)


@cached
def operands_for(graph: Graph, tensor: int) -> tuple[int, ...]:
    """The operands that a tensor may be put into: its own, of an output; that of an output which is a copy of it; the
    last one, where it may be made the output in place."""
    if tensor not in graph.unplaced:
        return tuple(i for t, i in graph.placed if t == tensor)
    copies = tuple(i for t, i in graph.placed if _is_copy(graph, t, tensor))
    return (*copies, len(graph.inputs)) if _is_made_in_place(graph, tensor) else copies


def _is_made_in_place(graph: Graph, tensor: int) -> bool:
    """Whether a tensor may lie where the output goes until that is written over it: all that read it read the element
    that they are at, and the output's nest reads it once for each element that it writes. What that nest alone reads is
    done in registers, with it."""
    if graph.is_large or graph.placed or graph.inside or len(graph.readers(tensor)) < 2:
        return False
    last, written = graph.nests[-1], graph.access(tensor)
    ways = {access for nest in graph.nests for t, access in zip(nest.reads, nest.operation.inputs) if t == tensor}
    is_read_again = last.operation.combine is not None and tensor in last.reads[: last.operation.streamed]
    return ways == {written} == {graph.output} and not is_read_again and not last.operation.picks


def first_written(graph: Graph) -> int:
    """The tensor that the last output holds first: one that may be made the output in place, else the output."""
    return next((t for t in graph.unplaced if len(graph.inputs) in operands_for(graph, t)), graph.last)


@cached
def passes_into_output(graph: Graph, i: int) -> bool:
    """Whether input i is read for the last time as what the last output holds first is written, each element as one of
    that is, or before."""
    tensor = first_written(graph)
    nest = graph.nests[tensor - len(graph.inputs)]
    at_last = {access for t, access in zip(nest.reads, nest.operation.inputs) if t == i}
    return set(graph.readers(i)) <= set(graph.needs(tensor)) and at_last <= {graph.access(tensor)}


def _is_copy(graph: Graph, tensor: int, source: int) -> bool:
    nest, other = (graph.nests[t - len(graph.inputs)] for t in (tensor, source))
    same = graph.held[tensor - len(graph.inputs)] == graph.held[source - len(graph.inputs)]
    op = nest.operation
    return (
        same
        and op.combine is None
        and op.body == Arg(0)
        and nest.reads == (source,)
        and op.inputs == (op.output,) == (other.operation.output,)
    )


def part(graph: Graph, nests: list[int], output: int) -> Part:
    """The nests of these numbers, in order, as an operation of their own that writes tensor `output`; a lone nest is an
    Operation. What the others write is an operand, one for each way in which it is read."""
    own = {len(graph.inputs) + j for j in nests}
    came: list[tuple[int, Access]] = []
    for j in nests:
        for t, access in zip(graph.nests[j].reads, graph.nests[j].operation.inputs):
            if t not in own and (t, access) not in came:
                came.append((t, access))
    came.sort(key=lambda found: found[0])
    result = dict(graph.placed).get(output, output)
    if len(nests) == 1:
        nest = graph.nests[nests[0]]
        return Part(_same(replace(nest.operation, keep=())), (*nest.reads, result), nest.accumulator, tuple(nests))
    written = [(t, i) for t, i in graph.placed if t in own and t != output]
    came += [(i, graph.access(t)) for t, i in written]
    number = {t: len(came) + i for i, t in enumerate(sorted(own))}
    place = {found: i for i, found in enumerate(came)}
    renumbered = tuple(
        Nest(
            nest.operation,
            tuple(number[t] if t in own else place[t, access] for t, access in zip(nest.reads, nest.operation.inputs)),
            nest.accumulator,
            nest.exact,
        )
        for nest in (graph.nests[j] for j in nests)
    )
    dims = tuple(d for d in graph.dims if any(d in nest.operation.dims for nest in renumbered))
    held = tuple(graph.held[t - len(graph.inputs)] for t in sorted(own) if t != output)
    name = graph.name if len(nests) == len(graph.nests) else " ".join(nest.operation.name for nest in renumbered)
    sizes = tuple(graph.bytes[t] for t in (*(t for t, _ in came), *sorted(own)))
    counts = tuple(i for i, (t, _) in enumerate(came) if t in graph.counts)
    placed = tuple((number[t], len(came) - len(written) + i) for i, (t, _) in enumerate(written))
    inside = tuple(i for i, (t, _) in enumerate(came) if t in graph.inside) if output == graph.last else ()
    early = tuple(number[t] for t in graph.early if t in own and t != output)
    found = Graph(
        name,
        dims,
        tuple(access for _, access in came),
        renumbered,
        held,
        sizes,
        counts=counts,
        placed=placed,
        inside=inside,
        near=graph.near,
        adds=tuple(d for d in graph.adds if d in dims) if output == graph.last else (),
        early=early,
    )
    if graph.joint or not graph.is_large or not found.is_large:
        found = replace(found, joint=True)
    elif graph.extents:
        found = replace(
            found, extents=tuple(n for d, n in zip(graph.dims, graph.extents) if d in dims), shards=graph.shards
        )
    return Part(_same(found), (*(t for t, _ in came), result), renumbered[-1].accumulator, tuple(nests))


@cached
def _same(operation: Operation | Graph) -> Operation | Graph:
    """Of equal parts one object: their families are found equal at once."""
    return operation


# ---- copies that need not be made ------------------------------------------------------------------------------------


def is_alias(graph: Graph, tensor: int) -> bool:
    """Whether `tensor` is another tensor between nests, element by element and of one dtype: in another order of axes,
    perhaps."""
    nest = graph.nests[tensor - len(graph.inputs)]
    if (
        nest.operation.combine is not None
        or nest.operation.picks
        or nest.operation.body != Arg(0)
        or nest.reads[0] < len(graph.inputs)
    ):
        return False
    same = graph.held[nest.reads[0] - len(graph.inputs)].dtype == graph.held[tensor - len(graph.inputs)].dtype
    there, here = nest.operation.inputs[0], nest.operation.output
    plain = all(
        access.border is None and all(map(access.is_plain, range(len(access.axes)))) for access in (there, here)
    )
    return same and plain and sorted(there.axes) == sorted(here.axes)


def unaliased(graph: Graph, tensor: int) -> Part:
    """The graph in which `tensor` is not copied: what reads it reads what it is a copy of, which lies as either would:
    in the order in which more nests may run through several of its axes as one."""
    nest = graph.nests[tensor - len(graph.inputs)]
    source, there, here = nest.reads[0], nest.operation.inputs[0], nest.operation.output
    through = lambda access: access.on([here.axes.index(axis) for axis in there.axes])
    nests = []
    for reader in graph.nests:
        inputs = tuple(through(a) if t == tensor else a for t, a in zip(reader.reads, reader.operation.inputs))
        nests.append(
            replace(
                reader,
                operation=replace(reader.operation, inputs=inputs),
                reads=tuple(source if t == tensor else t for t in reader.reads),
            )
        )
    held, i = list(graph.held), source - len(graph.inputs)
    copy = held[tensor - len(graph.inputs)].layout
    other = replace(copy, order=tuple(there.axes.index(here.axes[axis]) for axis in copy.order))
    held[i] = max(
        (held[i], Held(held[i].dtype, other)),
        key=lambda way: _runs(nests, source, graph.access(source), way.layout.order),
    )
    return part(
        replace(graph, nests=tuple(nests), held=tuple(held)),
        [j for j in range(len(nests)) if j != tensor - len(graph.inputs)],
        len(graph.inputs) + len(nests) - 1,
    )


def _runs(nests: list[Nest], tensor: int, written: Access, order: tuple[int, ...]) -> int:
    """Neighbours among the axes of a tensor in this order, fastest first, that a nest may run through as one: all its
    accesses go along both or neither."""
    found = 0
    for nest in nests:
        ways = {access for t, access in zip(nest.reads, nest.operation.inputs) if t == tensor} | (
            {written} if nest.operation.output is written else set()
        )
        for access in ways:
            for inner, outer in pairwise(order):
                dims = {d for axis in (inner, outer) for d, _ in access.axes[axis]}
                found += all(dims <= other.dims or not dims & other.dims for other in nest.operation.accesses)
    return found

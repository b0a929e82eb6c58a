"""Parts of a graph: some of its nests as an operation of their own, before and after a tensor that is given a place,
and without copies that need not be made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from .access import Access
from .builder import Name, NestBuilder, by_use, uses_of
from .family import Held
from .graph import Graph, lone
from .operation import Nest, interned
from .pending import AsOne, PartOf, ShardCount, WholeExtents

# many families are over one graph; and equal operations that are one object are found equal at once
cached = lru_cache(1 << 14)


@dataclass(frozen=True)
class Part:
    """Some nests of a graph as an operation of their own. `sees[i]` (operand map) is the tensor of the whole that its
    operand i is, its output last. `nests[j]` is the nest of the whole that its nest j is, where it has those of the
    whole."""

    operation: Graph
    sees: tuple[int, ...]
    nests: tuple[int, ...] = ()

    @property
    def accumulator(self) -> str:
        """The dtype that what gives its output computes in."""
        return self.operation.nests[-1].accumulator

    def named(self, own: str) -> dict[Name, Nest]:
        """Its nests over tensors of the whole; what they write has names that begin with `own`."""
        graph = self.operation
        of = lambda t: self.sees[t] if graph.comes_in(t) else (own, graph.number(t))
        nests = enumerate(graph.nests)
        return {(own, j): replace(nest, reads=tuple(map(of, nest.reads))) for j, nest in nests}


@cached
def before(graph: Graph, tensor: int) -> Part:
    """What computes `tensor`."""
    return part(graph, graph.needs(tensor), tensor)


@cached
def parts_at(graph: Graph, tensor: int, to: int | None = None) -> bool:
    """Whether a graph may be cut at a tensor, which goes into operand `to`: only maps are then computed in both parts,
    and no output is."""
    both = set(graph.needs(tensor)) & set(_left(graph, tensor, to))
    return all(graph.nests[j].operation.combine is None for j in both)


@cached
def after(graph: Graph, tensor: int, to: int | None = None) -> Part:
    """The part that computes the outputs once `tensor` is there (in operand `to`, where one is given). It computes
    again what the tensor needed too."""
    found = part(graph, _left(graph, tensor, to), graph.last)
    if to != graph.operand(graph.last):
        return found
    return replace(found, operation=interned(found.operation.annotated(inside=(found.sees.index(tensor),))))


def _left(graph: Graph, tensor: int, to: int | None) -> list[int]:
    """The nests that compute the outputs once `tensor` is in `to`: the output that lies there is one with it."""
    delivered = tensor if to is None else graph.written.get(to, tensor)
    outputs = (t for t, _ in graph.placed if t != delivered)
    return graph.needs(*outputs, graph.last, known={tensor, delivered})


@cached
def operands_for(graph: Graph, tensor: int) -> tuple[int, ...]:
    """The operands that a tensor may be put into: an output's own; that of an output which copies it; the last one,
    where the output is made of it in place."""
    if tensor not in graph.unplaced:
        return tuple(i for t, i in graph.placed if t == tensor)
    copies = tuple(i for t, i in graph.placed if _is_copy(graph, t, tensor))
    return (*copies, graph.operand(graph.last)) if _is_made_in_place(graph, tensor) else copies


def _is_made_in_place(graph: Graph, tensor: int) -> bool:
    """Whether a tensor may lie in the output's memory until the output overwrites it. All its readers read the element
    that they are at, and the output's nest reads it once for each element that it writes. A tensor that only the
    output's nest reads is computed in registers, with it."""
    if graph.is_large or graph.placed or graph.inside or len(graph.readers(tensor)) < 2:
        return False
    last, written = graph.nests[-1], graph.access(tensor)
    ways = {access for nest in graph.nests for access in nest.ways(tensor)}
    is_read_again = last.operation.combine is not None and tensor in last.reads[: last.operation.streamed]
    return ways == {written} == {graph.output} and not is_read_again and not last.operation.picks


def first_written(graph: Graph) -> int:
    """The tensor that the last output holds first: one that may be made the output in place, else the output."""
    output = graph.operand(graph.last)
    return next((t for t in graph.unplaced if output in operands_for(graph, t)), graph.last)


@cached
def passes_into_output(graph: Graph, i: int) -> bool:
    """Whether input i is last read as the memory of the last output is first written, element by element, or before."""
    tensor = first_written(graph)
    nest = graph.writer(tensor)
    return set(graph.readers(i)) <= set(graph.needs(tensor)) and {*nest.ways(i)} <= {graph.access(tensor)}


def _is_copy(graph: Graph, tensor: int, source: int) -> bool:
    nest, other = graph.writer(tensor), graph.writer(source)
    same = graph.between(tensor) == graph.between(source)
    op = nest.operation
    alike = op.inputs == (op.output,) == (other.operation.output,)
    return same and alike and op.is_copy and nest.reads == (source,)


def part(graph: Graph, nests: Iterable[int], output: int) -> Part:
    """The nests of these numbers, in order, as an operation of their own that writes tensor `output`."""
    return remade(graph, {graph.tensor(j): graph.nests[j] for j in nests}, output)


def without(graph: Graph, nests: Mapping[int, Nest], tensor: int) -> Part:
    """The graph in which these nests write their tensors, and nothing writes `tensor`."""
    every = {graph.tensor(j): nest for j, nest in enumerate(graph.nests)} | dict(nests)
    return remade(graph, {t: nest for t, nest in every.items() if t != tensor}, graph.last)


def remade(
    graph: Graph, nests: Mapping[Name, Nest], output: Name, made: Mapping[Name, tuple[Held, int]] | None = None
) -> Part:
    """These nests as a graph that writes tensor `output`. Their names are tensors of the graph, or new ones, whose type
    and bytes are in `made`. What other nests write becomes an operand, one for each way in which it is read."""
    result = next((i for t, i in graph.placed if t == output), output)
    numbers = tuple(graph.number(t) if isinstance(t, int) else -1 for t in nests)
    last = nests[output]
    if len(nests) == 1:
        graph = lone(replace(last.operation, keep=()), last.accumulator)
        return Part(graph, (*last.reads, result), numbers)
    nests = by_use(nests)
    came = sorted(dict.fromkeys(t for t, _ in uses_of(nests) if t not in nests), key=lambda use: use[0])
    outputs = [(t, i) for t, i in graph.placed if t in nests and t != output]
    builder = NestBuilder()
    for use in came:
        builder.input(use, use[1], graph.bytes[use[0]])
    for name, nest in nests.items():
        builder.nest(name, nest, *_held(graph, name, made or {}))
    ends = output == graph.last
    dims = tuple(d for d in graph.dims if any(d in nest.operation.dims for nest in nests.values()))
    of = PartOf(graph.dims, dims, nests.keys() - {output}, ends, WholeExtents.of(graph))
    found = builder.graph(
        graph.name if len(nests) >= len(graph.nests) else " ".join(nest.operation.name for nest in nests.values()),
        dims,
        (t for t, _ in outputs),
        counts=[use for use in came if use[0] in graph.counts],
        inside=[use for use in came if use[0] in graph.inside and ends],
        pending=[type(each)(each.in_part(of)) for each in graph.pending],
    )
    if not (graph.is_large and found.is_large):
        found = found.annotated(AsOne(True), WholeExtents(()), ShardCount(0))
    return Part(interned(found), (*(t for t, *_ in came), *(i for _, i in outputs), result), numbers)


def _held(graph: Graph, name: Name, made: Mapping[Name, tuple[Held, int]]) -> tuple[Held | None, int]:
    """The dtype and layout of a nest's result (`Held`), and its bytes."""
    if name in made or not isinstance(name, int):
        return made[name]
    return None if name == graph.last else graph.between(name), graph.bytes[name]


# ---- copies that need not be made ------------------------------------------------------------------------------------


def is_alias(graph: Graph, tensor: int) -> bool:
    """Whether `tensor` is another tensor between nests, element by element and of one dtype: in another order of axes,
    perhaps."""
    nest = graph.writer(tensor)
    if not nest.operation.is_copy or graph.comes_in(nest.reads[0]):
        return False
    same = graph.between(nest.reads[0]).dtype == graph.between(tensor).dtype
    there, here = nest.operation.inputs[0], nest.operation.output
    return same and there.is_direct and here.is_direct and sorted(there.axes) == sorted(here.axes)


def unaliased(graph: Graph, tensor: int) -> Part:
    """The graph in which `tensor` is not copied: its readers read the source of the copy. The source lies as either
    would: in the order in which more nests may run through several of its axes as one."""
    nest = graph.writer(tensor)
    source, there, here = nest.reads[0], nest.operation.inputs[0], nest.operation.output
    through = lambda access: access.on([here.axes.index(axis) for axis in there.axes])
    moved = lambda t, access: through(access) if t == tensor else access
    nests = {
        t: replace(graph.writer(t).over(None, moved), reads=tuple(source if u == tensor else u for u in reads))
        for t, reads in ((graph.tensor(j), nest.reads) for j, nest in enumerate(graph.nests))
    }
    held, copy = graph.between(source), graph.between(tensor).layout
    other = Held(held.dtype, replace(copy, order=tuple(there.axes.index(here.axes[axis]) for axis in copy.order)))
    kept = max(
        (held, other),
        key=lambda way: _runs([*nests.values()], source, graph.access(source), way.layout.order),
    )
    whole = replace(graph, held=tuple(kept if t == graph.number(source) else h for t, h in enumerate(graph.held)))
    return without(whole, nests, tensor)


def _runs(nests: list[Nest], tensor: int, written: Access, order: tuple[int, ...]) -> int:
    """Neighbours among the axes of a tensor in this order, fastest first, that a nest may run through as one: all its
    accesses go along both or neither."""
    found = 0
    for nest in nests:
        for access in {*nest.ways(tensor), *([written] if nest.operation.output is written else ())}:
            for inner, outer in pairwise(order):
                dims = {d for axis in (inner, outer) for d, _ in access.axes[axis]}
                found += all(dims <= other.dims or not dims & other.dims for other in nest.operation.accesses)
    return found

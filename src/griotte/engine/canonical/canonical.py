"""The canonical form of a Spec, which is what the search sees: without axes of size 1 that nobody asked to keep, and
with runs of dimensions that are neighbours in every tensor joined into one (work.py), so that `add` of two row-major
8x4x2 tensors is a 64-long vector operation.

The nests of a composition are first put over one set of dimensions (unify.py); at last nests are made one where that
reads and writes less.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ...lang.calls.calls import Value
from ...lang.calls.spec import Spec, over
from ...lang.constructors.operations import copy
from ...lang.nests.graph import Graph, Nest, is_contraction, lone
from ...lang.nests.merging import finished, inline, may_finish, may_inline
from ...lang.nests.operation import Access
from ...lang.nests.parts import is_alias, unaliased
from ...lang.types.dynamic import in_bands, rows_of
from .blocks import Blocks
from .division import divides
from .unify import unified
from .work import Work, fixed


def canonical_form(spec: Spec) -> Spec:
    """The Spec that the search sees: over a Graph. `sources` tells which input of `spec` each of its operands is.
    A dynamic size is told by `dynamic` alone."""
    return _of_calls(spec) if spec.is_composed else _of_one_nest(spec)


def _of_one_nest(spec: Spec) -> Spec:
    """Its dimensions are renamed in order, but for those that are kept; there is one at least."""
    op, output = spec.operation, len(spec.inputs)
    types = dict(enumerate(spec.tensors))
    if not op.dims:  # a map over scalars, as one over a dimension of size 1
        one = Access.of("i0")
        op = replace(op, dims=("i0",), inputs=tuple(one for _ in op.inputs), output=one)
        types = {t: replace(tensor, shape=(1,), minor_to_major=(0,)) for t, tensor in types.items()}
    nest = Nest(op, tuple(range(output)), spec.accumulator)
    work = Work({output: nest}, spec.size or {"i0": 1}, types, dynamic=spec.dynamic)
    work.split_axes()
    work.drop_units()
    work.join_runs()
    op, types = work.nests[output].operation, work.types_of_uses()
    names = {d: d if d in op.keep else f"i{i}" for i, d in enumerate(op.dims)}
    inputs = tuple(fixed(types[t]) for t in range(output))
    dynamic = work.dynamic and work.dynamic.renamed(names)
    size = {names[d]: n for d, n in work.sizes.items()}
    return over(lone(op.renamed(names), ""), size, inputs, fixed(types[output]), spec.text, dynamic)


def _of_calls(spec: Spec) -> Spec:
    calls, gives = _with_copies(spec)
    work = unified(spec, calls, gives, windows=True)
    blocks = Blocks(work)
    work.split_axes()
    if not work.is_written_apart:
        work = unified(spec, calls, gives, windows=False)
        blocks = Blocks(work)
        work.split_axes()
    work.drop_units()
    blocks.in_place(work)
    work.join_runs()
    return _settled(_merged(work.spec(spec)))


def _with_copies(spec: Spec) -> tuple[list[Value], list[Value]]:
    """The calls of a Spec, and its results: of several each but the last call's that is read as well is a copy of what
    is read, so that no nest reads a result."""
    *calls, last = spec.graph.calls
    read = {each for value in spec.graph.calls for each in value.reads} if len(spec.graph.gives) > 1 else set()
    copies = {
        value: Value(value.type, (value,), copy(value.type, layout=value.type.minor_to_major))
        for value in spec.graph.gives
        if value in read
    }
    return [*calls, *copies.values(), last], [copies.get(value, value) for value in spec.graph.gives]


def _settled(spec: Spec) -> Spec:
    """The Spec with the rows that bands are of, where it has a dynamic size along two dimensions. SpecError where no
    part of either can be computed alone, nor is left where products that lack the rows are cut off."""
    dynamic, op = spec.dynamic, spec.operation
    if dynamic is None or dynamic.rows is None:
        return spec
    if rows_of(op, dynamic.dims) is None and divides(op, dynamic.dims):
        along = next((d for terms in op.output.axes for d, _ in terms if d in dynamic.dims), dynamic.rows)
        return replace(spec, dynamic=replace(dynamic, dim=next(d for d in dynamic.dims if d != along), rows=along))
    return replace(spec, dynamic=in_bands(op, dynamic.dims, dynamic.bound))


FEW = 64
"""Results of a reduction that threads may have to share, or more rows than so many that one goes down: it is left apart
from what follows it, so that parts of what it reduces may come after each other."""


def _merged(spec: Spec) -> Spec:
    """Nests made one where that reads and writes less, computes nothing twice and hinders nothing: copies between nests
    where the same elements may be read in place, maps that one other nest alone reads, element by element, maps of what
    a reduction gives that is no contraction (a largest, a mean of rows)."""
    while True:
        graph, size = spec.operation, spec.size
        found = next(
            (
                way(graph, t)
                for way, may in ((unaliased, is_alias), (inline, _merges))
                for t in graph.unplaced
                if may(graph, t)
            ),
            None,
        )
        found = found or next((finished(graph, t) for t in graph.unplaced if _finishes(graph, t, spec)), None)
        if found is None:
            return spec
        sources = tuple((spec.sources or ())[i] for i in found.sees[:-1])
        inputs = tuple(spec.inputs[i] for i in found.sees[:-1])
        spec = over(found.operation, size, inputs, spec.output, spec.text, spec.dynamic, sources)
    return spec


def _merges(graph: Graph, tensor: int) -> bool:
    readers = graph.readers(tensor)
    if len(readers) != 1 or not may_inline(graph, tensor):
        return False
    reader, nest = graph.nests[readers[0]].operation, graph.writer(tensor).operation
    return set(reader.dims) == set(nest.dims) - set(nest.picked)


def _finishes(graph: Graph, tensor: int, spec: Spec) -> bool:
    nest = graph.writer(tensor)
    is_many = prod(nest.operation.output.shape(spec.size)) >= FEW
    return is_many and not is_contraction(nest.operation) and may_finish(graph, tensor) and _rows(nest, spec) <= FEW


def _rows(nest: Nest, spec: Spec) -> int:
    """How many rows of its inputs a reduction goes down: its sizes along dimensions by which it leaves a row."""
    op = nest.operation
    along = {
        dim
        for access, tensor in zip(op.inputs, nest.reads)
        for dim, _ in (access.axes[_fastest(spec, tensor, len(access.axes))] if access.axes else ())
    }
    return prod(spec.size[dim] for dim in op.reduction if dim not in along)


def _fastest(spec: Spec, tensor: int, rank: int) -> int:
    """The axis of a tensor whose neighbours lie side by side; of what nests give each other the last."""
    return spec.inputs[tensor].minor_to_major[0] if tensor < len(spec.inputs) else rank - 1

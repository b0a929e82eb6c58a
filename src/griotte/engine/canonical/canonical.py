"""The canonical form of a Spec, which the search sees. It is without axes of size 1 that nobody asked to keep. Runs of
dimensions that are neighbours in every tensor are joined into one (axes.py). So `add` of two row-major 8x4x2 tensors is
a 64-long vector operation.

The nests of a composition are first put over one set of dimensions (unify.py); at last nests are made one where that
reads and writes less.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ...lang.calls.spec import Spec, over
from ...lang.calls.value import Value
from ...lang.constructors.operations import copy
from ...lang.nests.access import Access
from ...lang.nests.builder import SizedBuilder, by_depth, by_use
from ...lang.nests.graph import Graph, lone
from ...lang.nests.merging import finished, inline, may_finish, may_inline
from ...lang.nests.operation import Nest, is_contraction
from ...lang.nests.parts import is_alias, part, unaliased
from ...lang.nests.pending import WholeExtents
from ...lang.types.dynamic import Dynamic, in_bands, rows_of
from ...lang.types.tensor import TensorType
from .axes import Blocks, drop_units, is_written_apart, join_runs, split_axes
from .division import divides
from .unify import read_apart, unified


def canonical_form(spec: Spec) -> Spec:
    """The Spec that the search sees: over a Graph. `sources` names the input of `spec` that each of its operands is.
    `dynamic` alone holds a dynamic size."""
    return _of_calls(spec) if spec.is_composed else _of_one_nest(spec)


def _of_one_nest(spec: Spec) -> Spec:
    """Its dimensions are renamed in order, but for those that are kept; there is one at least."""
    op, output = spec.operation, len(spec.inputs)
    types = dict(enumerate(spec.tensors))
    if not op.dims:  # a map over scalars, as one over a dimension of size 1
        one = Access.of("i0")
        op = replace(op, dims=("i0",), inputs=tuple(one for _ in op.inputs), output=one)
        types = {t: replace(tensor, shape=(1,), minor_to_major=(0,)) for t, tensor in types.items()}
    builder = SizedBuilder(spec.size or {"i0": 1})
    builder.types, builder.nests[output] = types, Nest(op, tuple(range(output)), spec.accumulator)
    split_axes(builder)
    drop_units(builder, spec.dynamic)
    dynamic, _ = join_runs(builder, spec.dynamic)
    op = builder.nests[output].operation
    names = {d: d if d in op.keep else f"i{i}" for i, d in enumerate(op.dims)}
    *inputs, result = map(_fixed, builder.types.values())
    size, dynamic = {names[d]: n for d, n in builder.sizes.items()}, dynamic and dynamic.renamed(names)
    return over(lone(op.renamed(names), ""), size, tuple(inputs), result, spec.written, dynamic)


def _of_calls(spec: Spec) -> Spec:
    calls, gives = _with_copies(spec)
    builder, dynamic = unified(spec, calls, gives, windows=True)
    blocks = Blocks(builder)
    split_axes(builder)
    if not is_written_apart(builder):
        builder, dynamic = unified(spec, calls, gives, windows=False)
        blocks = Blocks(builder)
        split_axes(builder)
    drop_units(builder, dynamic)
    if dynamic is None:
        blocks.in_place()
    return _settled(_merged(_joined(builder, dynamic, spec)))


def _joined(builder: SizedBuilder, dynamic: Dynamic | None, stated: Spec) -> Spec:
    """The Spec of the nests with their runs joined. Its operands are the inputs and the outputs but the last. An input
    comes once for each way in which it is read; a constant that is read apart, once for each of its readers."""
    builder.nests = by_use(builder.nests, read_apart(builder.nests, builder.types))
    came = dict.fromkeys(t for t, _ in builder.uses() if t not in builder.nests)
    builder.types = {t: builder.types[t[0]] for t in came} | {t: builder.types[t] for t in builder.nests}
    dynamic, _ = join_runs(builder, dynamic)
    inputs = {t: access for t, access in builder.uses() if t in came}
    builder.inputs = dict(sorted(inputs.items(), key=lambda use: (use[0][0], str(use[1]), use[0][2])))
    ordered = by_depth(builder.nests).items()
    builder.nests = {t: replace(nest, operation=replace(nest.operation, keep=())) for t, nest in ordered}
    outputs = [t for t in builder.results if t != builder.last]
    extents = WholeExtents(() if dynamic else tuple(builder.sizes.values()))
    graph = builder.graph(stated.operation.name, tuple(builder.sizes), outputs, [extents])
    found = part(graph, range(len(graph.nests)), graph.last)
    sources = [
        *(t if t < len(stated.inputs) else -1 for t, *_ in builder.inputs),
        *(-2 - builder.results.index(t) for t in outputs),
    ]
    tensors, seen = [_fixed(builder.types[t]) for t in (*builder.inputs, *outputs)], found.sees[:-1]
    return over(
        found.operation,
        builder.sizes,
        tuple(tensors[i] for i in seen),
        _fixed(builder.types[builder.last]),
        stated.written,
        _along(dynamic, found.operation.dims),
        tuple(sources[i] for i in seen),
    )


def _along(dynamic: Dynamic | None, dims: tuple[str, ...]) -> Dynamic | None:
    """The dynamic size along those of its dimensions that are among these."""
    along = [d for d in dynamic.dims if d in dims] if dynamic else []
    return Dynamic(along[0], dynamic.bound, dynamic.unit, *along[1:]) if dynamic and along else None


def _fixed(tensor: TensorType) -> TensorType:
    """A tensor type without its dynamic size, which the canonical Spec tells."""
    return replace(tensor, dynamic=None, tied=None)


def _with_copies(spec: Spec) -> tuple[list[Value], list[Value]]:
    """The calls of a Spec, and its results. With several results, each that is also read becomes a copy, so that no
    nest reads a result; the last call's does not."""
    *calls, last = spec.graph.calls
    read = {each for value in spec.graph.calls for each in value.values} if len(spec.graph.gives) > 1 else set()
    copies: dict[Value, Value] = {
        value: Value.of_nest(copy(value.type, layout=value.type.minor_to_major), (value,))
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
"""A reduction with fewer results than this is left apart from its readers, because threads may have to share it. So is
a reduction that goes down more rows than this. Parts of such reductions may then come after each other."""


def _merged(spec: Spec) -> Spec:
    """Nests made one where that reads and writes less, computes nothing twice and hinders nothing. These are copies
    between nests where the same elements may be read in place, and maps that one other nest alone reads, element by
    element. Maps of a reduction's result are too where it is no contraction (a largest, a mean of rows)."""
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
        spec = over(found.operation, size, inputs, spec.output, spec.written, spec.dynamic, sources)
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
    """How many rows of its inputs a reduction goes down: the product of its sizes along dimensions by which it leaves a
    row."""
    op = nest.operation
    along = {
        dim
        for access, tensor in zip(op.inputs, nest.reads)
        for dim, _ in (access.axes[_fastest(spec, tensor, len(access.axes))] if access.axes else ())
    }
    return prod(spec.size[dim] for dim in op.reduction if dim not in along)


def _fastest(spec: Spec, tensor: int, rank: int) -> int:
    """The axis of a tensor whose neighbours lie side by side; the last one of a tensor between nests."""
    return spec.inputs[tensor].minor_to_major[0] if tensor < len(spec.inputs) else rank - 1

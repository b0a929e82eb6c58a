"""Where a large graph is cut at whole arrays, and its parts as problems of their own.

Division: a graph of a dynamic size is cut in one way for all sizes.

    norm ; q, k, v, products of it ; attention(q, k, v) ; products of that

Each part is a Spec of its own. All its sizes are searched: along one dimension, or by bands (dynamic.py) where it has
the size along two.

In a part runs of dimensions that are neighbours in every tensor are joined, and dimensions are named by their place and
extent. So parts that are alike (the projections of q, k and v, two layers of a network) are one problem, solved once.

    matmul(s i, i h d) over s=128 h=12 d=64 i=768   ->   matmul(j128 k768, k768 l768)

A dimension of a dynamic size is joined with no other, and has the name that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import Any

from ...lang.calls.spec import Spec
from ...lang.nests.builder import SizedBuilder, uses_of
from ...lang.nests.family import Family, Held, Operand, Spans, given_layout
from ...lang.nests.graph import Graph
from ...lang.nests.merging import may_finish
from ...lang.nests.operation import Operation, is_contraction
from ...lang.nests.parts import Part, after, before, operands_for, parts_at
from ...lang.types.dynamic import rows_of
from ...lang.types.tensor import TensorType
from .axes import join_runs

Dims = tuple[str, ...]


@dataclass(frozen=True)
class Cut:
    """A graph is cut at `tensor`: a buffer, or put into `operand`, an output."""

    tensor: int
    operand: int | None = None

    def parts(self, graph: Graph) -> tuple[Part, Part]:
        """The nests that compute the tensor, and those after it."""
        return before(graph, self.tensor), after(graph, self.tensor, self.operand)


def stands(operation: Graph, dims: Dims) -> bool:
    """Whether one search covers an operation with a dynamic size along `dims`: its rows by bands, where it has two of
    them."""
    along = tuple(d for d in dims if d in operation.dims)
    return not operation.is_large if len(along) < 2 else _has_bands(operation, rows_of(operation, along))


def _has_bands(operation: Graph, rows: str | None) -> bool:
    """Whether it is taken by bands of these rows: each is a search of its own, and computes no product anew."""
    products = filter(is_contraction, operation.operations)
    return rows is not None and operation.is_covered and all(rows in op.dims for op in products)


@lru_cache(1 << 10)
def divides(operation: Graph, dims: Dims) -> bool:
    """Whether it may be cut into parts that stand."""
    rests = (cut.parts(operation)[1].operation for cut in cuts(operation, dims))
    return stands(operation, dims) or any(divides(rest, dims) for rest in rests)


def is_divided(spec: Spec) -> bool:
    """Whether a canonical Spec of a dynamic size is cut before it is searched: where one search could not take it by
    bands, or a constant may be packed for a product. Else one search that cuts it itself takes half the time."""
    op, dynamic = spec.operation, spec.dynamic
    if dynamic is None or stands(op, dynamic.dims):
        return False
    fixed = {i for i, tensor in enumerate(spec.inputs) if tensor.constant}
    return len(dynamic.dims) > 1 or any(
        fixed.intersection(nest.reads) for nest in op.nests if is_contraction(nest.operation)
    )


def cuts(graph: Graph, dims: Dims) -> list[Cut]:
    """Where a graph is cut in two so that the first part stands (one search covers it). A cut at a tensor that has the
    size along two dimensions is made only where it has to be, and there is no other."""
    found, may_stay = [Cut(t, _operand(graph, t)) for t in tensors(graph)], stands(graph, dims)
    there = {cut.tensor: cut for cut in found if parts_at(graph, cut.tensor, cut.operand)}
    ways = whole_cuts(graph, there, lambda part: stands(part.operation, dims), may_stay)
    narrow = [t for t in ways if len(dims) < 2 or t in dict(graph.placed) or not set(dims) <= graph.access(t).dims]
    return [there[t] for t in (narrow if narrow or may_stay else ways)]


def tensors(graph: Graph) -> list[int]:
    """Those that are to be placed. If outputs wait for nothing, only the first of them is: the order in which they are
    computed does not matter."""
    ready = [t for t, _ in graph.placed if _is_ready(graph, t)]
    outputs = [t for t, i in graph.placed if not any(i in operands_for(graph, other) for other in graph.unplaced)]
    return ready[:1] or [*graph.unplaced, *outputs]


def whole_cuts(graph: Graph, found: Iterable[int], stands: Callable[[Part], bool], may_stay: bool = False) -> list[int]:
    """The tensors of `found` where the part before the cut stands and has the first nest that is left. If several parts
    each compute that nest anew, its first reader counts, so that every way to cut comes once. A cut between a
    contraction and a map that may be done as its result is stored is taken only where there is no other, and the graph
    may not stay uncut."""
    ways = [t for t in found if _comes_first(graph, t) and stands(before(graph, t))]
    apart = [t for t in ways if not _is_finished(graph, t)]
    return apart if apart or may_stay else ways


def _comes_first(graph: Graph, tensor: int) -> bool:
    """Whether what computes a tensor has the first nest, and leaves none that reads it or has the first that does; or
    is an output that waits for nothing."""
    if _is_ready(graph, tensor):
        return True
    needs, readers = graph.needs(tensor), graph.readers(graph.tensor(0))
    return 0 in needs and (tensor == graph.tensor(0) or set(readers[1:]) <= set(needs) or readers[0] in needs)


def _is_ready(graph: Graph, tensor: int) -> bool:
    """Whether a tensor is an output of one nest that reads no other's."""
    return tensor in dict(graph.placed) and len(graph.needs(tensor)) == 1


def _operand(graph: Graph, tensor: int) -> int | None:
    """The output that a tensor is put into, where it is one, or one is a copy of it."""
    return next((i for i in reversed(operands_for(graph, tensor)) if i != graph.operand(graph.last)), None)


def _is_finished(graph: Graph, tensor: int) -> bool:
    """Whether a map, which reads nothing else that is still to be computed, may be done to a tensor as it is stored:
    there a graph is not cut in two."""
    return may_finish(graph, tensor) and all(
        t == tensor or graph.comes_in(t) for t in graph.nests[graph.readers(tensor)[0]].reads
    )


# with a number none is a dimension of a stated operation (those have i0, i1, .. and d0, d1, ..)
LETTERS = "jklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Joined:
    """From the sizes of a part as it was to those of its own dimensions: each is the product of the joined ones."""

    terms: tuple[tuple[str, tuple[str, ...]], ...]

    def __call__(self, size: Mapping[str, Any]) -> dict[str, Any]:
        return {name: prod((size[d] for d in olds[1:]), start=size[olds[0]]) for name, olds in self.terms}


Renaming = tuple[tuple[str, str], ...]  # of dimensions that stay as they are: what they are called, and are to be


@lru_cache(1 << 10)
def extracted(family: Family, extents: tuple[int, ...], spans: Spans, named: Renaming = ()) -> tuple[Family, Joined]:
    """A family whose operands are whole arrays, over dimensions of its own, and how its sizes come from those it had,
    which were `extents`. It has no batch dimensions yet. One with windows, or of several outputs, stays as it is but
    for the dimensions that are `named`."""
    op, given = family.operation, dict(named)
    is_direct = all(access.is_direct for each in (op, *op.operations) for access in each.accesses)
    if op.placed or not is_direct or any(o.layout.beyond for o in family.operands):
        names = {d: given.get(d, d) for d in op.dims}
        own = replace(family, operation=op.renamed(names)) if named else family
        return own, Joined(tuple((names[d], (d,)) for d in op.dims))
    size = dict(zip(op.dims, extents))
    known = {op.tensor(j): (h.dtype, h.layout) for j, h in enumerate(op.held)}
    known |= {op.last if i == len(op.inputs) else i: (o.dtype, o.layout) for i, o in enumerate(family.operands)}
    builder = SizedBuilder(size)
    builder.types = {
        t: TensorType(dtype, op.access(t).shape(size), layout.order) for t, (dtype, layout) in known.items()
    }
    builder.nests = {op.tensor(j): nest for j, nest in enumerate(op.nests)}
    _, olds = join_runs(builder, apart=given.keys())
    order = dict.fromkeys(d for nest in reversed(builder.nests.values()) for d in nest.operation.dims)
    names = {d: given.get(d, f"{LETTERS[i]}{builder.sizes[d]}") for i, d in enumerate(order)}
    return _over(family, builder, names, spans), Joined(tuple((name, olds[d]) for d, name in names.items()))


def _over(family: Family, joined: SizedBuilder, names: dict[str, str], spans: Spans) -> Family:
    """The family over the joined dimensions, under these names."""
    op, types, spans = family.operation, joined.types, family.operation.naming(spans)
    nests = {t: replace(nest, operation=_plain(nest.operation.renamed(names))) for t, nest in joined.nests.items()}
    read = dict(reversed([*uses_of(nests)]))
    operation = replace(
        op,
        name=" ".join(nest.operation.name for nest in nests.values()),
        dims=tuple(names.values()),
        inputs=tuple(read[t] for t in range(len(op.inputs))),
        nests=tuple(nests.values()),
        held=tuple(Held(types[t].dtype, given_layout(types[t], spans=spans)) for t in op.unplaced),
    )
    operands = tuple(
        Operand(o.dtype, o.level, given_layout(types[t], o.layout.uncached, spans=spans))
        for t, o in zip((*range(len(op.inputs)), op.last), family.operands)
    )
    return replace(family, operation=operation, operands=operands, batch=())


def _plain(op: Operation) -> Operation:
    """A map is called one, whatever it was stated as."""
    return op if op.combine else replace(op, name="map")

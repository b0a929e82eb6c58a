"""Division: a large graph of a dynamic size is cut at whole arrays into parts, in one way for all sizes.

    norm ; q, k, v, products of it ; attention(q, k, v) ; products of that

Each part is a Spec of its own, of which every size is searched: along one dimension, or by bands (dynamic.py) where it
has the size along two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from ...lang.calls.spec import Spec
from ...lang.nests.graph import Graph
from ...lang.nests.merging import may_finish
from ...lang.nests.operation import is_contraction
from ...lang.nests.parts import Part, after, before, operands_for, parts_at
from ...lang.types.dynamic import rows_of

Dims = tuple[str, ...]


@dataclass(frozen=True)
class Cut:
    """A graph is cut at `tensor`: a buffer, or put into `operand`, an output."""

    tensor: int
    operand: int | None = None

    def parts(self, graph: Graph) -> tuple[Part, Part]:
        """What computes the tensor, and what comes after it."""
        return before(graph, self.tensor), after(graph, self.tensor, self.operand)


def stands(operation: Graph, dims: Dims) -> bool:
    """Whether one search covers an operation, of which `dims` have a dynamic size: its rows by bands, where it has two
    of them."""
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
    """Where a graph is cut in two, of which the first stands; at a tensor that has the size along two dimensions only
    where it has to be, and there is no other."""
    found, may_stay = [Cut(t, _operand(graph, t)) for t in tensors(graph)], stands(graph, dims)
    there = {cut.tensor: cut for cut in found if parts_at(graph, cut.tensor, cut.operand)}
    ways = whole_cuts(graph, there, lambda part: stands(part.operation, dims), may_stay)
    narrow = [t for t in ways if len(dims) < 2 or t in dict(graph.placed) or not set(dims) <= graph.access(t).dims]
    return [there[t] for t in (narrow if narrow or may_stay else ways)]


def tensors(graph: Graph) -> list[int]:
    """Those that are to be placed. Of outputs that wait for nothing the first alone, since in which order they are
    computed does not matter."""
    ready = [t for t, _ in graph.placed if _is_ready(graph, t)]
    outputs = [t for t, i in graph.placed if not any(i in operands_for(graph, other) for other in graph.unplaced)]
    return ready[:1] or [*graph.unplaced, *outputs]


def whole_cuts(graph: Graph, found: Iterable[int], stands: Callable[[Part], bool], may_stay: bool = False) -> list[int]:
    """Of these tensors those after a part that stands and has the first nest that is left, and, of parts that each
    compute that anew, what reads it first: so that every way to cut is met once. Between a contraction and a map that
    may be done as its result is stored only where there is no other, and it may not stay uncut."""
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

"""A factor of all terms of a sum, a nest's own, that is taken out of the sum: each result is multiplied once."""

from __future__ import annotations

from dataclasses import replace

from ..types.expr import (
    PRODUCT,
    Arg,
    Call,
    Const,
    Expr,
    as_product,
    substitute,
)
from .graph import Graph
from .merging import FIRST, with_two
from .operation import Nest, Operation, is_float
from .parts import Part, cached


@cached
def may_factor(graph: Graph, tensor: int) -> bool:
    """Whether `tensor`, a map that divides by a total that does not change along a sum of products, which alone reads
    it, may do so after the sum."""
    nest, readers = graph.writer(tensor), graph.readers(tensor)
    if (
        len(readers) != 1
        or nest.operation.combine is not None
        or nest.operation.picks
        or not is_float(nest.accumulator)
    ):
        return False
    reader = graph.nests[readers[0]]
    op, ways = reader.operation, [access for t, access in zip(reader.reads, reader.operation.inputs) if t == tensor]
    sums = (
        op.is_sum
        and as_product(op.body) == PRODUCT
        and op.streamed == 2
        and op.finish is None
        and reader.accumulator == nest.accumulator
    )
    same = ways == [nest.operation.output] and not graph.is_rounded(tensor)  # shares of fewer bits are what is summed
    return sums and same and _factor(nest.operation, op) is not None and _is_share(graph, nest)


def _is_share(graph: Graph, nest: Nest) -> bool:
    """Whether a map divides a tensor by its own sum, or multiplies it by 1 over that: then a sum of products of the
    shares overflows, or is no number, where that of the parts does, but for parts whose sum overflows though they do
    not. Any other factor could keep a sum in range that leaves it without."""
    ways = [nest.reads] if _divides(nest.operation.body) else []
    ways += [nest.reads, nest.reads[::-1]] if nest.operation.body == PRODUCT else []
    return any(_is_total(graph, part, by, nest.operation.body == PRODUCT) for part, by in ways)


def _is_total(graph: Graph, part: int, by: int, inverse: bool) -> bool:
    """Whether a tensor is the sum of another, or 1 over that."""
    if graph.comes_in(by):
        return False
    total = graph.writer(by)
    if inverse:
        one_over = Call("div", (Const(1.0), Arg(0)))
        if total.operation.body != one_over or total.operation.combine or graph.comes_in(total.reads[0]):
            return False
        total = graph.writer(total.reads[0])
    op = total.operation
    return op.is_sum and op.body == Arg(0) and total.reads == (part,) and op.finish is None


def _divides(body: Expr) -> bool:
    """Whether it is x0 by x1, or by a number up to 1 where x1 is less: the quotients of what is so divided are no
    smaller than it was."""
    if not isinstance(body, Call) or body.function != "div" or body.args[0] != Arg(0):
        return False
    match body.args[1]:
        case Call("maximum", (Arg(1), Const(least))):
            return 0 < least <= 1
    return body.args[1] == Arg(1)


def _factor(scaled: Operation, op: Operation) -> int | None:
    """The input of a map that is a factor of all of it, and that a sum over `op.reduction` does not run along."""
    if len(scaled.inputs) != 2 or not (_divides(scaled.body) or scaled.body == PRODUCT):
        return None
    places = (1,) if _divides(scaled.body) else (0, 1)
    found = (
        i for i in places if not scaled.inputs[i].dims & set(op.reduction) and scaled.inputs[i].dims <= op.output.dims
    )
    return next(found, None)


@cached
def factored(graph: Graph, tensor: int) -> Part:
    """The graph with the sum of products that reads `tensor` over what it scales, and scaled after it."""
    (j,) = graph.readers(tensor)
    nest, reader = graph.writer(tensor), graph.nests[j]
    scale = _factor(nest.operation, reader.operation)
    assert scale is not None
    inner = 1 - scale
    reads = tuple(nest.reads[inner] if t == tensor else t for t in reader.reads)
    inputs = tuple(
        nest.operation.inputs[inner] if t == tensor else a for t, a in zip(reader.reads, reader.operation.inputs)
    )
    total = replace(reader, reads=reads, operation=replace(reader.operation, inputs=inputs))
    body = substitute(nest.operation.body, tuple(Arg(1) if i == scale else Arg(0) for i in range(2)))
    dims = tuple(d for d in reader.operation.dims if d in reader.operation.output.dims)
    after = Nest(
        Operation(
            "scale", dims, (reader.operation.output, nest.operation.inputs[scale]), reader.operation.output, body
        ),
        (FIRST, nest.reads[scale]),
        nest.accumulator,
    )
    return with_two(graph, j, total, after, without=tensor)

"""Nests of a graph made one: a map computed where it is read. A map done to a reduction's result as it is stored, and a
reduction of that before it is stored. And shares of a total divided after the sum of products that reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from ..types.dtypes import dtype
from ..types.expr import (
    MOST_CALLS,
    PRODUCT,
    Arg,
    As,
    Call,
    Const,
    Expr,
    as_product,
    calls,
    computed_in,
    is_test,
    length,
    only_rounds,
    substitute,
    uses,
    uses_of,
    value_args,
)
from .builder import Name
from .family import Held, Layout
from .graph import Graph
from .operation import Nest, Operation, is_contraction, is_float
from .parts import Part, cached, remade, without


@cached
def may_inline(graph: Graph, tensor: int) -> bool:
    """Whether `tensor` may be computed where it is read: its nest is a map, and all that read it read it as it is
    written."""
    nest = graph.writer(tensor)
    if nest.operation.combine is not None:
        return False
    readers = [graph.nests[j] for j in graph.readers(tensor)]
    if len(readers) > 1 and any(is_test(f) for reader in readers for f in calls(reader.operation.body)):
        return False  # what is compared is one value: computed twice, it might differ in its last digit
    return bool(readers) and all(
        _may_take(graph, nest, reader, tensor) and _is_short(nest, reader, tensor) for reader in readers
    )


def _is_short(nest: Nest, reader: Nest, tensor: int) -> bool:
    """Whether what one nest does of both is no longer than a body may be."""
    body = reader.operation.body
    times = sum(uses_of(body, i) for i, t in enumerate(reader.reads) if t == tensor)
    return length(body) + times * length(nest.operation.body) <= MOST_CALLS


def _may_take(graph: Graph, nest: Nest, reader: Nest, tensor: int) -> bool:
    ways = {*reader.ways(tensor)}
    unjoined = {*reader.reads[reader.operation.streamed :], *(reader.reads[i] for i in reader.operation.indices)}
    steps = conversions(graph, tensor, reader)
    apart = (
        not nest.operation.picks
        or reader.operation.combine is None
        and not {*reader.operation.picked} & {*nest.operation.dims}
    )
    takes = is_simple(reader.operation) and apart
    may = ways == {nest.operation.output} and _may_convert(nest, reader, steps) and tensor not in unjoined and takes
    return may and (bool(value_args(nest.operation.body)) or _keeps_dtype(graph, nest, reader, tensor, steps))


def _keeps_dtype(graph: Graph, nest: Nest, reader: Nest, tensor: int, steps: list[tuple[str, str]] | None) -> bool:
    """Whether both as one compute in what the reader computes in. A choice between numbers reads no values: a nest in
    which nothing else does computes in the dtype of its result (that of the last nest is not told here)."""
    place = graph.nests.index(reader)
    if value_args(_taking(reader, nest, tensor, steps).operation.body):
        return True
    return place < len(graph.held) and dtype(graph.held[place].dtype).compute == reader.accumulator


def conversions(graph: Graph, tensor: int, reader: Nest) -> list[tuple[str, str]] | None:
    """(from, to) of what a value of `tensor` goes through from where it is computed to where `reader` takes it, by way
    of its own dtype. None where its body takes it in several dtypes."""
    nest, held = graph.writer(tensor), graph.between(tensor).dtype
    taken = {dtype for i, dtype in uses(reader.operation.body, reader.accumulator) if reader.reads[i] == tensor}
    if len(taken) != 1:
        return None
    passes = not is_float(held) or graph.is_rounded(tensor)
    way = [computed_in(nest.operation.finish, nest.accumulator), *[held] * passes, *taken]
    return [(one, other) for one, other in pairwise(way) if one != other]


def _may_convert(nest: Nest, reader: Nest, steps: list[tuple[str, str]] | None) -> bool:
    """Whether one nest can do what two of perhaps different dtypes do: both compute in elements as wide, and in the
    body of a reduction floats are rounded alone."""
    if steps is None:
        return False
    if not steps and not computed_in(nest.operation.body, ""):
        return True
    if reader.operation.combine is None:
        return dtype(nest.accumulator).bytes == dtype(reader.accumulator).bytes
    rounds = only_rounds(converted(nest.operation.body, steps), nest.accumulator)
    return rounds and nest.accumulator == reader.accumulator


def converted(expr: Expr, steps: list[tuple[str, str]] | None) -> Expr:
    for source, to in steps or ():
        expr = As(source, to, expr)
    return expr


def is_simple(op: Operation) -> bool:
    """Whether a nest has room for more in its body: a map, or a reduction of one input."""
    return op.combine is None or op.streamed == 1


@cached
def inline(graph: Graph, tensor: int) -> Part:
    """The graph with `tensor` computed where it is read."""
    nest = graph.writer(tensor)
    taking = {
        graph.tensor(j): _taking(graph.nests[j], nest, tensor, conversions(graph, tensor, graph.nests[j]))
        for j in graph.readers(tensor)
    }
    return without(graph, taking, tensor)


def _taking(reader: Nest, nest: Nest, tensor: int, steps: list[tuple[str, str]] | None) -> Nest:
    """`reader` with the body of `nest` in place of what it reads of `tensor`."""
    op, count = reader.operation, reader.operation.streamed
    own, kept = reader.uses[:count], reader.uses[count:]
    uses = [use for use in own if use[0] != tensor]
    uses += [use for use in nest.uses if use not in uses]
    at = {use: Arg(i) for i, use in enumerate(uses)}
    inner = converted(substitute(nest.operation.body, tuple(at[use] for use in nest.uses)), steps)
    args = tuple(inner if use[0] == tensor else at[use] for use in own)
    moved = tuple(Arg(len(uses) + i) for i in range(len(kept) + 1))
    finish = op.finish and substitute(op.finish, (*(Arg(0),) * count, *moved))
    picks = tuple((dim, uses.index(of.uses[i])) for of in (reader, nest) for dim, i in of.operation.picks)
    dims = (*op.dims, *(dim for dim in nest.operation.picked if dim not in op.dims))
    body = replace(
        op,
        name="map" if op.combine is None else op.name,
        dims=dims,
        inputs=tuple(a for _, a in (*uses, *kept)),
        body=substitute(op.body, args),
        finish=finish,
        picks=tuple(dict.fromkeys(picks)),
    )
    return replace(reader, operation=body, reads=tuple(t for t, _ in (*uses, *kept)))


@cached
def may_finish(graph: Graph, tensor: int) -> bool:
    """Whether what reads `tensor`, the result of a reduction, may be done to it as it is stored: one map, of elements
    alike."""
    nest, readers = graph.writer(tensor), graph.readers(tensor)
    if nest.operation.combine is None or nest.operation.finish is not None or len(readers) != 1:
        return False
    reader = graph.nests[readers[0]]
    op = reader.operation
    same = reader.accumulator == nest.accumulator or not is_float(nest.accumulator)
    alike = op.combine is None and not op.picks and set(op.dims) == nest.operation.output.dims
    may = same and alike and _may_convert(nest, reader, conversions(graph, tensor, reader))
    return may and reader.ways(tensor) == [nest.operation.output]


@cached
def finished(graph: Graph, tensor: int) -> Part:
    """The graph with the map that reads `tensor` done as it is stored."""
    (j,) = graph.readers(tensor)
    nest, reader = graph.writer(tensor), graph.nests[j]
    both, body = _after(nest, reader, tensor, lambda result: converted(result, conversions(graph, tensor, reader)))
    merged = replace(both.operation, output=reader.operation.output, finish=body)
    return without(graph, {graph.tensor(j): replace(both, operation=merged, exact=reader.exact)}, tensor)


def _after(nest: Nest, reader: Nest, tensor: int, way: Callable[[Expr], Expr]) -> tuple[Nest, Expr]:
    """A nest over what it and its reader read, and the reader's body over that, of what comes of the nest's result."""
    others = [use for use in reader.uses if use[0] != tensor]
    inputs = (*nest.operation.inputs, *(access for _, access in others))
    value, start = way(Arg(len(inputs))), len(nest.reads)
    args = tuple(value if use[0] == tensor else Arg(start + others.index(use)) for use in reader.uses)
    reads = (*nest.reads, *(t for t, _ in others))
    both = replace(nest, operation=replace(nest.operation, inputs=inputs), reads=reads)
    return both, substitute(reader.operation.body, args)


@cached
def may_fold(graph: Graph, tensor: int) -> bool:
    """Whether a reduction may take `tensor`, a contraction's result, from registers: the two are the whole graph, each
    of plain accesses, and compute in one dtype."""
    if len(graph.nests) != 2 or graph.placed or graph.inside:
        return False
    nest, reader = graph.nests
    op, other = nest.operation, reader.operation
    plain = all(
        access.border is None and all(not axis or access.is_plain(i) for i, axis in enumerate(access.axes))
        for access in (*op.accesses, *other.accesses)
    )
    ways = reader.ways(tensor)
    reduces = (
        other.combine is not None
        and other.finish is None
        and bool(other.output.dims)
        and set(other.dims) == op.output.dims
    )
    same = (
        reader.accumulator == nest.accumulator
        and only_rounds(converted(op.finish or Arg(0), conversions(graph, tensor, reader)), nest.accumulator)
        and only_rounds(other.body, nest.accumulator)
    )
    return is_contraction(op) and plain and ways == [op.output] and reduces and same and not (op.picks or other.picks)


@cached
def folded(graph: Graph, tensor: int) -> Part:
    """The graph with `tensor` reduced while it is in registers: a map of each element, then all of them joined."""
    nest, reader = graph.nests
    op, other = nest.operation, reader.operation

    def value(result: Expr) -> Expr:
        done = substitute(op.finish, (*map(Arg, range(len(op.inputs))), result)) if op.finish else result
        return converted(done, conversions(graph, tensor, reader))

    both, each = _after(nest, reader, tensor, value)
    finish = None if each == Arg(len(both.reads)) else each
    merged = replace(both.operation, output=other.output, finish=finish, fold=other.combine, across=other.reduction)
    return without(graph, {graph.last: replace(reader, operation=merged, reads=both.reads)}, tensor)


FIRST = "first"  # what the first of two nests gives the second


def with_two(graph: Graph, j: int, first: Nest, second: Nest, without: int | None = None) -> Part:
    """The graph with nests `first` and `second`, which reads what the first gives as FIRST, for nest j; and without the
    nest that writes a tensor that is read no more."""
    own = graph.tensor(j)
    nests: dict[Name, Nest] = {}
    for t, nest in ((graph.tensor(i), nest) for i, nest in enumerate(graph.nests)):
        nests |= {FIRST: first, t: second} if t == own else {t: nest} if t != without else {}
    order = Layout(tuple(reversed(range(len(first.operation.output.axes)))), given=True)
    held = Held(first.accumulator, order if own == graph.last else graph.between(own).layout)
    return remade(graph, nests, graph.last, {FIRST: (held, graph.bytes[own])})


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
    op, ways = reader.operation, reader.ways(tensor)
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
    """Whether a map divides a tensor by its own sum, or multiplies it by 1 over that. Then a sum of products of the
    shares overflows, or is no number, where that of the parts does; an exception are parts whose sum overflows though
    they do not. Any other factor could keep a sum in range that leaves it without."""
    ways = [nest.reads] if _divides(nest.operation.body) else []
    is_product = as_product(nest.operation.body) == PRODUCT
    ways += [nest.reads, nest.reads[::-1]] if is_product else []
    return any(_is_total(graph, part, by, is_product) for part, by in ways)


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
    """Whether it is x0 by x1, or by a number up to 1 where x1 is less than that: division by such a number makes
    nothing smaller."""
    if not isinstance(body, Call) or body.function != "div" or body.args[0] != Arg(0):
        return False
    match body.args[1]:
        case Call("maximum", (Arg(1), Const(least))):
            return 0 < least <= 1
    return body.args[1] == Arg(1)


def _factor(scaled: Operation, op: Operation) -> int | None:
    """The input of a map that is a factor of all of it, and that a sum over `op.reduction` does not run along."""
    if len(scaled.inputs) != 2 or not (_divides(scaled.body) or as_product(scaled.body) == PRODUCT):
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
    inputs = tuple(nest.operation.inputs[inner] if t == tensor else access for t, access in reader.uses)
    total = replace(reader, reads=reads, operation=replace(reader.operation, inputs=inputs))
    body = substitute(as_product(nest.operation.body), tuple(Arg(1) if i == scale else Arg(0) for i in range(2)))
    dims = tuple(d for d in reader.operation.dims if d in reader.operation.output.dims)
    after = Nest(
        Operation(
            "scale", dims, (reader.operation.output, nest.operation.inputs[scale]), reader.operation.output, body
        ),
        (FIRST, nest.reads[scale]),
        nest.accumulator,
    )
    return with_two(graph, j, total, after, without=tensor)

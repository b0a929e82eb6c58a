"""Softmax by one pass: a maximum, sums of exponentials less it, and sums of their products, block by block along one
dimension.

    high' = max(high, max_n x)      r = exp(high - high')
    total' = total r + sum_n e      out' = out r + sum_n e v       e = exp(x - high')

After each block the sums are what they would be of all columns so far: exp(x - high) r = exp(x - high'). A row with
nothing seen so far has high = -inf: then the exponentials are taken less the least finite number, so that they, and
r, are 0.

Where the output is made of the exponentials element by element they may be kept there, each block less the maximum so
far. Once the maximum of all is known, they are multiplied by w, and are then less that maximum:

    y = after(e w)      w = exp(high so far - high)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from ...lang.nests.graph import Graph
from ...lang.nests.merging import FIRST, with_two
from ...lang.nests.operation import Nest, Operation
from ...lang.nests.parts import Part, operands_for, part, remade
from ...lang.nests.pending import WholeExtents
from ...lang.types.dtypes import dtype
from ...lang.types.expr import PRODUCT, SHARED, WEIGHED, Arg, Call, Const, Expr, substitute
from .causal import is_plain_along


@dataclass(frozen=True)
class Chain:
    """Nests of `graph`, by number: `high` is the maximum of tensor `source` along `dim`, `power` its exponentials less
    that. `sums` are sums over `dim` of those alone, or of products with another tensor. None of the sums is finished in
    the graph. `after` is the rest of the graph once high and sums are there."""

    graph: Graph
    dim: str
    source: int
    high: int
    power: int
    sums: tuple[int, ...]
    after: Part

    def tensor(self, nest: int) -> int:
        return self.graph.tensor(nest)

    @property
    def rescale(self) -> Operation:
        """exp(old maximum - new one), for each row."""
        high = self.graph.nests[self.high].operation.output
        dims = tuple(d for d in self.graph.nests[self.high].operation.dims if d in high.dims)
        return Operation("map", dims, (high, high), high, self._power((Arg(0), Arg(1))))

    @property
    def powers(self) -> Operation:
        """The exponentials of a block."""
        op, is_first = self.graph.nests[self.power].operation, self.graph.nests[self.power].reads[0] == self.source
        return replace(
            op, name="map", inputs=op.inputs if is_first else op.inputs[::-1], body=self._power((Arg(0), Arg(1)))
        )

    @cached_property
    def kept(self) -> Part | None:
        """The nests that give the output of exponentials that lie in its place and the sums; None where they may not
        lie there. Among what it sees the source stands for the exponentials, and the maximum for their worth."""
        graph, high = self.graph, self.tensor(self.high)
        known = {high, self.tensor(self.power), *map(self.tensor, self.sums)}
        nests = graph.needs(graph.last, known=known)
        reads = {t for j in nests for t in graph.nests[j].reads}
        if (
            graph.operand(graph.last) not in operands_for(graph, self.tensor(self.power))
            or any(graph.nests[j].operation.combine is not None for j in nests)
            or reads & {high, self.source}
        ):
            return None
        power = graph.nests[self.power].operation.output
        dims = tuple(d for d in graph.nests[self.power].operation.dims if d in power.dims)
        worth = Nest(
            Operation("mul", dims, (power, self.rescale.output), power, SHARED),
            (self.source, high),
            graph.nests[self.power].accumulator,
        )
        kept = {self.tensor(self.power): worth} | {self.tensor(j): graph.nests[j] for j in nests}
        found = remade(graph.annotated(WholeExtents(())), kept, graph.last)
        return replace(found, operation=found.operation.annotated(inside=(found.sees.index(self.source),)))

    def _power(self, args: tuple[Expr, Expr]) -> Expr:
        """exp of the scaled difference of two, the second of them a finite number at least."""
        x, high = args
        nest = self.graph.nests[self.power]
        least = Const(float(np.finfo(dtype(nest.accumulator).numpy).min))
        factor = _shifted(nest, self.source)
        assert factor is not None
        difference = Call("sub", (x, Call("maximum", (high, least))))
        return Call("decay", (difference if factor == 1 else Call("mul", (difference, Const(factor))),))

    def first(self, nest: int) -> Operation:
        """The maximum, or a sum, of the first block."""
        return self.graph.nests[nest].operation

    def again(self, nest: int) -> Operation:
        """That of all blocks so far, from what it was (and, of a sum, what that is worth now): the inputs after its
        own."""
        op = self.first(nest)
        result = Arg(len(op.inputs) + (1 if nest == self.high else 2))
        old = Arg(len(op.inputs))
        assert op.combine is not None
        if nest == self.high:
            return replace(op, inputs=(*op.inputs, op.output), finish=Call(op.combine, (old, result)))
        worth = self.graph.nests[self.high].operation.output
        scaled = Call("share", (old, Arg(len(op.inputs) + 1)))
        return replace(op, inputs=(*op.inputs, op.output, worth), finish=Call(op.combine, (scaled, result)))


@lru_cache(1 << 12)
def chain(graph: Graph) -> Chain | None:
    """The softmax in a graph that may be done block by block; None where there is none."""
    return next((found for j in range(len(graph.nests)) if (found := _from(graph, j)) is not None), None)


def _from(graph: Graph, high: int) -> Chain | None:
    """The chain that begins with the maximum that nest `high` is."""
    nest, maximum = graph.nests[high], graph.tensor(high)
    op = nest.operation
    if not is_maximum_along(nest):
        return None
    source, dim = nest.reads[0], op.reduction[0]
    powers = [j for j in graph.readers(maximum) if {*graph.nests[j].reads} == {source, maximum}]
    power = next((j for j in powers if _shifted(graph.nests[j], source) is not None), None)
    if power is None or not is_plain_along(graph, dim):
        return None
    graph, sums = unfinished(
        graph, [j for j in graph.readers(graph.tensor(power)) if _sums(graph, j, graph.tensor(power), dim)]
    )
    if any(graph.is_rounded(t) for t in map(graph.tensor, (high, power, *sums)) if t != graph.last):
        return None  # blocks have other exponentials, and hand sums on as they are
    after = _after(graph, {*map(graph.tensor, (high, *sums))})
    return Chain(graph, dim, source, high, power, tuple(sums), after) if sums and after else None


def is_maximum_along(nest: Nest) -> bool:
    """Whether a nest is the maximum of f32 numbers along one dimension, as it is."""
    op = nest.operation
    is_bare = op.body == Arg(0) and op.finish is None
    return op.is_maximum and is_bare and len(op.reduction) == 1 and nest.accumulator == "f32"


def _shifted(nest: Nest, source: int) -> float | None:
    """c, of a map exp((x - high) c) where c is more than 0; high may be a finite number at least."""
    op = nest.operation
    x = nest.reads.index(source) if source in nest.reads else -1
    match op.body:
        case Call("exp" | "decay", (Call("mul", (Call("sub", (Arg(i), by)), Const(c))),)) if c > 0 and math.isfinite(c):
            pass
        case Call("exp" | "decay", (Call("sub", (Arg(i), by)),)):
            c = 1.0
        case _:
            return None
    less = by.args[0] if isinstance(by, Call) and by.function == "maximum" and isinstance(by.args[1], Const) else by
    return (
        c
        if op.combine is None and not op.picks and i == x and less == Arg(1 - x) and nest.accumulator == "f32"
        else None
    )


def _sums(graph: Graph, j: int, power: int, dim: str) -> bool:
    """Whether nest j is a sum of exponentials over `dim` alone, or of their products with an input."""
    nest = graph.nests[j]
    op = nest.operation
    bodies = (Arg(0),) if op.streamed == 1 else (PRODUCT, WEIGHED)
    reads = nest.reads[: op.streamed]
    is_sum = op.is_sum and op.reduction == (dim,) and op.body in bodies and nest.accumulator == "f32"
    return is_sum and reads.count(power) == 1 and all(t == power or graph.comes_in(t) for t in reads)


def unfinished(graph: Graph, sums: list[int]) -> tuple[Graph, list[int]]:
    """The graph with the finishes of some reductions (done as they are stored) in maps of their own, each after its
    reduction, and the numbers of those reductions."""
    finished = [j for j in sums if graph.nests[j].operation.finish is not None]
    for j in reversed(finished):
        graph = _split_finish(graph, j)
    return graph, [j + sum(i < j for i in finished) for j in sums]


def _split_finish(graph: Graph, j: int) -> Graph:
    nest = graph.nests[j]
    op, count = nest.operation, nest.operation.streamed
    assert op.finish is not None
    first = replace(nest, operation=replace(op, inputs=op.inputs[:count], finish=None), reads=nest.reads[:count])
    others = op.inputs[count:]
    body = substitute(op.finish, (*(Arg(0),) * count, *(Arg(1 + i) for i in range(len(others))), Arg(0)))
    dims = tuple(d for d in op.dims if d in op.output.dims)
    second = Nest(
        Operation("finish", dims, (op.output, *others), op.output, body), (FIRST, *nest.reads[count:]), nest.accumulator
    )
    return with_two(graph, j, first, second).operation


def _after(graph: Graph, known: set[int]) -> Part | None:
    """What gives the output once some tensors are there; None where that is more than maps, or nothing."""
    nests = graph.needs(graph.last, known=known)
    if not nests or any(graph.nests[j].operation.combine is not None for j in nests):
        return None
    return part(graph.annotated(WholeExtents(())), nests, graph.last)

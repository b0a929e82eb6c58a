"""What a rewrite of a whole graph may save at most, and what the graph takes at least: bounds, by which rewrites that
multiply a search are left out where they cannot pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...lang.nests.family import LINE, Family, Layout, Operand
from ...lang.nests.graph import Graph, family_of
from .least import quickest


def saved_near(graph: Graph, between: Iterable[int], home: int, target) -> float:
    """The most cycles that what the nests `between` give, once it is near, may save: all that its lines cost where a
    whole tensor rests. What is done as a result is stored lies nowhere."""
    total = 0.0
    for j in between:
        readers = [graph.nests[k].operation for k in graph.readers(graph.tensor(j))]
        if len(readers) == 1 and readers[0].combine is None:
            continue
        lines = graph.bytes[graph.tensor(j)] / LINE
        level = target.levels[min(home, target.home(lines))].name
        ways = [
            "result" if graph.nests[j].operation.combine else "store",
            *("line" if op.combine and op.streamed > 1 else "stream" for op in readers),
        ]
        total += lines * sum(target.coefficient.get(f"{way}.{level}", 0.0) for way in ways)
    return total


def least_each(family: Family, graph: Graph, size: Mapping[str, int], target) -> Iterator[float]:
    """The least cycles in which each nest is computed."""
    dtypes = [
        *(operand.dtype for operand in family.operands[:-1]),
        *(held.dtype for held in graph.held),
        family.output.dtype,
    ]
    for j, nest in enumerate(graph.nests):
        tensors = (*nest.reads, graph.tensor(j))
        operands = tuple(
            Operand(dtypes[t], family.slowest, Layout(tuple(reversed(range(len(a.axes))))))
            for t, a in zip(tensors, nest.operation.accesses)
        )
        op = nest.operation
        yield quickest(family_of(op, operands, nest.accumulator), op.times(size), target)[1]

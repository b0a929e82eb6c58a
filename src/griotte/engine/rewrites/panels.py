"""Panels that a tensor between the nests of a graph may be written in as it is computed: those that a copy of it would
go into for the one product that reads it.

before  w = q scale ; y = x w
after   w @ L2 in panels of 16 : q scale -> w ; y = x w, and nothing is packed

Whoever computes it stores it so: a reduction its tile, a map a row panel by panel, or as many rows at once as stand
side by side in slivers and in groups.
"""

from __future__ import annotations

from ...lang.nests.family import WORD, Family, Operand
from ...lang.nests.graph import Graph, Nest, is_contraction
from ...lang.nests.operation import Operation
from .ahead import places


def panels(family: Family, tensor: int, levels: list[int], target) -> list[Operand]:
    """Of `levels`, those that the tensor may have a buffer at, the last one that of whole arrays: panels in the slowest
    near one (a nearer panel is a compact tile as wide as it), and those along the lanes among the whole arrays too,
    where a copy may lie there."""
    graph = family.operation
    reader = _product(graph, tensor) if levels and not graph.is_large else None
    if reader is None:
        return []
    found, lanes = _written(family, tensor, target), target.lanes(reader.accumulator)
    rooms = [level for level in levels[-2:] if level in target.rooms(levels[-1])]
    return [
        to.at(level)
        for level in rooms
        for to in found
        if not to.layout.is_sliver(lanes) or level == rooms[0] and not _is_of_product(graph, tensor)
    ]


def _product(graph: Graph, tensor: int) -> Nest | None:
    """The one nest that reads a tensor, where it is a reduction of several inputs that reads it as it is written."""
    readers = graph.readers(tensor)
    op = graph.nests[readers[0]].operation
    return (
        graph.nests[readers[0]]
        if len(readers) == 1 and op.combine and op.streamed > 1 and graph.access(tensor) in op.inputs
        else None
    )


def _written(family: Family, tensor: int, target) -> list[Operand]:
    """What a copy of the tensor would be that its own nest may write, in its own dtype."""
    graph, own = family.operation, family.operation.number(tensor)
    return [
        to
        for to in places(family, tensor, target)
        if to.dtype == graph.held[own].dtype and _may_write(graph.nests[own].operation, to)
    ]


def _may_write(writer: Operation, to: Operand) -> bool:
    """Groups are for maps alone, those within a word: they interleave vectors of as many rows."""
    return (
        to.layout.group is None
        or writer.combine is None
        and to.packed == 1
        and to.layout.group[1] * to.bytes <= WORD // 8
    )


def _is_of_product(graph: Graph, tensor: int) -> bool:
    """Whether a product is among what computes a tensor: turning its tiles into slivers costs what these save, and
    another search for that product."""
    return any(is_contraction(graph.nests[j].operation) for j in graph.needs(tensor))

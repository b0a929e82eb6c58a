"""Turn: an input of a graph whose lanes lie across it as it is given is copied into panels once, and the blocks of a
loop over the graph read these.

before  attention(q, k, v)               each block of rows copies the keys that it reads into panels
after   copy k -> k' @ L2 in panels of 16 ; attention(q, k', v)

The panels are those that the one product that reads the input may have ahead of the call, were it constant
(rewrites.ahead). An input that has its lanes as it is given is read as fast as it lies, or nearly so, and is not
copied.
"""

from __future__ import annotations

from ...lang.nests.family import Family, Operand
from .ahead import places
from .edge import Edge
from .move import Move
from .near import near_levels
from .rewrite import RewriteRule


def turn_edges(family: Family, target) -> list[Edge]:
    """The copies of whole inputs of a graph, each in the widest panels of its kind and the slowest of the levels that
    it may be viewed at; none where they may rest turned in a last cache (rewrites.rest)."""
    graph = family.operation
    if not graph.held or target.resting(family.slowest) is not None:
        return []
    return [
        Move(i, to.at(level)).edge(family, target)
        for i in range(len(graph.inputs))
        for level in near_levels(family, i, target)[-1:]
        for to in _widest(turned(family, i, target))
    ]


def _widest(found: list[Operand]) -> list[Operand]:
    """Of panels of a dtype, in groups of as many or in none, the widest: a leaf may read a part of one."""
    width = lambda to: to.layout.panel[1]
    kinds = {(to.dtype, to.layout.group): to for to in sorted(found, key=width)}
    return list(kinds.values())


def turned(family: Family, i: int, target) -> list[Operand]:
    """The panels that input i of a graph may be turned into, at its own level."""
    given = family.operands[i].layout
    return [to for to in places(family, i, target) if to.layout.order[0] != given.order[0]] if given.given else []


TURN = RewriteRule(turn_edges, large=False)

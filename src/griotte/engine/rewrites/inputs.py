"""Moves of whole inputs of a graph, which the blocks of a loop over it read again.

Turn: an input whose lanes lie across it as it is given is copied into panels once.

before  attention(q, k, v)               each block of rows copies the keys that it reads into panels
after   copy k -> k' @ L2 in panels of 16 ; attention(q, k', v)

The panels are those that the one product that reads the input may have ahead of the call, were it constant. An input
that has its lanes as it is given is read as fast as it lies, or nearly so, and is not copied.

Rest: what blocks of attention read again comes from memory once, and rests in the last cache until then.

before  attention(q@memory, k@memory, v@memory)
after   attention(q@L3, k@L3, v@L3)        where nothing is counted in L3, and each of them takes a small part of it

Views of all inputs that products read, one after the other: each by itself would be as many Specs again for each. The
rest of the graph is done in rounds alone, which need no buffer for whole scores (docs/explanation/narrowings.md says
what that excludes).
"""

from __future__ import annotations

from ...lang.nests.family import Family, Operand
from ...lang.nests.graph import Graph
from ...lang.nests.operation import is_contraction
from .edge import Edge, RewriteRule
from .move import Move
from .online import TILES, softmax_of
from .places import near_levels, places
from .steps import cuts


def turn_edges(family: Family, target) -> list[Edge]:
    """The copies of whole inputs of a graph. Each is in the widest panels of its kind and at the slowest of the levels
    that it may be viewed at. None where they may rest turned in a last cache."""
    if target.resting(family.slowest) is not None:
        return []
    return [
        Move(i, to.at(level)).edge(family, target)
        for i in range(len(family.operation.inputs))
        for level in near_levels(family, i, target)[-1:]
        for to in _widest(turned(family, i, target))
    ]


def _widest(found: list[Operand]) -> list[Operand]:
    """The widest panels of each dtype and group: a leaf may read a part of one."""
    width = lambda to: to.layout.panel[1]
    kinds = {(to.dtype, to.layout.group): to for to in sorted(found, key=width)}
    return list(kinds.values())


def turned(family: Family, i: int, target) -> list[Operand]:
    """The panels that input i of a graph may be turned into, at its own level."""
    given = family.operands[i].layout
    return [to for to in places(family, i, target) if to.layout.order[0] != given.order[0]] if given.given else []


TURN = RewriteRule(turn_edges, large=False, several=True)


def rest_edges(family: Family, target) -> list[Edge]:
    """The move of the first input to where it rests: of a graph that rounds may follow, whose arrays are all in
    memory."""
    graph = family.operation
    if softmax_of(family) is None or any(family.operands[i].level < family.slowest for i in _products(graph)):
        return []
    return _next(family, target)


def resting_edges(family: Family, target) -> list[Edge]:
    """The move of the next input, before anything else, where some rest and others do not yet."""
    return _next(family, target) if is_resting(family, target) else []


def is_resting(family: Family, target) -> bool:
    """Whether an input of a graph rests in the last cache."""
    level = target.resting(family.slowest)
    return level is not None and any(operand.level == level for operand in family.operands[:-1])


def _next(family: Family, target) -> list[Edge]:
    level = target.resting(family.slowest)
    far = [i for i in _products(family.operation) if level is not None and family.operands[i].level > level]
    return [Move(i, to.at(level)).edge(family, target) for i in far[:1] for to in _forms(family, i, target)]


def _forms(family: Family, i: int, target) -> list[Operand]:
    """What input i may rest as: as it is given, or turned, in panels that rounds may begin at."""
    found = softmax_of(family)
    return [
        family.operands[i],
        *(
            to
            for to in turned(family, i, target)
            if not any(cuts(family.with_operand(i, to), found.dim, tile) for tile in TILES)
        ),
    ]


def _products(graph: Graph) -> list[int]:
    """The inputs that products read."""
    products = [nest for nest in graph.nests if is_contraction(nest.operation)]
    return [i for i, access in enumerate(graph.inputs) if access.dims and any(i in nest.reads for nest in products)]


REST = RewriteRule(rest_edges)
RESTING = RewriteRule(resting_edges, several=True)

"""Rest: what the blocks of a loop over attention read again comes from memory once, and rests in the last cache until
then.

before  attention(q@memory, k@memory, v@memory)
after   attention(q@L3, k@L3, v@L3)        where nothing is counted in L3, and each of them takes a small part of it

Views like any other, of all inputs that products read, one after the other: each by itself would be as many Specs again
for each. What is left is done in rounds alone, which need no buffer for whole scores (docs/graphs.md says what that
excludes).
"""

from __future__ import annotations

from ...lang.nests.family import Family, Operand
from ...lang.nests.graph import Graph, is_contraction
from .edge import Edge
from .move import Move
from .online import TILES, softmax_of
from .rewrite import RewriteRule
from .steps import cuts
from .turn import turned


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
    graph = family.operation
    if not graph.held or (level := target.resting(family.slowest)) is None:
        return False
    return any(operand.level == level for operand in family.operands[:-1])


def _next(family: Family, target) -> list[Edge]:
    level = target.resting(family.slowest)
    far = [i for i in _products(family.operation) if level is not None and family.operands[i].level > level]
    return [Move(i, to.at(level)).edge(family, target) for i in far[:1] for to in _forms(family, i, target)]


def _forms(family: Family, i: int, target) -> list[Operand]:
    """What input i may rest as: as it is given, or turned, in panels that rounds may begin at."""
    found = softmax_of(family)
    assert found is not None
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
RESTING = RewriteRule(resting_edges)

"""The features of a whole program: what its cost is, before the coefficients.

    cost(program) = w . count(program)

Every node's own features, as often as the cost counts the node: a tile of a parallel loop as often as the busiest
thread runs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ..program.nodes import Loop, Node, children
from ..rewrites import edge_of, loop_features, parallel_features, shared_lines


def count(program: Node, target) -> Counter:
    """Feature -> how much of it there is in `program`; `target.cost(count(program, target))` is its cost."""
    known: dict[int, Counter] = {}

    def of(node: Node) -> Counter:
        if id(node) not in known:
            own, parts = _terms(node, target)
            total = Counter({name: float(value) for name, value in own.items()})
            for times, part in parts:
                for name, value in of(part).items():
                    total[name] += times * value
            known[id(node)] = total
        return known[id(node)]

    return of(program)


def _terms(node: Node, target) -> tuple[dict, Iterator[tuple[int, Node]]]:
    """A node's own features, and its parts with how often each counts."""
    if not isinstance(node, Loop):
        edge = edge_of(node, target)
        times = (child.runs(node.state.size) for child in edge.children)
        return edge.features(node.state.size), zip(times, children(node))
    if node.threads > 1:
        number = int(np.prod([-(-node.state.size[d] // t) for d, t in zip(node.dims, node.tiles)], dtype=np.int64))
        own, share = parallel_features(number, node.threads, shared_lines(node.state.family, node.dims, node.tiles, node.state.size))
        return own, iter([(int(share), node.bodies[0]), *([(1, node.join)] if node.join is not None else [])])
    later = node.trips() - (node.first is not None)
    parts = ((later, node.bodies[0]), (1, node.bodies[1]), (1, node.first))
    own = loop_features(node.state.family, *node.dims, *node.tiles, target, node.state.size)
    return own, ((times, part) for times, part in parts if part is not None)

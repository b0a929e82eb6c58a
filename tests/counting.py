"""The features of a whole program: what its cost is, before the coefficients.

    cost(program) = w . count(program)

Every node's own features, as often as the cost counts the node: a tile of a parallel loop as often as the busiest
thread runs it.
"""

from __future__ import annotations

from collections import Counter

from griotte.engine.program.nodes import Node


def count(program: Node, target) -> Counter:
    """Feature -> how much of it there is in `program`; `target.cost(count(program, target))` is its cost."""
    known: dict[int, Counter] = {}

    def of(node: Node) -> Counter:
        if id(node) not in known:
            own, times = node.rewrite.terms(node.state, target)
            total = Counter({name: float(value) for name, value in own.items()})
            for often, part in zip(times, node.rewrite.parts(node)):
                for name, value in of(part).items() if part is not None and often else ():
                    total[name] += often * value
            known[id(node)] = total
        return known[id(node)]

    return of(program)

"""The order of nodes: each after those whose results it reads. Not all that writes models keeps to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..lang.types.walk import children_first


def names_read(proto: Any) -> Iterator[str]:
    """What a node reads: its inputs, and what the graphs within it take from around them."""
    yield from (name for name in proto.input if name)
    for attribute in proto.attribute:
        for graph in [attribute.g] * attribute.HasField("g") + list(attribute.graphs):
            own = {each.name for each in (*graph.input, *graph.initializer)}
            own |= {name for node in graph.node for name in node.output}
            inner = [name for node in graph.node for name in names_read(node)] + [each.name for each in graph.output]
            yield from (name for name in inner if name not in own)


def in_order(nodes: Iterable[Any]) -> list[Any]:
    """Nodes in an order in which each reads what is there: their own, if it is one."""
    nodes = list(nodes)
    giver = {name: node for node in nodes for name in node.output if name}
    given: set[str] = set()
    for node in nodes:
        if any(name in giver and name not in given for name in names_read(node)):
            return children_first(nodes, lambda one: [giver[name] for name in names_read(one) if name in giver])
        given.update(node.output)
    return nodes

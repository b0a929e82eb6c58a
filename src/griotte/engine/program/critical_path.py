"""The way from a program's root to the leaf that does most of its work: through loops by their whole tiles, through a
move or a fill by what it was made for."""

from __future__ import annotations

from collections.abc import Iterator

from .nodes import Node


def critical_path(node: Node) -> Iterator[Node]:
    """The nodes of a program's critical path, from the root to the leaf."""
    yield node
    while node.rewrite is not None:
        parts = node.rewrite.parts(node)
        place = node.rewrite.critical_path(parts)
        if place is None:
            return
        node = parts[place]
        yield node

"""One walk over calls that read each other: without recursion, and each call once, however many read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Each = TypeVar("Each")


def children_first(roots: Iterable[Each], children: Callable[[Each], Iterable[Each]]) -> list[Each]:
    """All that the roots lead to, each once by identity, and after its children: the roots, and the children of each,
    from left to right."""
    found: list[Each] = []
    met: set[int] = set()
    for root in roots:
        if id(root) in met:
            continue
        met.add(id(root))
        stack = [(root, iter(children(root)))]
        while stack:
            node, left = stack[-1]
            child = next((each for each in left if id(each) not in met), None)
            if child is None:
                found.append(node)
                stack.pop()
            else:
                met.add(id(child))
                stack.append((child, iter(children(child))))
    return found

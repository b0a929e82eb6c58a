"""What torch asks of the values that an operator reads, and refuses while it runs: divisors that are not 0, indices
within a size. A graph's kernel computes whether all of that holds beside its results; where it does not, torch's own
operators run the graph, and say what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..models.graph import ModelGraph, ModelValue
from ..readers.node import Unsupported
from .operators.checked import CHECKED, Asked

FAILED = "a_check_has_failed"
"""The name of the result that is not 0 where something does not hold."""


def is_checked(graph: ModelGraph) -> bool:
    """Whether the last result of a graph tells that something does not hold."""
    return bool(graph.results) and graph.results[-1][0] == FAILED


class Checks:
    """What is asked of values while a graph is read.

    Attributes:
        nodes: names of the nodes that ask for something that only a call tells.
    """

    def __init__(self) -> None:
        self.nodes: set[str] = set()
        self._failed: dict[tuple[Any, ...], ModelValue] = {}
        self._kept: list[Any] = []  # so that ids stay what they are

    def take(self, node: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Note what a node asks of its arguments; Unsupported where what is known is not so."""
        asks = CHECKED.get(node.operator)
        for each in asks(node, *arguments, **named) if asks else ():
            self._ask(node, each)

    def _ask(self, node: Any, asked: Asked) -> None:
        if not node.is_value(asked.of):
            if not asked.holds(node.known(asked.of, "what is asked of")):
                raise Unsupported(f"expected {asked}, found others; torch says which")
            return
        key = id(asked.of), asked.least, asked.size
        self.nodes.add(node.name)
        if key not in self._failed:
            self._kept.append(asked.of)
            fails = node.call("cast", asked.fails(node), dtype="s32")
            self._failed[key] = node.call("max", fails) if fails.type.rank else fails

    def result(self, reader: Any) -> ModelValue | None:
        """A number that is not 0 where something does not hold; None where nothing is asked."""
        total: ModelValue | None = None
        for each in self._failed.values():
            total = each if total is None else reader.builder.call("maximum", total, each, name=FAILED)
        return total

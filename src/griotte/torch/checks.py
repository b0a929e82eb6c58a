"""What torch asks of the values that an operator reads, and refuses while it runs: divisors that are not 0, indices
within a size. A graph's kernel computes whether all of that holds beside its results; where it does not, torch's own
operators run the graph, and say what is wrong."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..models.graph import ModelGraph, ModelValue
from ..readers.node import Unsupported
from ..readers.tables import of_files
from ..support.errors import SpecError
from .operators import checked
from .operators.checked import Asked
from .operators.declaring import full_name

SWITCH = "GRIOTTE_CHECK_INDICES"
CHECKED = of_files((checked,), full_name, "ASKS")
"""By name and overload, "div.Tensor_mode": from a node and its arguments to what is asked."""
FAILED = "a_check_has_failed"
"""The name of the result that tells whether something does not hold."""


def checks_indices(options: Mapping[str, Any]) -> bool:
    """Whether what is asked of indices is checked: by the option of torch.compile, else by the environment."""
    asked = options.get("check_indices", os.environ.get(SWITCH, "on"))
    if asked in (True, False):
        return bool(asked)
    if asked not in ("on", "off"):
        raise SpecError(
            f"expected check_indices to be True or False, or {SWITCH} on or off, found {asked!r}; set it so"
        )
    return bool(asked == "on")


def is_checked(graph: ModelGraph) -> bool:
    """Whether the last result of a graph tells that something does not hold."""
    return bool(graph.results) and graph.results[-1][0] == FAILED


class Checks:
    """What is asked of values while a graph is read.

    Args:
        indices: whether what is asked of indices is noted.

    Attributes:
        nodes: names of the nodes that ask for something that only a call tells.
        left: why torch refuses any call.
    """

    def __init__(self, indices: bool = True) -> None:
        self.indices = indices
        self.nodes: set[str] = set()
        self.left = ""
        self._failed: dict[tuple[Any, ...], tuple[Any, ModelValue]] = {}  # with what is asked, so that its id stays

    def take(self, node: Any, given: Mapping[str, Any]) -> None:
        """Note what a node asks of what it is given; Unsupported where what is known is not so."""
        asks = CHECKED.get(node.operator)
        for each in node.take(asks, given) if asks else ():
            if self.indices or not each.is_index:
                self._ask(node, each)

    def _ask(self, node: Any, asked: Asked) -> None:
        if asked.of.is_known:
            if not asked.holds(asked.of.known):
                self.left = f"expected {asked} of {node.told}, found others; torch says what is wrong"
                raise Unsupported(f"it reads others than {asked}")
            return
        key = id(asked.of.item), asked.least, asked.size
        self.nodes.add(node.name)
        if key not in self._failed:
            self._failed[key] = asked.of.item, asked.fails(node).value

    def result(self, reader: Any) -> ModelValue | None:
        """Whether something does not hold, as a value of the graph; None where nothing is asked."""
        total: ModelValue | None = None
        for _, each in self._failed.values():
            total = each if total is None else reader.builder.call("logical_or", total, each, name=FAILED)
        return total

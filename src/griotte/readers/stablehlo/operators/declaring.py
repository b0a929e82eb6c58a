"""How an operation of XLA is declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..attributes import ToldParameter


@dataclass(frozen=True)
class XlaOperator:
    """A row of a table.

    Attributes:
        names: of JAX's primitives; none where StableHLO alone has it.
        function: from a node and arrays, or arrays alone, and the primitive's parameters by name, to arrays.
        stablehlo: its names in StableHLO, where they are others.
        parameters: how StableHLO tells each of them.
    """

    names: str
    function: Callable[..., Any]
    stablehlo: str = ""
    parameters: Mapping[str, ToldParameter] = field(default_factory=dict)

    @property
    def every_name(self) -> list[str]:
        """JAX's, then StableHLO's."""
        return [*self.names.split(), *self.stablehlo.split()]

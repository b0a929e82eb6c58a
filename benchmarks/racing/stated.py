"""Problems that are stated as Specs: graphs of a few calls. Their inputs are named x0, x1, ... as griotte passes
them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

from . import calls

# flop of products for a byte of inputs and output: with fewer a graph is a matter of reading, as a product of 16 rows
# of f32 is
READ = 8.0


@dataclass(frozen=True)
class Stated:
    """`label` tells it from others of its set."""

    set: str
    label: str
    spec: str
    layout: str = "row"
    door: str = "python"

    @property
    def name(self) -> str:
        return f"{self.set}/{self.label}"

    @cached_property
    def parsed(self) -> tuple[list, tuple[calls.Input, ...]]:
        return calls.parse(self.spec)

    @property
    def inputs(self) -> tuple[calls.Input, ...]:
        return self.parsed[1]

    @property
    def dtype(self) -> str:
        """Of the first input; the result has it as well."""
        return self.inputs[0].dtype

    @property
    def const(self) -> bool:
        return any(x.const for x in self.inputs)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return calls.shape_of(*self.parsed)

    @cached_property
    def flops(self) -> float:
        """Of its products alone."""
        return calls.flops(*self.parsed)

    @cached_property
    def bytes(self) -> int:
        """Of inputs and output."""
        return sum(x.bytes for x in self.inputs) + prod(self.shape) * calls.BYTES[self.dtype]

    @property
    def is_read(self) -> bool:
        return self.flops <= READ * self.bytes

    def as_json(self) -> dict:
        own = {
            key: getattr(self, key)
            for key in ("set", "label", "spec", "layout", "door", "name", "dtype", "const", "flops", "is_read")
        }
        inputs = [{"dtype": x.dtype, "shape": list(x.shape), "const": x.const} for x in self.inputs]
        return {**own, "shape": list(self.shape), "weight_bytes": self.bytes, "call": self.parsed[0], "inputs": inputs}

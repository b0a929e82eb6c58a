"""Vectors of f32 along channels: what the C of a filtered convolution is written with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....engine.vectors.library import VectorLibrary
from ....engine.vectors.text import indent

if TYPE_CHECKING:
    from ....machine.target import Target

F32 = "f32"


class Vectors:
    """Vectors of f32 of a target, `lanes` of them or, at the end of the channels, the first `count`."""

    def __init__(self, library: VectorLibrary, target: Target):
        self.library, self.lanes = library, target.lanes(F32)
        self.type = library.type(F32, self.lanes)

    def load(self, address: str, count: int) -> str:
        if count == self.lanes:
            return f"{self.library.load(F32, self.lanes)}({address})"
        return f"{self.library.load_tail(F32, self.lanes)}({address}, {count})"

    def store(self, address: str, value: str, count: int) -> str:
        if count == self.lanes:
            return f"{self.library.store(F32, self.lanes)}({address}, {value});"
        return f"{self.library.store_tail(F32, self.lanes)}({address}, {value}, {count});"

    def splat(self, value: str) -> str:
        return f"{self.library.splat(F32, self.lanes)}({value})"

    def over(self, channels: int, body: Callable[[str, int], list[str]]) -> list[str]:
        """A loop over the channels, `c`, and the rest of them."""
        whole, left = divmod(channels, self.lanes)
        found = []
        if whole:
            head = f"for (int64_t c = 0; c < {whole * self.lanes}; c += {self.lanes}) {{"
            found += [head, *indent(body("c", self.lanes)), "}"]
        if left:
            found += ["{", *indent(body(f"{whole * self.lanes}", left)), "}"]
        return found

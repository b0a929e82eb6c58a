"""The thread-local buffers that copies live in: one for each copy, shared by the cases of a BySize, of which one runs."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field

ALIGNMENT = 64  # bytes; a cache line


@dataclass
class Buffer:
    """`elements` of C type `scalar`."""

    scalar: str
    name: str
    elements: int

    def __str__(self) -> str:
        return f"static _Thread_local {self.scalar} {self.name}[{self.elements}] __attribute__((aligned({ALIGNMENT})));"


@dataclass
class ScratchPool:
    """All buffers of a unit; `_free` are those of earlier cases that the one being written may take again."""

    buffers: list[Buffer] = field(default_factory=list)
    _cases: list[Buffer] = field(default_factory=list)
    _free: list[Buffer] = field(default_factory=list)

    def take(self, scalar: str, name: str, elements: int) -> str:
        """The C name of a buffer for a copy called `name`."""
        found = next((b for b in self._free if b.scalar == scalar), None)
        if found is None:
            found = Buffer(scalar, f"{name}_scratch", 0)
            self.buffers.append(found)
        else:
            self._free.remove(found)
        self._cases.append(found)
        found.elements = max(found.elements, elements)
        return found.name

    @contextmanager
    def apart(self):
        """A BySize: what is live around it is not for its cases to take."""
        before = self._cases, self._free
        self._cases, self._free = [], []
        yield
        self._cases, self._free = before

    @contextmanager
    def alternative(self):
        """One case of it: it may take what the cases before it took."""
        self._free = list({id(buffer): buffer for buffer in self._cases}.values())
        yield

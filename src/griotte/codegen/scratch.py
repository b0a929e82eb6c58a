"""The buffers that copies live in. A later copy takes a buffer that is no longer needed, and so do the other cases of a
BySize, for only one of them runs.

A function, and a loop that threads share, begins with its buffers: small ones on its stack, others thread-local. The
address of a thread-local buffer is taken once. In a shared library that is a call, which may take 60 ns with a C
library that has loaded other libraries since (glibc before 2.39, its bug 19924). An empty statement of assembly hides
from gcc all but that pointer's value; otherwise gcc takes the address in the loops of a leaf that is called with no
other pointer.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..lang.nests.family import LINE

STACK = 16384  # bytes of buffers that a function keeps on its stack

_USED, _KEPT = re.compile(r"\b(\w+)_scratch\b"), re.compile(r"\b(\w+)_thread\b")


@dataclass
class Buffer:
    """`elements` of C type `scalar`, from a line of so many bytes on."""

    scalar: str
    name: str
    elements: int
    bytes_each: int
    line: int = LINE

    def __str__(self) -> str:
        return f"static _Thread_local {self.array(f'{self.name}_thread')}"

    def array(self, name: str) -> str:
        return f"{self.scalar} {name}[{self.elements}] __attribute__((aligned({self.line})));"

    @property
    def bytes(self) -> int:
        return self.elements * self.bytes_each


@dataclass
class ScratchPool:
    """All buffers of a unit; `_free` are those that the code being written may take: of copies that are done with, and
    of earlier cases."""

    line: int = LINE
    buffers: list[Buffer] = field(default_factory=list)
    _free: list[Buffer] = field(default_factory=list)

    @contextmanager
    def room(self, scalar: str, name: str, elements: int, bytes_each: int):
        """The C name of a buffer for a copy called `name`, in lines that `opened` begins; to be taken again when the
        copy is done with."""
        fitting = [b for b in self._free if b.scalar == scalar]
        found = min(fitting, key=lambda b: (b.elements < elements, abs(b.elements - elements)), default=None)
        if found is None:
            found = Buffer(scalar, name, 0, bytes_each, self.line)
            self.buffers.append(found)
        else:
            self._free.remove(found)
        found.elements = max(found.elements, elements)
        yield f"{found.name}_scratch"
        self._free.append(found)

    def opened(self, lines: list[str]) -> list[str]:
        """The lines of a function or a thread after the declarations of the buffers that they use, which are its
        own."""
        used = {name for line in lines for name in _USED.findall(line)}
        stack, found = STACK, []
        for buffer in sorted((b for b in self.buffers if b.name in used), key=lambda b: b.bytes):
            own = f"{buffer.name}_own"
            stack -= buffer.bytes
            found += (
                [buffer.array(own)]
                if stack >= 0
                else [f"{buffer.scalar} *{own} = {buffer.name}_thread;", f'__asm__ volatile("" : "+r"({own}));']
            )
        return [*found, *(_USED.sub(r"\1_own", line) for line in lines)]

    def thread_local(self, texts: list[str]) -> list[Buffer]:
        """The buffers that some text takes from the thread."""
        if not self.buffers:
            return []
        used = {name for text in texts if "_thread" in text for name in _KEPT.findall(text)}
        return [buffer for buffer in self.buffers if buffer.name in used]

    @contextmanager
    def apart(self):
        """A BySize: its functions may be called again from where other buffers are live, so its cases take none from
        around it, and leave none."""
        before, self._free = self._free, []
        yield
        self._free = before

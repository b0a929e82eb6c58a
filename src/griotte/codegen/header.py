"""The header of an exported function: its sizes, its demands on arrays, threads and memory, and a number that says
whether a header and a library belong together."""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from ..engine.vectors.text import in_comment
from .teams import HOST, OPENMP, TEAM

FORM = 1
"""What calls are like: raised where C that includes a header of an earlier form would be wrong with a library of this
one."""

ARRAYS = (
    "Arrays are dense, in the layouts of the comment above, each aligned as its elements are; bf16, f16 and narrower"
    " floats are unsigned integers of their bits.",
    "No output overlaps an input or another output; inputs may overlap each other.",
)

_SHARED = "A call runs on {} threads at most: the one that calls, and "
THREADS = {
    "": "A call runs on the thread that calls.",
    TEAM: _SHARED + "those of a team that all such libraries of a process share.",
    OPENMP: _SHARED + "OpenMP's.",
    HOST: _SHARED + "those that share_by gives.",
}
"""By whose threads a call runs; none: it shares nothing out."""

MEMORY = (
    "Many threads may be within calls at once.",
    "A call allocates nothing. It takes some tens of KiB of stack, and {} bytes that each thread that runs it has for"
    " good.",
)

SHARE_BY = (
    "Gives calls their threads: parallel_for(host, shares, run, context) is to call run(context, i) once for each i"
    " from 0 to shares - 1, in any order, on any threads, each from begin to end on one, and to return when all have"
    " returned. No run waits for another, so one thread may do them all. Until then the thread that called"
    " parallel_for must begin no other call of this function. Set once, before the first call; NULL: one thread."
)


def rules(whose: str, threads: int, thread_bytes: int) -> str:
    """What a call asks and promises, as a comment: it runs on so many threads of `whose`, each with so many bytes of
    its own."""
    alone, memory = MEMORY
    return comment(*ARRAYS, THREADS[whose].format(threads), alone, memory.format(f"{thread_bytes:,}"))


def comment(*sentences: str) -> str:
    """A comment of C, each sentence on lines of its own."""
    lines = [line for each in sentences for line in textwrap.wrap(each, 114)]
    return "/* " + "\n * ".join(lines) + " */"


def number(lines: Iterable[str]) -> int:
    """32 bits that tell a header of these lines from others: the form, then a digest."""
    return FORM << 24 | int(hashlib.sha256("\n".join(lines).encode()).hexdigest()[:6], 16)


@dataclass(frozen=True)
class Header:
    """The declarations of the function `name`: `lines` of sizes and of functions beside it, under a `title`."""

    name: str
    title: str
    prototype: str
    lines: tuple[str, ...]

    @property
    def abi(self) -> int:
        """The number of the declarations, whatever comments say of them."""
        return number([self.title, *(line for line in self.lines if not line.startswith("/*")), self.prototype])

    @property
    def asked(self) -> str:
        """The prototype of the function that gives a library's number."""
        return f"uint32_t {self.name}_abi(void)"

    def text(self, rules: str, thread_bytes: int) -> str:
        """The file; `rules` as they are above."""
        guard = f"GRIOTTE_{self.name.upper()}_H"
        return "\n".join(
            [
                f"/* {in_comment(self.title)} */",
                f"#ifndef {guard}",
                f"#define {guard}",
                "#include <stdint.h>",
                "#ifdef __cplusplus",
                'extern "C" {',
                "#endif",
                rules,
                f"#define {self.name.upper()}_THREAD_BYTES {thread_bytes}",
                f"/* That of the library that is linked is {self.name}_abi(). */",
                f"#define {self.name.upper()}_ABI {self.abi:#x}u",
                f"{self.asked};",
                *self.lines,
                f"{self.prototype};",
                "#ifdef __cplusplus",
                "}",
                "#endif",
                "#endif",
                "",
            ]
        )

"""The C of a program beside its tree: the functions that leaves became are marked while the pointer is on a leaf's
line. Styles alone do it, so that a page needs no script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

_BEGINS = re.compile(r"^/\* (?P<does>y\[.*), (?P<sizes>[^,=]+=.*) \*/$", re.M)


@dataclass(frozen=True)
class Passage:
    """A stretch of C; `sizes`: of a leaf's function what its comment ends with, as the leaf's line in a tree does, else
    empty."""

    text: str
    sizes: str = ""


def passages(source: str) -> Iterator[Passage]:
    """A C source as the functions of leaves and what lies between them."""
    end = 0
    for begins in _BEGINS.finditer(source):
        if begins.start() > end:
            yield Passage(source[end : begins.start()])
        closing = source.find("\n}\n", begins.end())
        end = len(source) if closing < 0 else closing + len("\n}\n")
        yield Passage(source[begins.start() : end], begins["sizes"])
    if end < len(source):
        yield Passage(source[end:])


class Listing:
    """A C source with a number for each kind of leaf that it has functions of."""

    def __init__(self, source: str):
        self._passages = list(passages(source))
        kinds = dict.fromkeys(p.sizes for p in self._passages if p.sizes)
        self._numbers = {sizes: number for number, sizes in enumerate(kinds)}

    def number(self, line: str) -> int | None:
        """Of the leaf whose line in a tree this is; None where no function is of it."""
        return next((n for sizes, n in self._numbers.items() if line.endswith(f" {sizes}")), None)

    def html(self) -> str:
        """The source as it stands beside a tree."""
        met: set[str] = set()
        return f'<pre class="listing">{"".join(self._shown(p, met) for p in self._passages)}</pre>'

    def _shown(self, passage: Passage, met: set[str]) -> str:
        if not passage.sizes:
            return escape(passage.text)
        number = self._numbers[passage.sizes]
        name = "" if passage.sizes in met else f' id="c-{number}"'
        met.add(passage.sizes)
        return f'<span{name} class="c-{number}">{escape(passage.text)}</span>'

    def style(self) -> str:
        """The rules that mark a leaf's functions while the pointer is on its line, or its link was followed."""
        marks = ",".join(f"body:has(.to-{n}:hover) .c-{n}" for n in self._numbers.values())
        return f"{marks} {{ background: #e3b7c166 }}" if marks else ""

"""A part of a unit: the function that packs a model's constants and what it calls, written so that any CPU runs it. So
the constants of a target are packed where its code does not run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ..machine.architectures import ARCHITECTURES
from ..machine.target import Target
from .emit import EmittedFunction, UnitWriter, unit_of
from .teams import team_text

_WORD, _NAMED = re.compile(r"\b[A-Za-z_]\w*"), re.compile(r"\b([A-Za-z_]\w*)\(")
_HEADERS = {f"#include <{each.intrinsics.header}>" for each in ARCHITECTURES if each.intrinsics.header}


def packing_alone(write: Callable[[UnitWriter], EmittedFunction], target: Target, function: str) -> str:
    """The C of the packing `function` among those that `write` writes for a target, by no instruction that a CPU may
    lack."""
    plain = replace(target, features=frozenset(), flags=())
    source = unit_of(write, plain, "packing alone").source
    return reached(source.replace(team_text(), ""), function)


def reached(source: str, function: str) -> str:
    """C without the functions that a function does not reach, and without the headers of intrinsics."""
    chunks = _chunks(source)
    bodies = {name: text for text in chunks if (name := _defined(text))}
    found, left = set[str](), [function]
    while left:
        name = left.pop()
        if name in bodies and name not in found:
            found.add(name)
            left += _WORD.findall(bodies[name])
    kept = (text for text in chunks if (name := _defined(text) or _declared(text)) is None or name in found)
    return "\n".join(text for text in kept if text not in _HEADERS) + "\n"


def _chunks(source: str) -> list[str]:
    """What stands at the top of C that griotte wrote: functions and types, which end with a line that begins with a
    brace, and other lines."""
    found, open_ = [], list[str]()
    for line in source.splitlines():
        open_.append(line)
        begins = len(open_) > 1 or line.endswith(("{", "(")) or _head(line)
        if line.startswith("}") or not begins:
            found.append("\n".join(open_))
            open_ = []
    return [*found, *["\n".join(open_)] * bool(open_)]


def _head(line: str) -> bool:
    """Whether a line is the head of a function, whose body begins on the next."""
    return line[:1].isalpha() and line.endswith(")")


def _defined(text: str) -> str | None:
    """The function that a chunk defines; None where it is something else."""
    head = text.split("\n", 1)[0]
    return _named(head) if _head(head) and "\n{" in text else None


def _declared(text: str) -> str | None:
    """The static function that a chunk declares."""
    return _named(text) if text.startswith("static ") and text.endswith(");") and "\n" not in text else None


def _named(head: str) -> str | None:
    """The function of a head: the last name before its arguments, past attributes."""
    plain = re.sub(r"__attribute__\(\(.*?\)\)", "", head)
    found = _NAMED.search(plain)
    return found[1] if found else None

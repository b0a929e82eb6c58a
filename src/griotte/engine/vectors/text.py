"""Small helpers for writing C: indentation, and index expressions that read as a person would write them."""

from __future__ import annotations

from ...support.printable import printable

PARTED = '__asm__ volatile("");'
"""No instruction, and none is moved across it. Else compilers load the vectors of later steps so early that
accumulators leave their registers. (512x512x512 by tiles of 12x8 in 32 registers of 16 bytes: 122 instructions for 96
multiply-adds, not 116.)"""


def indent(lines: list[str], by: int = 1) -> list[str]:
    pad = "    " * by
    return [pad + line if line and not line.startswith("#") else line for line in lines]


def in_comment(text: str) -> str:
    """A line as it stands within a comment of C: names from files do not end it."""
    return printable(text).replace("*/", "* /").replace("/*", "/ *")


def offset(*terms: tuple[str, int] | int) -> str:
    """Sum of constants and (index name, stride) products, without the zero parts: "i * 64 + 3"; "" when it is zero."""
    constant = sum(t for t in terms if isinstance(t, int))
    parts = [
        name if stride == 1 else f"{name} * {stride}"
        for name, stride in (t for t in terms if not isinstance(t, int))
        if stride
    ]
    if constant:
        parts.append(str(constant))
    return " + ".join(parts)


def plus(pointer: str, *terms) -> str:
    """`pointer + offset`, or the pointer alone."""
    moved = offset(*terms)
    return f"{pointer} + {moved}" if moved else pointer


def request(pointer: str, level: int = 1, *, to_write: bool = False) -> str:
    """A line asked for into the cache at `level`: to be read, or to be written."""
    return f"__builtin_prefetch({pointer}{', 1' if to_write else '' if level == 1 else f', 0, {4 - level}'});"


def on_lines(places: list[int], line: int) -> list[int]:
    """Elements by which to ask once for each line that one of these is on, wherever lines of so many elements begin.
    Each run of places that are no more than a line apart gets one a line, from the first to the last."""
    found: list[int] = []
    for n, place in enumerate(places):
        if n and place - places[n - 1] <= line:
            found += range(found[-1] + line, place, line)
            is_last = n + 1 == len(places) or places[n + 1] - place > line
            found += [place] * is_last
        else:
            found.append(place)
    return found


def element(pointer: str, *terms) -> str:
    """`pointer[offset]`."""
    return f"{pointer}[{offset(*terms) or 0}]"


def braced(lines: list[str], head: str = "") -> list[str]:
    """Lines in braces, behind a head such as `if (x)`."""
    return [f"{head} {{" if head else "{", *indent(lines), "}"]


def for_loop(index: str, end: int | str, body: list[str], *, step: int | str = "", start: int | str = 0) -> list[str]:
    """`for (int64_t index = start; index < end; index += step) { body }`; `index++` without a step."""
    return braced(body, f"for (int64_t {index} = {start}; {index} < {end}; {index}{f' += {step}' if step else '++'})")


def call_of(function: str, value: str) -> str:
    """A call of a function of one value; the value itself where no call is needed."""
    return f"{function}({value})" if function else value


def scaled(index, by: int):
    """An index, a number or a (name, factor) term, times a number of elements."""
    return index * by if isinstance(index, int) else (index[0], index[1] * by)

"""Numbers that nothing of the space tells apart.

Layers of a quantised model are alike but for their zero points, which stand in bodies: 142 in one, 93 in the next. The
programs of one, and their costs, hold for the others. So the table keeps one solution for all. In its keys such a
number is named by its place among those of its family, and by the answers that rewrites and prices ask of it. They ask
for its sign, whether it is whole, and whether it is up to 1. Where something is divided, they also ask how quotients by
it are computed. Equal numbers have one name, so that what stands twice in one body stands twice in the other. A number
that rewrites look for stays as it is. So does all of a body that compares, for such an offset says where a mask is. C
alone asks what fills a border."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from math import frexp, isfinite

from ...lang.functions import FUNCTIONS
from ...lang.functions.divisors import WIDEST, reciprocal

_CONST = re.compile(r"Const\(value=([^()]+)\)")
_FILL = re.compile(r"\bfill=([^,()]+)")
_FUNCTION = re.compile(r"function='([^']*)'")
_LARGEST = 2.0**53  # beyond are the bounds of dtypes, and what stands for them
_OWN = "OfSize("  # a number that follows from the dynamic size


def alike(text: str) -> str:
    """The repr of a family, or of an operation, with names in place of numbers: equal for all that are searched
    alike."""
    if "Const(" not in text and "fill=" not in text or _OWN in text:
        return text
    functions = frozenset(_FUNCTION.findall(text))
    if any(map(_compares, functions)):
        return text
    places: dict[float, int] = {}
    fills: dict[float, int] = {}

    def filled(found: re.Match[str]) -> str:
        value = float(found[1])
        return f"fill=f{fills.setdefault(value, len(fills))}" if value and isfinite(value) else found[0]

    def name(found: re.Match[str]) -> str:
        kind = _kind(found[1], "div" in functions)
        if kind is None:
            return found[0]
        place = places.setdefault(float(found[1]), len(places))
        return f"Const(n{place} {kind})"

    return _FILL.sub(filled, _CONST.sub(name, text))


@cache
def _compares(function: str) -> bool:
    """Whether a function compares, or chooses by a comparison, or is not known."""
    return function == "where" or function not in FUNCTIONS or bool(FUNCTIONS[function].test)


@lru_cache(1 << 12)
def _kind(number: str, is_divisor: bool) -> str | None:
    """What the space tells of a number, as text; None where it is itself."""
    try:
        value = float(number)
    except ValueError:
        return None
    if not isfinite(value) or abs(value) in (0.0, 1.0) or not 1 / _LARGEST < abs(value) < _LARGEST:
        return None
    if is_divisor and abs(frexp(value)[0]) == 0.5:  # quotients by powers of two are products
        return None
    ways = "".join(map(_way, [value] * len(WIDEST), WIDEST)) if is_divisor else ""
    return f"{'whole' if value.is_integer() else 'real'} {'-' if value < 0 else '+'}{abs(value) <= 1:d}{ways}"


def _way(divisor: float, dtype: str) -> str:
    """How a quotient in a dtype is computed: as it is, by one product or by two."""
    found = reciprocal(divisor, dtype)
    return "q" if found is None else "1" if found.low == 0 else "2"

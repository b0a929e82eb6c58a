"""Laws as they are written: `x * sigmoid(x) = silu(x)`.

Both sides are calls of the language in Python's notation, where + - * / stand for add, sub, mul and div.

    x, mask      a value; where it stands twice it is the same one
    C, SHIFT     in capitals: a value that is known, or a number
    0.5          a value that is known and is this number throughout, but for the rounding of its dtype
    a * b * c    a product, as a sum or a maximum: of these operands in any order, whatever brackets stand around them
    f(x, key=k)  an attribute: a number, a word in quotes or a hole; those that are not written have their default
    f(x, **k)    all attributes that are not written
    f(x, *more)  all operands that are not written, be there some or none
    a | b        on the left: one or the other way to write it
    (f | g)(x)   one call or the other; so is the name of a family of maps.py, and the right side has the same one
    a = b; c = d two laws

Tensors that a call takes by name stand after the others. A match takes calls away, so it is none where others read what
lies within, unless a law is of moves, which compute nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import Any, NamedTuple

import numpy as np

from ...lang.types.dtypes import dtype as dtype_row
from ...lang.types.dtypes import exact
from ..graph import ModelValue
from .rule import FAMILIES, Site, attributes_of, defaults, known, plain

OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
ANY_ORDER = ("add", "mul", "maximum", "minimum")
PRECISION = {"f32": 1e-6, "f64": 1e-15, "bf16": 2.0**-8, "f16": 2.0**-10}  # of numbers that a file has rounded
EXACT = 16  # a number of which so many are whole was rounded by none


@dataclass(frozen=True)
class PatternHole:
    """Matches any value, or any known value; with `is_rest`, all operands that are left."""

    name: str
    is_rest: bool = False

    @property
    def is_known(self) -> bool:
        return self.name.isupper()


@dataclass(frozen=True)
class Pattern:
    """A call of a law; `rest` is the hole of the attributes that are not written."""

    call: str
    operands: tuple[Pattern | PatternHole | float, ...]
    attributes: tuple[tuple[str, Any], ...] = ()
    rest: str = ""

    @property
    def holes(self) -> dict[str, bool]:
        """Its holes by name, and whether each must be filled."""
        found = {self.rest: True} if self.rest else {}
        found |= {each.name: True for _, each in self.attributes if isinstance(each, PatternHole)}
        for each in self.operands:
            if isinstance(each, PatternHole):
                found[each.name] = not each.is_rest
            elif isinstance(each, Pattern):
                found |= each.holes
        return found


PatternPart = Pattern | PatternHole | float
Chosen = Mapping[str, str]  # the way or the call that was taken, by the alternatives as they are written


class LawWay(NamedTuple):
    """One way to write the left side of a law, its right side, and the alternatives taken in both."""

    left: Pattern
    right: PatternPart
    chosen: Chosen


@cache
def ways_of(text: str) -> tuple[LawWay, ...]:
    """All ways to write the left side of laws `left = right; left = right`, in the order in which they are tried."""
    found = []
    for stated in text.split("; "):
        left, right = (ast.parse(side.strip(), mode="eval").body for side in stated.split(" = "))
        for way, chosen in _read(left, {}):
            assert isinstance(way, Pattern)
            found += [LawWay(way, after, chosen) for after, _ in _read(right, chosen)]
    return tuple(found)


def _read(node: ast.expr, chosen: Chosen) -> Iterator[tuple[PatternPart, Chosen]]:
    """A side in each way that it may be written; alternatives that stand twice are taken alike."""
    if isinstance(node, ast.Name):
        yield PatternHole(node.id), chosen
    elif isinstance(node, ast.Starred) and isinstance(node.value, ast.Name):
        yield PatternHole(node.value.id, is_rest=True), chosen
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        for one, told in _one_of(node, _several(node), chosen):
            yield from _read(one, told)
    elif isinstance(node, ast.BinOp):
        for operands, told in _read_each((node.left, node.right), chosen):
            yield _flat(OPERATORS[type(node.op)], operands), told
    elif isinstance(node, ast.Call):
        rest = next((each.value.id for each in node.keywords if not each.arg and isinstance(each.value, ast.Name)), "")
        written = ((each.arg, each.value) for each in node.keywords if each.arg)
        given = tuple((k, PatternHole(v.id) if isinstance(v, ast.Name) else ast.literal_eval(v)) for k, v in written)
        calls = [ast.Name(name) for one in _several(node.func) for name in FAMILIES.get(one.id, (one.id,))]
        for call, told in _one_of(node.func, calls, chosen):
            for operands, last in _read_each(node.args, told):
                yield _flat(call.id, operands, given, rest), last
    else:
        yield float(ast.literal_eval(node)), chosen


def _read_each(nodes: Sequence[ast.expr], chosen: Chosen) -> Iterator[tuple[tuple[PatternPart, ...], Chosen]]:
    if not nodes:
        yield (), chosen
        return
    for first, told in _read(nodes[0], chosen):
        for others, last in _read_each(nodes[1:], told):
            yield (first, *others), last


def _several(node: ast.expr) -> list[Any]:
    """The alternatives between `|`."""
    return (
        [*_several(node.left), *_several(node.right)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)
        else [node]
    )


def _one_of(node: ast.expr, several: list[Any], chosen: Chosen) -> Iterator[tuple[Any, Chosen]]:
    """Each alternative, or the one that was taken already."""
    if len(several) == 1:
        yield several[0], chosen
        return
    whole = ast.unparse(node)
    for one in several:
        name = ast.unparse(one)
        if chosen.get(whole, name) == name:
            yield one, {**chosen, whole: name}


def _flat(call: str, operands: tuple[PatternPart, ...], attributes: tuple = (), rest: str = "") -> Pattern:
    """A call; a sum of sums as one sum of all terms."""
    if call in ANY_ORDER:
        terms = (part.operands if isinstance(part, Pattern) and part.call == call else (part,) for part in operands)
        operands = tuple(part for each in terms for part in each)
    return Pattern(call, operands, attributes, rest)


@dataclass(frozen=True)
class Match:
    """How a law's left side lies on calls: what fills each hole, and which calls are within."""

    site: Site
    holes: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[ModelValue, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.holes[name]

    def array(self, name: str) -> np.ndarray:
        """The data of a known value; a number is in the dtype of the law's result."""
        found, value = known(self.holes[name]), self.holes[name]
        assert found is not None
        row = dtype_row(self.site.value.type.dtype)
        return found if isinstance(value, ModelValue) or row.kind != "float" else found.astype(row.numpy)

    @property
    def dtype(self) -> np.dtype:
        """NumPy's dtype of the law's result."""
        return dtype_row(self.site.value.type.dtype).numpy

    def number(self, name: str) -> float | None:
        """A known value as a number; None where it has several elements."""
        found = self.array(name)
        return exact(found.reshape(())) if found.size == 1 else None

    def bound(self, name: str, value: Any) -> Match | None:
        """The match with a value in a hole; None where the hole holds another."""
        if name in self.holes:
            return self if _same(self.holes[name], value) else None
        return Match(self.site, {**self.holes, name: value}, self.calls)

    def with_call(self, value: ModelValue) -> Match:
        return Match(self.site, self.holes, (*self.calls, value))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, ModelValue) or isinstance(other, ModelValue):
        return one is other
    return type(one) is type(other) and one == other


def matches(part: PatternPart, value: Any, found: Match) -> Iterator[Match]:
    """The ways in which a pattern lies on a value, with the holes of a match filled."""
    if isinstance(part, PatternHole):
        fits = known(value) is not None if part.is_known else isinstance(value, ModelValue)
        bound = found.bound(part.name, value) if fits else None
        if bound is not None:
            yield bound
    elif not isinstance(part, Pattern):
        if _is_number(value, part, found.site.value.type.dtype):
            yield found
    elif isinstance(value, ModelValue) and value.call == part.call:
        if part.call in ANY_ORDER:
            yield from _in_any_order(part.call, part.operands, value, found)
        elif (bound := _attributes(part, value, found)) is not None:
            yield from _each(part.operands, value.reads, bound.with_call(value))


def _each(parts: tuple[PatternPart, ...], values: tuple[Any, ...], found: Match) -> Iterator[Match]:
    first = parts[0] if parts else None
    if isinstance(first, PatternHole) and first.is_rest:
        bound = found.bound(first.name, values)
        yield from () if bound is None else (bound,)
    elif first is None or not values:
        yield from (found,) if len(parts) == len(values) else ()
    else:
        for match in matches(first, values[0], found):
            yield from _each(parts[1:], values[1:], match)


def _in_any_order(call: str, parts: tuple[PatternPart, ...], value: Any, found: Match) -> Iterator[Match]:
    """The ways in which the operands of a sum lie on the terms of a value, in any order and bracketing."""
    if len(parts) == 1:
        yield from matches(parts[0], value, found)
        return
    if not isinstance(value, ModelValue) or value.call != call or value.attributes:
        return
    needed = {part.call for part in parts if isinstance(part, Pattern)}
    if not needed <= _terms(call, value, len(parts) - 1):
        return
    left, right = value.reads
    for chosen in range(1, 2 ** len(parts) - 1):
        ours = tuple(part for i, part in enumerate(parts) if chosen >> i & 1)
        others = tuple(part for i, part in enumerate(parts) if not chosen >> i & 1)
        for first in _in_any_order(call, ours, left, found.with_call(value)):
            yield from _in_any_order(call, others, right, first)


def _terms(call: str, value: ModelValue, depth: int) -> set[str]:
    """The calls among the terms of a sum, nested sums included."""
    found: set[str] = set()
    for read in value.values:
        found.add(read.call)
        if read.call == call and depth > 1:
            found |= _terms(call, read, depth - 1)
    return found


def _is_number(value: Any, number: float, dtype: str) -> bool:
    array = known(value)
    if array is None or not array.size:
        return False
    first = array.reshape(-1)[0]
    if array.size > 1 and not np.all(array == first):
        return False
    own = value.type.dtype if isinstance(value, ModelValue) else dtype
    near = min(PRECISION.get(own, 0.0), PRECISION.get(dtype, 1.0))  # as of the narrower dtype
    return bool(float(first) == number or not (EXACT * number).is_integer() and isclose(first, number, near))


def isclose(found: Any, number: float, near: float) -> bool:
    """Whether a number is near another, relative to it."""
    return abs(float(found) - number) <= near * abs(number)


def _attributes(part: Pattern, value: ModelValue, found: Match | None) -> Match | None:
    """The match with a call's attributes in their holes; None where they differ from those written."""
    given, usual = attributes_of(value), defaults(value.call)
    for key, wanted in part.attributes:
        if found is None or key not in given:
            return None
        own = given.pop(key)
        if isinstance(wanted, PatternHole):
            found = found.bound(wanted.name, own)
        elif own != plain(value, key, wanted):
            return None
    if found is not None and part.rest:
        return found.bound(part.rest, given)
    return found if all(own == plain(value, key, usual[key]) for key, own in given.items()) else None


def build(part: PatternPart, holes: Mapping[str, Any], site: Site) -> Any:
    """Build a pattern from its holes."""
    if isinstance(part, PatternHole):
        found = holes[part.name]
        return site.constant(found) if isinstance(found, np.ndarray) else found
    if not isinstance(part, Pattern):
        return site.number(part)
    operands: list[Any] = []
    for each in part.operands:
        if isinstance(each, PatternHole) and each.is_rest:
            operands += holes.get(each.name, ())
        else:
            operands.append(build(each, holes, site))
    given = {key: holes[own.name] if isinstance(own, PatternHole) else own for key, own in part.attributes}
    given |= holes[part.rest] if part.rest else {}
    usual = defaults(part.call)
    told = {key: own for key, own in given.items() if own != usual.get(key)}
    if part.call in ANY_ORDER:
        return reduce(lambda one, other: site.call(part.call, one, other), operands)
    return site.call(part.call, *operands, **told)

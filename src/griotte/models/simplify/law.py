"""Laws as rules: where their left side is found, their right side is built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype as dtype_row
from ...lang.types.tensor import TensorType, tensor
from ...support.errors import SpecError
from ..graph import GraphBuilder, ModelValue
from .pattern import LawWay, Match, Pattern, build, matches, ways_of
from .rule import ALWAYS, Rule, Site, of_call

When = Callable[[Match], "Mapping[str, Any] | bool | None"]
"""Whether a match counts: not where the answer is False or None. A mapping fills further holes."""
MakesValue = Callable[[GraphBuilder], ModelValue]


def law(
    name: str,
    text: str,
    *examples: Mapping[str, Any] | MakesValue,
    when: When | None = None,
    of_floats: bool = True,
    shared: tuple[str, ...] | None = (),
    within: str = "",
) -> Rule:
    """A rule that is a law, or several.

    Args:
        name: what it does, in a few words.
        text: `left = right`.
        *examples: the holes of the left side: types as text (a hole in capitals becomes a constant of that type),
            numbers, attributes, functions that make a value. Or a function that makes the whole left side.
        when: a further condition, which may fill holes of the right side.
        of_floats: whether it holds for floats alone.
        shared: calls within that other calls may read too: computing them twice is cheap. None: all, for a law of moves
            computes nothing.
        within: for which numbers both sides differ by rounding at most: one of WITHIN.
    """
    ways: dict[str, list[LawWay]] = {}
    for way in ways_of(text):
        ways.setdefault(way.left.call, []).append(way)

    def apply(site: Site) -> ModelValue | None:
        if of_floats and dtype_row(site.value.type.dtype).kind != "float":
            return None
        for way in ways.get(site.value.call, ()):
            for match in matches(way.left, site.value, Match(site)):
                if shared is None or _is_alone(match, shared):
                    result = _built(way, match, when)
                    if result is not None:
                        return result
        return None

    return Rule(name, text, apply, _examples(ways_of(text), examples), tuple(ways), within)


strictly = partial(law, within=ALWAYS)
"""A law that holds for any input."""
exactly = partial(strictly, of_floats=False)
"""The same of any dtype."""
move = partial(exactly, shared=None)
"""A law that computes nothing."""


def _built(way: LawWay, match: Match, when: When | None) -> ModelValue | None:
    """The right side of a law for a match of the left one; None where it does not count."""
    site, further = match.site, when(match) if when is not None else {}
    if further is None or further is False:
        return None
    try:
        result = build(way.right, {**match.holes, **(further if isinstance(further, Mapping) else {})}, site)
    except SpecError:  # a call that does not take these operands
        return None
    is_other = isinstance(result, ModelValue) and result.type == site.value.type and result is not site.value
    return result if is_other else None


def _is_alone(match: Match, shared: tuple[str, ...]) -> bool:
    """Whether the calls within are read by each other alone, but for the shared ones."""
    within = dict.fromkeys(match.calls)
    reads = Counter(each for value in within for each in value.values)
    inner = (value for value in within if value is not match.site.value and value.call not in shared)
    return all(match.site.reads(value) <= max(1, reads[value]) for value in inner)


def _examples(ways: tuple[LawWay, ...], examples: tuple[Mapping[str, Any] | MakesValue, ...]) -> tuple[MakesValue, ...]:
    """Each example in each way to write the left side whose holes it fills."""
    makers = [each for each in examples if callable(each)]
    found: dict[tuple[int, str], MakesValue] = {}
    for n, (left, _, chosen) in enumerate(ways):
        for given in (of_call(each, chosen.values()) for each in examples if not callable(each)):
            own = {name: hole for name, hole in given.items() if name in left.holes}
            if all(name in own for name, is_needed in left.holes.items() if is_needed):
                found.setdefault((n, repr(own)), LawExample(left, tuple(own.items())))
    assert makers or {n for n, _ in found} == {*range(len(ways))}, "each way to write a law has an example"
    return (*makers, *found.values())


@dataclass(frozen=True, eq=False)
class LawExample:
    """The left side of a law with its holes filled."""

    left: Pattern
    given: tuple[tuple[str, Any], ...]

    def __call__(self, builder: GraphBuilder) -> ModelValue:
        holes = {name: self._hole(builder, name, own) for name, own in self.given}
        return build(self.left, holes, Site(builder, ModelValue(type_of_text("f32[]")), {}))

    @staticmethod
    def _hole(builder: GraphBuilder, name: str, own: Any) -> Any:
        if isinstance(own, tuple) and own and all(isinstance(each, str) and "[" in each for each in own):
            return tuple(LawExample._hole(builder, f"{name}{n}", each) for n, each in enumerate(own))
        if callable(own):
            return own(builder)
        if isinstance(own, str) and "[" in own:
            type = type_of_text(own)
            return builder.constant(_array(type, name)) if name.isupper() else builder.input(type, name)
        if isinstance(own, (float, list)) and name.isupper():
            return builder.constant(np.asarray(own, np.float32))
        return builder.constant(own) if isinstance(own, (np.ndarray, np.generic)) else own


def type_of_text(text: str) -> TensorType:
    """The type that an example says."""
    dtype, _, sizes = text.rstrip("]").partition("[")
    return tensor(tuple(int(n) for n in sizes.split(",") if n), dtype)


def _array(type: TensorType, name: str) -> np.ndarray:
    """Data for a constant: drawn by its name."""
    drawn = np.random.default_rng(sum(map(ord, name))).uniform(0.5, 2, type.shape)
    row = dtype_row(type.dtype)
    return (drawn if row.kind == "float" else drawn * 4).astype(row.numpy)

"""A graph made simpler by rules, each one law; the same function, but for rounding."""

from __future__ import annotations

from ...support.floats import DEFAULT, STRICT
from ..graph import GraphBuilder, ModelGraph, ModelValue, over
from . import (
    attention,
    axes,
    elementwise,
    folding,
    integers,
    loops,
    moves,
    norms,
    quantised,
    rotary,
    rows,
    scores,
    slicing,
    weights,
    windows,
    zeros,
)
from .rule import Readers, Rule, Site

RULES: tuple[Rule, ...] = (
    *folding.RULES,
    *moves.RULES,
    *axes.RESHAPES,
    *slicing.RULES,
    *axes.TRANSPOSES,
    *windows.RULES,
    *elementwise.RULES,
    *norms.RULES,
    *scores.RULES,
    *attention.RULES,
    *rotary.RULES,
    *moves.HALVES,
    *integers.RULES,
    *quantised.RULES,
    *zeros.RULES,
    *rows.RULES,
    *weights.RULES,
)
AT_LENGTH = (*folding.ALL, *RULES)
MOVED = (*AT_LENGTH, *axes.DOWN, *slicing.OF_PRODUCTS)
NARROWED = (*folding.ALL, *folding.RULES, *axes.RESHAPES, *slicing.RULES, *axes.TRANSPOSES, *rows.NARROWING)
LAST = (*moves.LAST, *windows.LAST)
STAGES = (RULES, quantised.SUMS, AT_LENGTH, MOVED, NARROWED, LAST)
"""Known values, quantised weights among them, are folded after the laws that take them as they are; moves go on after
the laws that look at where calls stand."""
APART = moves.APART
STAGES_APART = (*((*rules, *APART) for rules in STAGES[:-1]), LAST)
"""The stages for a graph with a dynamic size, whose axis is joined with no other."""
PASSES = 12  # at most; each rule leaves less, or the same nearer to the inputs
AT_ONE_PLACE = 16  # rules that apply one after the other to one call, at most


def simplify(graph: ModelGraph, stages: tuple[tuple[Rule, ...], ...] = STAGES, math: str = DEFAULT) -> ModelGraph:
    """The graph after each stage's rules were applied until none applies, in the bodies of its loops as well. Only the
    rules that `math` allows are applied."""
    for rules in holding(stages, math):
        for _ in range(PASSES):
            simpler = _once(graph, rules)
            if simpler is None:
                break
            graph = simpler
    return loops.settled(graph, lambda body: simplify(body, stages, math)) if graph.made else graph


def holding(stages: tuple[tuple[Rule, ...], ...], math: str) -> tuple[tuple[Rule, ...], ...]:
    """The rules of each stage that `math` allows."""
    return tuple(tuple(rule for rule in rules if rule.strict or math != STRICT) for rules in stages)


def _once(graph: ModelGraph, rules: tuple[Rule, ...]) -> ModelGraph | None:
    """The graph with the rules applied at each call, inputs first; None where none applied."""
    readers: Readers = {}
    by_call: dict[str, tuple[Rule, ...]] = {}
    changed = False

    def make(builder: GraphBuilder, value: ModelValue, reads: tuple) -> ModelValue:
        nonlocal changed
        found = builder.rebuilt(value, reads)
        for _ in range(AT_ONE_PLACE):
            site = Site(builder, found, readers)
            if found.call not in by_call:
                by_call[found.call] = tuple(rule for rule in rules if not rule.calls or found.call in rule.calls)
            of_call = by_call[found.call] if found.call and not found.is_made else ()
            rule, simpler = next(((rule, s) for rule in of_call if (s := rule.apply(site)) is not None), (None, None))
            if rule is None or simpler is None:
                break
            if simpler.type.dtype != found.type.dtype or simpler.type.shape != found.type.shape:
                raise AssertionError(f"{rule.name} made {simpler.type} of {found.type}")
            found, changed = simpler, True
        readers.setdefault(found, []).extend(graph.readers[value])
        return found

    simpler = over(graph, make)
    return simpler if changed else None

"""A rewrite of whole arrays is one file: rows in two halves, declared from outside. docs/howto/add-a-kernel.md."""

from __future__ import annotations

from dataclasses import dataclass, replace

import griotte as gt
import numpy as np
from griotte.engine import rewrites
from griotte.engine.program.nodes import Block
from griotte.engine.rewrites import Child, Edge, OpenHole, Rewrite, RewriteRule
from griotte.engine.rewrites.edge import GOAL, annotating, extents_are, resized, same
from griotte.lang.nests.pending import Pending


class InHalves(Pending):
    """The dimension, and its extent, along which a graph of whole arrays may be computed in halves."""


def halves(extent):
    return extent - extent // 2, extent // 2


@dataclass(frozen=True)
class Halves(Rewrite):
    """One half after the other; or, not `apart`, both at once."""

    apart: bool
    outer = True

    def edge(self, family, target):
        dim, extent = InHalves.of(family.operation)
        left = replace(family, operation=family.operation.annotated(InHalves(())))
        if not self.apart:
            return annotating(self, left)
        children = tuple(Child(left, role=GOAL, sizes=resized({dim: n})) for n in halves(extent))
        return Edge(self, lambda size: {"loop": 2}, ("halves", dim, extent), children, extents_are([(dim, extent)]))

    def node(self, state, parts, cost):
        if not self.apart:
            return same(state, parts, cost, self)
        dim, extent = InHalves.of(state.family.operation)
        every = tuple(range(len(state.family.operands)))
        return Block(state, parts, (every, every), cost, self, ({dim: 0}, {dim: halves(extent)[0]}))


def halves_edges(family, target):
    return [Halves(apart).edge(family, target) for apart in (False, True)] if InHalves.of(family.operation) else []


def half_sizes(family):
    dim, extent = InHalves.of(family.operation) or (None, 0)
    return [(dim, n) for n in halves(extent)] if dim else []


def in_halves(goal, size, target, threads):
    dim = next((d for d in goal.operation.parallel if size[d] > 1), None)
    return replace(goal, operation=goal.operation.annotated(InHalves((dim, size[dim])))) if dim else goal


def apart(hole: OpenHole) -> Halves:
    """Compute a graph of whole arrays in two halves.

    Example:
        >>> len(gt.schedule("softmax(f32[101,48])", "portable").apart().holes)
        2
    """
    return Halves(True)


HALVES = RewriteRule(halves_edges, steps=(apart,), sizes=half_sizes, annotates=in_halves)
SOFTMAX = "softmax(f32[101,48])"


def test_it_is_found_priced_and_taken_by_hand():
    whole = gt.synthesize(SOFTMAX, "portable", table="none")
    with rewrites.declared(first=(HALVES,)):
        assert gt.synthesize(SOFTMAX, "portable", table="none").cost <= whole.cost
        schedule = gt.schedule(SOFTMAX, "portable").apart()
        assert len(schedule.holes) == 2
        program = gt.synthesize(schedule)
    rows = np.random.default_rng(0).standard_normal((101, 48), np.float32)
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    assert np.allclose(program.compile()(rows), powers / powers.sum(axis=1, keepdims=True), atol=1e-6)

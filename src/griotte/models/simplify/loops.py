"""Loops made simpler: constants are constants within the body as well, and results that nothing reads go. A product of
each iteration's part by weights is one product of all iterations ahead of the loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ...lang.types.walk import children_first
from ..graph import GraphBuilder, ModelGraph, ModelValue, over
from ..loops import ModelLoop


@dataclass(frozen=True)
class _Ahead:
    """A product by weights of a whole operand, where a loop takes a part of it at a time. The weights are a constant,
    or another operand. Operands are given by number."""

    whole: int
    weights: ModelValue | int
    origin: str


@dataclass(frozen=True)
class _Settled:
    """A loop in the place of another: its operands, from those of the other, and the numbers of its results."""

    loop: ModelLoop
    takes: tuple[int | _Ahead, ...]
    numbers: dict[int, int]

    def result(self, builder: GraphBuilder, value: ModelValue, reads: tuple[ModelValue, ...]) -> ModelValue:
        """The result that replaces one of the other loop, whose operands are `reads`."""
        given = tuple(reads[take] if isinstance(take, int) else _made(builder, take, reads) for take in self.takes)
        return builder.result(self.loop, self.numbers[value.number], given, value.name, value.origin)


def _made(builder: GraphBuilder, ahead: _Ahead, reads: tuple[ModelValue, ...]) -> ModelValue:
    weights = ahead.weights if isinstance(ahead.weights, ModelValue) else reads[ahead.weights]
    return builder.call("matmul", reads[ahead.whole], weights, origin=ahead.origin)


def settled(graph: ModelGraph, simplify: Callable[[ModelGraph], ModelGraph]) -> ModelGraph:
    """The graph with its loops simplified."""
    found: dict[ModelValue, _Settled] = {}
    for values in graph.made:
        if isinstance(values[0].opaque, ModelLoop):
            own = _settled(values, simplify)
            found |= dict.fromkeys(values, own)

    def make(builder: GraphBuilder, value: ModelValue, reads: tuple) -> ModelValue:
        return found[value].result(builder, value, reads) if value in found else builder.rebuilt(value, reads)

    return over(graph, make)


def _settled(values: tuple[ModelValue, ...], simplify: Callable[[ModelGraph], ModelGraph]) -> _Settled:
    loop, reads = values[0].opaque, values[0].values
    known = {loop.body.inputs[n]: reads[n] for n in range(loop.own, len(reads)) if reads[n].array is not None}
    body = simplify(over(loop.body, others=known))
    takes: list[int | _Ahead] = list(range(len(reads)))
    ways = [False] * loop.carried + list(loop.slices)
    if loop.trips > 1:
        body, ahead, backward = _ahead(loop, body)
        takes[loop.own : loop.own], ways = ahead, [*ways, *backward]
    kept = _kept(loop.carried, body, [value.number for value in values])
    carried = [n for n in range(loop.carried) if n in kept]
    results = [n for n in range(len(body.results)) if n in kept]
    needed = set(_reached(body, results))
    others = [n for n in range(loop.carried, len(takes)) if body.inputs[n] in needed]
    inputs = [*carried, *others]
    inner = ModelGraph(tuple(body.inputs[n] for n in inputs), tuple(body.results[n] for n in results))
    slices = tuple(ways[n] for n in others if n < len(ways))
    rows = tuple(loop.rows[n - loop.carried] for n in results[len(carried) :])
    smaller = ModelLoop(inner, loop.trips, len(carried), slices, rows)
    return _Settled(smaller, tuple(takes[n] for n in inputs), {n: place for place, n in enumerate(results)})


def _ahead(loop: ModelLoop, body: ModelGraph) -> tuple[ModelGraph, list[_Ahead], list[bool]]:
    """The body that takes parts of products ahead of the loop, these products, and whether each is read backward.

    An iteration alone reads all weights for a few rows, all iterations together read them once: no price is asked.
    """
    place = {value: n for n, value in enumerate(body.inputs)}
    found: list[_Ahead] = []
    ways: list[bool] = []
    now: dict[ModelValue, ModelValue] = {}
    for value in body.calls:
        if value.call != "matmul" or len(value.values) != 2 or value.attributes:
            continue
        x, weights = value.values
        n, same = place.get(x, -1), place.get(weights, -1)
        is_same = weights.array is not None or same >= loop.own
        if n in range(loop.carried, loop.own) and is_same and weights.type.rank == 2 <= x.type.rank:
            now[value] = ModelValue(replace(value.type, name=""), f"a{len(found)}")
            found.append(_Ahead(n, weights if same < 0 else same, value.origin))
            ways.append(loop.slices[n - loop.carried])
    if not found:
        return body, [], []
    inputs = (*body.inputs[: loop.own], *now.values(), *body.inputs[loop.own :])
    return over(body, inputs=inputs, others=now), found, ways


def _kept(carried: int, body: ModelGraph, asked: list[int]) -> set[int]:
    """The results of the body on which the results that are asked for depend."""
    kept, before = set(asked), set[int]()
    while kept != before:
        before = set(kept)
        reached = set(_reached(body, sorted(kept)))
        kept |= {n for n in range(carried) if body.inputs[n] in reached}
    return kept


def _reached(body: ModelGraph, results: list[int]) -> list[ModelValue]:
    """The values on which some results depend."""
    return children_first([body.results[n][1] for n in results], lambda value: value.values)

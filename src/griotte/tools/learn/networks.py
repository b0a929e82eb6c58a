"""The parts that networks may be cut into, as Specs to learn from: each call by itself, and each group of neighbours
that one search would take."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...compiler.partition.calls import is_view
from ...compiler.session import Session
from ...lang.calls.spec import Spec
from ...lang.text.text import parse
from ...models.graph import ModelGraph
from ...models.pool import Pool
from ...models.simplify import simplify
from ...models.sizes import for_any_size
from ...models.solving import Solving, closed
from ...support.errors import SpecError

LARGEST = 3e9  # operations: a call takes some 50 ms


def parts_of(graph: ModelGraph, session: Session) -> Iterator[Spec]:
    """The Specs of fixed sizes among a model's fusion candidates (its pieces), each once, those of one call first. Left
    out are Specs that move nothing, are too large to be timed often, or whose text does not say all of them."""
    simple = closed(for_any_size(graph, partial(simplify, math=session.target.math)))
    with Pool(session) as pool:
        solving = Solving(simple, pool)
        met: set[str] = set()
        for piece in sorted(solving.pieces.plain, key=lambda piece: len(piece.atoms)):
            spec = solving.part(piece).of
            if not isinstance(spec, Spec) or str(spec) in met:
                continue
            met.add(str(spec))
            if is_view(spec) or spec.dynamic is not None or spec.flops > LARGEST:
                continue
            try:
                is_whole = str(parse(str(spec))) == str(spec)
            except SpecError:
                continue
            if is_whole:
                yield spec

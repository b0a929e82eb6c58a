"""Every call that makes a matrix before every call that reads one, as texts of Specs:

    matmul(take(f32[9,16], s32[17]), const f32[16,3])

A kind leaves open which operand, which axis, const or not, layouts, sizes, dtypes: they are drawn. Nothing is solved
here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from .consumers import CONSUMERS
from .kinds import LARGEST, WEIGHT, Drawing, Kind, Shape
from .producers import PRODUCERS

__all__ = ["CONSUMERS", "PRODUCERS", "Pair", "drawn", "drawn_round"]


@dataclass(frozen=True)
class Pair:
    """A Spec of two calls, and for how many threads it is solved."""

    producer: str
    consumer: str
    text: str
    threads: int

    def __str__(self) -> str:
        return f"{self.producer} > {self.consumer}, {self.threads} thread{'s' * (self.threads > 1)}: {self.text}"


def drawn_round(
    seed: int, producers: Iterable[str] = PRODUCERS, consumers: Iterable[str] = CONSUMERS
) -> Iterator[Pair]:
    """One Spec of every pair that has a dtype."""
    found = (drawn(seed, producer, consumer) for producer in producers for consumer in consumers)
    return (pair for pair in found if pair is not None)


def drawn(seed: int, producer: str, consumer: str) -> Pair | None:
    """A Spec of this pair, its own for each seed; None where the one makes no dtype that the other takes."""
    d = Drawing(np.random.default_rng((seed, *map(ord, f"{producer}/{consumer}"))))
    made, read = PRODUCERS[producer], CONSUMERS[consumer]
    names = [name for name in made.dtypes if name in read.dtypes]
    if not names:
        return None
    name = d.of([name for name in names for _ in range(WEIGHT.get(name, 1))])
    m, n = _shape(d, made, read)
    x = made.write(d, name, m, n)
    return Pair(producer, consumer, d.told(read.write(d, x, name, m, n)), d.few(2))


def _shape(d: Drawing, made: Kind, read: Kind) -> Shape:
    """Rows and columns that both may have."""
    m, n = (max(d.size(), *least) for least in zip(made.least, read.least))
    while m * n > LARGEST:
        m, n = (m // 2, n) if m > n else (m, n // 2)
    return m, n + n % 2 if made.even or read.even else n

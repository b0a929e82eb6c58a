"""The problems of same.py: those of the race, and Specs and graphs that are drawn from one seed.

Each is for one target and thread count, another for each of six that follow each other. On one core of a Zen 4 the race
takes 8 minutes so, and what is drawn, small enough for a fraction of a second each, 3: both trees side by side 11. All
six for each problem would take an hour, and the race at two of them 8 minutes more.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import NamedTuple

from racing.problems import chosen

PAIRS = tuple((target, threads) for target in ("avx512", "avx2", "portable") for threads in (1, 2))
SEED = 27
ALIKE, LONG = (
    "20 s and more; attention/s128 and causal-s128 are the same calls",
    "35 s and more; its calls are in the sets mlp, norm and attention",
)
SLOW = {
    **dict.fromkeys(("attention/s512", "attention/s2048", "attention/causal-s512", "attention/causal-s2048"), ALIKE),
    **dict.fromkeys(("block/transformer-f32", "block/transformer-bf16", "block/step-f32"), LONG),
}  # of the race, on one thread, and why they are left out


class Problem(NamedTuple):
    name: str
    text: str
    target: str
    threads: int

    @property
    def key(self) -> str:
        """What its answer is kept by."""
        return f"{self.target}@{self.threads} {self.text}"


def problems() -> list[Problem]:
    """In a child, on the current tree: those of the race (of a text the first), and those drawn."""
    raced = {p.spec: f"race/{p.name}" for p in reversed(chosen([])) if p.name not in SLOW}
    return [Problem(name, text, *pair) for (text, name), pair in zip([*reversed(raced.items()), *drawn()], pairs())]


def pairs() -> Iterator[tuple[str, int]]:
    """Target and threads, without end; each six in an order drawn anew, for problems too come by twos and fours."""
    rng = random.Random(SEED)
    while True:
        yield from rng.sample(PAIRS, len(PAIRS))


def drawn() -> Iterator[tuple[str, str]]:
    """(text, name)"""
    import numpy as np
    from drawing import random_graph, random_outputs, random_spec, with_dynamic

    rng = np.random.default_rng(SEED)
    sets = (
        ("spec", 300, lambda: random_spec(rng, 150)),
        ("graph", 130, lambda: random_graph(rng, 32, 8)),
        ("outputs", 20, lambda: random_outputs(rng, 24, 8)),
        ("dynamic-spec", 20, lambda: with_dynamic(random_spec(rng, 64), rng)),
        ("dynamic-graph", 20, lambda: with_dynamic(random_graph(rng, 12, 4), rng)),
    )
    for name, count, draw in sets:
        texts = (text for text in iter(draw, None) if "<=" in text or not name.startswith("dynamic"))
        yield from ((text, f"{name}/{number}") for number, text in enumerate(itertools.islice(texts, count)))

"""The problems of same.py: Specs of the race; Specs and graphs that are drawn from one seed; schedules by hand; models
as text; and functions of NumPy, torch and JAX, as the graphs that their readers make.

Each is for one target and thread count, another for each of six that follow each other. On one core of a Zen 4 the race
takes 8 minutes so, what is drawn, small enough for a fraction of a second each, 3, and the rest 3: both trees side by
side 14. All six for each problem would take an hour, and the race at two of them 8 minutes more.
"""

from __future__ import annotations

import importlib.util
import inspect
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
    kind: str  # of same_answers.KINDS
    text: str
    target: str
    threads: int

    @property
    def key(self) -> str:
        """What its answer is kept by."""
        return f"{self.kind} {self.target}@{self.threads} {self.text}"

    @property
    def told(self) -> str:
        """The same in a line."""
        text = " ".join(self.text.split())
        return f"{self.target}@{self.threads} {text if len(text) <= 160 else text[:160] + ' ..'}"


def problems() -> list[Problem]:
    """In a child, on the current tree: those of the race (of a text the first), and the others."""
    raced = {p.spec: f"race/{p.name}" for p in reversed(chosen([])) if p.name not in SLOW}
    specs = [(name, "spec", text) for text, name in [*reversed(raced.items()), *drawn()]]
    return [Problem(*each, *pair) for each, pair in zip([*specs, *by_hand(), *models(), *functions()], pairs())]


def missing() -> list[str]:
    """Packages whose functions are left out, for they are not installed."""
    return [name for name in ("torch", "jax") if importlib.util.find_spec(name) is None]


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


def by_hand() -> Iterator[tuple[str, str, str]]:
    """(name, kind, text)"""
    from same_schedules import SCHEDULES

    yield from ((f"schedule/{n}", "schedule", f"{spec}\n{steps}") for n, (spec, steps) in enumerate(SCHEDULES))


def models() -> Iterator[tuple[str, str, str]]:
    """(name, kind, text)"""
    from same_models import CLOSED, OPEN

    for name, texts in (("model", CLOSED), ("dynamic-model", OPEN)):
        yield from ((f"{name}/{own}", "model", text) for own, text in texts.items())


def functions() -> Iterator[tuple[str, str, str]]:
    """(name, kind, text), the text being the function's own, so that no answer is kept beyond a change"""
    from same_functions import FUNCTIONS

    for function in FUNCTIONS:
        door, _, name = function.__name__.partition("_")
        if door not in missing():
            yield f"{door}/{name}", "function", inspect.getsource(function)

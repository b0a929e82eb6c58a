"""Hypothesis strategies shared by all tests."""

from __future__ import annotations

import numpy as np
from drawn.specs import random_spec
from griotte.lang.calls.spec import Spec
from griotte.lang.text.text import parse
from hypothesis import settings
from hypothesis import strategies as st

seeds = st.integers(0, 2**32 - 1)


def examples(count: int, **more) -> settings:
    """Settings of a test of so many drawn examples; of a third of them in `make test`, which draws the same ones
    each time."""
    return settings(max_examples=count // 3 if settings.default.derandomize else count, **more)


def spec_texts(max_size: int = 40) -> st.SearchStrategy[str]:
    """Texts of random Specs; they shrink to small sizes."""
    return st.builds(lambda seed, size: random_spec(np.random.default_rng(seed), size), seeds, st.integers(1, max_size))


def specs(max_size: int = 40) -> st.SearchStrategy[Spec]:
    """Of one nest."""
    return nest_texts(max_size).map(parse)


def nest_texts(max_size: int = 40) -> st.SearchStrategy[str]:
    """Texts of Specs of one nest."""
    return spec_texts(max_size).filter(lambda text: not parse(text).is_composed)

"""What loops pay that come back to what they left."""

import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.cost.traffic import cut
from griotte.engine.search.problem import problem
from griotte.lang.text.text import parse
from machines import machine

TARGET = machine("avx512")
RECENT = int(TARGET.crossing.recent_pages)


def pages(text: str, dim: str, **size) -> list[float]:
    """What each step but the first of a loop over `dim` counts, by rows of the result."""
    family = problem(canonical_form(parse(text)), TARGET).goal
    return np.broadcast_to(cut(family, dim, TARGET, size).get("pages", 0.0), np.shape(size["m"])).tolist()


def test_rows_that_a_loop_comes_back_to_are_found_anew_where_they_are_many():
    rows = np.array([1, RECENT, RECENT + 1, 500])
    size = {"m": rows, "n": 512, "k": 30}
    assert pages("matmul(f32[999,30], f32[30,512])", "n", **size) == [0, 0, RECENT + 1, 500]
    assert pages("matmul(f32[999,30], f32[30,512])", "k", **size) == [0, 0, RECENT + 1, 500]


@pytest.mark.parametrize(
    "text, dim",
    [
        ("matmul(f32[999,30], f32[30,512])", "m"),  # other rows at each step
        ("matmul(f32[999,30], f32[30,511])", "n"),  # three on a page
        ("matmul(f32[30,999]{0,1}, f32[999,511])", "m"),  # of inputs it is not counted
    ],
)
def test_others_are_not(text, dim):
    assert pages(text, dim, m=np.array([500]), n=400, k=30) == [0]

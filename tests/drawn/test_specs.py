import re

import numpy as np
from griotte.lang.constructors import arithmetic, elementwise, operations, picking, pools, reductions, slicing, windows
from griotte.lang.functions import FUNCTIONS
from griotte.lang.text.text import parse

from drawn.specs import random_spec


def test_every_operation_is_drawn_and_parses():
    rng = np.random.default_rng(0)
    texts = [random_spec(rng, 20) for _ in range(900)]
    assert {re.match(r"\w+", text).group() for text in texts} == {
        *operations.FORMS,
        *elementwise.FORMS,
        *reductions.FORMS,
        *picking.FORMS,
        *pools.FORMS,
        *slicing.FORMS,
        *windows.FORMS,
        *(name for name in arithmetic.FORMS if name in FUNCTIONS),
        "mean",
    }
    assert all(size <= 20 for text in texts for t in parse(text).tensors for size in t.shape)


def test_one_seed_draws_one_spec():
    assert random_spec(np.random.default_rng(7)) == random_spec(np.random.default_rng(7))

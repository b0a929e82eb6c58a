import re

import numpy as np
from griotte.lang.constructors.forms import ARITHMETIC, ELEMENTWISE, REDUCTIONS
from griotte.lang.functions import FUNCTIONS
from griotte.lang.text.text import parse

from drawn.specs import random_spec


def test_every_operation_is_drawn_and_parses():
    rng = np.random.default_rng(0)
    texts = [random_spec(rng, 20) for _ in range(900)]
    assert {re.match(r"\w+", text).group() for text in texts} == {
        *ELEMENTWISE,
        *REDUCTIONS,
        *(name for name in ARITHMETIC if name in FUNCTIONS),
        *"matmul copy cast transpose take max_pool2d avg_pool2d slice concat conv2d mean".split(),
    }
    assert all(size <= 20 for text in texts for t in parse(text).tensors for size in t.shape)


def test_one_seed_draws_one_spec():
    assert random_spec(np.random.default_rng(7)) == random_spec(np.random.default_rng(7))

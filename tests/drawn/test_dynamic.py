import numpy as np
from griotte.lang.text.text import parse

from drawn.dynamic import with_dynamic
from drawn.graphs import random_graph
from drawn.specs import random_spec


def test_most_specs_have_a_size_that_may_be_dynamic_and_the_bound_is_what_it_was():
    rng = np.random.default_rng(5)
    texts = [*(random_graph(rng, 12) for _ in range(60)), *(random_spec(rng, 40) for _ in range(60))]
    told = [with_dynamic(text, rng) for text in texts]
    specs = [parse(text) for text in told]
    assert all(text.replace("<=", "") == plain for text, plain in zip(told, texts))
    assert sum(spec.dynamic is not None for spec in specs) > 60 and any(
        spec.dynamic and spec.dynamic.rows for spec in specs
    )


def test_what_may_not_have_one_stays_as_it_is():
    text = "slice(f32[9], starts=1, limits=8)"
    assert with_dynamic(text, np.random.default_rng(0)) == text

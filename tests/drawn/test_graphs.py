import re

import numpy as np
from griotte.engine.canonical.canonical import canonical_form
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import DTYPES

from drawn.graphs import random_graph, random_outputs


def test_every_graph_parses_and_every_composite_and_dtype_is_among_them():
    rng = np.random.default_rng(3)
    texts = [random_graph(rng, 20) for _ in range(500)]
    specs = [parse(text) for text in texts]
    for spec in specs:
        canonical_form(spec)
    assert {name for text in texts for name in re.findall(r"(\w+)\(", text)} >= {
        *"softmax log_softmax layer_norm rms_norm argmax mean batch_norm".split(),
        *"quantize dequantize requantize".split(),
        *"matmul sum where cast reshape broadcast".split(),
    }
    assert {t.dtype for spec in specs for t in spec.tensors} == set(DTYPES)
    weights = [
        t
        for spec in specs
        for t in spec.inputs
        if t.constant and len(t.shape) == 3 and t.dtype == "s4" and "group_matmul" in str(spec)
    ]
    assert (
        any(t.shape[2] % 8 == 0 for t in weights)
        and any(t.shape[2] % 8 for t in weights)
        and any("activations=s8" in text for text in texts)
    )


def test_every_graph_of_several_outputs_parses_and_some_share_what_they_read():
    rng = np.random.default_rng(3)
    specs = [parse(random_outputs(rng, 9)) for _ in range(100)]
    assert {len(spec.outputs) for spec in specs} == {2, 3}
    graphs = [canonical_form(spec).operation for spec in specs]
    assert all(len(graph.placed) in (1, 2) for graph in graphs) and any(graph.unplaced for graph in graphs)
    assert any(t in {u for value in spec.graph.calls for u in value.reads} for spec in specs for t in spec.graph.gives)


def test_few_nests_are_few():
    rng = np.random.default_rng(1)
    for _ in range(100):
        operation = canonical_form(parse(random_graph(rng, 9, 3))).operation
        assert len(getattr(operation, "nests", (operation,))) <= 4


def test_one_seed_draws_one_graph():
    assert random_graph(np.random.default_rng(7)) == random_graph(np.random.default_rng(7))

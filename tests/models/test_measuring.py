"""Parts of a model are timed within a call of it."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.graph import GraphBuilder
from griotte.models.measuring import measured


@pytest.mark.parametrize("threads", [1, 2])
def test_each_part_has_a_time(threads: int):
    builder, rng = GraphBuilder(), np.random.default_rng(0)
    value = x = builder.input(gt.tensor((192, 192)), "x")
    for _ in range(2):  # so much that threads share it
        value = builder.call(
            "relu", builder.call("matmul", value, builder.constant(rng.random((192, 192), np.float32)))
        )
    program = gt.synthesize(builder.graph({"y": value}), "portable", threads, table="none", effort=1)
    assert (program.to_c().count("pthread") > 0) == (threads > 1)
    found = measured(program, [np.ones(x.type.shape, np.float32)], seconds=0.0)
    assert all(us is not None and us > 0 for us in found.parts) and len(found.parts) == 2
    assert found.whole > 0 and found.ghz > 0

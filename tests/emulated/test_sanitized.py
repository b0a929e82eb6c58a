"""What is compiled for NEON meets no complaint of the sanitizers of memory and of undefined behaviour."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from drawn.__main__ import texts
from generated_harness import programs_right
from griotte.models.reference import interpret
from model_harness import ran
from onnx_networks import feeds, lenet, mobile

from .specs import PRODUCTS, QUANTISED

pytestmark = pytest.mark.long

DRAWN = [*texts(40, False, False, 3), *texts(16, True, False, 3)]
TOGETHER = 8  # programs that are compiled as one
ALL = [*QUANTISED, *PRODUCTS, *DRAWN]


@pytest.mark.parametrize("first", range(0, len(ALL), TOGETHER))
def test_programs_touch_their_arrays_alone(arm, tmp_path, first):
    programs_right([gt.synthesize(text, "neon", table="none") for text in ALL[first : first + TOGETHER]], tmp_path)


@pytest.mark.parametrize("network", [lenet, mobile])
def test_a_network_touches_its_arrays_alone(arm, tmp_path, network):
    proto = network()
    graph, arrays = gt.from_onnx(proto), list(feeds(proto, 1)[0].values())
    program = gt.synthesize(graph, target="neon", table="none", effort=1)
    for mine, right in zip(ran(program, arrays, tmp_path), interpret(graph, *arrays), strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-4, atol=1e-5)

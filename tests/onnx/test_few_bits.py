"""ONNX's casts and quantisers to and from floats of 8 bits and fewer, and integers of 4 and 2 bits."""

from __future__ import annotations

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from griotte.models.reference import interpret
from onnx_models import model, node, onnx, typed

VALUES = np.array([0.4, -3.0, 1e6, -1e6, np.inf, -np.inf, np.nan], np.float32)
KINDS = {
    onnx.TensorProto.FLOAT8E4M3FN: (ml_dtypes.float8_e4m3fn, 448, np.nan),
    onnx.TensorProto.FLOAT8E4M3FNUZ: (ml_dtypes.float8_e4m3fnuz, 240, np.nan),
    onnx.TensorProto.FLOAT8E5M2: (ml_dtypes.float8_e5m2, 57344, np.inf),
    onnx.TensorProto.FLOAT8E5M2FNUZ: (ml_dtypes.float8_e5m2fnuz, 57344, np.nan),
}


def ran(proto, *arrays):
    graph = gt.from_onnx(proto)
    assert graph.unsupported() == []
    return interpret(graph, *arrays)[0]


@pytest.mark.parametrize("to", KINDS)
@pytest.mark.parametrize("saturates", [0, 1])
def test_a_cast_saturates_or_leaves_the_range(to, saturates):
    kind, largest, beyond = KINDS[to]
    found = ran(model([node("Cast", "x", to=to, saturate=saturates)], [typed("x", (7,))], ["y"]), VALUES)
    most = largest if saturates else beyond
    near = VALUES[:2].astype(kind).astype(float)
    assert found.dtype == kind
    np.testing.assert_array_equal(found.astype(float), [*near, most, -most, most, -most, np.nan])


def test_a_quantiser_of_floats_divides_and_saturates():
    nodes = [node("QuantizeLinear", "x scale zero", "q"), node("DequantizeLinear", "q scale")]
    known = {"scale": np.float32(2), "zero": np.zeros((), ml_dtypes.float8_e4m3fn)}
    found = ran(model(nodes, [typed("x", (7,))], ["y"], **known), VALUES)
    np.testing.assert_array_equal(found, [0.40625, -3, 896, -896, 896, -896, np.nan])


def test_integers_of_two_bits_wrap_where_they_are_cast_and_saturate_where_they_stand_for_floats():
    x = np.array([-3.0, -1, 1, 2, 5], np.float32)
    cast = ran(model([node("Cast", "x", to=onnx.TensorProto.INT2)], [typed("x", (5,))], ["y"]), x)
    assert cast.astype(int).tolist() == [1, -1, 1, -2, 1]
    known = {"scale": np.float32(1), "zero": np.zeros((), ml_dtypes.int2)}
    kept = ran(model([node("QuantizeLinear", "x scale zero")], [typed("x", (5,))], ["y"], **known), x)
    assert kept.astype(int).tolist() == [-2, -1, 1, 1, 1]

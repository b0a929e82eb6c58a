"""The backend as ONNX's own tests use it: kernels are compiled here."""

from __future__ import annotations

import unittest

import griotte as gt
import griotte.onnx
import numpy as np
import pytest
from griotte.onnx import backend
from onnx_models import model, node, onnx, typed

Backend = griotte.onnx.Backend
ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
PLAIN = {"target": "portable", "table": "none"}


def test_a_model_runs():
    proto = model([node("Relu", "x", "h"), node("Add", "h w")], [typed("x", (2, 3))], ["y"], w=np.ones(3, np.float32))
    prepared = Backend.prepare(proto, **PLAIN)
    (found,) = prepared.run([ARRAY])
    assert (found == np.maximum(ARRAY, 0) + 1).all()
    assert (Backend.run_model(proto, {"x": ARRAY}, **PLAIN)[0] == found).all()
    with pytest.raises(gt.SpecError, match="1 inputs"):
        prepared.run([ARRAY, ARRAY])


def test_a_node_runs():
    (found,) = Backend.run_node(node("Add", "a b"), [ARRAY, ARRAY], **PLAIN)
    assert (found == 2 * ARRAY).all()


def test_sizes_and_deciding_values_are_those_of_the_call_and_kernels_are_kept():
    inputs = [typed("x", ("n", 3)), typed("s", (2,), np.int64)]
    prepared = Backend.prepare(model([node("Reshape", "x s", "h"), node("Neg", "h")], inputs, ["y"]), **PLAIN)
    for array, shape in ((ARRAY, (3, 2)), (ARRAY, (6, 1)), (ARRAY[:1], (3, 1)), (ARRAY, (3, 2))):
        (found,) = prepared.run([array, np.array(shape)])
        assert (found == -array.reshape(shape)).all()
    assert len(prepared._kept) == 3


def test_the_kernels_that_were_called_last_are_kept(monkeypatch):
    made = []
    monkeypatch.setattr(backend, "KEPT", 2)
    monkeypatch.setattr(Backend, "compiled", staticmethod(lambda graph, **_: made.append(graph) or np.abs))
    prepared = Backend.prepare(model([node("Abs", "x")], [typed("x", ("n",))], ["y"]))
    for size in (1, 2, 1, 3, 1, 2):  # 3 takes the place of 2, which was called longer ago than 1
        assert prepared.run([np.full(size, -1, np.float32)])[0].shape == (size,)
    assert [graph.inputs[0].type.shape for graph in made] == [(1,), (2,), (3,), (2,)]
    assert len(prepared._kept) == 2


def test_what_is_known_needs_no_kernel():
    proto = model([node("Shape", "x")], [typed("x", ("n", 3))], ["y"])
    assert (Backend.prepare(proto, **PLAIN).run([ARRAY])[0] == [2, 3]).all()


def test_what_is_lacking_is_skipped_and_named():
    proto = model([node("Det", "x")], [typed("x", (3, 3))], ["y"])
    with pytest.raises(unittest.SkipTest, match="Det") as why:
        Backend.run_model(proto, [np.eye(3, dtype=np.float32)])
    assert isinstance(why.value, gt.SpecError)
    assert not Backend.is_compatible(proto) and Backend.is_compatible(
        model([node("Abs", "x")], [typed("x", (2,))], ["y"])
    )


def test_devices():
    assert Backend.supports_device("CPU") and Backend.supports_device("CPU:0") and not Backend.supports_device("CUDA")
    with pytest.raises(gt.SpecError, match="CPU"):
        Backend.prepare(model([node("Abs", "x")], [typed("x", (2,))], ["y"]), "CUDA")


@pytest.mark.filterwarnings("ignore")
def test_onnx_makes_tests_of_it():
    from onnx.backend.test import BackendTest

    tests = BackendTest(Backend, __name__).include("test_(relu|det_2d|concat_1d_axis_0)_cpu").test_cases
    suite = unittest.TestSuite()
    for case in tests.values():
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    result = unittest.TestResult()
    suite.run(result)
    assert result.wasSuccessful(), result.errors + result.failures
    skipped = [str(test) for test, why in result.skipped if "griotte lacks" in why or "Det" in why]
    assert len(skipped) == 1 and "det" in skipped[0]
    assert onnx.__version__

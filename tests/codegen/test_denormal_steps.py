"""No function, and nothing that a softmax is made of, reads or makes a denormal where none comes in: counted by the
harness of benchmarks/denormals.py, instruction by instruction."""

from __future__ import annotations

import importlib.util
import platform
import sys
from pathlib import Path

import griotte as gt
import numpy as np
import pytest
from features import skip_without

HARNESS = Path(__file__).parents[2] / "benchmarks/denormals.py"
found = importlib.util.spec_from_file_location("denormals", HARNESS)
denormals = importlib.util.module_from_spec(found)
sys.modules["denormals"] = denormals  # its dataclasses ask for it
found.loader.exec_module(denormals)

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="a handler of Linux notes what an x86 processor tells",
)
EXACT = {"neg", "abs", "relu", "round", "sqrt"}  # an instruction, or none
PROGRAMS = (
    "softmax(f32[8,300])",
    "softmax(f32[8,300]) -> bf16[8,300]",
    "softmax(f64[8,40])",
    "softmax(f32[30,8], axis=0)",
    "log_softmax(f32[8,300])",
    "softplus(f32[8,300])",
    "elu(f32[8,300])",
    "gelu(add(f32[8,300], f32[300]))",
    "silu(rms_norm(f32[8,300], f32[300]))",
)


def kind_of(name: str, x: np.ndarray) -> np.ndarray:
    """The numbers that a function is for."""
    return (denormals.SIGNS[name] * np.abs(x)).astype(x.dtype) if name in denormals.SIGNS else x


@pytest.mark.parametrize("dtype", denormals.KINDS)
@pytest.mark.parametrize("form", denormals.FORMS)
@pytest.mark.parametrize("name", [name for name in denormals.names() if name not in EXACT])
def test_no_step_meets_a_denormal(name, form, dtype):
    skip_without(denormals.FORMS[form].features)
    data = [denormals.drawn(m, 512, dtype) for m in denormals.MAGNITUDES] + [denormals.of_each_exponent(dtype)]
    for lanes in denormals.lanes_of(form, dtype):
        for x in data:
            met = denormals.of_function(name, form, dtype, lanes, kind_of(name, x), np.roll(x, 7))
            assert met.all == 0, f"{lanes} lanes, {np.abs(x[:8])}:\n" + "\n".join(denormals.where(met))


@pytest.mark.parametrize("form", denormals.FORMS)
def test_what_meets_one_is_found(form):
    """A logarithm reads a denormal that comes in; half of the least normal number is one that is made."""
    skip_without(denormals.FORMS[form].features)
    lanes = denormals.lanes_of(form, "f32")[0]
    x = np.full(4 * lanes, 1e-40, np.float32)
    x[lanes:] = 1.0
    found = denormals.of_function("log", form, "f32", lanes, x)
    assert found.all >= 1 and all(reads for reads, _ in found.places.values())
    x[:] = np.finfo(np.float32).tiny
    assert any(makes for _, makes in denormals.of_function("silu", form, "f32", lanes, x).places.values())
    assert denormals.of_function("log", form, "f32", lanes, np.ones_like(x)).all == 0


@pytest.mark.parametrize("target", ["native", "portable"])
@pytest.mark.parametrize("text", PROGRAMS)
def test_no_step_of_a_program_meets_one(text, target):
    program = gt.synthesize(text, target, 1)
    kernel = program.compile()
    for magnitude in denormals.MAGNITUDES:
        arrays = [denormals.drawn(magnitude, t.shape, t.dtype, i) for i, t in enumerate(program.spec.inputs)]
        y = kernel(*arrays)
        met = denormals.of_call(kernel.bind(*arrays, out=y))
        assert met.all == 0, f"{magnitude}:\n" + "\n".join(denormals.where(met))


def test_python_goes_on_as_it_was():
    denormals.of_call(lambda: None)
    assert np.float32(1e-38) * np.float32(0.1) > 0

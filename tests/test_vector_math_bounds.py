"""The harness of docs/reference/functions.md on a sample of all f32: each function stays within its bound, in every
form that this machine has."""

import sys
from pathlib import Path

import pytest
from features import skip_without
from griotte.machine import BUILT_IN
from griotte.machine.architectures import by_name

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

import vector_math

BOUNDS = {
    "exp": 2,
    "log": 2,
    "tanh": 2,
    "erf": 2,
    "sigmoid": 2,
    "rsqrt": 2,
    "sqrt": 0.5,
    "gelu": 4.1,
    "silu": 3.5,
    "gelu_tanh": 220,
}  # ulp


@pytest.mark.parametrize("form", vector_math.FORMS)
@pytest.mark.parametrize("name", vector_math.FUNCTIONS)
def test_error_of_a_sample(name, form):
    skip_without(vector_math.FORMS[form].features)
    found = vector_math.errors(name, [form], every=9973, threads=1)[form]
    assert found.count > 400_000 and found.wrong == 0, f"{found.wrong} wrong, one at {found.wrong_at!r}"
    assert found.most <= BOUNDS[name], f"{found.most} ulp at {found.at!r}"


def test_what_is_wrong_is_found(monkeypatch):
    """The reference of another function: errors without bound, and results that should be NaN or of another sign."""
    assert vector_math.errors("silu", ["portable"], every=9973)["portable"].wrong == 0
    monkeypatch.setattr(
        vector_math,
        "FUNCTIONS",
        tuple("silu" if n == "gelu" else "gelu" if n == "silu" else n for n in vector_math.FUNCTIONS),
    )
    found = vector_math.errors("silu", ["portable"], every=9973)["portable"]
    assert found.most > 1e5


def test_each_form_is_a_target():
    on_x86 = {"portable": BUILT_IN["portable"], **by_name("x86").bases}
    assert vector_math.FORMS == dict(reversed(on_x86.items()))

import numpy as np
import pytest
from griotte.spec import Arg, Call, Const, calls, evaluate, substitute
from griotte.spec.expr import FUNCTIONS, value_args

BODY = Call("add", (Call("exp", (Arg(0),)), Call("mul", (Arg(1), Const(2.0)))))


def test_calls_are_innermost_first():
    assert calls(BODY) == ("exp", "mul", "add")


def test_substitute_composes():
    assert str(substitute(BODY, (Arg(3), Call("neg", (Arg(0),))))) == "add(exp(x3), mul(neg(x0), 2))"


def test_value_args_leave_out_conditions():
    assert value_args(Call("where", (Arg(0), Arg(1), Call("neg", (Arg(2),))))) == {1, 2}
    assert value_args(Call("where", (Arg(0), Arg(0), Arg(1)))) == {0, 1}


def test_evaluate():
    x, y = np.array([0.0, 1.0]), np.array([3.0, 4.0])
    assert evaluate(BODY, (x, y), x.dtype).tolist() == (np.exp(x) + 2 * y).tolist()


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32])
def test_integer_division_truncates_and_is_total(dtype):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    x = np.array([7, -7 if low else 7, low, low, high, 5, low], dtype)
    y = np.array([2, 2, -1 if low else 1, 1, high, 0, 0], dtype)
    with np.errstate(all="ignore"):
        got = FUNCTIONS["div"].meaning(x, y).tolist()
    ones = -1 if low else high
    assert got == [3, -3 if low else 3, low, low, 1, ones, ones]


@pytest.mark.parametrize("name", ["sigmoid", "gelu", "gelu_tanh", "silu", "relu"])
def test_activations_at_the_edges(name):
    with np.errstate(all="ignore"):
        got = FUNCTIONS[name].meaning(np.array([-np.inf, -1e4, 0.0, 1e4, np.inf, np.nan]))
    top = (1, 1) if name == "sigmoid" else (1e4, np.inf)
    assert got[:5].tolist() == [0, 0, 0.5 if name == "sigmoid" else 0, *top]
    assert np.isnan(got[5])

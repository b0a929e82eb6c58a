import numpy as np
import pytest
from griotte.lang.functions import FUNCTIONS
from griotte.lang.types.dynamic import at_size, numbers
from griotte.lang.types.expr import SIZE, Arg, As, Call, Const, OfSize, calls, evaluate, substitute, value_args

BODY = Call("add", (Call("exp", (Arg(0),)), Call("mul", (Arg(1), Const(2.0)))))


def test_calls_are_innermost_first():
    assert calls(BODY) == ("exp", "mul", "add")


def test_substitute_composes():
    assert str(substitute(BODY, (Arg(3), Call("neg", (Arg(0),))))) == "add(mul(neg(x0), 2), exp(x3))"


def test_what_follows_from_the_size_is_a_constant_at_one():
    share = OfSize(Call("div", (Const(1), Call("mul", (SIZE, Const(3))))))
    body = Call("mul", (As("f32", "f64", Call("mul", (Arg(0), share))), share))
    assert numbers(body) == (share,) and numbers((BODY, body)) == (share,) and numbers(BODY) == ()
    assert at_size(body, 5) == Call("mul", (As("f32", "f64", Call("mul", (Arg(0), Const(1 / 15)))), Const(1 / 15)))
    assert at_size(BODY, 5) is BODY and calls(body) == ("mul", "as", "mul") and str(share) == "div(1, mul(m, 3))"


def test_value_args_leave_out_conditions():
    assert value_args(Call("where", (Arg(0), Arg(1), Call("neg", (Arg(2),))))) == {1, 2}
    assert value_args(Call("where", (Arg(0), Arg(0), Arg(1)))) == {0, 1}
    assert value_args(Call("where", (Call("le", (Arg(0), Arg(1))), Arg(2), Const(0.0)))) == {0, 1, 2}


@pytest.mark.parametrize("name, expected", [("lt", [1, 0, 0, 0]), ("le", [1, 1, 0, 0]), ("eq", [0, 1, 0, 0])])
def test_tests_are_one_or_zero_in_their_dtype(name, expected):
    x, y = np.array([1, 2, 3, np.nan], np.float32), np.array([2, 2, 2, np.nan], np.float32)
    got = evaluate(Call(name, (Arg(0), Arg(1))), (x, y), x.dtype)
    assert got.dtype == x.dtype and got.tolist() == expected
    chosen = evaluate(Call("where", (Call(name, (Arg(0), Arg(1))), Arg(0), Const(7.0))), (x, y), x.dtype)
    assert chosen.tolist() == [a if e else 7 for a, e in zip(x.tolist(), expected)]


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


def test_the_tail_of_gelu_goes_to_zero_as_the_exact_one_does():
    """To 50 digits; a tanh near -1 added to 1 gives 0 from -8 on."""
    x, exact = (
        np.array([-5.0, -7, -8, -13]),
        [
            -2.29179619662950e-7,
            -2.31544226207255e-15,
            -3.10778293750111e-21,
            -1.05115177676325e-76,
        ],
    )
    assert FUNCTIONS["gelu_tanh"].meaning(x) == pytest.approx(exact, rel=1e-12, abs=0)


COMMUTE = [name for name, function in FUNCTIONS.items() if function.commutes]


def test_the_functions_that_commute():
    of_bits = ["bitwise_and", "bitwise_or", "bitwise_xor"]
    assert sorted(COMMUTE) == ["add", *of_bits, "eq", "maximum", "minimum", "mul", "share"]


@pytest.mark.parametrize("name", COMMUTE)
def test_what_commutes_gives_one_value_either_way(name):
    """To the bit, but for which NaN it is, and for the sign of a zero that is the larger or smaller of two."""
    rng = np.random.default_rng(0)
    hard = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 3e38, 1.0], np.float32)
    x, y = (np.concatenate([part, rng.standard_normal(99).astype(np.float32)])
            for part in (np.repeat(hard, len(hard)), np.tile(hard, len(hard))))  # fmt: skip
    if FUNCTIONS[name].integers_only:
        x, y = x.view(np.int32), y.view(np.int32)
    with np.errstate(all="ignore"):
        one, other = FUNCTIONS[name].meaning(x, y), FUNCTIONS[name].meaning(y, x)
    assert np.array_equal(one, other, equal_nan=True)
    if name in ("add", "mul"):
        assert (np.signbit(one) == np.signbit(other))[~np.isnan(one)].all()


@pytest.mark.parametrize("name", COMMUTE)
def test_arguments_of_what_commutes_are_in_one_order(name):
    x, y, exp, number = Arg(0), Arg(1), Call("exp", (Arg(2),)), Const(2.0)
    for one, other in ((x, y), (exp, x), (x, number), (exp, number), (Call("neg", (x,)), exp)):
        assert Call(name, (one, other)) == Call(name, (other, one)) and Call(name, (other, one)).args == (one, other)
    assert str(substitute(Call(name, (x, y)), (Arg(3), Arg(2)))) == f"{name}(x2, x3)"


def test_nothing_else_is_moved():
    x, y, z = map(Arg, range(3))
    for name in ("sub", "div", "lt", "le"):
        assert Call(name, (y, x)).args == (y, x)
    assert Call("add", (Call("add", (x, y)), z)) != Call("add", (x, Call("add", (y, z))))

"""Functions of the library, each against NumPy's or SciPy's own, on odd shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from griotte.readers.operators import (
    indexing,
    moving,
    numbers,
    products,
    reducing,
    special,
    windows,
)
from griotte.readers.operators.calls import Unsupported
from griotte.readers.operators.kinds import placed
from on_arrays import agree, floats, of_inputs
from scipy import special as scipys

X, Y = floats(3, 5, 7), floats(3, 5, 7, seed=1)
ABOVE = np.abs(X) + np.float32(0.1)
WIDE = np.array([0.0, -0.0, 1e-30, -1e-4, 0.5, 1, -1, 3, -7.5, 40, -85, 1e20, np.inf, -np.inf, np.nan], np.float32)
ONE = np.linspace(-1, 1, 23, dtype=np.float32)
PAIRS = tuple(each.ravel().copy() for each in np.meshgrid(WIDE, WIDE))
WHOLE = np.random.default_rng(0).integers(-128, 128, (4, 9), np.int8)
NATURAL = WHOLE.view(np.uint8)

ELEMENTWISE: dict[str, tuple[Any, Any, tuple[Any, ...]]] = {
    "tan": (numbers.tan, np.tan, (X,)),
    "cosh": (numbers.cosh, np.cosh, (WIDE,)),
    "sinh": (numbers.sinh, np.sinh, (WIDE,)),
    "asinh": (numbers.asinh, np.arcsinh, (WIDE,)),
    "acosh": (numbers.acosh, np.arccosh, (WIDE,)),
    "atanh": (numbers.atanh, np.arctanh, (np.append(ONE, WIDE),)),
    "hypot": (numbers.hypot, np.hypot, PAIRS),
    "atan2": (numbers.atan2, np.arctan2, (X, Y)),
    "logaddexp": (numbers.logaddexp, np.logaddexp, PAIRS),
    "exp2": (numbers.exp2, np.exp2, (X * 9,)),
    "erfc": (numbers.erfc, scipys.erfc, (X,)),
    "trunc": (numbers.trunc, np.trunc, (X * 3,)),
    "sign": (numbers.sign, np.sign, (WHOLE,)),
    "floor_quotient": (numbers.floor_quotient, np.floor_divide, (WHOLE.astype(int) // 3, np.array([-7, 3] * 4 + [5]))),
    "erf_inv": (special.erf_inv, scipys.erfinv, (ONE,)),
    "lgamma": (special.lgamma, scipys.gammaln, (ABOVE * 9,)),
    "digamma": (special.digamma, scipys.psi, (ABOVE * 9,)),
    "polygamma": (lambda x: special.polygamma(2, x), lambda x: scipys.polygamma(2, x), (ABOVE,)),
    "i0": (special.bessel_i0, scipys.i0, (X * 5,)),
    "i1": (special.bessel_i1, scipys.i1, (X * 5,)),
    "i0e": (lambda x: special.bessel_i0(x, True), scipys.i0e, (X * 9,)),
    "i1e": (lambda x: special.bessel_i1(x, True), scipys.i1e, (X * 9,)),
    "betainc": (special.betainc, scipys.betainc, (ABOVE, np.abs(Y) + 0.1, np.abs(np.sin(X)))),
    "igamma": (special.igamma, scipys.gammainc, (ABOVE * 15, np.abs(Y) * 15)),
    "igammac": (special.igammac, scipys.gammaincc, (ABOVE * 15, np.abs(Y) * 15)),
    "power": (numbers.power, np.power, (WHOLE.astype(int) // 9, np.arange(9))),
    "powered": (lambda x: numbers.powered(x, 11), lambda x: x**11, (X,)),
    "left": (lambda x, n: numbers.shifted(x, n, True), np.left_shift, (WHOLE, np.arange(9, dtype=np.int8))),
    "right": (lambda x, n: numbers.shifted(x, n, False), np.right_shift, (WHOLE, np.arange(9, dtype=np.int8))),
    "down": (lambda x, n: numbers.shifted(x, n, False), np.right_shift, (NATURAL, np.arange(9, dtype=np.uint8))),
    "add": (lambda x, y: x + y, np.add, (WHOLE, WHOLE[::-1].copy())),
    "mul": (lambda x, y: x * y, np.multiply, (NATURAL, NATURAL[::-1].copy())),
    "neg": (lambda x: -x, np.negative, (NATURAL,)),
    "invert": (lambda x: ~x, np.invert, (NATURAL,)),
    "xor": (lambda x, y: x ^ y, np.bitwise_xor, (WHOLE > 0, NATURAL > 200)),
    "to u8": (lambda x: numbers.converted(x, "u8"), lambda x: x.astype(np.uint8), (WHOLE.astype(np.int32) * 77,)),
    "to s8": (lambda x: numbers.converted(x, "s8"), lambda x: x.astype(np.int8), (NATURAL.astype(np.uint32) * 77,)),
    "to pred": (lambda x: numbers.converted(x, "pred"), lambda x: x != 0, (WHOLE // 64,)),
    "order": (numbers.reversed_order, np.invert, (WHOLE,)),
}


def _added(x: np.ndarray, at: np.ndarray, part: np.ndarray) -> np.ndarray:
    found = x.copy()
    np.add.at(found, (at, np.arange(x.shape[1])[None]), part)
    return found


def _with(x: np.ndarray, at: Any, part: np.ndarray) -> np.ndarray:
    found = x.copy()
    found.flat[at] = part
    return found


MOVED = np.arange(4 * 6, dtype=np.float32).reshape(2, 4, 3)
PLACES = np.array([[0, -1, 2], [3, 1, 1]])
ALONG: dict[str, tuple[Any, Any, tuple[Any, ...]]] = {
    "cumsum": (lambda x: reducing.cumsum(x, 1), lambda x: np.cumsum(x, 1), (X,)),
    "backward": (lambda x: reducing.cumsum(x, 1, True), lambda x: np.cumsum(x[:, ::-1], 1)[:, ::-1], (X,)),
    "cumprod": (lambda x: reducing.cumprod(x, 2), lambda x: np.cumprod(x, 2), (X,)),
    "summed_up": (lambda x: reducing.summed_up(x, 0), lambda x: np.cumsum(x, 0), (floats(201, 3),)),
    "summed_up s8": (lambda x: reducing.summed_up(x, 1), lambda x: np.cumsum(x, 1, np.int8), (WHOLE,)),
    "logsumexp": (lambda x: reducing.logsumexp(x, (0, 2)), lambda x: scipys.logsumexp(x, (0, 2)), (X * 90,)),
    "argmax": (lambda x: reducing.place_of_largest(x, 1), lambda x: np.argmax(x, 1), (WHOLE // 50,)),
    "argmin": (lambda x: reducing.place_of_smallest(x, 0), lambda x: np.argmin(x, 0), (NATURAL // 50,)),
    "last": (
        lambda x: reducing.place_of_largest(x, 1, True, True),
        lambda x: x.shape[1] - 1 - np.argmax(x[:, ::-1], 1, keepdims=True),
        (WHOLE // 50,),
    ),
    "top": (lambda x: reducing.top(x, 3, 1)[0], lambda x: -np.sort(-x, 1)[:, :3], (X,)),
    "top places": (lambda x: reducing.top(x, 2, 0, False)[1], lambda x: np.argsort(x, 0, stable=True)[:2], (X,)),
    "matmul": (products.multiplied, np.matmul, (X, Y[0].T.copy())),
    "matvec": (products.multiplied, np.matmul, (X, Y[0, 0])),
    "matmul s8": (products.multiplied, np.matmul, (WHOLE, WHOLE.T.copy())),
    "matmul pred": (products.product, np.matmul, (WHOLE > 0, WHOLE.T > 0)),
    "tensordot": (
        lambda x, y: products.tensordot(x, y, (0, 2), (0, 2)),
        lambda x, y: np.tensordot(x, y, ((0, 2), (0, 2))),
        (X, Y),
    ),
    "take": (lambda x, at: indexing.take(x, at, 1), lambda x, at: np.take(x, at, 1), (MOVED, PLACES)),
    "take_along_axis": (
        lambda x, at: indexing.take_along_axis(x, at, 1),
        lambda x, at: np.take_along_axis(x, at, 1),
        (MOVED, np.stack([PLACES, PLACES[::-1]])),
    ),
    "put_along_axis": (
        lambda x, at, part: indexing.put_along_axis(x, at, part, 0, "add"),
        _added,
        (floats(5, 3), PLACES, floats(2, 3)),
    ),
    "take_rows": (
        indexing.take_rows,
        lambda x, at: x[at[..., 0], at[..., 1]],
        (MOVED, np.array([[[0, 1], [1, -1]], [[1, 0], [-1, 2]]])),
    ),
    "take_at": (
        lambda x, one, other: indexing.take_at(x, [one, None, other]),
        lambda x, one, other: x[one, :, other],
        (MOVED, np.array([0, 1, 1]), np.array([[2, 0, -1]])),
    ),
    "pad": (
        lambda x: moving.padded(x, (1, 0, 2), (0, 3, 1), 9),
        lambda x: np.pad(x, ((1, 0), (0, 3), (2, 1)), constant_values=9),
        (MOVED,),
    ),
    "stack": (lambda x, y: moving.stacked([x, y], 1), lambda x, y: np.stack([x, y], 1), (X, Y)),
    "split": (lambda x: moving.split(x, [1, 4, 2], 2)[1], lambda x: np.split(x, [1, 5], 2)[1], (X,)),
    "tile": (lambda x: moving.repeated(x, (2, 1, 3)), lambda x: np.tile(x, (2, 1, 3)), (MOVED,)),
    "repeat": (lambda x: moving.repeat(x, 3, 1), lambda x: np.repeat(x, 3, 1), (MOVED,)),
    "triu": (lambda x: moving.triangle(x, 1), lambda x: np.triu(x, 1), (X,)),
    "tril": (lambda x: moving.triangle(x, -1, False), lambda x: np.tril(x, -1), (WHOLE > 0,)),
    "diagonal": (lambda x: moving.diagonal(x, 1, 0, 2), lambda x: np.diagonal(x, 1, 0, 2), (X,)),
    "getitem": (lambda x: x[1, None, ..., ::-2], lambda x: x[1, None, ..., ::-2], (X,)),
    "overlaid": (
        lambda x, part: moving.overlaid(x, part, [3, 0, 7]),
        lambda x, part: _with(x, [3, 0, 7], part),
        (MOVED, np.array([-1, -2, -3], np.float32)),
    ),
}


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_of_elements(name):
    ours, own, given = ELEMENTWISE[name]
    with np.errstate(all="ignore"):
        wide = own(*(x.astype(np.float64) if x.dtype == np.float32 else x for x in given))
        expected = wide.astype(np.float32) if given[0].dtype == np.float32 else wide
    found = of_inputs(ours, *given)
    assert found.dtype == expected.dtype
    agree(found, expected, 3e-5, 3e-6)


@pytest.mark.parametrize("name", ALONG)
def test_along_axes(name):
    ours, own, given = ALONG[name]
    found = of_inputs(ours, *given)
    agree(found, np.asarray(own(*given)).astype(found.dtype))


@pytest.mark.parametrize("mode", ["edge", "wrap", "reflect"])
def test_what_is_beyond_is_numpys_pad(mode):
    found = of_inputs(lambda x: moving.extended(x, (1, 2), (2, 0), mode, (1, 2)), MOVED)
    assert np.array_equal(found, np.pad(MOVED, ((0, 0), (1, 2), (2, 0)), mode=mode))


EQUATIONS = (
    "ij,jk->ik",
    "ij,kj",
    "bij,bjk->kbi",
    "ii->i",
    "iij->j",
    "...i,...i->...",
    "ij,jk,kl->il",
    "i,j->ij",
    "ijk->",
)


@pytest.mark.parametrize("equation", EQUATIONS)
def test_einsum_is_numpys(equation):
    size = dict(zip("ijklb", (3, 4, 5, 2, 3)))
    terms = equation.partition("->")[0].replace("...", "bj").split(",")
    given = [floats(*(size[c] for c in term), seed=n) for n, term in enumerate(terms)]
    agree(of_inputs(lambda *arrays: products.einsum(equation, *arrays), *given), np.einsum(equation, *given))


def test_adaptive_windows_cover_all():
    x = floats(1, 2, 7, 5)
    for counts in ((1, 1), (7, 5), (3, 2)):
        parts = [[slice(i * n // m, -(-(i + 1) * n // m)) for i in range(m)] for n, m in zip((7, 5), counts)]
        of = lambda join: np.stack(
            [np.stack([join(x[:, :, r, c], (2, 3)) for c in parts[1]], -1) for r in parts[0]], -2
        )
        agree(of_inputs(windows.adaptive_avg_pool, x, counts), of(np.mean))
        largest, places = of_inputs(windows.adaptive_max_pool_places, x, counts)
        assert np.array_equal(largest.ravel(), of(np.max).ravel())
        assert np.array_equal(np.take_along_axis(x.reshape(2, 35), places.reshape(2, -1), 1).ravel(), largest.ravel())


def test_floats_of_16_bits_are_rounded_once():
    x = (floats(64, 3) * 3).astype(np.float16)
    found = of_inputs(numbers.sinh, x)
    assert found.dtype == np.float16
    assert np.array_equal(found, np.sinh(x.astype(np.float32)).astype(np.float16))


def test_axes_are_those_that_there_are():
    with pytest.raises(Unsupported, match="an axis from -3 to 2 is expected, found 3"):
        placed(3, 3)

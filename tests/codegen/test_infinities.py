"""Infinities and NaN stand where the reference has them, in what one search makes of several calls."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.support.floats import WORDS

X = gt.tensor((6, 40))
ROW = gt.tensor((40,))
SPECS = {
    "softmax": gt.softmax(X),
    "log_softmax": gt.log_softmax(X),
    "layer_norm": gt.layer_norm(X, ROW, ROW),
    "rms_norm": gt.rms_norm(X, ROW),
    "product": gt.matmul(X, gt.tensor((40, 24))),
    "weights by values": gt.matmul(gt.softmax(gt.matmul(X, gt.tensor((40, 24)))), gt.tensor((24, 16))),
    "sum of a softmax": gt.sum(gt.softmax(X), axis=0),
    "mean": gt.mean(X, axis=1),
    "maximum": gt.max(X, axis=1),
}
SHORT = ("softmax", "layer_norm", "weights by values")
CASES = [
    pytest.param(name, word, marks=[pytest.mark.long] * (word == "strict" or name not in SHORT))
    for name in SPECS
    for word in WORDS
]


def kinds(array):
    """What each element is: a number, NaN, or an infinity of one sign."""
    array = np.asarray(array)
    return np.where(np.isnan(array), 2, np.where(np.isinf(array), np.sign(array), 0))


@pytest.mark.parametrize(("name", "word"), CASES)
def test_rows_with_infinities_and_nan(name, word):
    spec = SPECS[name]
    kernel = gt.compile(spec, math=word, table="none")
    for seed in range(8):
        rng = np.random.default_rng(seed)
        x, *rest = (rng.standard_normal(each.shape).astype(np.float32) for each in spec.inputs)
        odd = rng.random(x.shape) < 0.03
        x[odd] = rng.choice(np.array([np.inf, -np.inf, np.nan], np.float32), odd.sum())
        x[1] = -np.inf
        with np.errstate(all="ignore"):
            found, exact = np.asarray(kernel(x, *rest)), np.asarray(gt.interpret(spec, x, *rest))
        np.testing.assert_array_equal(kinds(found), kinds(exact))
        assert not np.isfinite(exact).all()

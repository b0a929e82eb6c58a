"""One call or more of each function and ufunc that is declared, and the shapes that it is tried at."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

ONES = "exp log sqrt tanh sin cos arcsin arccos arctan expm1 log1p reciprocal tan cosh sinh arcsinh arctanh".split()
ONES += "floor ceil rint trunc sign square negative positive absolute fabs conjugate isnan isinf isfinite".split()
ONES += "log2 log10 exp2 deg2rad radians rad2deg degrees logical_not".split()
TWOS = "add subtract multiply divide fmod remainder floor_divide power float_power maximum minimum hypot".split()
TWOS += "arctan2 logaddexp heaviside equal not_equal less less_equal greater greater_equal".split()
TWOS += "logical_and logical_or logical_xor".split()
INTEGERS = "add subtract multiply divide remainder floor_divide maximum minimum bitwise_and bitwise_or".split()
INTEGERS += "bitwise_xor equal less".split()
F = np.float32


def numbers(*shape: int, dtype: Any = F) -> np.ndarray:
    """Numbers of about 1, above 0, or whole ones of either sign."""
    rng = np.random.default_rng(len(shape))
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        found = rng.integers(max(-100, info.min), 100, shape).astype(dtype)
        found[found == 0] = 7
        return found
    if np.dtype(dtype).kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    return rng.uniform(0.1, 0.9, shape).astype(dtype)


X, Y, V, I3 = numbers(4, 6), numbers(6), numbers(6) - F(0.5), numbers(2, 3, 4)
SQUARE = numbers(4, 4) - F(0.5)
CONDITIONS = numbers(4, 6, dtype=bool)
PLACES = np.array([2, 0, -1])
WITH_NAN = np.where(CONDITIONS, X, F(np.nan))
UFUNC_CALLS: dict[str, list[tuple[Any, ...]]] = {
    **{
        name: [(getattr(np, name), X - F(0.4) if name in ("floor", "ceil", "sign", "trunc", "rint") else X)]
        for name in ONES
    },
    **{name: [(getattr(np, name), X, Y)] for name in TWOS},
    "arccosh": [(np.arccosh, X + F(1))],
    "invert": [
        (np.invert, CONDITIONS),
        (np.invert, numbers(4, dtype=np.int32)),
        (np.invert, numbers(4, dtype=np.uint8)),
    ],
    "matmul": [
        (np.matmul, X, X.T.copy()),
        (np.matmul, I3, numbers(4, 5)),
        (np.matmul, Y, Y),
        (np.matmul, X, Y),
        (np.matmul, numbers(4, dtype=np.int8), numbers(4, 3, dtype=np.int8)),
        (np.matmul, numbers(2, 3, dtype=bool), numbers(3, 2, dtype=bool)),
        (np.matmul, X, Y.astype(np.float64)),
    ],
    "vecdot": [(np.vecdot, X, Y)],
    "matvec": [(np.matvec, X, Y)],
    "vecmat": [(np.vecmat, numbers(4), X)],
    "bitwise_and": [(np.bitwise_and, CONDITIONS, ~CONDITIONS)],
    "bitwise_or": [(np.bitwise_or, CONDITIONS, ~CONDITIONS)],
    "bitwise_xor": [(np.bitwise_xor, CONDITIONS, CONDITIONS)],
}
for name in INTEGERS:
    for dtype in (np.int8, np.uint8, np.int32, np.int64):
        case = getattr(np, name), numbers(40, dtype=dtype), numbers(1, dtype=dtype)
        UFUNC_CALLS.setdefault(name, []).append(case)
UFUNC_CALLS["power"] += [(lambda x, p=p: x**p, numbers(5, dtype=np.int8)) for p in (1, 2, 3, 7)]
UFUNC_CALLS["arctan2"] += [(np.arctan2, V[:, None] + F(0), V)]
ENDS = np.array([np.inf, -np.inf, np.nan, 0, 3], np.float32)
UFUNC_CALLS["hypot"] += [(np.hypot, ENDS[:, None] + np.zeros(5, np.float32), ENDS)]
UFUNC_CALLS["floor_divide"] += [(np.floor_divide, V, Y), (divmod, V, Y)]

TALL = numbers(150) - F(0.5)
OUTER = numbers(2, 70, 3)
FUNCTION_CALLS: dict[str, list[tuple[Any, ...]]] = {
    "sum": [
        (np.sum, X),
        (lambda x: x.sum(0), X),
        (np.sum, numbers(4, 3, dtype=np.int8)),
        (np.add.reduce, X),
        (lambda x: np.sum(x, axis=(0, 2), keepdims=True), I3),
        (np.sum, CONDITIONS),
        (lambda x: x.sum(dtype="f8"), X),
    ],
    "prod": [(lambda x: np.prod(x, axis=1), X), (np.multiply.reduce, X)],
    "max": [(np.max, X), (lambda x: x.max(axis=-1), X), (np.max, CONDITIONS)],
    "amax": [(np.amax, X)],
    "min": [(lambda x: x.min(axis=0), X)],
    "amin": [(np.amin, X)],
    "all": [(np.all, CONDITIONS), (lambda x: (x > 0.05).all(axis=1), X)],
    "any": [(lambda x: np.any(x, axis=0), CONDITIONS)],
    "count_nonzero": [(lambda x: np.count_nonzero(x, axis=1), CONDITIONS)],
    "mean": [
        (np.mean, X),
        (lambda x: x.mean(axis=1, keepdims=True), X),
        (np.mean, numbers(4, dtype=np.int32)),
        (np.mean, X.astype(np.float16)),
    ],
    "average": [(lambda x, w: np.average(x, axis=1, weights=w), X, Y), (np.average, X)],
    "var": [(lambda x: np.var(x, axis=0, ddof=1), X), (np.var, numbers(4, dtype=np.int32))],
    "std": [(lambda x: x.std(axis=-1), X)],
    "ptp": [(lambda x: np.ptp(x, axis=0), X)],
    "nansum": [(lambda x: np.nansum(x, axis=1), WITH_NAN)],
    "nanmean": [(lambda x: np.nanmean(x, axis=1), WITH_NAN)],
    "nanmax": [(lambda x: np.nanmax(x, axis=1), WITH_NAN)],
    "nanmin": [(lambda x: np.nanmin(x, axis=1), WITH_NAN)],
    "argmax": [(np.argmax, X), (lambda x: x.argmax(axis=0, keepdims=True), X), (lambda x: x.argmax(1), CONDITIONS)],
    "argmin": [(lambda x: np.argmin(x, axis=1), X), (np.argmin, numbers(9, dtype=np.uint8))],
    "cumsum": [
        (np.cumsum, X),
        (lambda x: np.cumsum(x, axis=0), X),
        (np.cumsum, TALL),
        (np.add.accumulate, X),
        (lambda x: np.cumsum(x, axis=1), OUTER),
        (np.cumsum, numbers(70, dtype=np.int32)),
    ],
    "cumprod": [(lambda x: np.cumprod(x, axis=1), X)],
    "diff": [(np.diff, X), (lambda x: np.diff(x, n=2, axis=0), X)],
    "linalg.norm": [
        (np.linalg.norm, X),
        (lambda x: np.linalg.norm(x, axis=1), X),
        (lambda x: np.linalg.norm(x, ord=1, axis=0, keepdims=True), X),
        (lambda x: np.linalg.norm(x, np.inf, axis=1), X),
        (lambda x: np.linalg.norm(x, "fro"), X),
    ],
    "linalg.vector_norm": [
        (lambda x: np.linalg.vector_norm(x, axis=1, ord=3), X),
        (np.linalg.vector_norm, X),
        (lambda x: np.linalg.vector_norm(x, axis=1, ord=np.inf), np.arange(-6, 6).reshape(3, 4)),
    ],
    "reshape": [(lambda x: x.reshape(3, -1), X), (lambda x: np.reshape(x, (2, 12), order="F"), X)],
    "ravel": [(np.ravel, X), (lambda x: x.flatten(), X)],
    "transpose": [(np.transpose, I3), (lambda x: x.transpose(1, 0, 2), I3), (lambda x: x.T, X)],
    "permute_dims": [(lambda x: np.permute_dims(x, (2, 0, 1)), I3)],
    "matrix_transpose": [(np.matrix_transpose, I3), (lambda x: x.mT, I3)],
    "swapaxes": [(lambda x: x.swapaxes(0, 2), I3)],
    "moveaxis": [(lambda x: np.moveaxis(x, 0, -1), I3), (lambda x: np.moveaxis(x, (0, 1), (2, 0)), I3)],
    "expand_dims": [(lambda x: np.expand_dims(x, (0, -1)), X)],
    "squeeze": [(lambda x: x[:1, None].squeeze(), X), (lambda x: np.squeeze(x[:, None], axis=1), X)],
    "atleast_1d": [(np.atleast_1d, X)],
    "atleast_2d": [(np.atleast_2d, Y)],
    "broadcast_to": [(lambda x: np.broadcast_to(x, (2, 4, 6)), X)],
    "broadcast_arrays": [(np.broadcast_arrays, X, Y)],
    "concatenate": [
        (lambda x, y: np.concatenate([x, y[None]]), X, Y),
        (lambda x, y: np.concatenate([x, y], axis=None), X, Y),
    ],
    "concat": [(lambda x: np.concat([x, x.astype(np.float64)], axis=1), X)],
    "stack": [(lambda x: np.stack([x, x + 1], axis=1), X), (lambda x: np.stack([x, np.ones(6)]), Y)],
    "vstack": [(lambda x, y: np.vstack([x, y]), X, Y)],
    "hstack": [(lambda x: np.hstack([x, x]), X), (lambda x: np.hstack([x, x]), Y)],
    "dstack": [(lambda x: np.dstack([x, x]), X)],
    "column_stack": [(lambda x: np.column_stack([x, x]), Y)],
    "split": [(lambda x: np.split(x, 2), X), (lambda x: np.split(x, [1, 4], axis=1), X)],
    "array_split": [(lambda x: np.array_split(x, 4), Y)],
    "hsplit": [(lambda x: np.hsplit(x, 3), X)],
    "vsplit": [(lambda x: np.vsplit(x, 2), X)],
    "unstack": [(lambda x: np.unstack(x, axis=1), X)],
    "tile": [(lambda x: np.tile(x, 3), Y), (lambda x: np.tile(x, (2, 2)), X)],
    "repeat": [(lambda x: np.repeat(x, 2, axis=0), X), (lambda x: x.repeat(3), X)],
    "flip": [(np.flip, X), (lambda x: x[::-1, ::2], X)],
    "flipud": [(np.flipud, X)],
    "fliplr": [(np.fliplr, X)],
    "roll": [(lambda x: np.roll(x, 2), X), (lambda x: np.roll(x, (1, -2), axis=(0, 1)), X)],
    "rot90": [(np.rot90, X)],
    "pad": [
        (lambda x: np.pad(x, 1), X),
        (lambda x: np.pad(x, ((1, 0), (0, 2)), constant_values=3), X),
        *[(lambda x, m=m: np.pad(x, ((2, 1), (0, 3)), m), X) for m in ("edge", "reflect", "wrap", "symmetric")],
    ],
    "take": [
        (lambda x: np.take(x, PLACES, axis=0), X),
        (lambda x, i: x.take(i), X, PLACES),
        (lambda x, i: x[:, i], X, PLACES),
    ],
    "take_along_axis": [(lambda x: np.take_along_axis(x, np.argmax(x, axis=1)[:, None], axis=1), X)],
    "lib.stride_tricks.sliding_window_view": [
        (lambda x: sliding_window_view(x, 3), Y),
        (lambda x: sliding_window_view(x, (2, 3)).mean(axis=(-1, -2)), X),
    ],
    "diagonal": [(np.diagonal, X), (lambda x: np.diagonal(x, 1, 0, 2), I3)],
    "linalg.diagonal": [(np.linalg.diagonal, X)],
    "diag": [(np.diag, Y), (np.diag, SQUARE)],
    "tril": [(np.tril, X)],
    "triu": [(lambda x: np.triu(x, 1), X)],
    "copy": [(np.copy, X), (lambda x: x.copy(), X)],
    "astype": [
        (lambda x: np.astype(x, np.int32), X * 9),
        (lambda x: x.astype(np.uint8), numbers(9, dtype=np.int32)),
        (lambda x: x.astype(bool), X),
    ],
    "meshgrid": [(np.meshgrid, Y, numbers(4))],
    "where": [
        (lambda x: np.where(x > 0.5, x, 0), X),
        (lambda c, x: np.where(c, x, np.float64(1)), CONDITIONS, X),
        (lambda c: np.where(c, 1, 2.5), CONDITIONS),
    ],
    "clip": [(lambda x: np.clip(x, 0.2, 0.5), X), (lambda x: x.clip(max=0.4), X)],
    "round": [(np.round, X * 9), (lambda x: x.round(2), X)],
    "around": [(np.around, X * 9)],
    "nan_to_num": [(np.nan_to_num, WITH_NAN)],
    "isclose": [(lambda x: np.isclose(x, x + F(1e-9)), X)],
    "sinc": [(np.sinc, X)],
    "zeros_like": [(lambda x: x + np.zeros_like(x), X)],
    "empty_like": [(lambda x: x + np.empty_like(x) * 0, X)],
    "ones_like": [(lambda x: np.ones_like(x, dtype=np.int32) + x, X)],
    "full_like": [(lambda x: x * np.full_like(x, 3), X), (lambda x: np.full_like(x, x.sum()), X)],
    "shape": [(lambda x: x * np.shape(x)[1], X)],
    "ndim": [(lambda x: x * np.ndim(x), X)],
    "size": [(lambda x: x.sum(1) / np.size(x, 1), X)],
    "result_type": [(lambda x: x.astype(np.result_type(x, np.float64)), X)],
    "iscomplexobj": [(lambda x: x if not np.iscomplexobj(x) else -x, X)],
    "isrealobj": [(lambda x: x if np.isrealobj(x) else -x, X)],
    "einsum": [
        (lambda x: np.einsum("ij,kj->ik", x, x), X),
        (lambda x: np.einsum("ij->ji", x), X),
        (lambda x, y: np.einsum("ij,j", x, y), X, Y),
        (lambda x: np.einsum("ii->i", x), SQUARE),
        (lambda x: np.einsum("ii", x), SQUARE),
        (lambda x, y: np.einsum("...ij,jk->...ik", x, y), I3, numbers(4, 2)),
        (lambda x: np.einsum("bij,bij->b", x, x), I3),
        (lambda x, y: np.einsum("i,j->ij", x, y), Y, numbers(4)),
        (lambda x, y: np.einsum("bij,jk,kl->bil", x, y, y), I3, SQUARE),
        (lambda x: np.einsum("ijk->j", x), I3),
    ],
    "tensordot": [
        (lambda x, y: np.tensordot(x, y, 1), I3, SQUARE),
        (lambda x: np.tensordot(x, x, ((0, 2), (0, 2))), I3),
    ],
    "linalg.tensordot": [(lambda x, y: np.linalg.tensordot(x, y, axes=1), I3, SQUARE)],
    "dot": [(np.dot, X, Y), (lambda x, y: x.dot(y), I3, SQUARE), (np.dot, Y, Y)],
    "convolve": [
        (lambda x, m=m, k=k: np.convolve(x, np.arange(k, dtype=F), m), Y)
        for m in ("full", "same", "valid")
        for k in (3, 4)
    ],
    "correlate": [(lambda x, m=m: np.correlate(x, np.arange(3, dtype=F), m), Y) for m in ("full", "same", "valid")],
    "inner": [(np.inner, X, X)],
    "vdot": [(np.vdot, X, X)],
    "outer": [(np.outer, Y, Y)],
    "linalg.outer": [(np.linalg.outer, Y, Y)],
    "linalg.matmul": [(np.linalg.matmul, SQUARE, SQUARE)],
    "trace": [(np.trace, SQUARE), (lambda x: x.trace(), SQUARE)],
    "linalg.trace": [(np.linalg.trace, SQUARE)],
    "linalg.multi_dot": [(lambda x: np.linalg.multi_dot([x, x, x]), SQUARE)],
    "cross": [(np.cross, numbers(4, 3), numbers(4, 3) + F(1))],
    "linalg.cross": [(np.linalg.cross, numbers(4, 3), numbers(4, 3) + F(1))],
}
OPERATORS = [getattr(operator, name) for name in "add sub mul truediv floordiv mod pow lt le eq ne gt ge".split()]


def of_indices(x: Any) -> list[Any]:
    """Parts of an array of three axes."""
    mask = np.array([True, False])
    return [
        x[0], x[-1, 1], x[..., 2], x[:, None, 1:], x[:, ::-1, 1:3], x[1, 2, 3], x[[1, 0]], x[:, [2, 0], 1:],
        x[[0, 1], [2, 0]], x[[0, 1], :, [2, 0]], x[mask], x[:, [[0, 1], [2, 0]]], x[np.int64(1)], x[..., None],
    ]  # fmt: skip

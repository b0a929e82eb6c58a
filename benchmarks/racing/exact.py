"""What calls mean, in NumPy and in float64: the race's own, so that nobody is judged by griotte's arithmetic."""

from __future__ import annotations

import math

import numpy as np

_ERF = np.vectorize(math.erf, otypes=[np.float64])


def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + _ERF(x / math.sqrt(2)))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    e /= e.sum(axis=axis, keepdims=True)
    return e


def layer_norm(x, gain, bias, epsilon=1e-5):
    shifted = x - x.mean(-1, keepdims=True)
    return shifted / np.sqrt((shifted * shifted).mean(-1, keepdims=True) + epsilon) * gain + bias


def rms_norm(x, gain, epsilon=1e-6):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * gain


def log_softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def group_norm(x, groups, gain, bias, epsilon=1e-5):
    parts = x.reshape(x.shape[0], groups, -1)
    shifted = parts - parts.mean(-1, keepdims=True)
    normed = (shifted / np.sqrt((shifted * shifted).mean(-1, keepdims=True) + epsilon)).reshape(x.shape)
    return normed * gain[:, None, None] + bias[:, None, None]


def _windows(x, window, stride):
    return np.lib.stride_tricks.sliding_window_view(x, (window, window), (2, 3))[:, :, ::stride, ::stride]


def max_pool2d(x, window=2, stride=2):
    return _windows(x, window, stride).max((-1, -2))


def avg_pool2d(x, window=2, stride=2):
    return _windows(x, window, stride).mean((-1, -2))


def take(x, i):
    """Rows of x; numbers of rows come as floats, as all inputs do."""
    return x[i.astype(np.int64)]


def attention(q, k, v, causal=False, scale=None):
    """Grouped heads are written out; causal: the last query sees all keys."""
    group = q.shape[-3] // k.shape[-3]
    k, v = (np.repeat(x, group, axis=-3) if group > 1 else x for x in (k, v))
    scores = (q @ k.swapaxes(-1, -2)) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if causal:
        s, t = scores.shape[-2:]
        scores = np.where(np.tri(s, t, t - s, dtype=bool), scores, -np.inf)
    return softmax(scores) @ v


def conv2d(x, w, stride=1, padding=0, groups=1):
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))[:, :, ::stride, ::stride]
    parts = zip(np.split(windows, groups, axis=1), np.split(w, groups))
    return np.concatenate(
        [np.einsum("ncyxij,ocij->noyx", part, kernels, optimize=True) for part, kernels in parts], axis=1
    )


def qconv2d(x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, stride=1, padding=0, groups=1):
    """Sums of whole numbers; beyond x lies its zero, which counts nothing."""
    return requantize(
        conv2d(x - x_zero, w - w_zero, stride, padding, groups), (x_scale * w_scale / y_scale)[:, None, None], y_zero
    )


STEPS = {"s8": 127, "s24": 8.2e6}


def group_matmul(x, w, scales, activations=""):
    """By weights [n, g, s] with a scale for each group; activations=s8 or s24: each group of x rounded, in f32, to
    127 or 8.2e6 steps of its largest."""
    if activations:
        parts = x.astype(np.float32).reshape(*x.shape[:-1], *w.shape[1:])
        own = np.abs(parts).max(-1, keepdims=True) * np.float32(1 / STEPS[activations])
        x = (np.rint(parts / own) * own.astype(np.float64)).reshape(x.shape)
    return x @ (w * scales[..., None]).reshape(len(w), -1).T


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def silu(x):
    return x * sigmoid(x)


def requantize(sums, scale, zero):
    """To the bytes of u8: half to even, as the product rounds once from f32."""
    return np.clip(np.rint(sums.astype(np.float32) * scale.astype(np.float32)) + zero, 0, 255)


NUMPY = {
    **{
        name: getattr(np, name)
        for name in (
            "matmul",
            "add",
            "maximum",
            "minimum",
            "abs",
            "exp",
            "log",
            "sqrt",
            "tanh",
            "where",
            "sum",
            "max",
            "min",
            "mean",
        )
    },
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "relu": lambda x: np.maximum(x, 0),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "reshape": lambda x, shape: x.reshape(shape),
    "transpose": lambda x, perm: x.transpose(perm),
    **{f.__name__: f for f in (softmax, layer_norm, rms_norm, attention, sigmoid, silu)},
}
FORMS = {
    **NUMPY,
    "gelu": gelu,
    **{f.__name__: f for f in (log_softmax, group_norm, max_pool2d, avg_pool2d, take)},
    "conv2d": conv2d,
    "requantize": requantize,
    "qconv2d": qconv2d,
    "group_matmul": group_matmul,
}

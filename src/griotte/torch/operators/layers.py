"""Layers that torch has whole: norms, attention, recurrences."""

from __future__ import annotations

from functools import partial
from math import prod

import numpy as np

from ...readers.operators import norms, recurrences
from ...readers.operators.array import call, rsqrt, sigmoid, sliced, tanh
from ...readers.operators.attention import Scores
from ...readers.operators.attention import attention as attended
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import dtype_within, in_f32
from ...readers.operators.moving import joined, stacked
from ...readers.operators.recurrences import Recurrence
from ...readers.tables import OperatorTable


def with_moments(node, result, x, axes, epsilon: float):
    """A norm, the mean of x along axes, and one over the deviation."""
    mean, variance = norms.moments(x.astype("f64" if x.dtype == "f64" else "f32"), axes)
    both = mean, rsqrt(variance + float(epsilon))
    return [result, *(each.reshape(meta.shape) for each, meta in zip(both, node.gives[1:]))]


def of_channels(x, gain, shift, shape):
    """Times and plus: the given values, or 1 and 0."""
    filled = lambda given, number: x.of(np.full(shape, number, x.numpy)) if given is None else given
    return filled(gain, 1), filled(shift, 0)


def batch_norm(node, x, weight, bias, *moments, eps, training=False):
    """Where it does not train, what stands for moments has no elements."""
    if training:
        node.only(0)
        return [of_batch(x, weight, bias, eps)]
    gain, shift = of_channels(x, weight, bias, x.shape[1])
    mean, variance, _ = moments
    result = norms.batch_norm(x, gain, shift, mean, variance, eps)
    return [result, *(np.zeros(meta.shape, np.float32) for meta in node.gives[1:] if 0 in meta.shape)]


def batch_norm_of_batch(node, x, weight, bias, *how, eps):
    return with_moments(node, of_batch(x, weight, bias, eps), x, (0, *range(2, x.ndim)), eps)


@in_f32
def of_batch(x, weight, bias, epsilon):
    """By the mean and the deviation of x itself, of each channel."""
    n, c, *inner = x.shape
    if n == 1:  # rows that lie densely, as of instance norms
        result = norms.plain_norm(x.reshape((c, prod(inner))), epsilon).reshape(x.shape)
    else:
        result = norms.standardised(x, (0, *range(2, x.ndim)), epsilon)
    for called, each in (("mul", weight), ("add", bias)):
        if each is not None:
            result = call(called, result, each.reshape((c, *[1] * len(inner))))
    return result


def layer_norm(node, x, normalized_shape, weight, bias, eps):
    count, (gain, shift) = len(normalized_shape), of_channels(x, weight, bias, normalized_shape)
    result = norms.layer_norm(x, gain, shift, -count, eps)
    return with_moments(node, result, x, tuple(range(x.ndim - count, x.ndim)), eps)


def group_norm(node, x, weight, bias, *sizes, eps):
    n, c, inner, groups = sizes
    gain, shift = of_channels(x, weight, bias, c)
    result = norms.group_norm(x, groups, gain, shift, eps)
    return with_moments(node, result, x.reshape((n, groups, c // groups * inner)), (2,), eps)


def attention(node, *operands, dropout_p, is_causal, scale, enable_gqa):
    """Query i of a causal one sees keys 0 to i, wherever the last key is."""
    *heads, mask = operands
    if dropout_p:
        raise Unsupported("what it gives is drawn by chance; call module.eval() first")
    q, k, v = (_of_heads(x) for x in heads)
    q, k, v = _alike(q, k, v, enable_gqa)
    seen, terms = (mask, []) if mask is None or mask.dtype == "pred" else (None, [mask])
    terms = [each.astype(dtype_within(q)) for each in terms]
    how = Scores(scale if scale is None else float(scale), seen, 0 if is_causal else None, terms)
    return attended(q, k, v, how).reshape(node.shape)


def _of_heads(x):
    """A tensor of three axes and more."""
    return x if x.ndim > 2 else x.reshape((*[1] * (3 - x.ndim), *x.shape))


def _alike(q, k, v, shares: bool):
    """Heads that broadcast, of one size but for those that share a head of k and v."""
    front = np.broadcast_shapes(*(x.shape[: -3 if shares else -2] for x in (q, k, v)))
    own = lambda x: (*front, *x.shape[-3 if shares else -2 :])
    return [x.broadcast_to(own(x)) for x in (q, k, v)]


LSTM = recurrences.lstm, (0, 3, 1, 2), [sigmoid, tanh, tanh]
"""Input, output, forget, cell of torch's input, forget, cell, output."""
GRU = recurrences.gru, (1, 0, 2), [sigmoid, tanh]
"""Update, reset, new of torch's reset, update, new."""
RNN = recurrences.rnn, (0,)


def lstm(x, states, params, has_biases, layers, *how):
    if len(params) != layers * (1 + how[2]) * (4 if has_biases else 2):
        raise Unsupported("states of another size than what it gives")
    return by_layers(LSTM, x, states, params, has_biases, layers, *how)


def by_layers(cell, x, states, params, has_biases, layers, *how):
    (run, gates, functions), (dropout, train, bidirectional, batch_first) = cell, how
    states = states if isinstance(states, list) else [states]
    if dropout * train and layers > 1:
        raise Unsupported("what it gives is drawn by chance; call module.eval() first")
    ways, each = 1 + bidirectional, 4 if has_biases else 2
    x = x.transpose((1, 0, 2)) if batch_first else x
    way_of = Recurrence((False, True)[:ways], functions * ways, variant=run is recurrences.gru)
    ends: list[list] = [[] for _ in states]
    for layer in range(layers):
        own = [params[(layer * ways + way) * each :][:each] for way in range(ways)]
        w, r = (stacked([_ordered(way[n], gates) for way in own], 0) for n in (0, 1))
        of_both = (joined([_ordered(way[n], gates) for n in (2, 3)], 0) for way in own if has_biases)
        b = stacked([*of_both], 0) if has_biases else None
        firsts = [sliced(s, {0: (layer * ways, (layer + 1) * ways)}) for s in states]
        y, *last = run(x, (w, r, b), firsts, way_of)
        steps, _, batch, size = y.shape
        x = y.transpose((0, 2, 1, 3)).reshape((steps, batch, ways * size))
        for end, state in zip(ends, last):
            end.append(state)
    return [x.transpose((1, 0, 2)) if batch_first else x, *(joined(end, 0) for end in ends)]


def _ordered(t, gates):
    """Rows of gates in another order."""
    size = t.shape[0] // len(gates)
    return joined([sliced(t, {0: (g * size, (g + 1) * size)}) for g in gates], 0)


OPERATORS: OperatorTable = (
    ("_native_batch_norm_legit_no_training native_batch_norm _native_batch_norm_legit", batch_norm),
    ("_native_batch_norm_legit.no_stats", batch_norm_of_batch),
    ("native_layer_norm", layer_norm),
    ("native_group_norm", group_norm),
    ("scaled_dot_product_attention", attention),
    ("lstm.input", lstm),
    ("gru.input", partial(by_layers, GRU)),
    ("rnn_tanh.input", partial(by_layers, (*RNN, [tanh]))),
    ("rnn_relu.input", partial(by_layers, (*RNN, [partial(call, "relu")]))),
)

"""Products of matrices, and sums of products along any axes. An einsum is cut into products of two."""

from __future__ import annotations

from math import prod
from string import ascii_letters

import numpy as np

from .array import bits, call, kind, wrapped
from .moving import along, diagonal, picked


def multiplied(a, b, dtype=None):
    """A product as numpy.matmul has it."""
    x, y = a, b
    left, right = x.ndim == 1, y.ndim == 1
    if left:
        x = x.reshape((1, *x.shape))
    if right:
        y = y.reshape((*y.shape, 1))
    if dtype is None and kind(x.dtype) != "float" and bits(x.dtype) < 32:
        dtype = x.dtype
    if dtype is not None and kind(dtype) != "float" and bits(dtype) < 32:  # which wraps
        found = wrapped(call("matmul", x, y, dtype="s32"), dtype)
    else:
        found = call("matmul", x, y, dtype=dtype)
    shape = list(found.shape)
    if right:
        shape.pop(-1)
    if left:
        shape.pop(-1 if right else -2)
    return found.reshape(shape)


def weighed(x, axis: int, places: np.ndarray, weights: np.ndarray):
    """Sums along an axis of what lies at known places [sums, terms], by shares."""
    own = x.numpy
    total = None
    for at, share in zip(places.T, weights.T):
        if not share.any():
            continue
        part = picked(x, axis, at) * along(x.ndim, axis, share.astype(own))
        total = part if total is None else total + part
    return total


def product(x, y):
    """A product as numpy.matmul has it of arrays of one dtype; conditions are joined by or."""
    if x.dtype != "pred":
        return multiplied(x, y)
    return multiplied(x.astype("s32"), y.astype("s32")) != 0


def einsum(subscripts: str, *arrays):
    """As NumPy's, of arrays of one dtype, in products of two, from the left on."""
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(arrays):
        raise ValueError(f"einsum: {len(terms)} terms, {len(arrays)} operands")
    spare = [c for c in ascii_letters if c not in left]
    most = max(x.ndim - len(t.replace("...", "")) for t, x in zip(terms, arrays)) if "..." in left else 0
    dots = "".join(spare[:most])
    terms = [t.replace("...", dots[most - (x.ndim - len(t) + 3) :]) if "..." in t else t for t, x in zip(terms, arrays)]
    if not arrow:
        once = sorted(c for c in set("".join(terms)) - set(dots) if "".join(terms).count(c) == 1)
        right = ("..." if "..." in left else "") + "".join(once)
    pairs = [_without_twins(x, t) for x, t in zip(arrays, terms)]
    return contracted([x for x, _ in pairs], [t for _, t in pairs], right.replace("...", dots))


def _without_twins(x, term: str):
    """A term whose letters stand once: axes of one letter are their diagonal."""
    if len(term) != x.ndim:
        raise ValueError(f"einsum: {term!r} does not fit shape {x.shape}")
    while twin := next((c for c in term if term.count(c) > 1), None):
        one = term.index(twin)
        other = term.index(twin, one + 1)
        x = diagonal(x, 0, one, other)
        term = "".join(c for n, c in enumerate(term) if n not in (one, other)) + twin
    return x, term


def tensordot(x, y, own, others):
    """Sums of products along some axes of the one and others of the other."""
    letters = iter(ascii_letters)
    one = [next(letters) for _ in x.shape]
    other = [one[own[others.index(n)]] if n in others else next(letters) for n in range(y.ndim)]
    right = [c for c in one if c not in other] + [c for c in other if c not in one]
    return contracted([x, y], ["".join(one), "".join(other)], "".join(right))


def contracted(arrays, terms, wanted: str):
    """An einsum of terms of one letter an axis, from the left on."""
    arrays, terms = list(arrays), list(terms)
    while len(arrays) > 1:
        x, y, *rest = arrays
        later = set("".join(terms[2:]) + wanted)
        kept = "".join(dict.fromkeys(c for c in terms[0] + terms[1] if c in later))
        arrays, terms = [_contracted_pair(x, terms[0], y, terms[1], kept), *rest], [kept, *terms[2:]]
    x, term = _summed(arrays[0], terms[0], set(wanted))
    return x.transpose([term.index(c) for c in wanted])


def _summed(x, term: str, kept: set[str]):
    """One term without the axes that are not kept."""
    axes = tuple(n for n, c in enumerate(term) if c not in kept)
    return (x.sum(axes) if axes else x), "".join(c for c in term if c in kept)


def _contracted_pair(x, one: str, y, other: str, kept: str):
    x, one = _summed(x, one, set(other) | set(kept))
    y, other = _summed(y, other, set(one) | set(kept))
    both = [c for c in one if c in other]
    batch, inner = [c for c in both if c in kept], [c for c in both if c not in kept]
    rows, columns = [c for c in one if c not in both], [c for c in other if c not in both]
    size = dict(zip(other, y.shape)) | {c: n for c, n in zip(one, x.shape) if n != 1 or c not in other}
    shape = lambda letters: [size[c] for c in letters]
    x, y = (a.broadcast_to(shape(t)) for a, t in ((x, one), (y, other)))
    order = [*batch, *rows, *columns]
    if inner:
        x = x.transpose([one.index(c) for c in [*batch, *rows, *inner]])
        y = y.transpose([other.index(c) for c in [*batch, *inner, *columns]])
        m, k, n = (prod(shape(letters)) for letters in (rows, inner, columns))
        x, y = x.reshape([*shape(batch), m, k]), y.reshape([*shape(batch), k, n])
        found = product(x, y).reshape(shape(order))
    else:
        found = _with_axes(x, one, order) * _with_axes(y, other, order)
    return found.transpose([order.index(c) for c in kept])


def _with_axes(x, term: str, order: list[str]):
    """A term's axes in an order, with those of size 1 that it lacks."""
    own = [c for c in order if c in term]
    x = x.transpose([term.index(c) for c in own])
    size = dict(zip(own, x.shape))
    return x.reshape([size.get(c, 1) for c in order])

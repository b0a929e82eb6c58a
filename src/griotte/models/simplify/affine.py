"""Factors and terms that are known go into the weights of the product before them, and into each other."""

from __future__ import annotations

import numpy as np

from ..graph import GraphBuilder, ModelValue
from .folding import _x
from .rule import Rule, Site, known, split

PRODUCTS = ("conv2d", "matmul")


def scaled_product(site: Site) -> ModelValue | None:
    value = site.value
    if value.call != "mul" or (found := split(value)) is None:
        return None
    product, factor = found
    if product.call not in PRODUCTS or not site.is_read_once(product) or product.type != value.type:
        return None
    if any(key == "dtype" for key, _ in product.attributes):
        return None
    x, weights = product.reads
    array = known(weights)
    if not isinstance(x, ModelValue) or x.array is not None or array is None or product.type.dtype != "f32":
        return None
    along = _along(factor, product)
    if along is None:
        return None
    shape = (-1, 1, 1, 1) if product.call == "conv2d" else (-1,)
    scaled = (array.astype(np.float64) * along.reshape(shape)).astype(array.dtype)
    return site.call(product.call, x, site.constant(scaled), **dict(product.attributes))


def _along(factor: np.ndarray, product: ModelValue) -> np.ndarray | None:
    """A factor as one number for each channel of a product, or one for all; None where it is more."""
    axis = 1 if product.call == "conv2d" else product.type.rank - 1
    shape = (1,) * (product.type.rank - factor.ndim) + factor.shape
    if any(n != 1 for i, n in enumerate(shape) if i != axis):
        return None
    return np.asarray(factor, np.float64).reshape(-1)


def scaled_sum(site: Site) -> ModelValue | None:
    value = site.value
    if value.call != "mul" or (found := split(value)) is None:
        return None
    total, factor = found
    if total.call != "add" or not site.is_read_once(total) or value.type.dtype != "f32":
        return None
    inner = split(total)
    if inner is None or inner[0].call not in PRODUCTS or inner[0].type != value.type:
        return None
    product, term = inner
    if _along(factor, product) is None:
        return None
    scaled = (np.asarray(term, np.float64) * factor).astype(np.float32)
    return site.call("add", site.call("mul", product, site.constant(factor)), site.constant(scaled))


def two_terms(site: Site) -> ModelValue | None:
    value = site.value
    if value.call not in ("add", "mul") or (found := split(value)) is None or value.type.dtype != "f32":
        return None
    inner, second = found
    if inner.call != value.call or not site.is_read_once(inner) or (more := split(inner)) is None:
        return None
    x, first = more
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    both = first + second if value.call == "add" else first * second
    if x.type != value.type or both.size > max(first.size, second.size):
        return None
    return site.call(value.call, x, site.constant(both.astype(np.float32)))


def _f32(*shape: int) -> np.ndarray:
    return np.linspace(0.5, 1.5, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def _conv(b: GraphBuilder) -> ModelValue:
    return b.call("conv2d", _x(b, 1, 3, 5, 5), b.constant(_f32(4, 3, 3, 3)), padding=1)


RULES = (
    Rule(
        "scale a product's weights",
        "product(x, w) * s = product(x, w * s)",
        scaled_product,
        (
            lambda b: b.call("mul", _conv(b), b.constant(_f32(4, 1, 1))),
            lambda b: b.call("mul", b.call("matmul", _x(b, 3, 4), b.constant(_f32(4, 5))), b.constant(_f32(5))),
        ),
    ),
    Rule(
        "scale what is added to a product",
        "(product + b) * s = product * s + b * s",
        scaled_sum,
        (lambda b: b.call("mul", b.call("add", _conv(b), b.constant(_f32(4, 1, 1))), b.constant(2 * _f32(4, 1, 1))),),
    ),
    Rule(
        "add two terms, multiply two factors, once",
        "(x + a) + b = x + (a + b)",
        two_terms,
        (
            lambda b: b.call("add", b.call("add", _x(b, 2, 3), b.constant(_f32(3))), b.constant(_f32(2, 3))),
            lambda b: b.call("mul", b.call("mul", _x(b, 2, 3), b.constant(_f32(3))), b.constant(2 * _f32(3))),
        ),
    ),
)

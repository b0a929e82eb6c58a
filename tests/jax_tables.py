"""What is asked of JAX's primitives in tests: functions by name, each table of one kind of arrays."""

from __future__ import annotations

import numpy as np
from jax_functions import jax, jnp, lax
from named import named

FLOATS = [np.float32, np.float16, jnp.bfloat16]


INTEGERS = [np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32]


UNARY = {
    **named(
        lax, "abs asinh atan cbrt ceil cos cosh erf erfc exp exp2 expm1 floor logistic neg sign sin sinh square tan"
    ),
    **named(lax, "tanh stop_gradient"),
    "acos": lambda x: lax.acos(x / 4),
    "acosh": lambda x: lax.acosh(jnp.abs(x) + 1.5),
    "asin": lambda x: lax.asin(x / 4),
    "atanh": lambda x: lax.atanh(x / 4),
    "bessel_i0e": lambda x: lax.bessel_i0e(x * 8),
    "bessel_i1e": lambda x: lax.bessel_i1e(x * 8),
    "digamma": lambda x: lax.digamma(jnp.abs(x) * 3 + 0.1),
    "erf_inv": lambda x: lax.erf_inv(jnp.tanh(x)),
    "lgamma": lambda x: lax.lgamma(x * 3 + 0.3),
    "is_finite": lambda x: lax.is_finite(1 / jnp.trunc(x)),
    "log": lambda x: lax.log(jnp.abs(x)),
    "log1p": lambda x: lax.log1p(jnp.abs(x)),
    "round": lambda x: lax.round(x * 2),
    "round to even": lambda x: lax.round(x * 2, lax.RoundingMethod.TO_NEAREST_EVEN),
    "rsqrt": lambda x: lax.rsqrt(jnp.abs(x)),
    "sqrt": lambda x: lax.sqrt(jnp.abs(x)),
    "power of 3": lambda x: lax.integer_pow(x, 3),
    "power of 5": lambda x: lax.integer_pow(x, 5),
    "power of -2": lambda x: lax.integer_pow(x, -2),
    "power of 0": lambda x: lax.integer_pow(x, 0),
    "reduce_precision": lambda x: lax.reduce_precision(x, 8, 7),
    **named(jax.nn, "gelu silu selu softplus hard_swish mish relu6"),
    "gelu by erf": lambda x: jax.nn.gelu(x, approximate=False),
    "to s32": lambda x: lax.convert_element_type(x * 3, np.int32),
    "to u8": lambda x: lax.convert_element_type(jnp.abs(x) * 3, np.uint8),
    "to pred": lambda x: lax.convert_element_type(jnp.trunc(x), bool),
    "to f16": lambda x: lax.convert_element_type(x, np.float16),
    "round half": lambda x: lax.round(jnp.trunc(x * 4) / 2),
}


BINARY = {
    **named(lax, "add sub mul max min eq ne lt le gt ge"),
    "div": lambda x, y: lax.div(x, y + (y == 0).astype(y.dtype)),
    "rem": lambda x, y: lax.rem(x, y + (y == 0).astype(y.dtype)),
    "select": lambda x, y: lax.select(x < y, x, y),
    "where of a number": lambda x, y: jnp.where(x < y, x, 1),
    "clamp": lambda x, y: lax.clamp(y - 1, x, y + 1),
    "clamp by numbers": lambda x, y: lax.clamp(np.ones((), x.dtype), x, np.full((), 3, x.dtype)),
    "floor_divide": lambda x, y: x // (y + (y == 0).astype(y.dtype)),
    "mod": lambda x, y: x % (y + (y == 0).astype(y.dtype)),
    "squares": lambda x, y: x**2 + y**3,
}


BITS = {
    "and": lax.bitwise_and,
    "or": lax.bitwise_or,
    "xor": lax.bitwise_xor,
    "not": lambda x, y: lax.bitwise_not(x),
    "neg": lambda x, y: lax.neg(x),
    "abs": lambda x, y: abs(x),
    "sign": lambda x, y: lax.sign(x),
    "left": lax.shift_left,
    "right": lax.shift_right_logical,
    "right arithmetic": lax.shift_right_arithmetic,
    "population_count": lambda x, y: lax.population_count(x),
    "clz": lambda x, y: lax.clz(x),
    "integer_pow": lambda x, y: lax.integer_pow(x, 3),
    "reduce_and": lambda x, y: lax.reduce_and(x | 1, (1,)),
    "reduce_xor": lambda x, y: lax.reduce_xor(x, (0,)),
    "reduce_or": lambda x, y: lax.reduce_or(x, (0, 1)),
    "sum": lambda x, y: lax.reduce_sum(x, (0, 1)),
    "prod": lambda x, y: lax.reduce_prod(x | 1, (1,)),
    "cumsum": lambda x, y: lax.cumsum(x, 1),
    "cumprod": lambda x, y: lax.cumprod(x | 1, 1),
    "to f32": lambda x, y: x.astype(np.float32),
    "to s8": lambda x, y: x.astype(np.int8),
    "to u16": lambda x, y: x.astype(np.uint16),
    "to pred": lambda x, y: x.astype(bool),
    "bits": lambda x, y: lax.bitcast_convert_type(x, {"u": "i", "i": "u"}[x.dtype.kind] + str(x.dtype.itemsize)),
}
if hasattr(lax, "mulhi"):  # since jax 0.10.2
    BITS["high half"] = lax.mulhi


MOVING = {
    "broadcast_in_dim": lambda x: lax.broadcast_in_dim(x, (2, 4, 6, 5), (1, 3)),
    "broadcast_in_dim of ones": lambda x: lax.broadcast_in_dim(x[:, :1], (4, 3), (0, 1)),
    "broadcast": lambda x: jnp.broadcast_to(x, (2, 4, 5)),
    "reshape": lambda x: x.reshape(2, 10),
    "squeeze": lambda x: lax.squeeze(x[None], (0,)),
    "expand_dims": lambda x: lax.expand_dims(x, (0, 2)),
    "transpose": lambda x: x.T,
    "concatenate": lambda x: jnp.concatenate([x, x * 2, x[:, :0]], 1),
    "slice": lambda x: lax.slice(x, (1, 0), (4, 5), (2, 3)),
    "split": lambda x: lax.split(x, (1, 3, 1), 1),
    "rev": lambda x: lax.rev(x, (0, 1)),
    "rev of one": lambda x: lax.rev(x[:1], (0,)),
    "pad": lambda x: lax.pad(x, np.float32(2), [(1, 2, 0), (0, 1, 0)]),
    "pad between": lambda x: lax.pad(x, np.float32(3), [(0, 0, 1), (1, 0, 2)]),
    "pad by less": lambda x: lax.pad(x, np.float32(3), [(-1, 2, 0), (1, -2, 1)]),
    "pad by much less": lambda x: lax.pad(x, np.float32(3), [(-2, -1, 1), (-3, 4, 0)]),
    "pad with what is read": lambda x: lax.pad(x, x[0, 0], [(1, 0, 1), (2, -1, 0)]),
    "iota": lambda x: x + lax.broadcasted_iota(np.float32, (4, 5), 1),
    "tile": lambda x: jnp.tile(x, (2, 1)),
    "roll": lambda x: jnp.roll(x, 2, 1),
    "repeat": lambda x: jnp.repeat(x, 2, 0),
    "stack": lambda x: jnp.stack([x, x + 1], 1),
    "diagonal": jnp.diagonal,
    "tril": jnp.tril,
    "copy": lambda x: lax.optimization_barrier(jnp.copy(x)),
}


REDUCED = {
    "sum": lambda x: x.sum(),
    "sum along": lambda x: x.sum((0, 2)),
    "mean": lambda x: x.mean(1),
    "var": lambda x: x.var(-1),
    "prod": lambda x: x.prod(1),
    "max": lambda x: x.max((1, 2)),
    "min": lambda x: x.min(0),
    "argmax": lambda x: jnp.argmax(x, 1),
    "argmin": lambda x: jnp.argmin(x, -1),
    "argmax of all": jnp.argmax,
    "cumsum": lambda x: lax.cumsum(x, 1),
    "cumsum back": lambda x: lax.cumsum(x, 2, reverse=True),
    "cumprod": lambda x: lax.cumprod(x, 0),
    "cummax": lambda x: lax.cummax(x, 1),
    "cummin back": lambda x: lax.cummin(x, 1, reverse=True),
    "cumlogsumexp": lambda x: lax.cumlogsumexp(x, 1),
    "logsumexp": lambda x: jax.nn.logsumexp(x, 1),
    "softmax": lambda x: jax.nn.softmax(x, 1),
    "log_softmax": jax.nn.log_softmax,
    "reduce": lambda x: lax.reduce(x, np.float32(1), lax.mul, (1,)),
    "reduce from a number": lambda x: lax.reduce(x, np.float32(2), lax.add, (0, 1)),
    "reduce by max": lambda x: lax.reduce(x, np.float32(0), lax.max, (2,)),
    "norm": lambda x: jnp.linalg.norm(x, axis=1),
    "no axes": lambda x: lax.reduce_sum(x, ()),
    "sort": lambda x: jnp.sort(x, 1),
    "sort along the first": lambda x: jnp.sort(x, 0),
    "argsort": lambda x: jnp.argsort(x, 2),
    "sort back": lambda x: jnp.sort(x, 1, descending=True),
    "top_k": lambda x: lax.top_k(x, 2),
    "sort by another": lambda x: lax.sort((x, x * 2), dimension=1, num_keys=1),
    "median": lambda x: jnp.median(x, 2),
}


PRODUCTS = {
    "matmul": lambda x, y: x @ y,
    "rows": lambda x, y: x[0, 0] @ y[0],
    "batches": lambda x, y: jnp.einsum("bij,bjk->bik", x, y),
    "turned": lambda x, y: jnp.einsum("bij,bjk->bki", x, y),
    "summed over two": lambda x, y: jnp.einsum("bij,bjk->ik", x, y),
    "batches inside": lambda x, y: jnp.einsum("bij,bjk->jik", x, y),
    "many axes": lambda x, y: jnp.einsum("bij,cjk->bcik", x, y),
    "outer": lambda x, y: jnp.einsum("bij,ckl->bck", x, y),
    "dot": lambda x, y: x[0, 0] @ y[0, :, 0],
    "many rows": lambda x, y: x @ y[0],
    "tensordot": lambda x, y: jnp.tensordot(x, y, ((0, 2), (0, 1))),
    "wide": lambda x, y: lax.dot_general(x, y, (((2,), (1,)), ((0,), (0,))), preferred_element_type=np.float32),
}


def convolved(x, w, strides=(1, 1), padding="SAME", numbers=("NHWC", "HWIO", "NHWC"), **how):
    return lax.conv_general_dilated(x, w, strides, padding, dimension_numbers=numbers, **how)


CONVOLUTIONS = {
    "same": convolved,
    "valid": lambda x, w: convolved(x, w, padding="VALID"),
    "strides": lambda x, w: convolved(x, w, (2, 3), [(1, 2), (0, 1)]),
    "dilation": lambda x, w: convolved(x, w, rhs_dilation=(2, 1)),
    "spread": lambda x, w: convolved(x, w, padding=[(1, 2), (2, 1)], lhs_dilation=(2, 2)),
    "spread and dilated": lambda x, w: convolved(
        x, w, padding=[(3, 2), (0, 1)], lhs_dilation=(2, 1), rhs_dilation=(2, 1)
    ),
    "spread with strides": lambda x, w: convolved(x, w, (2, 1), [(2, 2), (1, 1)], lhs_dilation=(3, 2)),
    "conv_transpose": lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"),
    "cut": lambda x, w: convolved(x, w, padding=[(-1, 0), (1, -2)]),
    "far": lambda x, w: convolved(x, w, padding=[(5, 4), (4, 6)]),
    "other order": lambda x, w: convolved(x, w, numbers=("NHWC", "HWIO", "NCHW")),
    "CHWN": lambda x, w: convolved(x.transpose(3, 1, 2, 0), w.transpose(3, 2, 0, 1), numbers=("CHWN", "OIHW", "CHWN")),
    "groups": lambda x, w: convolved(x, w[:, :, :2], feature_group_count=2),
    "depthwise": lambda x, w: convolved(x, w[:, :, :1], feature_group_count=4),
    "spread groups": lambda x, w: convolved(
        x, w[:, :, :2], padding=[(2, 1), (1, 2)], lhs_dilation=(2, 2), feature_group_count=2
    ),
    "batch groups": lambda x, w: convolved(x, w, batch_group_count=2),
    "of one axis": lambda x, w: convolved(x[:, 0], w[0], (1,), numbers=("NWC", "WIO", "NWC")),
    "of no axis": lambda x, w: lax.conv_general_dilated(
        x[:, 0, 0], w[0, 0], (), [], dimension_numbers=("NC", "IO", "NC")
    ),
    "of three axes": lambda x, w: convolved(x[:, None], w[None], (1, 1, 1), numbers=("NDHWC", "DHWIO", "NDHWC")),
}


def windowed(x, start, join, window, strides, padding="VALID", **how):
    return lax.reduce_window(x, np.asarray(start, x.dtype), join, window, strides, padding, **how)


WINDOWS = {
    "max": lambda x: windowed(x, -np.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1)),
    "min": lambda x: windowed(x, np.inf, lax.min, (1, 3, 2, 1), (1, 1, 2, 1), "SAME"),
    "sum": lambda x: windowed(x, 0, lax.add, (1, 2, 3, 1), (1, 1, 1, 1), "SAME"),
    "prod": lambda x: windowed(x, 1, lax.mul, (1, 2, 1, 1), (1, 1, 1, 1)),
    "three axes": lambda x: windowed(x, -np.inf, lax.max, (2, 2, 1, 2), (1, 1, 1, 1)),
    "sums of three axes": lambda x: windowed(x, 0, lax.add, (2, 2, 1, 2), (1, 2, 1, 1), "SAME"),
    "dilated": lambda x: windowed(x, -np.inf, lax.max, (1, 2, 2, 1), (1, 1, 1, 1), window_dilation=(1, 2, 1, 1)),
    "spread": lambda x: windowed(x, 0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), base_dilation=(1, 2, 2, 1)),
    "spread max": lambda x: windowed(x, -np.inf, lax.max, (1, 3, 2, 1), (1, 1, 1, 1), base_dilation=(1, 2, 2, 1)),
    "cut": lambda x: windowed(x, -np.inf, lax.max, (1, 2, 2, 1), (1, 1, 1, 1), [(0, 0), (-1, 0), (1, -1), (0, 0)]),
    "max from 1": lambda x: windowed(x, 1, lax.max, (1, 2, 2, 1), (1, 1, 1, 1), "SAME"),
    "sums from 2": lambda x: windowed(x, 2, lax.add, (1, 2, 2, 1), (1, 1, 2, 1), "SAME", base_dilation=(1, 2, 1, 1)),
    "steps alone": lambda x: windowed(x, 0, lax.add, (1, 1, 1, 1), (1, 2, 1, 2)),
    "one axis": lambda x: windowed(x, -np.inf, lax.max, (1, 1, 1, 2), (1, 1, 1, 2)),
    "running": lambda x: windowed(x, 0, lax.add, (1, 5, 1, 1), (1, 1, 1, 1), [(0, 0), (4, 0), (0, 0), (0, 0)]),
    "whole": lambda x: windowed(x, 0, lax.add, (1, 5, 6, 1), (1, 1, 1, 1)),
}


PLACES = {
    "row": lambda x, n: x[2],
    "element": lambda x, n: x[1, 2, 3],
    "from the end": lambda x, n: x[-1],
    "take": lambda x, n: jnp.take(x, n, 0),
    "promised but beyond": lambda x, n: x.at[n * 2].get(mode="promise_in_bounds"),
    "set promised but beyond": lambda x, n: x.at[n * 2].set(7, mode="promise_in_bounds"),
    "take clipped": lambda x, n: jnp.take(x, n, 1, mode="clip"),
    "take wrapped": lambda x, n: jnp.take(x, n, 1, mode="wrap"),
    "take filled": lambda x, n: jnp.take(x, n, 1, mode="fill"),
    "take filled by": lambda x, n: jnp.take(x, n, 2, mode="fill", fill_value=7),
    "known rows": lambda x, n: x[jnp.array([2, 0])],
    "known beyond": lambda x, n: jnp.take(x, jnp.array([1, 9, -9]), 0, mode="fill"),
    "rows": lambda x, n: x[n],
    "two axes": lambda x, n: x[n, n],
    "axes apart": lambda x, n: x[n, :, n],
    "last axes": lambda x, n: x[:, n, n],
    "known and not": lambda x, n: x[n, jnp.array([[0], [1]])],
    "along an axis": lambda x, n: jnp.take_along_axis(x, n.reshape(1, -1, 1) % 3, 1),
    "of each": jax.vmap(lambda row, at: row[at]),
    "of each, two": jax.vmap(lambda row, at: row[at, 1:3]),
    "part": lambda x, n: lax.dynamic_slice(x, (n[0], 0, n[1]), (1, 4, 2)),
    "part beyond": lambda x, n: lax.dynamic_slice(x, (n[0] + 9, n[1] - 9, 0), (2, 2, 5)),
    "known part": lambda x, n: lax.dynamic_slice(x, (1, 7, 2), (2, 2, 2)),
    "in dim": lambda x, n: lax.dynamic_index_in_dim(x, n[1], 1),
    "windows": lambda x, n: jax.vmap(lambda at: lax.dynamic_slice(x, (0, at, 1), (3, 2, 2)))(n),
    "set": lambda x, n: x.at[n].set(7),
    "set row": lambda x, n: x.at[1].set(x[0] * 2),
    "set element": lambda x, n: x.at[1, 2, 3].set(9),
    "set part": lambda x, n: x.at[:, 1:3].set(0),
    "set columns": lambda x, n: x.at[:, n].set(x[:, :3] * 2),
    "add": lambda x, n: x.at[n].add(x[:3] + 1),
    "add twice": lambda x, n: x.at[n * 0].add(x[:3]),
    "add apart": lambda x, n: x.at[n, :, n].add(x[:, :, 0]),
    "multiply": lambda x, n: x.at[:, n].multiply(2),
    "max": lambda x, n: x.at[n].max(x[::-1]),
    "min": lambda x, n: x.at[n].min(0.5),
    "dropped": lambda x, n: x.at[n + 1].set(5, mode="drop"),
    "clipped": lambda x, n: x.at[n + 1].add(5, mode="clip"),
    "known dropped": lambda x, n: x.at[jnp.array([1, 8])].set(5),
    "of each set": jax.vmap(lambda row, at: row.at[at].set(1)),
    "update": lambda x, n: lax.dynamic_update_slice(x, x[:1, :2] * 3, (n[0], 1, 0)),
    "update known": lambda x, n: lax.dynamic_update_slice(x, x[:1, :2, :2] * 3, (1, 9, 2)),
    "update of all": lambda x, n: lax.dynamic_update_slice(x, x * 3, (n[0], n[1], 0)),
    "scatter_sub": lambda x, n: x.at[n].subtract(1),
    "segments": lambda x, n: jax.ops.segment_sum(x, n, 3),
}

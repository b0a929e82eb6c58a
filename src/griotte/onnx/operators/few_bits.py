"""Weights of a few bits, with a scale for each block of them."""

from __future__ import annotations

import numpy as np

from ...readers.operators.array import call, known, numpy_of, sliced
from ...readers.operators.calls import Unsupported
from ...readers.operators.moving import padded, repeat, within
from ...readers.tables import OperatorTable, inputs

BY_BYTES = 4  # the accuracy level of MatMulNBits at which each block of the other factor may be rounded to 8 bits


def matmul(node, x, packed, scales, *others):
    """A product with weights of few bits, one scale for each block of a column. The middle of what bits hold is taken
    off the weights; what zeros have beyond that comes off the sums of x over blocks, as it is. At an accuracy level of
    8-bit integers each block of x is rounded to them, as onnxruntime does."""
    zeros, order, bias = inputs(others, 0, 3)
    if order is not None:
        raise Unsupported("g_idx, by which the rows of weights lie in another order")
    if node.attribute("weight_prepacked", 0):
        raise Unsupported("weights that are packed for a GPU")
    k, n, block = map(node.required, ("K", "N", "block_size"))
    bits, accuracy = node.attribute("bits", 4), node.attribute("accuracy_level", 0)
    blocks = -(-k // block)
    weights = unpacked(node, np.asarray(known(packed, "the weights")).reshape(n, -1), bits, blocks * block)
    if blocks * block > k:  # the last block ends behind the weights
        weights[:, k:] = 0
        x = padded(x, (0,) * x.ndim, (*(0,) * (x.ndim - 1), blocks * block - k))
    scales = scales.reshape((n, blocks))
    is_vector = x.ndim == 1
    rows = x.reshape((1, *x.shape)) if is_vector else x
    rounded = {"activations": "s8"} if accuracy == BY_BYTES else {}
    found = call("group_matmul", rows, weights.reshape(n, blocks, block), scales, dtype="f32", **rounded)
    beyond = _beyond(node, zeros, bits, (n, blocks))
    if beyond is not None:
        found = found + _of_blocks(rows, beyond, scales, block)
    if bias is not None:
        found = found + bias.astype("f32")
    found = found.astype(x.dtype)
    return found.reshape(found.shape[1:]) if is_vector else found


def unpacked(node, packed: np.ndarray, bits: int, count: int) -> np.ndarray:
    """The first numbers of each row of bytes, the lowest bits first, without the middle of what they hold."""
    if bits not in (2, 4, 8):
        raise Unsupported(f"weights of {bits} bits")
    node.reserve(len(packed), count, item=1)
    each = 8 // bits
    places = np.arange(each, dtype=np.uint8) * np.uint8(bits)
    whole = (packed[..., None] >> places & (2**bits - 1)).reshape(*packed.shape[:-1], -1)[..., :count]
    narrow = numpy_of("s8" if bits == 8 else "s4")
    return (
        (whole.astype(np.int8) ^ np.int8(-128)).astype(narrow)
        if bits == 8
        else (whole - 2.0 ** (bits - 1)).astype(narrow)
    )


def _beyond(node, zeros, bits: int, shape):
    """What zeros are less than the middle of what bits hold, one for each block; None of none."""
    if zeros is None:
        return None
    middle = 2 ** (bits - 1)
    if zeros.dtype != "u8":
        return float(middle) - zeros.reshape(shape).astype("f32")
    rows = np.asarray(known(zeros, "the zeros")).reshape(shape[0], -1)
    own = -unpacked(node, rows, bits, shape[1]).astype(np.float32)
    return own if own.any() else None


def _of_blocks(rows, beyond, scales, block: int):
    """Sums of x over blocks times what zeros lack."""
    front = rows.shape[:-1]
    sums = rows.reshape((*front, rows.shape[-1] // block, block)).sum(axis=-1, dtype="f32")
    factor = beyond * scales.astype("f32")
    return call("matmul", sums, factor.transpose((1, 0)))


def gather(node, x, indices, scales, zeros=None):
    """Rows of integers that stand for floats, one scale for each block of a row."""
    block, bits = node.attribute("block_size", 128), node.attribute("bits", 4)
    whole = np.asarray(known(x, "the rows"))
    own = None if zeros is None else np.asarray(known(zeros, "the zeros"))
    if whole.dtype.name == "uint8" and bits < 9:
        last = np.asarray(known(scales, "the scales")).shape[-1]
        own = None if own is None else _spread(node, own, bits, last)
        whole = _spread(node, whole, bits, whole.shape[-1] * 8 // bits)
    elif whole.dtype.name in ("int4", "uint4"):
        whole, own = whole.astype(np.int8), None if own is None else own.astype(np.int8)
    else:
        raise Unsupported(f"rows of {whole.dtype}")
    axis = node.attribute("gather_axis", 0) % whole.ndim
    blocked = node.attribute("quantize_axis", 1) % whole.ndim
    if axis == blocked:
        raise Unsupported("blocks along the axis that is picked along")
    if own is not None:
        x.reserve(*whole.shape, item=2)
        whole = whole.astype(np.int8 if bits < 8 else np.int16) - np.repeat(own, block, blocked).take(
            np.arange(whole.shape[blocked]), blocked
        )
    return _of_rows(whole, axis, blocked, block, indices, scales)


def _of_rows(whole, axis: int, blocked: int, block: int, indices, scales):
    at = within(indices, whole.shape[axis])
    picked = indices.of(whole).take(at, axis)
    factor = scales.take(at, axis)
    place = blocked + (picked.ndim - whole.ndim) * (blocked > axis)
    wide = sliced(repeat(factor, block, place), {place: (0, picked.shape[place])})
    return call("dequantize", picked, wide, 0)


def _spread(node, packed: np.ndarray, bits: int, count: int) -> np.ndarray:
    flat = unpacked(node, packed.reshape(-1, packed.shape[-1]), bits, count)
    return flat.astype(np.int8).reshape(*packed.shape[:-1], count)


OPERATORS: OperatorTable = (
    ("com.microsoft.MatMulNBits", matmul),
    ("com.microsoft.GatherBlockQuantized", gather),
)

"""Products with what comes before and after them."""

from __future__ import annotations

from functools import partial

import numpy as np

from ....readers.kinds import dtype_within
from ....readers.moving import padded, permuted, reshaped, sliced, taken, within
from ....readers.node import Unsupported
from ....readers.products import multiplied
from ..declaring import MICROSOFT, operator
from ..products import convolution_within, gemm_within, scaled
from .elementwise import activated

microsoft = partial(operator, domain=MICROSOFT)
BY_BYTES = 4  # the accuracy level of MatMulNBits at which each block of the other factor may be rounded to 8 bits


@microsoft("FusedMatMul", "TransposeMatMul")
def matmul(node, a, b):
    x, y = _turned(node, a, "A"), _turned(node, b, "B")
    own = None if dtype_within(x) == x.type.dtype else dtype_within(x)
    return node.cast(scaled(node, multiplied(node, x, y, own), node.attribute("alpha", 1.0)), x.type.dtype)


def _turned(node, x, side: str):
    """An operand with its axes as the product reads them: the first may stand before the last, these two may be
    swapped."""
    x = node.value(x)
    axes = list(range(x.type.rank))
    if node.attribute(f"transBatch{side}", 0):
        axes = [*axes[1:-1], axes[0], axes[-1]]
    if node.attribute(f"trans{side}", 0) and x.type.rank > 1:
        axes[-2:] = axes[:-3:-1]
    return permuted(node, x, axes)


@microsoft("FusedGemm")
def fused_gemm(node, a, b, c=None):
    numbers = [node.attribute(f"activation_{name}") for name in ("alpha", "beta", "gamma")]
    found = activated(node, gemm_within(node, a, b, c), [n for n in numbers if n is not None])
    return node.cast(found, node.dtype(a))


@microsoft("FusedConv", "NhwcConv", "NhwcFusedConv")
def fused_conv(node, x, w, bias=None, other=None):
    """A convolution plus a bias and another tensor; of channels that are last, but for the weights' own."""
    x, is_last = node.value(x), node.proto.op_type.startswith("Nhwc")
    rank = x.type.rank
    if is_last:
        x = permuted(node, x, (0, rank - 1, *range(1, rank - 1)))
    found = convolution_within(node, x, w, bias)
    found = permuted(node, found, (0, *range(2, rank), 1)) if is_last else found
    if other is not None:
        found = node.call("add", found, node.cast(other, found.type.dtype))
    return node.cast(activated(node, found, node.attribute("activation_params") or ()), x.type.dtype)


@microsoft("MatMulNBits")
def by_bits(node, x, packed, scales, zeros=None, order=None, bias=None):
    """A product with weights of few bits, one scale for each block of a column. The middle of what bits hold is taken
    off the weights; what zeros have beyond that comes off the sums of x over blocks, as it is. At an accuracy level of
    8-bit integers each block of x is rounded to them, as onnxruntime does."""
    if order is not None:
        raise Unsupported("g_idx, by which the rows of weights lie in another order")
    if node.attribute("weight_prepacked", 0):
        raise Unsupported("weights that are packed for a GPU")
    x, bits, block = node.value(x), node.attribute("bits", 4), node.attribute("block_size")
    k, n = node.attribute("K"), node.attribute("N")
    blocks = -(-k // block)
    weights = unpacked(node, np.asarray(node.known(packed, "the weights")).reshape(n, -1), bits, blocks * block)
    if blocks * block > k:  # of which the last block's end is no weight
        weights[:, k:] = 0
        x = padded(node, x, (0,) * x.type.rank, (*(0,) * (x.type.rank - 1), blocks * block - k))
    scales = reshaped(node, scales, (n, blocks))
    is_vector = x.type.rank == 1
    rows = reshaped(node, x, (1, *x.type.shape)) if is_vector else x
    how = {"activations": "s8"} if node.attribute("accuracy_level", 0) == BY_BYTES else {}
    found = node.call("group_matmul", rows, weights.reshape(n, blocks, block), scales, dtype="f32", **how)
    beyond = _beyond(node, zeros, bits, (n, blocks))
    if beyond is not None:
        found = node.call("add", found, _of_blocks(node, rows, beyond, scales, block))
    if bias is not None:
        found = node.call("add", found, node.cast(bias, "f32"))
    found = node.cast(found, x.type.dtype)
    return reshaped(node, found, found.type.shape[1:]) if is_vector else found


def unpacked(node, packed: np.ndarray, bits: int, count: int) -> np.ndarray:
    """The first numbers of each row of bytes, the lowest bits first, without the middle of what they hold."""
    if bits not in (2, 4, 8):
        raise Unsupported(f"weights of {bits} bits")
    node.room(len(packed), count, item=1)
    each = 8 // bits
    places = np.arange(each, dtype=np.uint8) * np.uint8(bits)
    whole = (packed[..., None] >> places & (2**bits - 1)).reshape(*packed.shape[:-1], -1)[..., :count]
    narrow = node.numpy("s8" if bits == 8 else "s4")
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
    if node.dtype(zeros) != "u8":
        return node.call("sub", float(middle), node.cast(reshaped(node, zeros, shape), "f32"))
    rows = np.asarray(node.known(zeros, "the zeros")).reshape(shape[0], -1)
    own = -unpacked(node, rows, bits, shape[1]).astype(np.float32)
    return own if own.any() else None


def _of_blocks(node, rows, beyond, scales, block: int):
    """Sums of x over blocks times what zeros lack."""
    front = rows.type.shape[:-1]
    sums = node.call("sum", reshaped(node, rows, (*front, rows.type.shape[-1] // block, block)), axis=-1, dtype="f32")
    factor = node.call("mul", beyond, node.cast(scales, "f32"))
    return node.call("matmul", sums, permuted(node, factor, (1, 0)))


@microsoft("GatherBlockQuantized")
def rows_by_bits(node, x, indices, scales, zeros=None):
    """Rows of integers that stand for floats, one scale for each block of a row."""
    block, bits = node.attribute("block_size", 128), node.attribute("bits", 4)
    whole = np.asarray(node.known(x, "the rows"))
    own = None if zeros is None else np.asarray(node.known(zeros, "the zeros"))
    if whole.dtype.name == "uint8" and bits < 9:
        last = np.asarray(node.known(scales, "the scales")).shape[-1]
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
        node.room(*whole.shape, item=2)
        whole = whole.astype(np.int8 if bits < 8 else np.int16) - np.repeat(own, block, blocked).take(
            np.arange(whole.shape[blocked]), blocked
        )
    return _of_rows(node, whole, axis, blocked, block, indices, scales)


def _of_rows(node, whole, axis: int, blocked: int, block: int, indices, scales):
    at = within(node, indices, whole.shape[axis])
    picked = taken(node, whole, axis, at)
    factor = taken(node, scales, axis, at)
    place = blocked + (picked.type.rank - whole.ndim) * (blocked > axis)
    shape, count = factor.type.shape, picked.type.shape[place]
    wide = node.call(
        "broadcast",
        reshaped(node, factor, (*shape[: place + 1], 1, *shape[place + 1 :])),
        shape=(*shape[: place + 1], block, *shape[place + 1 :]),
    )
    wide = sliced(
        node, reshaped(node, wide, (*shape[:place], shape[place] * block, *shape[place + 1 :])), {place: (0, count)}
    )
    return node.call("dequantize", picked, wide, 0)


def _spread(node, packed: np.ndarray, bits: int, count: int) -> np.ndarray:
    flat = unpacked(node, packed.reshape(-1, packed.shape[-1]), bits, count)
    return flat.astype(np.int8).reshape(*packed.shape[:-1], count)

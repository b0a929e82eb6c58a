"""Products with what comes before and after them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....readers.operators.array import call, known, numpy_of, sliced
from ....readers.operators.calls import Unsupported
from ....readers.operators.convolutions import conv_within
from ....readers.operators.kinds import dtype_within
from ....readers.operators.moving import padded, repeat, within
from ....readers.operators.products import multiplied
from ....readers.tables import OperatorTable
from ..products import GemmAttributes, gemm_within, scaled
from ..windows import WindowAttributes
from .elementwise import activated

BY_BYTES = 4  # the accuracy level of MatMulNBits at which each block of the other factor may be rounded to 8 bits


class TurnedAttributes(NamedTuple):
    """Which axes of the operands stand otherwise than the product reads them."""

    transA: int = 0
    transB: int = 0
    transBatchA: int = 0
    transBatchB: int = 0


def matmul(a, b, *, turned: TurnedAttributes, alpha=1.0):
    x, y = _turned(a, turned.transA, turned.transBatchA), _turned(b, turned.transB, turned.transBatchB)
    own = None if dtype_within(x) == x.dtype else dtype_within(x)
    return scaled(multiplied(x, y, own), alpha).astype(x.dtype)


def _turned(x, is_swapped: int, is_batch_behind: int):
    """An operand with its axes as the product reads them: the first may stand before the last, these two may be
    swapped."""
    axes = list(range(x.ndim))
    if is_batch_behind:
        axes = [*axes[1:-1], axes[0], axes[-1]]
    if is_swapped and x.ndim > 1:
        axes[-2:] = axes[:-3:-1]
    return x.transpose(axes)


class ActivationAttributes(NamedTuple):
    """The activation of a product, and its numbers."""

    activation: str = ""
    activation_alpha: Any = None
    activation_beta: Any = None
    activation_gamma: Any = None
    activation_params: Any = None

    def of(self, y):
        """What it makes of a product."""
        one_by_one = (self.activation_alpha, self.activation_beta, self.activation_gamma)
        return activated(y, self.activation, self.activation_params or [n for n in one_by_one if n is not None])

    def of_sum(self, y, other):
        """The same of a product plus another tensor, which may be left out."""
        return self.of(y if other is None else y + other.astype(y.dtype))


def fused_gemm(a, b, c=None, *, how: GemmAttributes, then: ActivationAttributes):
    return then.of(gemm_within(a, b, c, how)).astype(a.dtype)


def fused_conv(x, w, bias=None, other=None, *, window: WindowAttributes, then: ActivationAttributes):
    """A convolution plus a bias and another tensor."""
    return then.of_sum(conv_within(x, w, bias, window.along(x, w.shape[2:]), window.group), other).astype(x.dtype)


def nhwc_conv(x, w, bias=None, other=None, *, window: WindowAttributes, then: ActivationAttributes):
    """The same of channels that are last, but for the weights' own."""
    rank = x.ndim
    x = x.transpose((0, rank - 1, *range(1, rank - 1)))
    found = conv_within(x, w, bias, window.along(x, w.shape[2:]), window.group).transpose((0, *range(2, rank), 1))
    return then.of_sum(found, other).astype(x.dtype)


class PackedWeights(NamedTuple):
    """Weights of few bits, a scale for each block of them, zeros, and in which order their rows lie."""

    packed: Any
    scales: Any
    zeros: Any = None
    order: Any = None


class BitsAttributes(NamedTuple):
    """Rows and columns of weights, how many elements a block has, of how many bits, and how exact a product is."""

    K: int
    N: int
    block_size: int
    bits: int = 4
    accuracy_level: int = 0
    weight_prepacked: int = 0


def by_bits(node, x, given: PackedWeights, bias=None, *, how: BitsAttributes):
    """A product with weights of few bits, one scale for each block of a column. The middle of what bits hold is taken
    off the weights; what zeros have beyond that comes off the sums of x over blocks, as it is. At an accuracy level of
    8-bit integers each block of x is rounded to them, as onnxruntime does."""
    packed, scales, zeros, order = given
    if order is not None:
        raise Unsupported("g_idx, by which the rows of weights lie in another order")
    if how.weight_prepacked:
        raise Unsupported("weights that are packed for a GPU")
    k, n, block, bits, *_ = how
    blocks = -(-k // block)
    weights = unpacked(node, np.asarray(known(packed, "the weights")).reshape(n, -1), bits, blocks * block)
    if blocks * block > k:  # of which the last block's end is no weight
        weights[:, k:] = 0
        x = padded(x, (0,) * x.ndim, (*(0,) * (x.ndim - 1), blocks * block - k))
    scales = scales.reshape((n, blocks))
    is_vector = x.ndim == 1
    rows = x.reshape((1, *x.shape)) if is_vector else x
    rounded = {"activations": "s8"} if how.accuracy_level == BY_BYTES else {}
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
    node.room(len(packed), count, item=1)
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


class BlockAttributes(NamedTuple):
    """How many elements a block has, of how many bits, along which axis, and along which axis rows are picked."""

    block_size: int = 128
    bits: int = 4
    gather_axis: int = 0
    quantize_axis: int = 1


def rows_by_bits(node, x, indices, scales, zeros=None, *, how: BlockAttributes):
    """Rows of integers that stand for floats, one scale for each block of a row."""
    block, bits = how.block_size, how.bits
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
    axis, blocked = how.gather_axis % whole.ndim, how.quantize_axis % whole.ndim
    if axis == blocked:
        raise Unsupported("blocks along the axis that is picked along")
    if own is not None:
        x.room(*whole.shape, item=2)
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
    ("com.microsoft.FusedMatMul com.microsoft.TransposeMatMul", matmul),
    ("com.microsoft.FusedGemm", fused_gemm),
    ("com.microsoft.FusedConv", fused_conv),
    ("com.microsoft.NhwcConv com.microsoft.NhwcFusedConv", nhwc_conv),
    ("com.microsoft.MatMulNBits", by_bits),
    ("com.microsoft.GatherBlockQuantized", rows_by_bits),
)

"""Products: MatMul, Gemm, Conv."""

from __future__ import annotations

from .declaring import Unsupported, operator
from .shapes import reshaped
from .windows import pads_of


@operator("MatMul")
def matmul(node, a, b):
    x, y = node.value(a), node.value(b)
    left, right = x.type.rank == 1, y.type.rank == 1
    if left:
        x = reshaped(node, x, (1, *x.type.shape))
    if right:
        y = reshaped(node, y, (*y.type.shape, 1))
    y_shape, x_shape = y.type.shape, x.type.shape
    found = node.call("matmul", x, y, dtype=None if x.type.dtype[0] in "fb" else x.type.dtype)
    if not (left or right):
        return found
    shape = list(found.type.shape)
    if right:
        shape.pop(-1)
    if left:
        shape.pop(-1 if right else -2)
    return reshaped(node, found, tuple(shape))


@operator("Gemm")
def gemm(node, a, b, c=None):
    x, y = node.value(a), node.value(b)
    if node.attribute("transA", 0):
        x = node.call("transpose", x, perm=(1, 0))
    if node.attribute("transB", 0):
        y = node.call("transpose", y, perm=(1, 0))
    found = scaled(node, node.call("matmul", x, y), node.attribute("alpha", 1.0))
    if c is None:
        return found
    return node.call("add", found, scaled(node, node.value(c), node.attribute("beta", 1.0)))


def scaled(node, x, factor: float):
    """x times a number, which is seldom another than 1."""
    from .elementwise import scalar

    return x if factor == 1 else node.call("mul", x, scalar(node, factor, x.type.dtype))


@operator("Conv")
def conv(node, x, w, bias=None):
    x, w = node.value(x), node.value(w)
    rank = x.type.rank - 2
    if rank not in (1, 2):
        raise Unsupported(f"a convolution along {rank} axes")
    window = tuple(w.type.shape[2:])
    stride, dilation = (tuple(node.attribute(name) or (1,) * rank) for name in ("strides", "dilations"))
    padding = pads_of(node, x.type.shape[2:], window, stride, dilation)
    if rank == 1:  # along w, of one row
        x = reshaped(node, x, (*x.type.shape[:2], 1, x.type.shape[2]))
        w = reshaped(node, w, (*w.type.shape[:2], 1, w.type.shape[2]))
        stride, dilation, padding = (1, *stride), (1, *dilation), ((0, 0), *padding)
    found = node.call(
        "conv2d",
        x,
        w,
        stride=stride,
        padding=symmetric(padding),
        dilation=dilation,
        groups=node.attribute("group", 1),
    )
    if bias is not None:
        found = node.call("add", found, reshaped(node, node.value(bias), (w.type.shape[0], 1, 1)))
    return found if rank == 2 else reshaped(node, found, (*found.type.shape[:2], found.type.shape[3]))


def symmetric(padding):
    """Pads as one number along each axis."""
    if any(before != after for before, after in padding):
        raise Unsupported(f"other pads before than after, {padding}")
    return tuple(before for before, _ in padding)

"""Pooling."""

from __future__ import annotations

from .declaring import Unsupported, operator
from .shapes import reshaped


def pads_of(node, sizes, window, stride, dilation, ceil=False):
    """Elements before and after, along each axis, that a window may reach beyond."""
    auto = node.attribute("auto_pad", "NOTSET")
    rank = len(window)
    if auto in ("NOTSET", ""):
        given = node.attribute("pads") or (0,) * (2 * rank)
        pads = list(zip(given[:rank], given[rank:]))
    elif auto == "VALID":
        pads = [(0, 0)] * rank
    else:
        pads = []
        for size, k, s, d in zip(sizes, window, stride, dilation):
            total = max(0, (-(-size // s) - 1) * s + (k - 1) * d + 1 - size)
            small = total // 2
            pads.append((total - small, small) if auto == "SAME_LOWER" else (small, total - small))
    if ceil:
        pads = [_rounded_up(*each) for each in zip(sizes, window, stride, dilation, pads)]
    return tuple(pads)


def _rounded_up(size, k, s, d, pads):
    """Pads with as many more at the end as let windows that begin within them reach beyond."""
    before, after = pads
    reach = (k - 1) * d + 1
    places = -(-(size + before + after - reach) // s) + 1
    if (places - 1) * s >= size + before:  # would begin beyond what is there
        places -= 1
    return before, max(after, (places - 1) * s + reach - size - before)


@operator("MaxPool", "AveragePool")
def pool(node, x):
    if node.outputs > 1:
        raise Unsupported("the places of the largest are asked for")
    x = node.value(x)
    rank = x.type.rank - 2
    window = tuple(node.attribute("kernel_shape"))
    stride, dilation = (tuple(node.attribute(name) or (1,) * rank) for name in ("strides", "dilations"))
    if rank not in (1, 2):
        raise Unsupported(f"windows along {rank} axes")
    pads = pads_of(node, x.type.shape[2:], window, stride, dilation, bool(node.attribute("ceil_mode", 0)))
    if set(dilation) != {1}:
        raise Unsupported("windows with gaps")
    if rank == 1:
        x = reshaped(node, x, (*x.type.shape[:2], 1, x.type.shape[2]))
        window, stride, pads = (1, *window), (1, *stride), ((0, 0), *pads)
    if any(a != b for a, b in pads):
        raise Unsupported(f"other pads before than after, {pads}")
    if node.proto.op_type == "AveragePool" and any(map(any, pads)) and not node.attribute("count_include_pad", 0):
        raise Unsupported("means over what is within")
    call = "max_pool2d" if node.proto.op_type == "MaxPool" else "avg_pool2d"
    found = node.call(call, x, window=window, stride=stride, padding=tuple(a for a, _ in pads))
    return found if rank == 2 else reshaped(node, found, (*found.type.shape[:2], found.type.shape[3]))


@operator("GlobalAveragePool", "GlobalMaxPool")
def global_pool(node, x):
    x = node.value(x)
    call = "mean" if node.proto.op_type == "GlobalAveragePool" else "max"
    return node.call(call, x, axis=tuple(range(2, x.type.rank)), keepdims=True)

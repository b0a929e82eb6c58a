"""Operations on the bits of elements."""

from __future__ import annotations

from ...readers import floats
from ...readers.numbers import converted
from .declaring import bits, kind, operator


@operator("bitcast_convert_type")
def bitcast_convert_type(node, x, **how):
    """Of integers as wide what they are when they wrap, which is computed with what is around it."""
    given, wanted = node.dtype(x), node.dtype_given
    if "float" not in (kind(given), kind(wanted)) and bits(given) == bits(wanted):
        return converted(node, x, wanted)
    return floats.bits_as(node, x, wanted)


@operator("nextafter")
def next_after(node, x, y):
    return floats.next_after(node, x, y)


COMPARISONS = {"eq_to": "equal", "le_to": "less_equal", "lt_to": "less"}


@operator(*COMPARISONS)
def compared(node, x, y):
    """Floats in the order of all of them, in which -0 is before 0."""
    dtype = node.dtype(x)
    if kind(dtype) != "float":
        return node.again(node.operator.removesuffix("_to"), x, y)
    order = (floats.turned(node, floats.whole(node, each), dtype) for each in (x, y))
    return node.call(COMPARISONS[node.operator], *order)

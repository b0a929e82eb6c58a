"""Operations on the bits of elements."""

from __future__ import annotations

from ...operators import floats
from ...operators.array import bits, call, kind
from ...operators.numbers import converted
from ...readers.tables import OperatorTable


def bitcast_convert_type(node, x, **how):
    """Of integers as wide what they are when they wrap, which is computed with what is around it."""
    given, wanted = x.dtype, node.dtype_given
    if "float" not in (kind(given), kind(wanted)) and bits(given) == bits(wanted):
        return converted(x, wanted)
    return floats.bits_as(x, wanted)


def next_after(x, y):
    return floats.next_after(x, y)


COMPARISONS = {"eq_to": "equal", "le_to": "less_equal", "lt_to": "less"}


def compared(node, x, y):
    """Floats in the order of all of them, in which -0 is before 0."""
    dtype = x.dtype
    if kind(dtype) != "float":
        return node.again(node.operator.removesuffix("_to"), x, y)
    order = (floats.in_order(floats.whole(each), dtype) for each in (x, y))
    return call(COMPARISONS[node.operator], *order)


OPERATORS: OperatorTable = (
    ("bitcast_convert_type", bitcast_convert_type),
    (" ".join(COMPARISONS), compared),
)


FUNCTIONS: OperatorTable = (("nextafter", next_after),)

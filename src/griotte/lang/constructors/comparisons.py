"""Comparisons of two tensors, and logic of their results: maps that give pred."""

from __future__ import annotations

from ..types.expr import Call, Const
from .language import forms_of
from .maps import BROADCAST, CONDITIONS, X, Y, of_conditions, of_one, of_two, require_pred

_SAME = Call("eq", (X, Y))
_OTHER = Call("sub", (Const(1), _SAME))
_EACH = f"element by element; {BROADCAST}."
_EQUAL, _ORDER = f"{_EACH} NaN is equal to nothing.", f"{_EACH} Of NaN nothing holds."

equal = of_two("equal", f"Where x == y, {_EQUAL}", _SAME, "pred")
not_equal = of_two("not_equal", f"Where x != y, {_EQUAL}", _OTHER, "pred")
less = of_two("less", f"Where x < y, {_ORDER}", Call("lt", (X, Y)), "pred")
less_equal = of_two("less_equal", f"Where x <= y, {_ORDER}", Call("le", (X, Y)), "pred")
greater = of_two("greater", f"Where x > y, {_ORDER}", Call("lt", (Y, X)), "pred")
greater_equal = of_two("greater_equal", f"Where x >= y, {_ORDER}", Call("le", (Y, X)), "pred")

logical_and = of_conditions("logical_and", f"Where both x and y hold, {_EACH}", Call("minimum", (X, Y)))
logical_or = of_conditions("logical_or", f"Where x or y holds, or both, {_EACH}", Call("maximum", (X, Y)))
logical_xor = of_conditions("logical_xor", f"Where one of x and y holds, {_EACH}", _OTHER)
logical_not = of_one(
    "logical_not", "Where x does not hold, element by element.", Call("eq", (X, Const(0))), CONDITIONS, require_pred
)

_COMPARISONS = equal, not_equal, less, less_equal, greater, greater_equal
FORMS = forms_of(*_COMPARISONS, logical_and, logical_or, logical_xor, logical_not)

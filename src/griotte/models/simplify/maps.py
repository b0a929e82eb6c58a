"""The calls that compute each element by itself, by how many operands they have, and other families of calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...lang.constructors.forms import ACTIVATIONS, ARITHMETIC, COMPARISONS, ELEMENTWISE

_OF_FLOATS = ELEMENTWISE | ARITHMETIC | ACTIVATIONS
FLOATS = tuple(name for name, form in _OF_FLOATS.items() if form.operands == 1)
MAPS = _OF_FLOATS | COMPARISONS
UNARY = ("cast", *(name for name, form in MAPS.items() if form.operands == 1))
MAPS_OF_TWO = tuple(
    name for name, form in MAPS.items() if form.operands == 2 and not name.startswith(("logical", "bitwise"))
)
REDUCTIONS = ("sum", "mean", "max", "min")
FAMILIES = {"unary": UNARY, "unary_of_floats": FLOATS, "binary": MAPS_OF_TWO, "reduction": REDUCTIONS}
"""By the names that laws have for them."""
OF: dict[str, dict[str, Any]] = {"cast": {"dtype": "bf16"}, "clip": {"low": 0.5}, "leaky_relu": {"alpha": 0.2}}
"""For examples: the attributes that some need."""


def of_call(given: Mapping[str, Any], calls: Iterable[str]) -> dict[str, Any]:
    """For examples: what a law of these calls of families is given, where those need attributes or truth values."""
    found = dict(given)
    for call in calls:
        found |= {"r": OF[call]} if call in OF and "r" in found else {}
        found |= {"x": found["x"].replace("f32", "pred")} if call == "logical_not" else {}
    return found

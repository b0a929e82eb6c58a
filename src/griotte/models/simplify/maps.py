"""The calls that compute each element by itself, by how many operands they have."""

from __future__ import annotations

from typing import Any

from ...ir import activations, arithmetic, comparisons, elementwise

MAPS = (elementwise.FORMS, arithmetic.FORMS, activations.FORMS, comparisons.FORMS)
UNARY = ("cast", *(name for forms in MAPS for name, form in forms.items() if form.operands == 1))
MAPS_OF_TWO = tuple(
    name
    for forms in MAPS
    for name, form in forms.items()
    if form.operands == 2 and not name.startswith(("logical", "bitwise"))
)
REDUCTIONS = ("sum", "mean", "max", "min")
OF: dict[str, dict[str, Any]] = {"cast": {"dtype": "bf16"}, "clip": {"low": 0.5}, "leaky_relu": {"alpha": 0.2}}
"""For examples: the attributes that some need."""


def of_one(call: str, *shape: int) -> dict[str, Any]:
    """For examples: what a map of one operand may be given."""
    dtype = "pred" if call == "logical_not" else "f32"
    return {"x": f"{dtype}{list(shape)}".replace(" ", ""), "r": OF.get(call, {})}

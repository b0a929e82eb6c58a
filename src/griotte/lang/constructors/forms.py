"""Every call of the language: how it is written, and its constructor."""

from __future__ import annotations

from ..functions import COMBINERS, FUNCTIONS
from . import (
    activations,
    arithmetic,
    attention,
    comparisons,
    composites,
    elementwise,
    groups,
    norms,
    operations,
    padding,
    picking,
    pools,
    quantised,
    quantised_products,
    reductions,
    resizing,
    running,
    shapes,
    slicing,
    transposed,
    windows,
)
from .language import Form

_MAPS = operations, elementwise, arithmetic, comparisons, activations
_NESTS = reductions, composites, attention, picking, quantised, quantised_products, groups
_ARRAYS = shapes, windows, pools, slicing, transposed, norms, padding, resizing, running
FORMS: dict[str, Form] = {name: form for of in (*_MAPS, *_NESTS, *_ARRAYS) for name, form in of.FORMS.items()}
"""The calls that are written out, with help and types."""


def forms() -> dict[str, Form]:
    """Those, and the calls that declared functions and combiners ask for (`functions.declare`)."""
    own = {f.name: elementwise.declared(f) for f in FUNCTIONS.values() if f.is_call}
    own |= {c.call: reductions.declared(c) for c in COMBINERS.values() if c.call}
    return FORMS | {name: form for name, form in own.items() if name not in FORMS}


def form_of(name: str) -> Form | None:
    """How a call is written; None where there is none of that name."""
    return FORMS.get(name) or forms().get(name)


__all__ = ["FORMS", "Form", "form_of", "forms"]

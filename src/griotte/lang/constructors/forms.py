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
    reductions,
    resizing,
    running,
    shapes,
    slicing,
    transposed,
    windows,
)
from .language import Form

FORMS: dict[str, Form] = (
    operations.FORMS
    | elementwise.FORMS
    | arithmetic.FORMS
    | comparisons.FORMS
    | activations.FORMS
    | reductions.FORMS
    | composites.FORMS
    | attention.FORMS
    | picking.FORMS
    | quantised.FORMS
    | groups.FORMS
    | shapes.FORMS
    | windows.FORMS
    | pools.FORMS
    | slicing.FORMS
    | transposed.FORMS
    | norms.FORMS
    | padding.FORMS
    | resizing.FORMS
    | running.FORMS
)
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

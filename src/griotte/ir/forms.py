"""Every call of the language: how it is written, and its constructor."""

from __future__ import annotations

from . import composites, elementwise, operations, picking, quantised, reductions, shapes, windows
from .operations import Form

FORMS: dict[str, Form] = (
    operations.FORMS
    | elementwise.FORMS
    | reductions.FORMS
    | composites.FORMS
    | picking.FORMS
    | quantised.FORMS
    | shapes.FORMS
    | windows.FORMS
)

__all__ = ["FORMS", "Form"]

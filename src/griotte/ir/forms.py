"""Every call of the contract: how it is written, and its constructor."""

from __future__ import annotations

from . import composites, operations, picking, quantised, shapes, windows
from .operations import Form

FORMS: dict[str, Form] = (
    operations.FORMS | composites.FORMS | picking.FORMS | quantised.FORMS | shapes.FORMS | windows.FORMS
)

__all__ = ["FORMS", "Form"]

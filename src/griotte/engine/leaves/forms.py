"""All forms of leaves."""

from __future__ import annotations

from .form import LeafForm
from .map import MAP
from .matrix import MATRIX
from .pack import PACK
from .pairs import PAIRS
from .reduce import REDUCE
from .transpose import TRANSPOSE
from .window import WINDOW

FORMS: tuple[LeafForm, ...] = (REDUCE, MAP, PACK, WINDOW, TRANSPOSE, MATRIX, PAIRS)


def form_of(kernel) -> LeafForm:
    """The form of a kernel's leaves."""
    for form in FORMS:
        if form.name == kernel.form:
            return form
    raise KeyError(kernel.form)

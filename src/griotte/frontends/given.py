"""What the public functions take for a Spec: itself, its text, or several Specs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import SpecError
from ..ir import reference
from ..ir.compose import outputs
from ..ir.spec import Spec
from .text import parse


def spec_of(given: object) -> Spec:
    """The Spec that is given as itself, as text, or as several that it is the `outputs` of; SpecError where it is none
    of these."""
    if isinstance(given, str):
        return parse(given)
    if isinstance(given, (tuple, list)):
        return outputs(*given)
    if not isinstance(given, Spec):
        raise SpecError(
            f"expected a Spec or its text, found {type(given).__name__}; build one with gt.parse or gt.matmul"
        )
    return given


def interpret(spec: Spec | str | Sequence[Spec], *arrays: np.ndarray) -> Any:
    """The result of `spec`, which may be a text, or several Specs, on `arrays`, in the declared layout of its output,
    or of several outputs a tuple; SpecError where an array does not fit its input. A dynamic size is that of the
    arrays; of size 0 the result is empty."""
    return reference.interpret(spec_of(spec), *arrays)

"""What the public functions take for a Spec: itself, its text, or several Specs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...support.errors import SpecError
from ..calls.compose import outputs
from ..calls.spec import Spec
from ..meaning import reference
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


def interpret(spec: Spec | str | Sequence[Spec], *arrays: Any) -> Any:
    """What a Spec means, computed in NumPy: slow, nearly exact, the reference for kernels.

    Args:
        spec: a Spec, its text, or several Specs of which each is an output.
        *arrays: one for each input, of its dtype and shape; strides are free. A dynamic size is that of the arrays.
            For a scalar also a number of Python, NumPy or ml_dtypes.

    Returns:
        The result, in the layout of the Spec's output; of several outputs a tuple.

    Raises:
        SpecError: an array does not fit its input, or the text is no Spec.

    Example:
        >>> gt.interpret("sum(f32[2,3], axis=1)", np.ones((2, 3), np.float32))
        array([3., 3.], dtype=float32)
    """
    return reference.interpret(spec_of(spec), *arrays)

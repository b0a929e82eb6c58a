"""The form of a rule: it looks at a call and its operands, and gives a form as good and simpler. Families of calls."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ...lang.constructors.forms import ACTIVATIONS, ARITHMETIC, COMPARISONS, ELEMENTWISE, form_of
from ...lang.types.dtypes import dtype
from ...support.errors import SpecError
from ..graph import Attributes, GraphBuilder, ModelValue

OF_SEVERAL_AXES = ("sum", "mean", "max", "min", "prod", "softmax", "log_softmax", "argmax")
Readers = dict[ModelValue, list[ModelValue | None]]


class Site:
    """The call that rules look at, and the builder of its replacement."""

    def __init__(self, builder: GraphBuilder, value: ModelValue, readers: Readers):
        self.builder, self.value, self._readers = builder, value, readers

    def readers(self, value: ModelValue) -> list[ModelValue | None]:
        """The calls that read a value before this pass, one entry for each read; None for an output. The call looked at
        reads a value that a rule has just made."""
        return self._readers.get(value, [self.value])

    def reads(self, value: ModelValue) -> int:
        """How often a value is read; 1 where a rule has just made it."""
        return len(self.readers(value))

    def is_read_once(self, value: ModelValue) -> bool:
        """Whether a value is read by one call alone."""
        return self.reads(value) <= 1

    def call(self, call: str, *reads: Any, **attributes: Any) -> ModelValue:
        """A new call, of the same node of the reader's file as the call looked at."""
        return self.builder.call(call, *reads, origin=self.value.origin, **attributes)

    def attempt(self, call: str, *reads: Any, **attributes: Any) -> ModelValue | None:
        """A replacement of the call looked at; None where the new call refuses these operands or has another type."""
        try:
            found = self.call(call, *reads, **attributes)
        except SpecError:
            return None
        return found if found.type == self.value.type else None

    def constant(self, array: np.ndarray) -> ModelValue:
        """A constant."""
        return self.builder.constant(array)

    def number(self, value: float) -> ModelValue:
        """A scalar constant of the dtype of the call looked at."""
        return self.builder.constant(np.asarray(value).astype(dtype(self.value.type.dtype).numpy))


ALWAYS = "always"
WITHIN = {
    ALWAYS: "any numbers, infinities and NaN too: the sides differ by rounding at most, whatever is promised of floats",
    "": "any numbers",
    "finite": "what comes in is finite",
    "normal": "what comes in, and all that is computed of it as written, is a normal number or 0",
    "moderate": "what comes in is 0 or from 1 / s to s: 2^32, of f16 2^4",
    "scaled": "scales of integers are positive normal numbers",
}
"""For which numbers the two sides of a law that is not strict differ by rounding. What overflows on the way in its own
dtype as it is written, and not in float64, may not where the law is applied."""


@dataclass(frozen=True)
class Rule:
    """One law of calls.

    Attributes:
        name: what it does, in a few words.
        law: the two sides, as text.
        apply: gives the replacement of a call, None where the rule does not apply.
        examples: make values to which it applies; a test runs both sides on random data.
        calls: the calls that it looks at; none: any.
        within: for which numbers both sides differ by rounding at most: one of WITHIN.
    """

    name: str
    law: str
    apply: Callable[[Site], ModelValue | None]
    examples: tuple[Callable[[GraphBuilder], ModelValue], ...]
    calls: tuple[str, ...] = ()
    within: str = ""

    @property
    def strict(self) -> bool:
        """Whether both sides differ by rounding at most for any input, infinities and NaN included."""
        return self.within == ALWAYS


def known(value: Any) -> np.ndarray | None:
    """The data of a constant or a number; None for an input or a computed value."""
    if isinstance(value, ModelValue):
        return value.array
    return np.asarray(value)


def behind(value: ModelValue, *calls: str) -> ModelValue:
    """The value behind a chain of these calls, which have one operand each."""
    while value.call in calls:
        (value,) = value.values
    return value


def split(value: ModelValue) -> tuple[ModelValue, np.ndarray] | None:
    """The unknown operand of a call of two, and the data of the known one; None where it has no such operands."""
    for x, y in (value.reads, value.reads[::-1]):
        if isinstance(x, ModelValue) and x.array is None and (array := known(y)) is not None:
            return x, array if isinstance(y, ModelValue) else array.astype(dtype(x.type.dtype).numpy)
    return None


def shortest(number: float, name: str) -> float:
    """A number in the fewest digits that tell it from its neighbours in f32; for f64 the number itself."""
    return float(number) if name == "f64" else float(np.format_float_positional(np.float32(number)))


def attributes_of(value: ModelValue) -> dict[str, Any]:
    """All attributes of a call, defaults included, each as `plain` has it."""
    found = {**defaults(value.call), **dict(value.attributes)}
    return {key: plain(value, key, own) for key, own in found.items()}


def plain(value: ModelValue, key: str, own: Any) -> Any:
    """An attribute of a call, its axes counted from the first; a tuple of them where the call may have several."""
    first = value.reads[0]
    if key != "axis" or not isinstance(first, ModelValue):
        return own
    rank = first.type.rank
    if own is None:
        return tuple(range(rank))
    if value.call not in OF_SEVERAL_AXES:
        return own % rank
    return tuple(sorted(axis % rank for axis in (own if isinstance(own, tuple) else (own,))))


@cache
def _defaults(call: str) -> Attributes:
    form = form_of(call)
    assert form is not None
    stated = list(inspect.signature(form.constructor).parameters.values())[form.operands :]
    empty = inspect.Parameter.empty
    return tuple(
        (each.name, None if each.default is empty else each.default)
        for each in stated
        if each.name not in form.tensors and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    )


def defaults(call: str) -> dict[str, Any]:
    """The default attributes of a call."""
    return dict(_defaults(call))


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
    """For examples: the holes of a law of these calls, with the attributes or truth values that some calls need."""
    found = dict(given)
    for call in calls:
        found |= {"r": OF[call]} if call in OF and "r" in found else {}
        found |= {"x": found["x"].replace("f32", "pred")} if call == "logical_not" else {}
    return found

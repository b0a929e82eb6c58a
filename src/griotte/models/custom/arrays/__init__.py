"""Calls over whole arrays that no nest of the language is: a row for each kind, which is declared in its own file."""

from __future__ import annotations

from dataclasses import replace

from ....lang.types.tensor import row_major
from ....support.errors import SpecError
from ...value import ModelValue
from .bits import Bits
from .call import ArrayCall
from .scatter import Scatter
from .top import Top

KINDS: dict[str, type[ArrayCall]] = {kind.call: kind for kind in (Bits, Scatter, Top)}
"""By name."""


def array_call(call: str, reads: tuple[ModelValue, ...], **attributes: str | int) -> ArrayCall:
    """A call over values, of whatever layouts; SpecError where they do not fit."""
    kind = KINDS[call]
    if len(reads) != kind.arity:
        raise SpecError(f"expected {kind.arity} operands of {call}, found {len(reads)}; give it each")
    for key, value in attributes.items():
        may = kind.options.get(key, ())
        if not (isinstance(value, int) if isinstance(may, int) else value in may):
            words = {name: "a number" if isinstance(m, int) else " or ".join(m) for name, m in kind.options.items()}
            known = ", ".join(f"{name}={each}" for name, each in words.items())
            raise SpecError(f"expected {known or 'no attributes'} of {call}, found {key}={value}; write that")
    default = {key: may if isinstance(may, int) else may[0] for key, may in kind.options.items()}
    given = tuple((default | attributes).items())
    plain = lambda type: replace(type, name="", constant=False, minor_to_major=row_major(type.rank))
    found = kind(tuple(plain(value.type) for value in reads), given)
    assert found.types  # or it is refused
    return found


__all__ = ["KINDS", "ArrayCall", "array_call"]

"""What becomes of denormals within a call."""

from __future__ import annotations

from .errors import SpecError

KEEP, FLUSH = DENORMALS = ("keep", "flush")


def require(word: str) -> None:
    """SpecError where it is none of the words."""
    if word not in DENORMALS:
        raise SpecError(f"expected {' or '.join(DENORMALS)} for denormals, found {word!r}; write one of them")

"""A program's promises for floats: the word that each door takes as `math`, and the word for denormals within a
call."""

from __future__ import annotations

import os

from .errors import SpecError

DEFAULT, STRICT = WORDS = ("default", "strict")
VARIABLE = "GRIOTTE_MATH"
COMPILED: dict[str, tuple[str, ...]] = {DEFAULT: (), STRICT: ("-ffp-contract=off",)}
"""Flags of the C compiler by word: gcc and clang make a product and a sum behind it one rounding unless told."""
KEEP, FLUSH = DENORMALS = ("keep", "flush")


def require(word: str | None) -> str:
    """The word itself, or that of GRIOTTE_MATH for None; SpecError where it is none of the words."""
    name, found = ("math", word) if word is not None else (VARIABLE, os.environ.get(VARIABLE) or DEFAULT)
    if found not in WORDS:
        raise SpecError(f"expected {' or '.join(WORDS)} for {name}, found {found!r}; write one of them")
    return found


def require_denormals(word: str) -> None:
    """SpecError where it is none of the words."""
    if word not in DENORMALS:
        raise SpecError(f"expected {' or '.join(DENORMALS)} for denormals, found {word!r}; write one of them")

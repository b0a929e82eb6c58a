"""Denormals within a call: kept, or flushed to zero, as operands and as results, by the thread's control register,
which is as it was when the call returns."""

from __future__ import annotations

import re

_SHARE = re.compile(r"(static void \w+\(void \*context, int64_t share\)\n\{\n)")
_FLUSHED = "unsigned denormals __attribute__((cleanup(griotte_restored), unused)) = griotte_flushed();"


def flushed(body: list[str]) -> list[str]:
    """The lines of an exported function that flushes."""
    return [_FLUSHED, *body]


def shares_flush(text: str) -> str:
    """A unit's C, each share of which flushes as well, whichever thread runs it."""
    return _SHARE.sub(lambda head: f"{head[1]}    {_FLUSHED}\n", text)

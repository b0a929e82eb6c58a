"""Whether measured leaves are those of programs made here: by the same compiler, from the same C."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..machine import resolve
from ..machine.target import Target
from ..support.errors import ToolchainError
from ..support.floats import COMPILED, require
from .compilers import find_compiler


def resolved(target: str | Target, math: str | None = None) -> Target:
    """The Target of a name, without measured leaves that are stale; a Target as it is.

    `math` is what it promises of floats; None: what the Target promises, and for a name what GRIOTTE_MATH says.
    """
    if isinstance(target, Target):
        return target if math is None else _promising(target, require(math))
    promise = require(math)
    found = resolve(target)
    return _promising(_without(found) if stale(found) else found, promise)


def stale(target: Target) -> str:
    """Why a target's measured leaves do not count here, in words: another compiler, or C that is emitted no more. Empty
    where they count, as those do that name no compiler, and where there are none."""
    if target.leaves is None or not target.leaves.compiler:
        return ""
    try:
        version = find_compiler().version
    except ToolchainError:
        version = "none"
    if version != target.leaves.compiler:
        return f"of compiler {target.leaves.compiler}, found {version}"
    return "" if _emitted(target) == target.leaves.emitted else "of C that is emitted no more"


@lru_cache(maxsize=16)
def _emitted(target: Target) -> str:
    from ..codegen.nests import digest  # few targets have leaves

    return digest([form.name for form in target.leaves.forms], target) if target.leaves else ""


def _promising(target: Target, math: str) -> Target:
    """The target with a promise of floats; itself where it has that, with all that is cached on it."""
    return target if target.math == math else _with(target, math)


@lru_cache(maxsize=16)
def _with(target: Target, math: str) -> Target:
    plain = tuple(flag for flag in target.flags if flag not in COMPILED[target.math])
    return replace(target, math=math, flags=plain + COMPILED[math])


@lru_cache(maxsize=16)
def _without(target: Target) -> Target:
    return replace(target, leaves=None)

"""Which CPU features a test needs: built-in targets with all they can use, and skips that say what is missing."""

from __future__ import annotations

import platform
from functools import cache

import pytest
from griotte.machine import BUILT_IN, Machine, Target, build, missing, unpriced
from griotte.machine.architectures import architecture_of, by_name
from griotte.machine.measured import Measured

LACKS = "this CPU lacks "


@cache
def having(name: str, more: frozenset[str]) -> Target:
    """The built-in target of this name on a CPU that has what it needs and these features, whatever this CPU has; its
    caches are of a fixed size."""
    return build(name, Machine(BUILT_IN[name].features | more, {1: 48 << 10, 2: 2 << 20, 3: 32 << 20}, 2, ""))


def everything(name: str) -> Target:
    """The built-in target of this name on a CPU that has all that it can use."""
    return having(name, features_beside(name))


def priced_as(name: str, known: Measured) -> Target:
    """The built-in target of this name with the prices and the caches of a machine that is known, whatever this one
    is."""
    machine = Machine(BUILT_IN[name].features, dict(known.caches), 2, known.name, known.cpu)
    return known.priced(unpriced(name, machine))


def features_beside(name: str) -> frozenset[str]:
    """All features of the architecture whose target this is; of the portable one, of this machine's."""
    found = architecture_of(BUILT_IN[name].features) or by_name("arm" if is_arm() else "x86")
    assert found.features
    return found.features.names


def is_arm() -> bool:
    """Whether this machine is a 64-bit Arm."""
    return platform.machine() in ("aarch64", "arm64")


def compiled_here() -> list[str]:
    """The built-in targets for which this machine's compiler makes code."""
    own = {name: architecture_of(base.features) for name, base in BUILT_IN.items()}
    return [name for name, found in own.items() if found is None or (found.name == "arm") is is_arm()]


def skip_unless_compiled(name: str) -> None:
    """Skip the test, saying why, where this machine's compiler makes no code for a target."""
    if name not in compiled_here():
        pytest.skip(f"this machine's compiler makes no code for {name}")


def skip_without(features: frozenset[str]) -> None:
    """Skip the test, saying why, where this CPU lacks one of the features."""
    if lacking := missing(features):
        pytest.skip(LACKS + lacking.partition(" (")[0])


def left_out(reason: object) -> str:
    """The features that a skipped test lacked, from what pytest reports of it; empty where it was skipped for something
    else."""
    text = reason[2] if isinstance(reason, tuple) else ""
    return text.partition(LACKS)[2]

"""The machines that the shipped table is solved for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ....machine import BUILT_IN, Cpu, build
from ....machine.detect import Machine
from ....machine.target import Target


@dataclass(frozen=True)
class ShippedMachine:
    """A machine that is shipped for: the built-in target that it takes, and features beyond it. What its CPU says of
    itself (maker, family, model), its caches as the system says them, in bytes by level, and how many CPUs it has."""

    base: str
    features: tuple[str, ...]
    cpu: Cpu
    caches: tuple[int, int, int]
    cpus: int

    @cached_property
    def target(self) -> Target:
        """As `native` is there, with everything that the built-in target can use, and no leaves of one compiler."""
        flags, caches = BUILT_IN[self.base].features.union(self.features), dict(enumerate(self.caches, 1))
        machine = Machine(flags, caches, 1, "", self.cpu, self.cpus)
        found = build(self.base, machine)
        return replace(found, leaves=None) if found.leaves and found.leaves.compiler else found


@cache
def machines() -> dict[str, ShippedMachine]:
    """By name: with 64-byte vectors, and with 32-byte ones alone."""
    rows = tomllib.loads(Path(__file__).with_name("machines.toml").read_text(encoding="utf-8"))
    return {name: _of(**row) for name, row in rows.items()}


def _of(base: str, features: list[str], cpu: list[Any], caches: list[int], cpus: int) -> ShippedMachine:
    near, middle, far = caches
    return ShippedMachine(base, tuple(features), Cpu(*cpu), (near, middle, far), cpus)


def near(target: Target) -> Iterator[Target]:
    """Those whose programs a target can have: with as many registers, as wide."""
    for machine in machines().values():
        if (machine.target.vector_bytes, machine.target.registers) == (target.vector_bytes, target.registers):
            yield machine.target

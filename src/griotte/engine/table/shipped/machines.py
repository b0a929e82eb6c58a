"""The machines that the shipped table is solved for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ....machine import BUILT_IN, build
from ....machine.detect import Machine
from ....machine.target import Target

KIB, MIB = 1 << 10, 1 << 20


@dataclass(frozen=True)
class ShippedMachine:
    """A machine that is shipped for: the built-in target that it takes, what its CPU says of itself (maker, family,
    model), its caches as the system says them, in bytes by level, and how many CPUs there are."""

    base: str
    cpu: tuple[str, int, int]
    caches: tuple[int, int, int]
    cpus: int

    @cached_property
    def target(self) -> Target:
        """As `native` is there, with everything that the built-in target can use, and no leaves of a compiler."""
        base, (vendor, family, model) = BUILT_IN[self.base], self.cpu
        flags = base.features | {"avx512_vnni", "avx512_bf16"} & base.optional_flags.keys()
        caches = dict(enumerate(self.caches, 1))
        machine = Machine(flags, caches, 1, "", vendor, self.cpus, family, model)
        return replace(build(self.base, machine), leaves=None)


MACHINES = {
    "zen5": ShippedMachine("avx512", ("AuthenticAMD", 26, 2), (48 * KIB, MIB, 32 * MIB), 2),
    "xeon": ShippedMachine("avx512", ("GenuineIntel", 6, 143), (48 * KIB, 2 * MIB, 32 * MIB), 8),
    "zen3": ShippedMachine("avx2", ("AuthenticAMD", 25, 1), (32 * KIB, 512 * KIB, 32 * MIB), 8),
}
"""By name: with AVX-512, and with AVX2 alone."""


def near(target: Target) -> Iterator[Target]:
    """Those whose programs a target can have: with as many registers, as wide."""
    for machine in MACHINES.values():
        if (machine.target.vector_bytes, machine.target.registers) == (target.vector_bytes, target.registers):
            yield machine.target

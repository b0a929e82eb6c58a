"""Machines that were measured: their parameters, as `griotte calibrate` found them, one file of machines/ each; and which of them is like a machine at hand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import log2
from pathlib import Path

from ..errors import TargetError
from . import microarchitectures
from .detect import Machine
from .leaves import Leaves, Unreadable, parsed
from .machine import BY_NAME, applied
from .target import Target

FOLDER = Path(__file__).with_name("machines")

FARTHEST = 2.0
"""Doublings, over all caches, that a machine may be from one that was measured, whose prices it takes."""


@dataclass(frozen=True)
class Measured:
    """A machine that was measured, with vectors of so many bytes; `caches` bytes by level, as the system says them, and `held` those that a thread had where that was less;
    `clock` in GHz, 0 where it was not known."""

    name: str
    vendor: str
    family: int
    model: int
    vector_bytes: int
    clock: float
    caches: dict[int, int]
    held: dict[int, int]
    parameters: dict[str, float]
    leaves: Leaves | None = None

    def fits(self, cpu: Machine, vector_bytes: int) -> bool:
        """Whether the machine computes as this one does, and its caches are not far from these. Of a CPU that is not known by its family, the model must be the same."""
        same = (cpu.vendor, cpu.family, vector_bytes) == (self.vendor, self.family, self.vector_bytes)
        return same and (cpu.model == self.model or self._is_alike(cpu)) and self.doublings(cpu) <= FARTHEST

    def _is_alike(self, cpu: Machine) -> bool:
        mine, other = (microarchitectures.of(self.vendor, self.family, self.vector_bytes, model) for model in (self.model, cpu.model))
        return mine is other is not microarchitectures.OTHER

    def doublings(self, cpu: Machine) -> float:
        """How far the machine's caches are from these: the doublings from the one to the other, of all levels."""
        return sum(abs(log2(cpu.caches[level] / size)) for level, size in self.caches.items())

    def priced(self, target: Target) -> Target:
        """The target, with the prices and the leaves of this machine, and of its caches no more than a thread had of these."""
        found = applied(target, self.parameters, {f"L{level}": size for level, size in self.held.items()})
        return replace(found, leaves=self.leaves)

    def apart(self, cpu: Machine) -> Iterator[str]:
        """In what the machine differs from this one, in words."""
        if cpu.model != self.model:
            yield f"model {cpu.model} for {self.model}"
        yield from (f"L{level} {cpu.caches[level] >> 10} KiB for {size >> 10}" for level, size in self.caches.items() if cpu.caches[level] != size)
        if cpu.clock and self.clock and abs(cpu.clock / self.clock - 1) > 0.02:
            yield f"{cpu.clock:.2f} GHz for {self.clock:.2f}"


def nearest(cpu: Machine, vector_bytes: int) -> Measured | None:
    """The measured machine that is most like this one: of the same model first, then by caches; None where none fits."""
    found = (m for m in known() if m.fits(cpu, vector_bytes))
    return min(found, key=lambda m: (m.model != cpu.model, m.doublings(cpu), m.name), default=None)


@cache
def known() -> tuple[Measured, ...]:
    """All that come with griotte."""
    return tuple(load(path) for path in sorted(FOLDER.glob("*.toml")))


def load(path: Path) -> Measured:
    """A file of machines/; TargetError where it names what is no parameter, or one beyond its bounds, or leaves that cannot be read."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    parameters = data.pop("machine")
    for name, value in parameters.items():
        if name not in BY_NAME or not BY_NAME[name].least <= value <= BY_NAME[name].most:
            raise TargetError(f"expected parameters within their bounds in {path}, found {name} = {value}; measure it anew with griotte calibrate")
    try:
        leaves = parsed(data.pop("leaves")) if "leaves" in data else None
    except Unreadable as why:
        raise TargetError(f"{why} in {path}; measure it anew with griotte calibrate") from None
    caches, held = ({int(level[1:]): size for level, size in data.pop(table, {}).items()} for table in ("caches", "held"))
    return Measured(path.stem, **data, caches=caches, held=held, parameters=parameters, leaves=leaves)

"""Known machines, and which of them a machine is most like. Each is a file of machines/, as `griotte calibrate` found
it, or by hand where no machine of its kind was at hand.

    architecture = "x86"            whose targets it is for; left out: x86
    vendor, family, model, clock    as the CPU says them; the last two are left out where they were not written down
    vector_bytes = [32]             widths of the vectors that it is for
    by_hand = true                  where it was not measured; or in words, the source of its numbers
    typical = true                  where it stands for its architecture on a machine of another
    only = [0, 47]                  where it is for no CPU but those of its family with models from one to the other
    kin = [["0x41", 0xd44]]         maker and model of other CPUs that it is for: cores that it was made of, or that
                                    were made of it
    guest = true                    whether it was a virtual machine, which shares its last cache with others unseen;
                                    left out: it is for either
    measured = "2026-11-30 08:00"   when it was measured, for people
    [caches], [held]                bytes by level, as the system says them; of these what a thread had, where that was
                                    less
    [machine]                       parameters (machine.py), from which prices follow
    [coefficients] [ports] [crossing] [prefetch] [spans] [uops] [interleave] [functions] [conversions]
                                    what follows from none, as in a description of a target (description.py)
    [leaves]                        tiles of registers (leaves.py)
    [check]                         for people: of programs, as SPEC@THREADS, predicted cycles to measured ones

Beside those that come with griotte there are those of a user's or a fleet's, and the one that was measured here without
being asked (places.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from math import inf, log2
from pathlib import Path

from ..lang.functions import Slots
from ..lang.nests.family import Spans
from ..support.errors import TargetError
from . import places
from .architecture import Cpu
from .architectures import BUILT_IN, architecture_of, by_name
from .coefficients import COEFFICIENTS, ONLY_MEASURED
from .core import Prefetch
from .detect import Machine, best
from .instructions import Kernel
from .leaves import Leaves
from .machine import applied
from .tables import Tables
from .target import Target

FOLDER = Path(__file__).with_name("machines")

OTHER_MAKER = 3.0
"""Another maker counts as so many doublings of a cache, for caches do not tell how much a core computes in a cycle. The
caches of an older Xeon are nearer to a Zen 4's than to a later Xeon's, though a Zen 4 halves vectors of 64 bytes."""

MEASURED = "measured on"

_KEYS = tuple(
    "architecture vendor family model clock vector_bytes typical by_hand only kin guest measured caches held machine"
    " coefficients ports crossing prefetch spans uops interleave functions conversions check leaves".split()
)
_LONGEST = 40  # letters of a date
_MOST = 1 << 40  # bytes of a cache; and of numbers that a CPU gives itself


@dataclass(frozen=True)
class MeasuredPrices:
    """What a known machine is priced by: its parameters, and what does not follow from them."""

    parameters: dict[str, float]
    coefficients: dict[str, float]
    ports: dict[str, float]
    crossing: dict[str, float]
    prefetch: Prefetch
    uops: dict[str, float]
    interleave: dict[str, float]
    functions: dict[str, Slots]
    conversions: dict[tuple[str, str], float]
    leaves: Leaves | None
    spans: Spans

    def of(self, target: Target, held: dict[str, int]) -> Target:
        """The target with these prices and leaves, and of its caches no more than is `held`, in bytes by name."""
        found = applied(replace(target, prefetch=self.prefetch, spans=self.spans), self.parameters, held)
        return replace(
            found,
            coefficients=tuple((found.coefficient | self.coefficients).items()),
            ports=replace(found.ports, **self.ports),
            crossing=replace(found.crossing, **self.crossing),
            kernels=tuple(map(self._kernel, found.kernels)),
            functions=tuple((found.function | self.functions).items()),
            conversions=tuple((found.conversion | self.conversions).items()),
            leaves=self.leaves,
        )

    def _kernel(self, kernel: Kernel) -> Kernel:
        return replace(
            kernel,
            uops=self.uops.get(kernel.name, kernel.uops),
            interleave=self.interleave.get(kernel.name, kernel.interleave),
        )


@dataclass(frozen=True)
class Served:
    """Which CPUs a known machine may be asked for: those of an architecture, with vectors of these widths in bytes.
    `only`: where it says any, only models of its family from its least to its most. `kin`: makers and models that are
    of its kind. `is_typical`: it stands for its architecture on a machine of another. `guest`: whether it is for
    virtual machines, or for others; None: for both."""

    architecture: str
    vector_bytes: tuple[int, ...]
    only: tuple[int, ...]
    kin: frozenset[tuple[str, int]]
    is_typical: bool
    guest: bool | None = None


@dataclass(frozen=True)
class Measured:
    """A known machine. `caches`: bytes by level, as the system says them; `held`: those that a thread had, where that
    was less. `clock`: in GHz, 0 where it is not known. `source`: where its numbers come from, in words. `when`: when it
    was measured, where the file says so. `path`: its file."""

    name: str
    cpu: Cpu
    clock: float
    source: str
    served: Served
    caches: dict[int, int]
    held: dict[int, int]
    prices: MeasuredPrices
    when: str = ""
    path: Path | None = None

    @property
    def by_hand(self) -> bool:
        """Whether its numbers were not measured."""
        return self.source != MEASURED

    def serves(self, machine: Machine, vector_bytes: int) -> bool:
        """Whether it may be asked for the numbers of such a machine."""
        only = self.served.only
        if self.served.architecture != _architecture(machine) or vector_bytes not in self.served.vector_bytes:
            return False
        return not only or machine.cpu[:2] == self.cpu[:2] and min(only) <= machine.cpu.model <= max(only)

    def is_of(self, machine: Machine) -> bool:
        """Whether the machine has this one's very CPU."""
        return machine.cpu == self.cpu

    def is_kin(self, machine: Machine) -> bool:
        """Whether the machine's CPU is one of those that are of its kind."""
        return (machine.cpu.vendor, machine.cpu.model) in self.served.kin

    def fits(self, machine: Machine) -> bool:
        """Whether it is of the machine's very CPU, with its caches, and of a guest where the machine is one."""
        caches = all(machine.caches.get(level) == size for level, size in self.caches.items())
        return self.is_of(machine) and caches and self.served.guest in (None, machine.is_guest)

    def unlike(self, machine: Machine) -> float:
        """How far the machine is from this one: the doublings from its caches to these, of all levels, and what another
        maker counts as."""
        doublings = sum(abs(log2(machine.holds(level) / size)) for level, size in self.caches.items())
        return doublings + OTHER_MAKER * (machine.cpu.vendor != self.cpu.vendor)

    def priced(self, target: Target, whole: bool = False) -> Target:
        """The target, with the prices and the leaves of this machine, and of its caches no more than a thread had of
        these; `whole`: as they are."""
        return self.prices.of(target, {} if whole else {f"L{level}": size for level, size in self.held.items()})

    def apart(self, machine: Machine) -> Iterator[str]:
        """The machine's differences from this one, in words."""
        cpu, written = self.cpu, self.cpu.written
        if machine.cpu.vendor != cpu.vendor:
            yield f"maker {machine.cpu.vendor or 'unknown'} for {cpu.vendor}"
        elif machine.cpu.family != cpu.family:
            yield f"family {machine.cpu.family} for {cpu.family}"
        elif cpu.model and machine.cpu.model != cpu.model:
            yield f"model {written(machine.cpu.model)} for {written(cpu.model)}"
        yield from (
            f"L{level} {_kib(machine.caches.get(level))} for {size >> 10}"
            for level, size in self.caches.items()
            if machine.caches.get(level) != size
        )
        if machine.clock and self.clock and abs(machine.clock / self.clock - 1) > 0.02:
            yield f"{machine.clock:.2f} GHz for {self.clock:.2f}"


def _kib(size: int | None) -> str:
    return f"{size >> 10} KiB" if size else "none"


def nearest(cpu: Machine, vector_bytes: int) -> Measured:
    """The known machine of its architecture that is most like this one where it takes vectors of so many bytes. First
    comes one that fits it, then one of the same CPU, then one of its kind, then the least unlike. Of two alike a given
    one comes first."""
    return _nearest((*known(), *own(cpu)), cpu, vector_bytes)


def nearest_shipped(cpu: Machine, vector_bytes: int) -> Measured:
    """The same of those that come with griotte."""
    return _nearest(shipped(), cpu, vector_bytes)


def _nearest(among: Iterable[Measured], cpu: Machine, vector_bytes: int) -> Measured:
    return min(
        (m for m in among if m.serves(cpu, vector_bytes)),
        key=lambda m: (not m.fits(cpu), not m.is_of(cpu), not m.is_kin(cpu), m.unlike(cpu)),
    )


def _architecture(cpu: Machine) -> str:
    found = architecture_of(cpu.flags | cpu.hidden)
    return found.name if found else "x86"


def elsewhere(architecture: str) -> Machine | None:
    """The machine that stands for another architecture than this one's: the CPU and the caches of its typical machine,
    with the features that all have; None where there is none."""
    found = next((m for m in shipped() if m.served.architecture == architecture and m.served.is_typical), None)
    if found is None:
        return None
    least = next(base.features for base in by_name(architecture).bases.values())
    return Machine(least, dict(found.caches), 1, found.name, found.cpu)


def known() -> tuple[Measured, ...]:
    """All that are given, and then all that come with griotte."""
    return tuple(map(_loaded, places.given())) + shipped()


@cache
def shipped() -> tuple[Measured, ...]:
    """All that come with griotte, by name."""
    return tuple(map(load, sorted(FOLDER.glob("*.toml"))))


@cache
def _loaded(path: Path) -> Measured:
    """A file, as it was when this process first asked for it."""
    return load(path)


_own: dict[str, tuple[Measured, ...]] = {}
_keeps: list[str] = []


def keeps() -> int:
    """How often this process was told of a machine's measurements."""
    return len(_keeps)


def own(machine: Machine) -> tuple[Measured, ...]:
    """The machine's measurements that nobody asked for, as they were when this process first asked for them; nothing
    where GRIOTTE_CALIBRATE is off. A file that cannot be read is none."""
    if places.word() == places.OFF:
        return ()
    name = places.fingerprint(machine, best(machine))
    if name not in _own:
        _own[name] = tuple(kept(name))
    return _own[name]


def keep(machine: Machine, measured: Measured | None) -> None:
    """Have this process take the machine's measurements; None: those kept now. No search of it may have begun: a
    process stays with its prices."""
    name = places.fingerprint(machine, best(machine))
    _own[name] = (measured,) if measured else tuple(kept(name))
    _keeps.append(name)


def kept(name: str) -> Iterator[Measured]:
    """The file that is kept under this fingerprint now; nothing where there is none, or none that can be read."""
    for path in places.kept(name):
        with suppress(TargetError):
            yield load(path)
            return


def load(path: Path) -> Measured:
    """A file of machines/; TargetError where it has a part that such a file has not, or a number beyond its bounds, or
    leaves that cannot be read."""
    return _read(Tables(path))


def read(path: Path, text: str) -> Measured:
    """The same of a text that is to be such a file."""
    return _read(Tables(path, text))


def _read(tables: Tables) -> Measured:
    data = tables.data
    tables.known(data, _KEYS, "")
    family = tables.count("family", data.get("family"), _MOST, 0)
    return Measured(
        tables.path.stem,
        Cpu(str(data.get("vendor", "")), family, tables.count("model", data.get("model", 0), _MOST, 0)),
        tables.number(data.get("clock", 0.0), "clock", 100.0, least=0.0),
        _source(tables),
        _served(tables),
        _bytes(tables, "caches"),
        _bytes(tables, "held"),
        MeasuredPrices(
            tables.parameters() or {},
            _coefficients(tables),
            tables.ports(),
            tables.crossing(),
            tables.prefetch(),
            tables.slots("uops", _kernels("uops")),
            tables.slots("interleave", _kernels("interleave")),
            tables.functions(),
            tables.conversions(),
            tables.leaves(),
            tables.spans(),
        ),
        _when(tables),
        tables.path,
    )


def _when(tables: Tables) -> str:
    found = tables.data.get("measured", "")
    if not isinstance(found, str) or not found.isprintable() or len(found) > _LONGEST:
        raise tables.error("measured", "a date", found, 'write measured = "2026-11-30"')
    for spec, ratio in tables.table("check").items():
        tables.number(ratio, f"check.{spec}", inf, least=0.0)
    return found


def _source(tables: Tables) -> str:
    """How the numbers were come by, in words that a machine's name follows."""
    found = tables.data.get("by_hand", False)
    if not isinstance(found, (bool, str)):
        raise tables.error("by_hand", "true, false or words", found, 'write by_hand = "of published timings"')
    words = f" ({found})" if isinstance(found, str) else ""
    return f"set by hand{words} for" if found else MEASURED


def _served(tables: Tables) -> Served:
    data = tables.data
    kin = tables.several("kin", [])
    for found in kin:
        if not isinstance(found, list) or [type(part) for part in found] != [str, int]:
            raise tables.error("kin", "pairs of a maker and a model", found, 'write one like ["0x41", 0xd44]')
    return Served(
        str(data.get("architecture", "x86")),
        tuple(tables.count("vector_bytes", width, 64) for width in tables.several("vector_bytes", [])),
        tuple(tables.count("only", model, _MOST, 0) for model in tables.several("only", [])),
        frozenset((maker, model) for maker, model in kin),
        data.get("typical") is True,
        data["guest"] is True if "guest" in data else None,
    )


def _bytes(tables: Tables, title: str) -> dict[int, int]:
    """A table of bytes by level."""
    table = tables.table(title)
    tables.known(table, ("L1", "L2", "L3"), title)
    return {int(level[1:]): tables.count(f"{title}.{level}", size, _MOST) for level, size in table.items()}


def _coefficients(tables: Tables) -> dict[str, float]:
    table = tables.table("coefficients")
    tables.known(table, (*COEFFICIENTS, *ONLY_MEASURED), "coefficients")
    return {key: tables.number(value, f"coefficients.{key}", inf, least=0.0) for key, value in table.items()}


def _kernels(slot: str) -> tuple[str, ...]:
    """Names of the kernels of all built-in targets that have such a number."""
    return tuple(
        dict.fromkeys(k.name for base in BUILT_IN.values() for k in base.kernels if getattr(k, slot) is not None)
    )

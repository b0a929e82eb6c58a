"""An architecture: all that griotte knows of a family of instruction sets, as one declaration. It names its built-in
targets, and bodies of helpers that it does much better than GNU C vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..lang.functions import Slots
from .instructions import Kernel


@dataclass(frozen=True, slots=True)
class IsaEntry:
    """One better body. `vector_bytes` counts the operand vector, for a conversion the wider of the two vectors."""

    helper: str
    dtypes: tuple[str, ...]
    vector_bytes: tuple[int, ...]
    features: frozenset[str]
    body: str


def no_fields(dtype: str, bits: int, lanes: int, vector_bytes: int) -> dict[str, str]:
    """No placeholders."""
    return {}


@dataclass(frozen=True)
class Intrinsics:
    """The better bodies of an architecture. Nothing here is needed for correct code.

    header     that of the C compiler which declares what bodies call
    entries    the first that fits wins, so wider features come first
    fields     (dtype, bits, lanes, vector_bytes) -> the placeholders of a body that follow from the element type alone
    registers  (feature, bytes) of the widest vector register that it brings, the widest first; 16 where none is there
    """

    header: str = ""
    entries: tuple[IsaEntry, ...] = ()
    fields: Callable[[str, int, int, int], dict[str, str]] = no_fields
    registers: tuple[tuple[str, int], ...] = ()

    def register_bytes(self, features: frozenset[str]) -> int:
        """Width of the vector registers; 16 where no feature says more."""
        return next((size for feature, size in self.registers if feature in features), 16)

    def find(self, features: frozenset[str], helper: str, dtype: str, vector_bytes: int) -> IsaEntry | None:
        """The first entry that fits and whose features are all there; None where the portable body is the one to
        use."""
        for entry in self.entries:
            if (
                entry.helper == helper
                and dtype in entry.dtypes
                and vector_bytes in entry.vector_bytes
                and entry.features <= features
            ):
                return entry
        return None


NONE = Intrinsics()


class Guarded(NamedTuple):
    """Lines of C, and the preprocessor's condition for them."""

    condition: str
    lines: str


class HeaderParts(NamedTuple):
    """Of a compiler's header, the parts that it takes for code that needs no more than some flags of the machine."""

    header: str
    flags: frozenset[str]
    names: frozenset[str]  # of headers that it includes


class Compiled(NamedTuple):
    """How compilers tell an architecture. `machines`: the names of its machines, the usual one first; `condition`: the
    preprocessor's condition for them. `vector`: the constraint of an operand of assembly that is in a vector register.
    `pause`: a statement by which a thread that waits busily leaves the core to others. `parts`: of a header that takes
    long to read, the parts that are read."""

    machines: tuple[str, ...]
    condition: str
    vector: str
    pause: str = ""
    parts: HeaderParts | None = None


def chosen(guarded: Iterable[Guarded | None], otherwise: str = "") -> str:
    """C in which the preprocessor takes the lines whose condition holds, or others."""
    found = [each for each in guarded if each is not None]
    branches = [f"#{'elif' if n else 'if'} {each.condition}\n{each.lines}\n" for n, each in enumerate(found)]
    return "".join(branches) + (f"#else\n{otherwise}\n" if otherwise else "") + "#endif"


class Words(NamedTuple):
    """The words before what Linux's /proc/cpuinfo says of a CPU; empty where it has none of an architecture."""

    features: str
    vendor: str
    family: str
    model: str
    name: str = ""
    megahertz: str = ""


@dataclass(frozen=True)
class Features:
    """CPU features that code of an architecture may need.

    names     as Linux calls them
    check     (prototype, names) -> (C headers, C function) of this prototype, `const char *name(void)`: the first of
              these that the machine lacks, NULL where it has them all
    words     of /proc/cpuinfo
    withheld  () -> those of this CPU that its system does not let a process use
    given     () -> those that the system tells a process of when it starts, where /proc/cpuinfo is of no such CPU
    sysctl    what macOS calls them, after `hw.optional.`
    """

    names: frozenset[str]
    check: Callable[[str, frozenset[str]], tuple[tuple[str, ...], str]]
    words: Words
    withheld: Callable[[], frozenset[str]] = frozenset
    given: Callable[[], frozenset[str]] = frozenset
    sysctl: Mapping[str, str] = field(default_factory=dict)


class Cpu(NamedTuple):
    """What a CPU says of itself; the model 0 where it is not known."""

    vendor: str = ""
    family: int = 0
    model: int = 0

    def written(self, number: int) -> str:
        """A number of its family or model as makers write it: in tens, or as 0x.. where its own name is one."""
        return f"{number:#x}" if self.vendor.startswith("0x") else str(number)


UNTOLD = Cpu()

_USUAL = {1: 32 << 10, 2: 512 << 10, 3: 8 << 20}


def unnamed(cpu: Cpu) -> str:
    """No name."""
    return ""


def usual_caches(cpu: Cpu, told: Mapping[int, int]) -> dict[int, int]:
    """The caches that the system tells, and usual sizes for the others of three levels."""
    return _USUAL | dict(told)


def unbranded(name: str) -> Cpu:
    """No CPU that is known."""
    return Cpu()


def unnumbered(text: str) -> Cpu:
    """The same."""
    return Cpu()


@dataclass(frozen=True)
class Cores:
    """What makers say of the cores of an architecture.

    name     of one, empty where it is not known
    caches   (core, bytes by level that its system tells) -> bytes by level, of those too that it does not tell
    branded  the core that a name for buyers stands for
    number   where Linux has the number that a core gives itself, in the folder of a CPU; empty where it has none
    numbered the core of the number that stands there
    """

    name: Callable[[Cpu], str] = unnamed
    caches: Callable[[Cpu, Mapping[int, int]], dict[int, int]] = usual_caches
    branded: Callable[[str], Cpu] = unbranded
    number: str = ""
    numbered: Callable[[str], Cpu] = unnumbered


@dataclass(frozen=True)
class Denormals:
    """C that sets and restores what the CPU does with denormals. `flushed` has `unsigned before`, `restored` has `const
    unsigned *before`."""

    flushed: Guarded
    restored: Guarded


@dataclass(frozen=True)
class Base:
    """What a built-in target needs of a CPU, and what it uses of it.

    features        that its code needs
    flags           of the C compiler
    optional_flags  a compiler flag for each feature that it uses where it is there
    vector_bytes    the width of a register
    registers       how many there are
    partial         registers that a vector takes besides while a step loads a part of it: 0 where masks have their own
    kernels         that it offers
    slots           operations of a vector of f32 that functions take, by name, where their declarations know no better
    """

    features: frozenset[str]
    flags: tuple[str, ...]
    vector_bytes: int
    registers: int
    kernels: tuple[Kernel, ...]
    optional_flags: Mapping[str, str] = field(default_factory=dict)
    partial: int = 1
    slots: Mapping[str, Slots] = field(default_factory=dict)

    def compiled(self, features: frozenset[str]) -> tuple[str, ...]:
        """The compiler's flags for code with these features. Of several flags -march= the last counts, with the
        extensions of all."""
        found = (*self.flags, *(flag for feature, flag in self.optional_flags.items() if feature in features))
        march = [flag for flag in found if flag.startswith("-march=")]
        if len(march) < 2:
            return found
        extensions = [word for flag in march for word in flag.split("+")[1:]]
        return (*(flag for flag in found if flag not in march), "+".join([march[-1].split("+")[0], *extensions]))


@dataclass(frozen=True)
class Architecture:
    """A family of instruction sets.

    compiled    how compilers tell it
    bases       its built-in targets by name, the fewest features first
    rounded     C that defines ROUNDED(x): from there on no compiler sees what x, a float in a register, is
    features    those that its code may need
    intrinsics  bodies that it has for helpers of vectors
    denormals   what it does with denormals
    evicted     C that puts the lines from `const char *from`, `bytes` long, out of all caches
    cores       what their makers say of them
    tried       where its kernels were run, as it follows `run`, if not on such a machine
    """

    name: str
    compiled: Compiled
    rounded: Guarded
    bases: Mapping[str, Base] = field(default_factory=dict)
    features: Features | None = None
    intrinsics: Intrinsics = NONE
    denormals: Denormals | None = None
    evicted: Guarded | None = None
    cores: Cores = Cores()
    tried: str = ""

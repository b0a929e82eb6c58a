"""The problems of the race: problems.toml, read and checked."""

from __future__ import annotations

import itertools
import math
import random
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from .stated import Stated

FILE = Path(__file__).parent / "problems.toml"
# of a, b and the result
DTYPES = {"f32": ("f32", "f32", "f32"), "bf16": ("bf16", "bf16", "f32"), "u8s8": ("u8", "s8", "s32")}
BYTES = {"f32": 4, "bf16": 2, "u8": 1, "s8": 1, "s32": 4}
LAYOUTS, DOORS = ("row", "col"), ("python", "c")
KEYS = {"title", "sizes", "shapes", "drawn", "dtypes", "layouts", "const", "doors", "specs"}
GRAPHS = "graphs"  # among the names that `chosen` takes: every problem that is stated as a Spec
LARGE = 4 << 20  # bytes of weights from which a read rate is worth knowing


@dataclass(frozen=True)
class Problem:
    """A product a [batch, m, k] x b [batch, k, n]; problems.toml says what the words mean."""

    set: str
    batch: int
    m: int
    k: int
    n: int
    dtype: str = "f32"
    layout: str = "row"
    const: bool = False
    door: str = "python"

    @property
    def name(self) -> str:
        """Unique within the race: `thin/f32-2x4096x4096-const`."""
        shape = "x".join(map(str, ([self.batch] if self.batch > 1 else []) + [self.m, self.k, self.n]))
        marks = [
            self.dtype,
            shape,
            *(["col"] if self.layout == "col" else []),
            *(["const"] if self.const else []),
            *(["c"] if self.door == "c" else []),
        ]
        return f"{self.set}/{'-'.join(marks)}"

    @property
    def flops(self) -> float:
        return 2.0 * self.batch * self.m * self.k * self.n

    @property
    def weight_bytes(self) -> int:
        """Of the second operand, as given."""
        return self.batch * self.k * self.n * BYTES[DTYPES[self.dtype][1]]

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the result."""
        return (*((self.batch,) if self.batch > 1 else ()), self.m, self.n)

    @property
    def is_matvec(self) -> bool:
        return self.m == 1

    @property
    def is_read(self) -> bool:
        """Whether it is a matter of reading the weights."""
        return self.m <= 16 and self.weight_bytes >= LARGE

    @property
    def spec(self) -> str:
        """For griotte."""
        a, b, c = DTYPES[self.dtype]
        batch = f"{self.batch}," if self.batch > 1 else ""
        order = "{0,1}" if self.layout == "col" else ""
        return (
            f"matmul({a}[{batch}{self.m},{self.k}], {'const ' * self.const}{b}[{batch}{self.k},{self.n}]{order}) ->"
            f" {c}[{batch}{self.m},{self.n}]"
        )

    @property
    def data_key(self) -> tuple:
        """Problems that share it share their arrays."""
        return self.batch, self.m, self.k, self.n, self.dtype, self.layout

    def as_json(self) -> dict:
        return {
            **asdict(self),
            **{key: getattr(self, key) for key in ("name", "flops", "weight_bytes", "is_matvec", "is_read")},
            "shape": list(self.shape),
        }


def load(path: Path = FILE) -> dict[str, list[Problem | Stated]]:
    """The sets by name; ValueError where the file is not well-formed."""
    sets = tomllib.loads(path.read_text())
    return {name: list(_problems(name, declared)) for name, declared in sets.items()}


def titles(path: Path = FILE) -> dict[str, str]:
    return {name: declared["title"] for name, declared in tomllib.loads(path.read_text()).items()}


def _problems(name: str, declared: dict) -> Iterator[Problem | Stated]:
    unknown = declared.keys() - KEYS
    if unknown:
        raise ValueError(
            f"expected keys of {', '.join(sorted(KEYS))} in set {name}, found {', '.join(sorted(unknown))}"
        )
    yield from (Stated(name, label, spec) for label, spec in declared.get("specs", {}).items())
    axes = (
        declared.get("dtypes", ["f32"]),
        declared.get("layouts", ["row"]),
        declared.get("const", [False]),
        declared.get("doors", ["python"]),
    )
    for values, allowed in zip(axes, (DTYPES, LAYOUTS, (False, True), DOORS)):
        if any(v not in allowed for v in values):
            raise ValueError(f"expected values of {', '.join(map(str, allowed))} in set {name}, found {values}")
    for shape, (dtype, layout, const, door) in itertools.product(
        list(_shapes(name, declared)), itertools.product(*axes)
    ):
        yield Problem(name, *shape, dtype, layout, const, door)


def _shapes(name: str, declared: dict) -> Iterator[tuple[int, int, int, int]]:
    """(batch, m, k, n)."""
    yield from ((1, n, n, n) for n in declared.get("sizes", []))
    for shape in declared.get("shapes", []):
        if len(shape) not in (3, 4) or min(shape) < 1:
            raise ValueError(f"expected [m, k, n] or [batch, m, k, n] in set {name}, found {shape}")
        yield (1, *shape) if len(shape) == 3 else tuple(shape)
    if "drawn" in declared:
        yield from _drawn(**declared["drawn"])


def _drawn(count: int, least: int, most: int, seed: int) -> Iterator[tuple[int, int, int, int]]:
    rng = random.Random(seed)

    def size() -> int:
        return min(most, max(least, round(math.exp(rng.uniform(math.log(least), math.log(most))))))

    for _ in range(count):
        yield 1, size(), size(), size()


def drawn(count: int, seed: int) -> list[Problem]:
    """So many f32 products of no set, sizes 16 to 2048: every other row length is odd."""
    return [Problem("drawn", *shape) for shape in _drawn(count, 16, 2048, seed)]


def chosen(only: list[str], path: Path = FILE) -> list[Problem | Stated]:
    """Those of the sets, or with the names (whole, or from their start), in `only`, where `graphs` is all that are
    stated as Specs; every problem where it is empty. ValueError for a name that nothing has."""
    everything = load(path)
    problems = [p for problems in everything.values() for p in problems]
    if not only:
        return problems
    for name in only:
        if name != GRAPHS and name not in everything and not any(p.name.startswith(name) for p in problems):
            raise ValueError(
                f"expected a set ({', '.join(everything)}) or a problem's name, found {name!r}; race.py --list names"
                " them"
            )
    is_named = lambda p, name: (
        p.set == name
        or (name not in everything and p.name.startswith(name))
        or (name == GRAPHS and isinstance(p, Stated))
    )
    return [p for p in problems if any(is_named(p, name) for name in only)]

"""A machine described in TOML: `--target machine.toml`. `load` checks every field before it is used, `text` writes a
Target.

    name = "small"
    base = "avx2"              # avx512, avx2 or portable: kernels, compiler flags and vector width come from it
    features = []              # of the base's optional ones: avx512_vnni avx512_bf16 amx_tile amx_bf16 amx_int8 (none
                               # when left out)
    registers = 8              # vector registers that a program may plan with (the base's when left out)
    vector_bytes = 32          # base "portable" only: a power of two, 8..64
    kernels = ["map", "pack", "multiply_add"]    # a part of the base's kernels, by name (all when left out)
    panel_vectors = [1, 2]     # widths of packed panels, in vectors
    tile_sizes = [6]           # tiles beside 2^a and 3 * 2^a
    largest_cache = "32MiB"    # where the last cache is larger than its level says, for it is shared (that of the
                               # largest level when left out)
    cache_share = 0.75         # of each cache, what a program may plan with; a level's `share` overrides it

    [[levels]]                 # fastest first, registers left out
    name = "L1"
    capacity = "32KiB"         # or bytes: 32768
    share = 0.5                # 0: operands rest in it between calls, but nothing is moved to it
    prefetch = false           # whether programs ask ahead for what they stream from it (L3 and memory: true)

    [[levels]]
    name = "memory"            # the last one has no capacity

    [machine]                  # what was measured (griotte.machine.machine, docs/reference/targets.md), as `griotte
                               # calibrate` writes it; coefficients, ports, crossing
    "read.L3" = 7.5            # and latency follow from it, but for those given below. None of them do where there is
                               # no such table

    [coefficients]             # cycles; those of griotte.machine.COEFFICIENTS when left out
    "line.memory" = 12.0       # a line from that level; a level of another name than L1 L2 L3 memory needs one
    "stream.memory" = 12.0     # the same, read by a map or a sum; "store.memory": written by one; "result.memory": of a
                               # reduction's output; "late.memory": of a short one's (those of line when left out);
                               # "nontemporal.memory": written past the caches, which no other level offers where it has
                               # no such price
    "run.memory" = 40.0        # the first line of a stretch (0 for a level of another name); "start.memory": of one
                               # that a reduction or a pack reads (that of run when left out); "panel.memory",
                               # "strip.memory", "crowded.memory", "handover.L2": see docs/explanation/cost.md
    loop = 2.0

    [learned]                  # factors on those coefficients, from 0.25 to 4, as `griotte learn fit --prices` writes
    "line.memory" = 1.2        # them (docs/explanation/learned.md)

    [ports]                    # operations per cycle
    arithmetic = 2.0
    adders = 0.0               # of sums, shifts and roundings, beside those

    [crossing]                 # lines on their way that are hidden, kept and lost: griotte.machine.Crossing
    lost = 4.0

    [handling]                 # what elements take that no vector instruction handles as they lie:
                               # griotte.machine.Handling
    scattered = 1.5

    [prefetch]                 # how long before it needs them a program asks for lines: griotte.machine.Prefetch
    least_work = 4.0           # arithmetic slots for each line that streams in, from which a reduction asks for it (0:
                               # always)
    far_part = 1024            # bytes, in a row as given that each call of a leaf reads a part of, into L2, and
                               # `near_part` on into L1 (0: into L1 alone, `part` on)
    far_panel = 16384          # bytes, in a panel from a level of `prefetch`, into L2 (0: into L1 alone)
    far_rows = 4               # rows of results that take each line of a panel, from which it goes to L2 so (0: always)
    light_panel = 2048         # bytes, in a panel for fewer, into L2 alone (0: into L1, `panel` on)
    later_row = 8              # steps of a reduction, of rows in the levels before those of `prefetch` (0: not at all)
    far_row = 4                # the same, of rows that rest in L3 and that each call of a leaf reads a part of (0:
                               # along the row)
    next_rows = 65536          # bytes asked for at most before they are read, of the rows after those of a leaf, into
                               # L2, where they rest in memory (0: never)

    [writing]                  # how the C of leaves is written: griotte.machine.Writing
    unrolled = 48              # updates of accumulators in a turn of the innermost loop, at least
    swept = 512                # the same, written out in a leaf that goes down the rows of an input, at most

    [spans]                    # bytes: griotte.machine.Spans
    line = 128                 # of a cache (64 when left out)
    page = 16384               # of memory (4096)
    named = 16384              # of a row, up to which sums and maps tell whole rows from parts of them (512)

    [layouts]                  # what parts of models count in other layouts than their own: griotte.machine.Layouts
    reordered = 1.5            # times their price

    [uops]                     # arithmetic slots of a kernel's step, where they are not those of the base
    multiply_add = 1.0

    [interleave]               # the same, to interleave rows in registers, of the kernels that can (dot_bf16 of avx512)
    [slide]                    # the same, to lay side by side the neighbours that a window meets as it slides along the
                               # lanes (dot_u8s8 of avx512)
    [latency]                  # cycles from a step of a kernel to the next on its result

    [leaves]                   # what tiles of registers were measured to take (griotte.machine.leaves), as `griotte
                               # calibrate` writes it: for one compiler
    compiler = "gcc 12.2.0"    # and for one C that leaves are written as; without either for any. The ports price
    emitted = "97039df8d95a5c61"  # leaves that are not here
"""

from __future__ import annotations

import math
import re
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

from ..lang.functions import Slots
from . import BUILT_IN, PREFETCHED, leaves
from .coefficients import LEAST_FACTOR, MOST_FACTOR, SLOTS, Priced, corrected
from .core import CONVERSIONS, OPTIONAL, Calls, Handling, Layouts, Level, function_slots
from .instructions import Kernel
from .kernels import PORTABLE, serving
from .tables import Tables
from .target import Target

_KEYS = tuple(
    (
        "name base features registers vector_bytes kernels panel_vectors tile_sizes largest_cache cache_share levels"
        " machine coefficients learned ports crossing handling prefetch writing layouts spans curve shared written"
        " functions conversions uops interleave slide latency leaves"
    ).split()
)
_SIZE = re.compile(r"(\d{1,15})\s*(B|KiB|MiB|GiB)?")
_UNITS = {None: 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_MOST = {"registers": 1024, "panel_vectors": 64, "tile_sizes": 1 << 20}  # largest value of each


def load(path: Path) -> Target:
    """The Target that a TOML file describes. Raises TargetError, saying where and what to do, when it is wrong."""
    return _Description(path).target()


class _Description(Tables):
    """A parsed file; each method reads and checks one part of it."""

    def __init__(self, path: Path):
        super().__init__(path)
        self.known(self.data, _KEYS, "")
        self.base_name = self.choice("base", tuple(BUILT_IN))
        self.base = BUILT_IN[self.base_name]

    def target(self) -> Target:
        vector_bytes, registers = self._vector_bytes(), self._integer("registers", self.base.registers)
        features = self.base.features | self._features()
        caches, prefetch = self._levels(), self.prefetch()
        spans = self.spans()
        priced = Priced(self.parameters(), prefetch.far_panel, spans.line)
        kernels = self._kernels(features, priced)
        return Target(
            name=self._name(),
            features=features,
            flags=self.base.compiled(features),
            vector_bytes=vector_bytes,
            registers=registers,
            partial=self.base.partial,
            levels=(Level("registers", registers * vector_bytes), *caches),
            kernels=kernels,
            coefficients=self._learned(self._coefficients(caches, priced.coefficients)),
            ports=replace(priced.ports, **self.ports()),
            crossing=replace(priced.crossing, **self.crossing()),
            handling=Handling(
                **self.numbers("handling", Handling, 1024.0, may_be_zero=tuple(f.name for f in fields(Handling)))
            ),
            prefetch=prefetch,
            writing=self.writing(),
            spans=spans,
            calls=self._calls(caches, priced.calls),
            layouts=Layouts(**self.numbers("layouts", Layouts, 1024.0)),
            functions=tuple(self._functions().items()),
            conversions=tuple((CONVERSIONS | self.conversions()).items()),
            panel_vectors=self._integers("panel_vectors", (1, 2, 3, 4)),
            tile_sizes=self._integers("tile_sizes", ()),
            largest_cache=(
                self._capacity("largest_cache", self.data["largest_cache"]) if "largest_cache" in self.data else None
            ),
            leaves=self._leaves(kernels),
        )

    # ---- the parts ---------------------------------------------------------------------------------------------------

    def _name(self) -> str:
        name = self.data.get("name", self.path.stem)
        if not isinstance(name, str) or not re.fullmatch(r"[\w.+-]{1,64}", name):
            raise self.error("name", "a word of letters, digits, _ . + -", name, 'write one like name = "small"')
        return name

    def _features(self) -> frozenset[str]:
        known = tuple(self.base.optional_flags)
        found = self.several("features", [])
        for feature in found:
            if feature not in known:
                raise self.error(
                    "features",
                    f"an optional feature of {self.base_name} ({' '.join(known) or 'none'})",
                    feature,
                    "remove it, or change base",
                )
        return frozenset(found)

    def _vector_bytes(self) -> int:
        width = self.base.vector_bytes
        found = self.data.get("vector_bytes", width)
        if self.base is not PORTABLE and found != width:
            raise self.error(
                "vector_bytes",
                f"{width}, the width of {self.base_name}",
                found,
                'leave it out, or use base = "portable"',
            )
        if isinstance(found, bool) or found not in (8, 16, 32, 64):
            raise self.error("vector_bytes", "8, 16, 32 or 64", found, "write one of them")
        return int(found)

    def _kernels(self, features: frozenset[str], priced: Priced) -> tuple[Kernel, ...]:
        found = tuple(replace(k, latency=priced.slot(k, "latency")) for k in serving(self._chosen_kernels(features)))
        for field in SLOTS:
            slots = self.slots(field, tuple(k.name for k in found if getattr(k, field) is not None))
            found = tuple(replace(k, **{field: slots.get(k.name, getattr(k, field))}) for k in found)
        return found

    def _chosen_kernels(self, features: frozenset[str]) -> tuple[Kernel, ...]:
        by_name = {k.name: k for k in self.base.kernels}
        if "kernels" not in self.data:
            return tuple(k for k in self.base.kernels if k.needs <= features)
        chosen = self.several("kernels", [])
        for name in chosen:
            if name not in by_name:
                raise self.error(
                    "kernels", f"kernels of {self.base_name} ({' '.join(by_name)})", name, "name one of them"
                )
            lacking = by_name[name].needs - features
            if lacking:
                raise self.error(
                    "kernels",
                    f"kernels that need no more than the features listed; {name} needs {' '.join(sorted(lacking))}",
                    name,
                    "add that to features",
                )
        return tuple(k for k in self.base.kernels if k.name in chosen)

    def _levels(self) -> tuple[Level, ...]:
        tables = self.data.get("levels")
        if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
            raise self.error(
                "levels", "one [[levels]] table or more", tables, "add them, fastest first; the last is memory"
            )
        levels = tuple(self._level(i, table, is_last=i == len(tables) - 1) for i, table in enumerate(tables))
        names = ["registers", *(level.name for level in levels)]
        for i, name in enumerate(names[1:]):
            if name in names[: i + 1]:
                raise self.error(
                    f"levels[{i}].name",
                    "a name of its own for each level (registers are not listed)",
                    name,
                    "rename it",
                )
        for i, (fast, slow) in enumerate(pairwise(levels)):
            if slow.capacity is not None and fast.capacity is not None and slow.capacity <= fast.capacity:
                raise self.error(
                    f"levels[{i + 1}].capacity",
                    f"more than the {fast.capacity} bytes of {fast.name}",
                    slow.capacity,
                    "list levels fastest, and smallest, first",
                )
        return levels

    def _level(self, i: int, table: dict, is_last: bool) -> Level:
        where = f"levels[{i}]"
        self.known(table, ("name", "capacity", "share", "prefetch"), where)
        name = table.get("name")
        if not isinstance(name, str) or not re.fullmatch(r"\w{1,32}", name):
            raise self.error(f"{where}.name", "a word", name, 'write one like name = "L1"')
        share = self.number(self.data.get("cache_share", 0.75), "cache_share", 1.0)
        share = self.number(table.get("share", share), f"{where}.share", 1.0, least=0.0)
        if is_last and "capacity" in table:
            raise self.error(
                f"{where}.capacity",
                "no capacity for the last level, the memory",
                table["capacity"],
                "remove it, or add a level",
            )
        prefetch = table.get("prefetch", name in PREFETCHED)
        if not isinstance(prefetch, bool):
            raise self.error(f"{where}.prefetch", "true or false", prefetch, "write one of them")
        return Level(
            name, None if is_last else self._capacity(f"{where}.capacity", table.get("capacity")), share, prefetch
        )

    def _capacity(self, where: str, found: object) -> int:
        match = _SIZE.fullmatch(found) if isinstance(found, str) else None
        size = int(match.group(1)) * _UNITS[match.group(2)] if match else found
        if isinstance(size, bool) or not isinstance(size, int) or not 64 <= size <= 1 << 50:
            raise self.error(where, "64 bytes or more", found, 'write bytes, or a size like "48KiB"')
        return size

    def _coefficients(self, levels: tuple[Level, ...], usual: dict[str, float]) -> tuple[tuple[str, float], ...]:
        table = self.table("coefficients")
        free = [
            f"{name}.{level.name}"
            for level in levels
            for name in ("run", "start", "piece", "panel", "strip", "crowded", "handover")
        ]
        known = usual | {name: 0.0 for name in free if name not in usual}
        lines = {f"line.{level.name}" for level in levels}
        others = {
            f"{use}.{level.name}": f"line.{level.name}"
            for level in levels
            for use in ("stream", "store", "result", "late")
        }
        others |= {f"start.{level.name}": f"run.{level.name}" for level in levels}
        past = {f"{name}.{level.name}" for level in levels for name in ("nontemporal", *OPTIONAL)}
        self.known(table, (*known, *lines, *others, *past), "coefficients")
        table = {other: table[line] for other, line in others.items() if line in table} | table
        known |= {key: self.number(value, f"coefficients.{key}", math.inf, least=0.0) for key, value in table.items()}
        for key in sorted(lines - set(known)):
            raise self.error(
                f'coefficients."{key}"', "the cycles of a line from that level", None, f'add "{key}" = 10.0'
            )
        return tuple(known.items())

    def _functions(self) -> dict[str, Slots]:
        usual, own = function_slots(self.base_name, self.base.slots), self.functions()
        self.known(own, tuple(usual), "functions")
        return usual | own

    def _calls(self, levels: tuple[Level, ...], usual: Calls) -> Calls:
        """The tables [curve], cycles of a line by bytes, and [shared] and [written], times by level; where one is left
        out, as usual."""
        curve = self.table("curve")
        for key in curve:
            if not re.fullmatch(r"[1-9]\d{0,14}", key):
                raise self.error("curve", "bytes as keys", key, "write whole numbers")
        found = sorted((int(key), self.number(value, f"curve.{key}", 1e4)) for key, value in curve.items())
        shared, written = (self._times(title, levels) for title in ("shared", "written"))
        return Calls(tuple(found) or usual.curve, shared or usual.shared, written or usual.written)

    def _times(self, title: str, levels: tuple[Level, ...]) -> tuple[tuple[str, float], ...]:
        """A table of factors by level."""
        table = self.table(title)
        self.known(table, tuple(level.name for level in levels), title)
        return tuple((key, self.number(value, f"{title}.{key}", 64.0, 1.0)) for key, value in table.items())

    def _learned(self, coefficients: tuple[tuple[str, float], ...]) -> tuple[tuple[str, float], ...]:
        """The coefficients times the factors of the table [learned]."""
        table = self.table("learned")
        self.known(table, tuple(name for name, _ in coefficients), "learned")
        factors = {
            name: self.number(value, f"learned.{name}", MOST_FACTOR, least=LEAST_FACTOR)
            for name, value in table.items()
        }
        return corrected(coefficients, factors)

    def _leaves(self, kernels: tuple[Kernel, ...]) -> leaves.Leaves | None:
        """The table [leaves], of kernels that the target has; None where there is none."""
        found = self.leaves()
        for form in found.forms if found else ():
            if form.kernel not in [kernel.name for kernel in kernels]:
                raise self.error(
                    f"leaves.{form.name}",
                    "a kernel of this target first",
                    form.kernel,
                    "remove that table, or measure anew with griotte calibrate",
                )
        return found

    def _integer(self, key: str, default: int) -> int:
        return self.count(key, self.data.get(key, default), _MOST[key])

    def _integers(self, key: str, default: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(self.count(key, x, _MOST[key]) for x in self.several(key, list(default))))

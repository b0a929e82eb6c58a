"""The stages joined: Spec -> synthesize -> Program -> to_c -> compile -> Kernel."""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import SpecError, TableError
from .frontends.given import spec_of
from .ir.canonical import canonical_form
from .ir.spec import Spec
from .program.nodes import Node
from .targets import runnable
from .targets.target import Target

if TYPE_CHECKING:
    from .codegen.ahead import Pack
    from .codegen.emit import Unit
    from .runtime.arguments import Signature
    from .runtime.kernel import Kernel
    from .runtime.saved import Library
    from .search.memory import Memory
    from .search.solved import Solved
    from .search.statistics import Statistics
    from .table.store import Store
    from .table.table import Table


@dataclass(frozen=True, eq=False)
class Program:
    """A solved Spec: the tree of least cost in the declared space, for one target and thread count.

    `cost` is in cycles of the target's model. `stats` has specs_solved, specs_known, families, synthesis_s,
    peak_rss_mb, rectangles and compression (of runs of neighbours, where no file keeps them) and, with a table file,
    table_bytes.
    """

    spec: Spec
    canonical: Spec
    root: Node
    target: Target
    threads: int
    stats: dict[str, Any] = field(default_factory=dict)
    _search: Solved | None = field(default=None, repr=False, compare=False, kw_only=True)  # None: by hand

    @property
    def cost(self) -> float:
        return self.root.cost

    def __str__(self) -> str:
        from .program import printer

        return printer.text(self.root, self.target, printer.names_in(self.canonical))

    @property
    def largest(self) -> Program:
        """This program; of a dynamic size, the one for the bound."""
        return self

    def count(self) -> float:
        """log10 of the number of serial programs in the searched space, also put into `stats` as programs_log10; a
        dynamic size is at its bound. The counting engine goes over the whole space anew: a few times as slow as the
        search."""
        if "programs_log10" not in self.stats:
            self.stats["programs_log10"] = self._counted()
        return self.stats["programs_log10"]

    def _counted(self) -> float:
        """The number of programs, from the table where it has it."""
        from .search.counting import programs_log10
        from .table import Damaged, digest

        if self._search is None:
            return programs_log10(self.largest.spec, self.target, self.threads)
        table, goal = self._search.table, self._search.start.goal
        key = digest(f"programs {table.key(goal)} {table.axes(goal)}")
        text = table.choice(key)
        if text is not None and (known := _logarithm(text)) is not None:
            return known
        if text is not None:
            table.tell(Damaged("a number of programs that is none"))
        known = programs_log10(self.spec, self.target, self.threads)
        table.choose(key, repr(known))
        return known

    def alternatives(self, k: int = 10) -> list[Program]:
        """The k cheapest programs of the space that this one was found in, in order of cost, the cheapest first: this
        one, unless it is itself an alternative, or tuned. Any two differ in some choice; there are fewer than k where
        the space is smaller.

        Raises SpecError for a k below 1, and for a schedule, which has no space of its own.
        """
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise SpecError(
                f"expected a number of programs of 1 or more, found {k!r}; ask for the first few, such as"
                " alternatives(10)"
            )
        if self._search is None:
            raise SpecError(
                "expected a program that a search found, found one scheduled by hand, or read for one size of many;"
                " griotte.synthesize(program.spec).alternatives() has those of the whole space"
            )
        return [replace(self, root=root) for root in self._search.cheapest(k)]

    def filled(
        self, threads: int = 1, table: str | os.PathLike[str] | None = None, memory: int | str | None = None
    ) -> Program:
        """This program: it has no holes. A schedule's are filled with the programs of least cost."""
        return self

    def explain(self) -> str:
        """The program with the cost of every node, the roofline it is measured against, the search's size."""
        from .report.explain import explain

        return explain(self)

    def requests(self) -> str:
        """The program with what each leaf asks for before it needs it, as text."""
        from .program import printer
        from .program.prefetch import prefetched

        return printer.text(
            prefetched(self.root, self.canonical, self.target), self.target, printer.names_in(self.canonical)
        )

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the explanation as one self-contained HTML page."""
        from .report.html import write

        write(self, path)

    def to_picture(self, path: str | os.PathLike[str]) -> None:
        """Draw what runs, in which order, and where what is between lives, as .svg or (with matplotlib) .png."""
        from .report.html import write_picture

        write_picture(self, path)

    @cached_property
    def _unit(self) -> tuple[Unit, int]:
        from .codegen.emit import emit

        title = (
            f"{self.spec}\n\n{self.target.name}, {self.threads} thread{'s' * (self.threads > 1)}, {self.cost:.4g}"
            f" cycles by the model\n\n{self}"
        )
        return emit(self.root, self.canonical, self.target, self.function, title)

    @cached_property
    def function(self) -> str:
        """The exported C function's name."""
        digest = hashlib.sha256(f"{self.spec}|{self.target.name}|{self.threads}".encode()).hexdigest()[:8]
        return f"griotte_{self.spec.operation.name}_{digest}"

    def to_c(self) -> str:
        """Standalone C source."""
        return self._unit[0].source

    def build(self) -> Library:
        """The compiled library, not loaded: it may be for another machine than this. Raises ToolchainError without a C
        compiler."""
        from .runtime.saved import Library
        from .runtime.toolchain import compile_shared

        unit, threads = self._unit
        started = time.perf_counter()
        path = compile_shared(unit.source, self.target.flags, threads=threads)
        metadata = {
            "spec": str(self.spec),
            "target": self.target.name,
            "threads": self.threads,
            "cost": self.cost,
            **self.stats,
        }
        return Library(
            unit.source,
            unit.header,
            signature(self.spec, unit.function, unit.packs),
            path,
            self.target.features,
            {**metadata, "compile_s": time.perf_counter() - started},
        )

    def compile(self) -> Kernel:
        """A Kernel: NumPy arrays in, NumPy array out. Raises ToolchainError without a C compiler, TargetError where
        this CPU does not run the target's code."""
        from .runtime.loading import kernel_of

        _ = self._unit  # a hole, which no machine runs, is told first
        runnable(self.target)
        return kernel_of(self.build())

    def save(self, directory: str | os.PathLike[str]) -> Path:
        """Write kernel.c, kernel.h, kernel.so and kernel.json, for this machine or another; the directory. Raises
        ToolchainError."""
        return self.build().save(directory)


def signature(spec: Spec, function: str, packs: Iterable[Pack]) -> Signature:
    """What the C function of a Spec takes, some of its constants packed."""
    from .runtime.arguments import Packing, Signature, TensorArg

    packings = {pack.operand: Packing(pack.function, pack.bytes) for pack in packs}
    inputs = [
        TensorArg(f"x{i}", t.dtype, t.shape, t.minor_to_major, t.constant, packings.get(i), t.dynamic, tied=t.tied)
        for i, t in enumerate(spec.inputs)
    ]
    names = ["y"] if len(spec.outputs) == 1 else [f"y{n}" for n in range(len(spec.outputs))]
    output, *further = (
        TensorArg(name, t.dtype, t.shape, t.minor_to_major, dynamic=t.dynamic, tied=t.tied)
        for name, t in zip(names, spec.outputs)
    )
    return Signature(function, tuple(inputs), output, tuple(further))


def synthesize(
    spec: Spec | Program | str | Sequence[Spec],
    target: str | Target = "native",
    threads: int = 1,
    table: str | os.PathLike[str] | None = None,
    memory: int | str | None = None,
    tune: int | None = None,
) -> Program:
    """The program of least cost for `spec` (of a tuple of Specs for all of them, `gt.outputs`), or with the rewrites of
    a schedule.

    table    the file that keeps what is solved: a path, None for the user's own, "none" for none
    memory   a bound on what the process holds while it searches: bytes, or a text such as "1GiB"
    tune     times so many of the best programs on this machine, and takes the fastest; the table remembers it, and
             gives it from then on. 1: the model's best, whatever the table remembers

    Raises SpecError, TargetError, TableError, NoProgramError when the space has none, and GriotteError for too little
    memory.
    """
    from .runtime.leaves import resolved
    from .search.division import Divided, solving

    spec = spec if isinstance(spec, Program) else spec_of(spec)
    if not isinstance(threads, int) or threads < 1:
        raise SpecError(f"expected a number of threads of 1 or more, found {threads!r}")
    if tune is not None:
        from .tuning import check

        check(tune, spec)
    if isinstance(spec, Program):
        if target != "native" and resolved(target) != spec.target:
            raise SpecError(
                f"expected {spec.target.name}, the target of the schedule, found {target}; give the target to"
                " griotte.schedule"
            )
        return spec.filled(threads, table, memory)
    target = resolved(target)
    if tune is not None and tune > 1:
        runnable(target)
    canonical = canonical_form(spec)
    store = open_store(table, target)
    solved = solving(canonical, target, threads, store, bounded(memory))
    found = solved.best
    if solved.statistics.specs_solved:
        remember(spec, threads, store)
    stats = stats_of(solved.statistics, *(part.table for part in solved.parts))
    if canonical.dynamic or isinstance(solved, Divided):
        from .dynamic import DynamicProgram

        return DynamicProgram(spec, canonical, found, target, threads, stats)
    from .tuning import tuned

    return tuned(Program(spec, canonical, found, target, threads, stats, _search=solved), solved, tune)


def _logarithm(text: str) -> float | None:
    """The logarithm of a number of programs that a table's text says; None where it says none."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if 0 <= found < math.inf or found == -math.inf else None


def remember(spec: Spec, threads: int, store: Store | None) -> None:
    """Note in a table which Spec was solved into it, where it has a text form."""
    from .frontends.text import parse

    try:
        if store is not None and parse(str(spec)) == spec:
            store.remember(str(spec), threads)
    except SpecError:
        pass


def bounded(memory: int | str | None) -> Memory:
    """The Memory of a `memory` argument: its scratch files lie in the cache."""
    from .search.memory import Memory, nbytes

    if memory is None:
        return Memory()
    from .runtime.cache import writable_dir

    return Memory(nbytes(memory), str(writable_dir("scratch")))


def open_store(table: str | os.PathLike[str] | None, target: Target) -> Store | None:
    """The Store that a `table` argument names: the user's own for None, no store for "none"."""
    if table == "none":
        return None
    from .runtime.cache import writable_dir
    from .table.store import Store

    if table is None:
        return Store(writable_dir("tables") / "default.griotte", target)
    if not isinstance(table, (str, os.PathLike)):
        raise TableError(f"expected a path, None or 'none' as table, found {table!r}; name a file")
    return Store(table, target)


def stats_of(found: Statistics, *tables: Table) -> dict[str, Any]:
    """`Program.stats` from the statistics of a search and its tables, which one file keeps."""
    stats: dict[str, Any] = {
        key: getattr(found, key) for key in ("specs_solved", "specs_known", "families", "synthesis_s", "peak_rss_mb")
    }
    rectangles, store = sum(table.rectangles for table in tables), tables[0].store
    stats |= {"rectangles": rectangles, "compression": sum(table.points for table in tables) / max(1, rectangles)}
    if store is None:
        return stats
    if found.specs_solved:
        store.file.settle()
    return stats | {"table_bytes": store.file.bytes}


def compile(
    spec: Spec | Program | str | Sequence[Spec],
    target: str | Target = "native",
    threads: int = 1,
    table: str | os.PathLike[str] | None = None,
    memory: int | str | None = None,
    tune: int | None = None,
) -> Kernel:
    """`synthesize` and `Program.compile` in one step; TargetError before the search where this CPU does not run the
    target's code."""
    if not isinstance(spec, Program):
        from .runtime.leaves import resolved

        target = runnable(resolved(target))
    return synthesize(spec, target, threads, table, memory, tune).compile()

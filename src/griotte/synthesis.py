"""The stages joined: Spec -> synthesize -> Program -> to_c -> compile -> Kernel."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass, field
from functools import cached_property

from .errors import SpecError, TableError
from .program.nodes import Node
from .spec.spec import Spec
from .targets import resolve
from .targets.target import Target


@dataclass(frozen=True, eq=False)
class Program:
    """A solved Spec: the tree of least cost in the declared space, for one target and thread count.

    `cost` is in cycles of the target's model. `stats` has specs_solved, families, synthesis_s, peak_rss_mb.
    """

    spec: Spec
    canonical: Spec
    root: Node
    target: Target
    threads: int
    stats: dict = field(default_factory=dict)

    @property
    def cost(self) -> float:
        return self.root.cost

    def __str__(self) -> str:
        from .program import printer

        return printer.text(self.root, self.target)

    @property
    def largest(self) -> "Program":
        """This program; of a dynamic size, the one for the bound."""
        return self

    def count(self) -> float:
        """log10 of the number of serial programs in the searched space (a dynamic size at its bound), also put into `stats` as programs_log10. The
        counting engine goes over the whole space anew: a few times as slow as the search."""
        from .search.counting import programs_log10

        if "programs_log10" not in self.stats:
            self.stats["programs_log10"] = programs_log10(self.largest.spec, self.target, self.threads)
        return self.stats["programs_log10"]

    def filled(self, threads: int = 1) -> "Program":
        """This program: it has no holes. A schedule's are filled with the programs of least cost."""
        return self

    def explain(self) -> str:
        """The program with the cost of every node, the roofline it is measured against, the search's size."""
        from .report.explain import explain

        return explain(self)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the explanation as one self-contained HTML page."""
        from .report.html import write

        write(self, path)

    @cached_property
    def _unit(self):
        from .codegen.emit import emit

        title = f"{self.spec}\n\n{self.target.name}, {self.threads} thread{'s' * (self.threads > 1)}, {self.cost:.4g} cycles by the model\n\n{self}"
        return emit(self.root, self.canonical, self.target, self.function, title)

    @cached_property
    def function(self) -> str:
        """The exported C function's name."""
        digest = hashlib.sha256(f"{self.spec}|{self.target.name}|{self.threads}".encode()).hexdigest()[:8]
        return f"griotte_{self.spec.operation.name}_{digest}"

    def to_c(self) -> str:
        """Standalone C source."""
        return self._unit[0].source

    def compile(self):
        """A Kernel: NumPy arrays in, NumPy array out. Raises ToolchainError without a C compiler."""
        from .runtime.kernel import Signature, TensorArg, kernel_of
        from .runtime.toolchain import compile_shared

        unit, threads = self._unit
        started = time.perf_counter()
        library = compile_shared(unit.source, self.target.flags, threads=threads)
        args = [TensorArg(f"x{i}", t.dtype, t.shape, t.minor_to_major, t.constant, dynamic=t.dynamic) for i, t in enumerate(self.spec.inputs)]
        out = self.spec.output
        signature = Signature(unit.function, tuple(args), TensorArg("y", out.dtype, out.shape, out.minor_to_major, dynamic=out.dynamic))
        metadata = {"spec": str(self.spec), "target": self.target.name, "threads": self.threads, "cost": self.cost, **self.stats}
        return kernel_of(unit.source, unit.header, signature, library, {**metadata, "compile_s": time.perf_counter() - started})


def synthesize(spec: Spec | Program | str, target: str | Target = "native", threads: int = 1, table: str | None = None) -> Program:
    """The program of least cost for `spec`, or with the rewrites of a schedule. Raises SpecError, TargetError, or
    NoProgramError when the space has none."""
    from .search.problem import problem
    from .search.rebuild import Rebuild, parallel_best
    from .search.sizes import Sizes
    from .search.solve import Solver

    if isinstance(spec, str):
        from .frontends.text import parse

        spec = parse(spec)
    if not isinstance(spec, (Spec, Program)):
        raise SpecError(f"expected a Spec or its text, found {type(spec).__name__}; build one with gt.parse or gt.matmul")
    if not isinstance(threads, int) or threads < 1:
        raise SpecError(f"expected a number of threads of 1 or more, found {threads!r}")
    if table not in (None, "none"):
        raise TableError(f"expected table='none' (tables on disk are not built yet), found {table!r}; leave it out")
    if isinstance(spec, Program):
        if target != "native" and resolve(target) != spec.target:
            raise SpecError(f"expected {spec.target.name}, the target of the schedule, found {target}; give the target to griotte.schedule")
        return spec.filled(threads)
    target = resolve(target)
    canonical = spec.canonical()
    start = problem(canonical, target, threads)
    solver = Solver(target, start.home, start.ladders)
    found = solver.solve(start.goal).statistics
    rebuild = Rebuild(solver)
    if canonical.dynamic:
        from .dynamic import DynamicProgram

        root = Sizes(rebuild, canonical.dynamic.dim).goal(start.goal, start.sizes, canonical.dynamic.extents, threads)
        return DynamicProgram(spec, canonical, root, target, threads, stats_of(found))
    root = parallel_best(rebuild, start.goal, start.sizes, threads) if threads > 1 else rebuild.best(start.goal, start.sizes)
    return Program(spec, canonical, root, target, threads, stats_of(found))


def stats_of(found) -> dict:
    """`Program.stats` from the statistics of a search."""
    return {"specs_solved": found.specs_solved, "families": found.families, "synthesis_s": found.synthesis_s, "peak_rss_mb": found.peak_rss_mb}


def compile(spec: Spec | Program | str, target: str | Target = "native", threads: int = 1, table: str | None = None):
    """`synthesize` and `Program.compile` in one step."""
    return synthesize(spec, target, threads, table).compile()

"""A solved Spec: what `synthesize` gives, to be printed, explained, written as C and compiled."""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import SpecError
from .ir.spec import Spec, shortened
from .program.nodes import Node
from .targets import runnable
from .targets.target import Target

if TYPE_CHECKING:
    from .codegen.ahead import Pack
    from .codegen.emit import EmittedFunction, Unit, UnitWriter
    from .learned.ranking import GivenModel
    from .runtime.arguments import Signature
    from .runtime.kernel import Kernel
    from .runtime.saved import Library
    from .search.solved import Solved


@dataclass(frozen=True, eq=False, repr=False)
class Program:
    """A solved Spec: the tree of least cost in the declared space, for one target and thread count.

    Printed it is that tree.

    Attributes:
        spec: what it computes, as stated.
        canonical: the same, as the search sees it.
        root: the tree's root; each node has its cost.
        target: the machine that it is for.
        threads: how many a call runs on.
        stats: specs_solved, specs_known, families, synthesis_s (seconds), peak_rss_mb, rectangles and compression (of
            runs of neighbours, where no file keeps them), and with a table file table_bytes.

    Example:
        >>> program = gt.synthesize("matmul(f32[8,16], f32[16,4])", target="portable")
        >>> program.spec.flops
        1024
    """

    spec: Spec
    canonical: Spec
    root: Node
    target: Target
    threads: int
    stats: dict[str, Any] = field(default_factory=dict)
    _search: Solved | None = field(default=None, repr=False, compare=False, kw_only=True)  # None: by hand
    _again: Callable[[Target], Program] | None = field(default=None, repr=False, compare=False, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        """The fields but for the search, which holds a table's file, and how it was called."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"_search": None, "_again": None}

    @property
    def cost(self) -> float:
        """Cycles of a call, by the target's model."""
        return self.root.cost

    def __str__(self) -> str:
        from .program import printer

        return printer.text(self.root, self.target, printer.names_in(self.canonical))

    def __repr__(self) -> str:
        threads = f"{self.threads} thread{'s' * (self.threads > 1)}"
        return f"<griotte.{type(self).__name__} {shortened(self.spec)}, {self.target.name}, {threads}, {self._worth}>"

    @property
    def _worth(self) -> str:
        return f"{self.cost:.3g} cycles"

    def _repr_html_(self) -> str | None:
        from .reports.html import frame

        return frame(self)

    @property
    def is_partitioned(self) -> bool:
        """Whether it is cut at whole arrays before it is searched, so that each part has a program of its own."""
        return False

    @property
    def largest(self) -> Program:
        """This program; of a dynamic size, the one for the bound."""
        return self

    @property
    def searched(self) -> tuple[Program, ...]:
        """The programs of one search each that it runs."""
        return (self.largest,)

    def count(self) -> float:
        """The size of the searched space, also put into `stats` as programs_log10.

        The whole space is gone over anew, which takes a few times as long as the search; a dynamic size is at its
        bound.

        Returns:
            log10 of the number of serial programs.

        Example:
            >>> gt.synthesize("exp(f32[8])", target="portable").count() > 0
            True
        """
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

    def alternatives(self, k: int = 10, model: GivenModel | None = None) -> list[Program]:
        """The cheapest programs of the space that this one was found in, in order of cost.

        The first is this one, unless it is an alternative itself, or tuned. Any two differ in some choice.

        Args:
            k: how many; fewer come back where the space is smaller.
            model: a performance model, or its file, in whose order they come; `stats["model"]` of each is what it says.

        Raises:
            SpecError: `k` is below 1, or the program is a schedule or of a dynamic size, which have no such space.
            GriotteError: the file holds no model, or one of other features.

        Example:
            >>> costs = [p.cost for p in gt.synthesize("exp(f32[8,9])", target="portable").alternatives(3)]
            >>> costs == sorted(costs)
            True
        """
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise SpecError(
                f"expected a number of programs of 1 or more, found {k!r}; ask for the first few, such as"
                " alternatives(10)"
            )
        if self._search is None:
            raise SpecError(
                "expected a program that a search found, found one scheduled by hand, unpickled, or read for one size"
                " of many; griotte.synthesize(program.spec).alternatives() has those of the whole space"
            )
        found = [replace(self, root=root) for root in self._search.cheapest(k)]
        if model is None:
            return found
        from .learned.ranking import Ranked, model_of

        known = model_of(model)
        assert known is not None
        ranked = Ranked.of(known, [each.root for each in found], self.target, self.threads)
        told = lambda place: {**found[place].stats, "model": ranked.facts(place)}
        return [replace(found[place], stats=told(place)) for place in ranked.order]

    def filled(
        self, threads: int = 1, table: str | os.PathLike[str] | None = None, memory: int | str | None = None
    ) -> Program:
        """This program: it has no holes. Those of a schedule are filled with the programs of least cost.

        Args:
            threads: as of `synthesize`.
            table: as of `synthesize`.
            memory: as of `synthesize`.

        Example:
            >>> program = gt.synthesize("exp(f32[8])", target="portable")
            >>> program.filled() is program
            True
        """
        return self

    def retarget(self, target: str | Target) -> Program:
        """The program of the same Spec for another target, found with the same threads, table, memory and effort.

        Args:
            target: as of `synthesize`.

        Raises:
            SpecError: the program is a schedule by hand, unpickled, or of one size of many.
            TargetError: there is no such target.

        Example:
            >>> gt.synthesize("exp(f32[8])").retarget("portable").target.name
            'portable'
        """
        from .runtime.leaves import resolved

        found = resolved(target, None if isinstance(target, Target) else self.target.math)
        if found == self.target:
            return self
        if self._again is None:
            raise SpecError(
                f"expected a program that a search found, to be found for target {found.name}, found one scheduled by"
                " hand, unpickled, or read for one size of many; take griotte.synthesize(program.spec, target)"
            )
        return self._again(found)

    def explain(self) -> str:
        """The program as a report: the cost of every node, the roofline, the size of the search.

        Example:
            >>> print(gt.synthesize("exp(f32[8])", target="portable").explain().splitlines()[0])  # doctest: +ELLIPSIS
            exp 8 f32, 1 thread, portable   cost ... cycles, ... x the ... bound
        """
        from .reports.explain import explain

        return explain(self)

    def requests(self) -> str:
        """The program as printed, with what each leaf asks for before it needs it.

        Example:
            >>> "map" in gt.synthesize("exp(f32[8])", target="portable").requests()
            True
        """
        from .leaves.prefetch import prefetched
        from .program import printer

        return printer.text(
            prefetched(self.root, self.canonical, self.target), self.target, printer.names_in(self.canonical)
        )

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the report as one HTML page that needs nothing else: costs as bars, the roofline, the C.

        Args:
            path: of the file.

        Raises:
            ToolchainError: it cannot be written.

        Example:
            >>> gt.synthesize("exp(f32[8])", target="portable").to_html("exp.html")
        """
        from .reports.html import write

        write(self, path)

    def to_picture(self, path: str | os.PathLike[str]) -> None:
        """Draw what runs, in which order, and where what lies between is kept.

        Args:
            path: of the file, .svg or, with matplotlib, .png.

        Raises:
            SpecError: its name ends otherwise.
            ToolchainError: it cannot be written, or drawn.

        Example:
            >>> gt.synthesize("softmax(f32[8,9])", target="portable").to_picture("softmax.svg")
        """
        from .reports.html import write_picture

        write_picture(self, path)

    @cached_property
    def _unit(self) -> Unit:
        return self._emitted("team")

    def _emitted(self, threads_by: str, denormals: str = "keep") -> Unit:
        from .codegen.emit import unit_of

        title = (
            f"{self.spec}\n\n{self.target.name}, {self.threads} thread{'s' * (self.threads > 1)}, {self.cost:.4g}"
            f" cycles by the model\n\n{self}"
        )
        return unit_of(lambda writer: self.written(writer, self.function), self.target, title, threads_by, denormals)

    def written(self, writer: UnitWriter, name: str) -> EmittedFunction:
        """It as an exported function of a unit that is being written.

        Args:
            writer: of the unit.
            name: of the function.

        Example:
            >>> from griotte.codegen.emit import UnitWriter
            >>> program = gt.synthesize("exp(f32[8])", target="portable")
            >>> program.written(UnitWriter(program.target), "exp_of_8").name
            'exp_of_8'
        """
        return writer.add(self.root, self.canonical, name)

    @cached_property
    def function(self) -> str:
        """The exported C function's name."""
        digest = hashlib.sha256(f"{self.spec}|{self.target.name}|{self.threads}".encode()).hexdigest()[:8]
        return f"griotte_{self.spec.operation.name}_{digest}"

    def to_c(self, threads_by: str = "team", denormals: str = "keep") -> str:
        """The program as C that needs nothing else, as text.

        Args:
            threads_by: whose threads a call of several runs on: "team", griotte's own, whose C is part of the text;
                "openmp"; "host", those that the program which calls gives.
            denormals: "keep" them, or "flush" them to zero within a call.

        Raises:
            SpecError: `threads_by` or `denormals` is another word.

        Example:
            >>> "void griotte_exp_" in gt.synthesize("exp(f32[8])", target="portable").to_c()
            True
        """
        return self._unit_of(threads_by, denormals).source

    def _unit_of(self, threads_by: str, denormals: str) -> Unit:
        is_plain = (threads_by, denormals) == ("team", "keep")
        return self._unit if is_plain else self._emitted(threads_by, denormals)

    def build(self, threads_by: str = "team", denormals: str = "keep") -> Library:
        """The compiled library, not loaded: it may be for another machine than this one.

        Args:
            threads_by: as of `to_c`.
            denormals: as of `to_c`.

        Raises:
            SpecError: `threads_by` or `denormals` is another word.
            ToolchainError: there is no C compiler, or it failed.

        Example:
            >>> gt.synthesize("exp(f32[8])", target="portable").build().path.suffix
            '.so'
        """
        from .runtime.saved import Build, Library
        from .runtime.toolchain import OPENMP, compile_shared

        unit = self._unit_of(threads_by, denormals)
        started = time.perf_counter()
        build = Build(self.target.flags, (OPENMP,) * (threads_by == "openmp"))
        path = compile_shared(unit.source, build.flags, extra_flags=build.more)
        metadata = {
            "spec": str(self.spec),
            "target": self.target.name,
            "math": self.target.math,
            "threads": self.threads,
            "cost": self.cost,
            "thread_bytes": unit.thread_bytes,
            **self.stats,
        }
        return Library(
            unit.source,
            unit.header,
            signature(self.spec, unit.function, unit.packs),
            path,
            self.target.features,
            {**metadata, "compile_s": time.perf_counter() - started},
            build,
            others=None if self._again is None else _others(self._again, threads_by, denormals),
        )

    def compile(self, denormals: str = "keep") -> Kernel:
        """The program as a kernel, loaded into this process.

        Args:
            denormals: as of `to_c`.

        Raises:
            SpecError: `denormals` is another word.
            ToolchainError: there is no C compiler, or it failed.
            TargetError: this CPU does not run the target's code.

        Example:
            >>> kernel = gt.synthesize("neg(f32[2])").compile()
            >>> kernel(np.ones(2, np.float32))
            array([-1., -1.], dtype=float32)
        """
        from .runtime.loading import kernel_of

        _ = self._unit  # a hole, which no machine runs, is told first
        runnable(self.target)
        return kernel_of(self.build(denormals=denormals))

    def save(
        self,
        directory: str | os.PathLike[str],
        threads_by: str = "team",
        denormals: str = "keep",
        *,
        name: str | None = None,
        cmake: bool = False,
        pkgconfig: bool = False,
        targets: Sequence[str | Target] | None = None,
        wheel: str | None = None,
    ) -> Path:
        """Write kernel.c, kernel.h, kernel.so and kernel.json, for this machine or another; the directory.

        With any of `name`, `cmake`, `pkgconfig`, `targets` also a package for C and C++ programs: libNAME.a, NAME.h and
        NAME.hpp.

        Args:
            directory: where to; it is made where it is not there.
            threads_by: as of `to_c`.
            denormals: as of `to_c`.
            name: of the package, and of its function; None: the function's in kernel.h, without "griotte_".
            cmake: whether with NAMEConfig.cmake, for find_package.
            pkgconfig: whether with NAME.pc.
            targets: which ones the package has code for; a call takes the best that the CPU runs. None: the program's.
            wheel: the name of a Python package, of which a wheel is written as well: it runs the kernel by NumPy alone.

        Raises:
            SpecError: a word, the name or the list of targets is none.
            TargetError: there is no such target.
            ToolchainError: there is no C compiler, it failed, or the files cannot be written.

        Example:
            >>> program = gt.synthesize("exp(f32[8])", target="portable")
            >>> sorted(path.name for path in program.save("exp").iterdir())
            ['kernel.c', 'kernel.h', 'kernel.json', 'kernel.so']
            >>> sorted(path.name for path in program.save("package", name="exp8", pkgconfig=True).glob("*exp8*"))
            ['exp8.h', 'exp8.hpp', 'exp8.pc', 'libexp8.a']
        """
        from .runtime.packages import Doors, save

        doors = Doors(name, cmake, pkgconfig, targets, threads_by, wheel=wheel)
        return save(self.build(threads_by, denormals), directory, doors)


def _others(again: Callable[[Target], Program], threads_by: str, denormals: str) -> Callable[[Target], Library]:
    """What makes the library of another target, and keeps no program."""
    return lambda target: again(target).build(threads_by, denormals)


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


def _logarithm(text: str) -> float | None:
    """The logarithm of a number of programs that a table's text says; None where it says none."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if 0 <= found < math.inf or found == -math.inf else None

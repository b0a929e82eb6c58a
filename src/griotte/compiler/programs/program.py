"""A solved Spec: what `synthesize` gives, to be printed, explained, written as C and compiled."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...codegen.ahead import Pack
from ...codegen.emit import EmittedFunction, Unit, UnitWriter
from ...engine.learned.ranking import Ranked, model_of
from ...engine.leaves.prefetch import prefetched
from ...engine.program import printer
from ...engine.program.nodes import Node
from ...engine.table import Damaged, digest
from ...lang.calls.spec import Spec, shortened
from ...machine.target import Target
from ...runtime.kernel import Kernel, kernel_of
from ...runtime.leaves import resolved
from ...runtime.saved import Library
from ...runtime.signature import Packing, Signature, TensorArg
from ...support.errors import SpecError
from ..reports.report import ProgramReport, SearchReport
from .base import SolvedProgram

if TYPE_CHECKING:
    from ...engine.learned.ranking import GivenModel
    from ...engine.search.solved import Solved


@dataclass(frozen=True, eq=False, repr=False)
class Program(SolvedProgram[Kernel]):
    """A solved Spec: the tree of least cost in the declared space, for one target and thread count.

    Printed it is that tree.

    Attributes:
        spec: what it computes, as stated.
        canonical: the same, as the search sees it.
        root: the tree's root; each node has its cost.
        target: the machine that it is for.
        threads: how many a call runs on.
        stats: specs_solved, specs_known, families, edges, synthesis_s (seconds), peak_rss_mb, rectangles and
            compression (of runs of neighbours, where no file keeps them), and with a table file table_bytes.

    Examples:
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
        return printer.text(self.root, self.target, printer.names_in(self.canonical))

    def __repr__(self) -> str:
        threads = f"{self.threads} thread{'s' * (self.threads > 1)}"
        return f"<griotte.{type(self).__name__} {shortened(self.spec)}, {self.target.name}, {threads}, {self._worth}>"

    @property
    def _worth(self) -> str:
        return f"{self.cost:.3g} cycles"

    @property
    def report(self) -> ProgramReport:
        """Its report."""
        return SearchReport(self)

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

        Examples:
            >>> gt.synthesize("exp(f32[8])", target="portable").count() > 0
            True
        """
        if "programs_log10" not in self.stats:
            self.stats["programs_log10"] = self._counted()
        return self.stats["programs_log10"]

    def _counted(self) -> float:
        """The number of programs, from the table where it has it."""
        from ...engine.search.counting import programs_log10

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

        Examples:
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

        Examples:
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

        Examples:
            >>> gt.synthesize("exp(f32[8])").retarget("portable").target.name
            'portable'
        """
        found = resolved(target, None if isinstance(target, Target) else self.target.math)
        if found == self.target:
            return self
        if self._again is None:
            raise SpecError(
                f"expected a program that a search found, to be found for target {found.name}, found one scheduled by"
                " hand, unpickled, or read for one size of many; take griotte.synthesize(program.spec, target)"
            )
        return self._again(found)

    def requests(self) -> str:
        """The program as printed, with what each leaf asks for before it needs it.

        Examples:
            >>> "map" in gt.synthesize("exp(f32[8])", target="portable").requests()
            True
        """
        return printer.text(
            prefetched(self.root, self.canonical, self.target), self.target, printer.names_in(self.canonical)
        )

    @property
    def _title(self) -> str:
        return (
            f"{self.spec}\n\n{self.target.name}, {self.threads} thread{'s' * (self.threads > 1)}, {self.cost:.4g}"
            f" cycles by the model\n\n{self}"
        )

    def written(self, writer: UnitWriter, name: str) -> EmittedFunction:
        return writer.add(self.root, self.canonical, name)

    @cached_property
    def function(self) -> str:
        """The exported C function's name."""
        digest = hashlib.sha256(f"{self.spec}|{self.target.name}|{self.threads}".encode()).hexdigest()[:8]
        return f"griotte_{self.spec.operation.name}_{digest}"

    def _signature(self, unit: Unit) -> Signature:
        return signature(self.spec, unit.function, unit.packs)

    def _metadata(self, unit: Unit) -> dict[str, Any]:
        return {
            "spec": str(self.spec),
            "target": self.target.name,
            "math": self.target.math,
            "threads": self.threads,
            "cost": self.cost,
            "thread_bytes": unit.thread_bytes,
            **self.stats,
        }

    def _kernel(self, library: Library) -> Kernel:
        return kernel_of(library)

    def _others(self, threads_by: str, denormals: str) -> Callable[[Target], Library] | None:
        again = self._again
        return None if again is None else lambda target: again(target).unbuilt(threads_by, denormals)


def signature(spec: Spec, function: str, packs: Iterable[Pack]) -> Signature:
    """What the C function of a Spec takes, some of its constants packed."""
    packings = {pack.operand: Packing(pack.function, pack.bytes) for pack in packs}
    inputs = [TensorArg.of(f"x{i}", t, t.constant, packings.get(i)) for i, t in enumerate(spec.inputs)]
    names = ["y"] if len(spec.outputs) == 1 else [f"y{n}" for n in range(len(spec.outputs))]
    output, *further = map(TensorArg.of, names, spec.outputs)
    return Signature(function, tuple(inputs), output, tuple(further))


def _logarithm(text: str) -> float | None:
    """The logarithm of a number of programs that a table's text says; None where it says none."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if 0 <= found < math.inf or found == -math.inf else None

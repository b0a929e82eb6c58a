"""A solved model: a program for each of its parts, one after the other in one C function, with one workspace."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.tensor import TensorType
from ..program.sequence import Sequence
from ..targets import runnable
from ..targets.target import Target
from .graph import ModelGraph, ModelValue
from .numbered import Numbered
from .solved import SolvedPart, cost_of, listed

if TYPE_CHECKING:
    from ..codegen.emit import Unit
    from ..runtime.model import ModelKernel
    from ..runtime.saved import Library


@dataclass(frozen=True, eq=False)
class ModelProgram:
    """A model, solved.

    Attributes:
        graph: the model as it was given.
        simple: the model as it was cut: simplified, the same function.
        parts: in the order in which they run.
        target: the machine that it is for.
        threads: how many a call runs on.
        stats: parts, parts_solved, parts_from_table, synthesis_s (seconds), peak_rss_mb.
    """

    graph: ModelGraph
    simple: ModelGraph
    parts: tuple[SolvedPart, ...]
    target: Target
    threads: int
    stats: dict[str, Any] = field(default_factory=dict)

    @property
    def cost(self) -> float:
        """Cycles of a call: of its parts, and of calling each."""
        return cost_of(self.parts, self.target)

    @cached_property
    def _numbered(self) -> Numbered:
        return Numbered(self.simple, self.parts)

    @property
    def sequence(self) -> Sequence:
        """The programs over numbered tensors: the inputs, the constants, then what parts give."""
        return self._numbered.sequence

    @property
    def held(self) -> dict[str, int]:
        """Bytes of what lies between parts: as it is placed, the most that is needed at once, and of all its arrays."""
        sequence = self.sequence
        return {
            "workspace_bytes": sequence.workspace,
            "live_bytes": sequence.live,
            "intermediates_bytes": sequence.intermediates,
        }

    @property
    def owners(self) -> tuple[int, ...]:
        """Of each program that a call runs, in order, the place of the part that it is of."""
        numbered, sequence = self._numbered, self.sequence
        called = {id(part) for part in sequence.called}
        return tuple(n for n, part in zip(numbered.owners, sequence.parts) if id(part) in called)

    @property
    def constants(self) -> tuple[ModelValue, ...]:
        """The constants that parts read, in the order in which they are packed."""
        return tuple(self._numbered.constants)

    @cached_property
    def function(self) -> str:
        """The exported C function's name."""
        text = f"{[each.part.text for each in self.parts]}|{self.target.name}|{self.threads}"
        return f"griotte_model_{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    @cached_property
    def _written(self) -> tuple[Unit, int]:
        return self.written()

    def written(self, timed: bool = False, denormals: str = "keep") -> tuple[Unit, int]:
        """The program as C, and the bytes of its packed constants; a `timed` one tells when each part is done."""
        from ..codegen.emit import UnitWriter
        from ..codegen.sequence import add_model

        writer = UnitWriter(self.target, denormals=denormals)
        comment = f"a model of {len(self.parts)} parts: {', '.join(map(_named, self.graph.inputs))}"
        function, size = add_model(
            writer, self.sequence, self.function, comment, timed, self.graph.bound, self.graph.least
        )
        title = f"{comment}\n\n{self.target.name}, {self.threads} threads, {self.cost:.4g} cycles by the model"
        return writer.unit(function, title), size

    def __str__(self) -> str:
        return listed(self.parts)

    def __repr__(self) -> str:
        return f"<griotte.ModelProgram of {len(self.parts)} parts, {self.target.name}, {self.cost:.3g} cycles>"

    def explain(self) -> str:
        """The model as a report: its parts in order, what each costs, what binds it, what was saved by fusing it."""
        from ..reports.model import explain

        return explain(self)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the report as one HTML page that needs nothing else. ToolchainError where it cannot be written."""
        from ..reports.html import write_page
        from ..reports.model_html import page

        write_page(path, page(self))

    def to_c(self, denormals: str = "keep") -> str:
        """The program as C that needs nothing else, as text; with denormals="flush" they are zeros within a call."""
        return self._unit_of(denormals)[0].source

    def _unit_of(self, denormals: str) -> tuple[Unit, int]:
        return self._written if denormals == "keep" else self.written(denormals=denormals)

    def build(self, denormals: str = "keep") -> Library:
        """The compiled library, not loaded."""
        from ..runtime.arguments import Signature
        from ..runtime.saved import Build, Library
        from ..runtime.toolchain import compile_shared

        unit, size = self._unit_of(denormals)
        started = time.perf_counter()
        build = Build(self.target.flags)
        path = compile_shared(unit.source, build.flags)
        inputs = tuple(_argument(v.name, v.type) for v in self.graph.inputs)
        output, *further = (_argument(name, v.type) for name, v in self.graph.results)
        empty = {"empty": [astuple(each) for each in self.graph.empty]} if self.graph.empty else {}
        stats = {
            **self.stats,
            **empty,
            "cost": self.cost,
            "thread_bytes": unit.thread_bytes,
            **self.held,
            "constants_bytes": size,
            "compile_s": time.perf_counter() - started,
            "threads": self.threads,
            "target": self.target.name,
            "math": self.target.math,
        }
        return Library(
            unit.source,
            unit.header,
            Signature(unit.function, inputs, output, tuple(further), self.graph.least),
            path,
            self.target.features,
            stats,
            build,
            size,
        )

    def compile(self, denormals: str = "keep") -> ModelKernel:
        """The model as a kernel, loaded into this process, its constants packed."""
        from ..runtime.model import kernel_of, packed

        runnable(self.target)
        library = self.build(denormals)
        return kernel_of(library, packed(library, self.arrays()))

    def arrays(self) -> Iterator[np.ndarray]:
        """The data of the constants that parts read, in order."""
        for value in self.constants:
            assert value.array is not None
            yield value.array


def _named(value: ModelValue) -> str:
    return f"{value.name}: {value.type}"


def _argument(name: str, type: TensorType):
    from ..runtime.arguments import TensorArg

    return TensorArg(name, type.dtype, type.shape, type.minor_to_major, False, None, type.dynamic, tied=type.tied)

"""A unit whose leaves are compiled while others of its programs are still searched for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ...codegen.begun import BegunWriter
from ...codegen.emit import EmittedFunction, Unit, UnitWriter
from ...codegen.pieces import LEAST
from ...codegen.teams import TEAM
from ...engine.program.nodes import Node
from ...lang.calls.spec import Spec
from ...machine.target import Target
from ...runtime.compilers import QUICK
from ...runtime.toolchain import ObjectFiles
from ...support.cpus import usable
from ...support.errors import GriotteError


class BegunUnit:
    """A unit that is compiled soon. Where there are CPUs beside the one that searches, compilers begin on the leaves of
    programs as those are met. Leaving it ends them.

    Args:
        target: of the programs.
        denormals: what becomes of them.

    Attributes:
        objects: what compiles.
    """

    def __init__(self, target: Target, denormals: str):
        self._writer = BegunWriter(target.brief, TEAM, denormals)
        self.objects = ObjectFiles(target.flags, (QUICK,))

    def __enter__(self) -> BegunUnit:
        return self

    def __exit__(self, *error: Any) -> None:
        self.objects.__exit__(*error)

    def met(self, program: Node, spec: Spec) -> None:
        """A program of `spec` (canonical) will be part of the unit."""
        if usable() == 1:
            return
        with suppress(GriotteError):  # what is no C is told of the whole
            self._writer.meet(program, spec)
        if self._writer.waiting >= LEAST and self.objects.running < usable() - 1:
            self.objects.begin(self._writer.begin_piece("leaves of a kernel, before it was known whole"))

    def unit(self, add: Callable[[UnitWriter], EmittedFunction], title: str) -> Unit:
        """The whole unit, of one exported function, which `add` writes."""
        return self._writer.unit(add(self._writer), title, usable())

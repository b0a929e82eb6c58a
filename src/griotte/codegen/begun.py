"""A unit that is written while some of its programs are still searched for: leaves are in pieces before the rest."""

from __future__ import annotations

from collections.abc import Container

from ..engine.program.nodes import Node
from ..lang.calls.spec import Spec
from ..machine.target import Target
from ..support.floats import KEEP
from .emit import EmittedFunction, UnitWriter
from .teams import TEAM

Written = tuple[EmittedFunction, list[str], list[str]]
"""A function, its text with those that pack for it, and the texts of its shares."""


class BegunWriter(UnitWriter):
    """Writes a program at `meet`. A program that nobody adds afterwards leaves nothing but its leaves."""

    def __init__(self, target: Target, threads_by: str = TEAM, denormals: str = KEEP):
        super().__init__(target, threads_by, denormals)
        self._written: dict[int, Written] = {}  # programs that were met

    def meet(self, program: Node, spec: Spec) -> None:
        """Write a program of `spec` (canonical) that may be added as a static function: its leaves at once, the rest
        once it is added."""
        if id(program) in self._written:
            return
        unit, before = self._emitter.unit, (self._shares_out, dict(self._emitter.unit.by_sizes))
        functions, shares = len(self._functions), len(unit.functions)
        try:
            written = super().add(program, spec, f"part_{len(self._written)}", exported=False)
            if len(unit.by_sizes) == len(before[1]):  # else it is written again: programs share what that counts
                self._written[id(program)] = written, self._functions[functions:], unit.functions[shares:]
        finally:
            self._shares_out, unit.by_sizes = before
            del self._functions[functions:], unit.functions[shares:]

    def add(
        self, program: Node, spec: Spec, name: str, exported: bool = True, in_place: Container[int] = ()
    ) -> EmittedFunction:
        """As of UnitWriter. A program that `meet` took is what was written then, under the name that it has."""
        if exported or in_place or id(program) not in self._written:
            return super().add(program, spec, name, exported, in_place)
        written, functions, shares = self._written[id(program)]
        self._written[id(program)] = written, [], []  # once
        self._functions += functions
        self._emitter.unit.functions += shares
        self._shares_out = self._shares_out or written.threads > 1
        return written

    @property
    def waiting(self) -> int:
        """Characters of the leaves that no piece has."""
        return sum(map(len, self._leaves[self._begun :]))

    def begin_piece(self, title: str) -> str:
        """A piece of all leaves that no piece has, under `title` as a comment; later pieces are without them."""
        leaves = self._leaves
        begun, self._begun = self._begun, len(leaves)
        return self._piece(title, leaves[begun:])

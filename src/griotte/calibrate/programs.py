"""The programs of one Spec that a calibration measures, as outlines and as libraries."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ..frontends.text import parse
from ..program.nodes import Node
from ..runtime.toolchain import compile_shared
from ..search.problem import problem
from ..search.solved import Solved
from ..search.space import Space
from ..synthesis import Program
from ..targets import runnable
from .draw import Drawer, spread
from .outline import Cheapest, Outline, outline

TRIES = 3  # programs drawn for each that is wanted


class Goal:
    """A Spec (as text) on a number of threads: its programs under one target."""

    def __init__(self, text: str, threads: int, target):
        self.text, self.threads, self.target = text, threads, target
        self.spec = parse(text)
        self.canonical = self.spec.canonical()
        self.start = problem(self.canonical, target, threads)
        self._cheapest = Cheapest(Space(target, self.start.home, self.start.ladders))

    def program(self, wanted: Outline) -> Program | None:
        """The cheapest program found that has an outline, views apart; None where the space has none."""
        root = self._cheapest.program(self.start, self.threads, wanted)
        return self._of(root) if root else None

    def best(self) -> Program:
        """The program of least cost."""
        return self._of(Solved(self.canonical, self.target, self.threads).best)

    def draw(self, rng: np.random.Generator, number: int) -> list[Program]:
        """Up to `number` programs, no two with the same C, the best one first."""
        drawer = Drawer(Solved(self.canonical, self.target, self.threads), rng)
        roots = [drawer.best, *(drawer.program() for _ in range(TRIES * number))]
        chosen: dict[str, Program] = {}
        for i in spread([root.cost for root in roots], number):
            found = self.program(outline(roots[i]))
            chosen.setdefault(code(found), found)
        return list(chosen.values())

    def _of(self, root: Node) -> Program:
        return Program(self.spec, self.canonical, root, self.target, self.threads)


def code(program: Program) -> str:
    """Its C without comments: what tells kernels apart."""
    return re.sub(r"/\*.*?\*/", "", program.to_c(), flags=re.S)


def built(program: Program) -> tuple[Path, str]:
    """The library, and the name of its function."""
    return compile_shared(program.to_c(), runnable(program.target).flags, threads=program._unit[1]), program.function

"""Convolutions by Winograd's filtering as models of one part, for tests."""

from __future__ import annotations

from dataclasses import dataclass

import griotte as gt
import numpy as np
from griotte.models.custom.winograd.conv import filtered
from griotte.models.custom.winograd.program import WinogradProgram, plans, program_of
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.layouts import CHANNELS_LAST, ValueLayout
from griotte.models.parts import ModelPart, SolvedPart, part_of
from griotte.models.program import ModelProgram
from griotte.runtime.leaves import resolved


@dataclass(frozen=True)
class Case:
    """images, channels, height, width, kernels, window, padding"""

    x: tuple[int, int, int, int]
    kernels: int
    window: int = 3
    padding: object = 1
    maps: str = ""

    def graph(self) -> ModelGraph:
        b, rng = GraphBuilder(), np.random.default_rng(5)
        drawn = lambda *shape: rng.standard_normal(shape).astype(np.float32)
        x = b.input(gt.tensor(self.x), "x")
        w = b.constant(drawn(self.kernels, self.x[1], self.window, self.window))
        h = b.call("conv2d", x, w, padding=self.padding)
        if "bias" in self.maps:
            h = b.call("add", h, b.constant(drawn(self.kernels, 1, 1)))
        if "number" in self.maps:
            h = b.call("mul", h, b.constant(drawn(1)))
        if "residual" in self.maps:
            h = b.call("add", b.input(gt.tensor(h.type.shape), "r"), h)
        if "itself" in self.maps:
            h = b.call("add", h, x)
        for name in ("relu", "hard_swish"):
            h = b.call(name, h) if name in self.maps else h
        return b.graph({"y": h})


def part(case: Case, stored: str) -> tuple[ModelGraph, ModelPart]:
    graph = case.graph()
    value = graph.calls[-1]
    flexible = {"given": graph.inputs, "result": (value,), "all": (*graph.inputs, value), "none": ()}[stored]
    return graph, part_of(graph, graph.calls, {v: ValueLayout(CHANNELS_LAST) for v in flexible})


def solved(case: Case, stored: str, target: str, threads: int = 1):
    graph, made = part(case, stored)
    conv = filtered(made)
    assert conv is not None
    machine = resolved(target)
    for plan in plans(conv, machine):
        products = gt.synthesize(plan.products, machine, threads)
        copies = {place: gt.synthesize(spec, machine, threads) for place, spec in plan.copies.items()}
        yield graph, made, program_of(made.spec, plan, products, copies)


def given(graph: ModelGraph) -> list[np.ndarray]:
    rng = np.random.default_rng(6)
    return [rng.standard_normal(value.type.shape).astype(np.float32) for value in graph.inputs]


def as_model(graph: ModelGraph, made: ModelPart, program: WinogradProgram) -> ModelProgram:
    """A model of one part, whose arrays lie as the part's do."""
    return ModelProgram(graph, graph, (SolvedPart(made, program),), program.target, program.threads)

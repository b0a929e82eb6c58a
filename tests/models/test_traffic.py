"""What crosses between parts bounds what fusing them saves: no search finds less than the bounds of its piece."""

from __future__ import annotations

from math import inf

import griotte as gt
import numpy as np
import pytest
from cuts import drawn
from griotte.compiler.programs import Program
from griotte.compiler.reports.tree import Line, tree
from griotte.compiler.session import Session
from griotte.lang.nests.access import Access
from griotte.machine import resolve
from griotte.machine.measured import known
from griotte.machine.target import Target
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.parts import ModelPart
from griotte.models.pool import Pool
from griotte.models.solving import Solving, closed, floor_of
from griotte.models.traffic import reads_all, traffic_of
from griotte.runtime.leaves import resolved


def images(seed: int, calls: int, shape: tuple[int, ...] = (1, 16, 8, 12)) -> ModelGraph:
    """A model of random calls over images: convolutions of pixels, of windows of each channel, maps, means."""
    rng, builder = np.random.default_rng(seed), GraphBuilder()
    value, channels = builder.input(gt.tensor(shape), "x"), shape[1]
    weights = lambda *of: builder.constant(np.ones(of, np.float32))
    for _ in range(calls):
        kind = rng.integers(4)
        if kind == 0:
            value = builder.call("conv2d", value, weights(channels, channels, 1, 1))
        elif kind == 1:
            value = builder.call("conv2d", value, weights(channels, 1, 3, 3), groups=channels, padding=1)
        elif kind == 2:
            value = builder.call("mul", value, builder.call("mean", value, axis=(2, 3), keepdims=True))
        else:
            value = builder.call("relu", value)
    return closed(builder.graph({"y": value}))


def channels() -> ModelGraph:
    """A convolution of each channel between convolutions of pixels: with channels last it takes a tenth."""
    builder = GraphBuilder()
    weights = lambda *of: builder.constant(np.ones(of, np.float32))
    value = builder.call("conv2d", builder.input(gt.tensor((1, 16, 7, 7)), "x"), weights(32, 16, 1, 1))
    value = builder.call("conv2d", value, weights(32, 1, 5, 5), groups=32, padding=2)
    return closed(builder.graph({"y": builder.call("conv2d", value, weights(16, 32, 1, 1))}))


def machines(*names: str) -> dict[str, Target]:
    """Targets with the prices of each known x86 machine that has such vectors: what holds of bounds holds of them all,
    whichever of them runs this."""
    bases = ((name, resolve(name)) for name in names)
    of = ((name, base, m) for name, base in bases for m in known() if base.vector_bytes in m.served.vector_bytes)
    return {f"{name} {m.name}": m.priced(base) for name, base, m in of if m.served.architecture == "x86"}


def pool_of(target: Target, threads: int = 1) -> Pool:
    return Pool(Session(target, threads, "none", effort=2), workers=1)


def solving_of(graph: ModelGraph, pool: Pool) -> Solving:
    solving = Solving(graph, pool)
    solving.price(solving.pieces.singles)
    return solving


GRAPHS = {
    "matrices": lambda: drawn(np.random.default_rng(301), 4, size=48),
    "images": lambda: images(0, 3),
    "channels": channels,
}


NARROW, WIDE = machines("avx2"), machines("avx512")


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("machine", NARROW)
def test_no_piece_costs_less_than_its_bound(name: str, machine: str):
    """By what its atoms cost as they are; and then by what they cost in other layouts, too."""
    with pool_of(NARROW[machine]) as pool:
        solving = solving_of(GRAPHS[name](), pool)
        pieces, bounds = solving.pieces, {}

        def note() -> None:
            pieces.bounded()
            of = (piece for plain in pieces.plain for piece in pieces.variants(plain) if piece.cost is None)
            bounds.update({(piece, len(bounds)): piece.bound for piece in of})

        note()
        solving.price([each for piece in pieces.singles for each in pieces.variants(piece)])
        note()
        solving.price([piece for piece, _ in bounds])
    loose = [(piece.cost, bound) for (piece, _), bound in bounds.items() if piece.cost < inf]
    assert loose and all(bound <= cost * (1 + 1e-6) for cost, bound in loose)
    assert any(bound > 0.5 * cost for cost, bound in loose)


@pytest.mark.parametrize("machine", WIDE)
def test_of_a_convolution_less_crosses_than_a_copy_moves(machine: str):
    """What it writes it has asked for, and what a second one reads comes while that computes."""
    with pool_of(WIDE[machine]) as pool:
        builder, size = GraphBuilder(), (1, 64, 20, 20)
        x = builder.input(gt.tensor(size), "x")
        weights = [builder.constant(np.full((64, 64, 1, 1), n, np.float32)) for n in (1, 2)]
        first = builder.call("conv2d", x, weights[0])
        second = builder.call("conv2d", first, weights[1])
        pieces = solving_of(closed(builder.graph({"y": second})), pool).pieces
        both = pieces.bounds.saved([(0,), (1,)]) - pieces.call
        ends = [pieces.bounds.traffic[i, first] for i in (0, 1)]
    assert both == pytest.approx(sum(ends))
    assert 0 < both < 0.5 * pieces.prices.saving(first)


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize("machine", NARROW)
def test_traffic_is_of_each_value(machine: str, threads: int):
    """A map moves what it reads and gives at least once, whatever the layouts, and no more than that at most."""
    with pool_of(NARROW[machine], threads) as pool:
        builder = GraphBuilder()
        x, y = (builder.input(gt.tensor((512, 512)), name) for name in "xy")
        solving = solving_of(closed(builder.graph({"z": builder.call("add", x, y)})), pool)
        (piece,) = solving.pieces.singles
        most, least = traffic_of(solving.part(piece), solving._program(piece))
    assert {*most} == {x, y, solving.graph.calls[0]}
    assert 0 < least <= piece.cost <= sum(most.values()) * 1.5


def filtered(shape: tuple[int, ...], filters: tuple[int, ...], adds: bool = False, **attributes) -> ModelGraph:
    """A convolution, to whose result another input may be added."""
    builder = GraphBuilder()
    x = builder.input(gt.tensor(shape), "x")
    value = builder.call("conv2d", x, builder.constant(np.ones(filters, np.float32)), **attributes)
    if adds:
        value = builder.call("add", builder.input(value.type, "y"), value)
    return closed(builder.graph({"z": value}))


def slow_map() -> ModelGraph:
    """A product whose results take a slow function."""
    builder = GraphBuilder()
    x, w = builder.input(gt.tensor((512, 16)), "x"), builder.constant(np.ones((16, 512), np.float32))
    return closed(builder.graph({"z": builder.call("gelu", builder.call("matmul", x, w))}))


PRODUCTS = {
    "with a stride": (WIDE, lambda: filtered((1, 8, 64, 64), (24, 8, 1, 1), stride=2)),
    "each channel": (NARROW, lambda: filtered((1, 40, 80, 80), (40, 1, 3, 3), groups=40, padding=1)),
    "and what is added": (WIDE, lambda: filtered((1, 8, 96, 96), (40, 8, 1, 1), adds=True)),
    "a slow map": (NARROW, slow_map),
    "weights": (WIDE, lambda: filtered((1, 256, 5, 7), (256, 256, 2, 4))),
}


def searched(graph: ModelGraph, target: Target) -> tuple[Solving, ModelPart, Program]:
    """A model of one atom, and the program of its search, whatever a custom kernel makes of it."""
    with pool_of(target) as pool:
        solving = solving_of(graph, pool)
    (piece,) = solving.pieces.singles
    part = solving.part(piece)
    return solving, part, solving.answers[part.spec]


@pytest.mark.parametrize(("name", "machine"), [(name, each) for name, (of, _) in PRODUCTS.items() for each in of])
def test_products_read_what_they_multiply_beside_their_arithmetic(name: str, machine: str):
    """Arrays beyond L1 are some of what they cost, and never more; by prices that hide no more of a line than `line`
    says, what comes in is there in full."""
    of, graph = PRODUCTS[name]
    _, part, program = searched(graph(), of[machine])
    floor, least = floor_of(program), traffic_of(part, program).least
    assert floor <= least < program.cost
    if name == "a slow map":  # it hides what it gives
        return
    if name in ("each channel", "and what is added"):
        assert least > 1.01 * floor
    level = program.target.levels[program.root.state.family.slowest].name
    line, crossing = program.target.coefficient[f"line.{level}"], program.target.crossing
    read = next(value.type.bytes / 64 * line for value in part.reads if value.array is None)
    if name != "with a stride" and not crossing.behind and not crossing.outlasting:
        assert least > floor + read


@pytest.mark.parametrize("machine", WIDE)
def test_of_what_is_read_with_a_stride_nothing_need_come(machine: str):
    """Three elements in four may stay where they are: they bound nothing, where a quarter that is read as a whole
    does."""
    each = (filtered((1, 8, size, size), (24, 8, 1, 1), stride=size // 32) for size in (64, 32))
    strided, whole = (traffic_of(part, program) for _, part, program in (searched(g, WIDE[machine]) for g in each))
    assert strided.least <= whole.least


def packs(line: Line) -> float:
    """Cycles of the copies into panels that a report has."""
    if line.text.startswith("copy ") and "panels of" in line.text:
        return (line.own or 0.0) + (line.children[0].total or 0.0) + packs(line.children[1])
    return sum(map(packs, line.children))


def test_what_a_product_packs_may_be_spared_whole():
    """A pack may take longer than a copy, and within a part the nest before leaves its result packed."""
    found = []
    for target in NARROW.values():
        builder = GraphBuilder()
        x, w = (builder.input(gt.tensor((128, 128)), name) for name in "xw")
        _, part, program = searched(closed(builder.graph({"y": builder.call("matmul", x, w)})), target)
        found.append(packs(tree(program.root, program.target)))
        most = traffic_of(part, program).most
        assert found[-1] * (1 - 1e-6) <= min(most[x], most[w]) and max(most[x], most[w]) < program.cost
    assert any(found)


def test_what_meets_every_element():
    size = {"h": 10, "w": 10, "i": 3, "j": 2}
    assert reads_all(Access.of("h w"), size) and reads_all(Access.of("h*2+i w"), size)
    assert reads_all(Access.of("1 w"), size) and reads_all(Access.of("h*2+j w*3+i"), size)
    assert not reads_all(Access.of("h*2 w"), size) and not reads_all(Access.of("h*4+i w"), size)


def test_of_several_results_nothing_is_known():
    with Pool(Session(resolved("portable"), 1, "none", effort=2), workers=1) as pool:
        builder = GraphBuilder()
        first = builder.call("relu", builder.input(gt.tensor((8, 8)), "x"))
        graph = closed(builder.graph({"y": first, "z": builder.call("softmax", first, axis=1)}))
        solving = solving_of(graph, pool)
        several = [piece for piece in solving.pieces.plain if len(solving.part(piece).gives) > 1]
        solving.price(several)
        found = [traffic_of(solving.part(piece), solving._program(piece)) for piece in several]
    assert found and all(most == {} and least == 0.0 for most, least in found)

"""What must hold between searches: a richer machine never makes the best program dearer; parallel programs cost what
they say."""

import itertools
from dataclasses import replace
from math import ceil, inf, prod

import pytest
from griotte import synthesize
from griotte.engine.program.nodes import Loop, children, walk
from griotte.machine.target import Target
from griotte.support.errors import NoProgramError
from machines import machine, with_prices

SPECS = (
    "matmul(f32[33,40], f32[40,50])",
    "matmul(bf16[1,100], bf16[100,70]{0,1}) -> f32[1,70]",
    "matmul(u8[20,30], s8[30,25]) -> s16[20,25]",
    "sum(f32[50,60], axis=0)",
    "transpose(f32[40,30])",
)
RISING = (  # for tests that solve on many machines
    "matmul(f32[17,20], f32[20,25])",
    "matmul(bf16[1,22], bf16[22,35]{0,1}) -> f32[1,35]",
    "matmul(u8[10,15], s8[15,13]) -> s16[10,13]",
    *SPECS[3:],
)


def rising(turn: int):
    """Every other one of them in `make test`, by turns."""
    marks = [[pytest.mark.long] * ((i + turn) % 2) for i in range(len(RISING))] + [[pytest.mark.long]] * 3
    return pytest.mark.parametrize("text", [pytest.param(t, marks=m) for t, m in zip((*RISING, *SPECS[:3]), marks)])


# of the machines, from the poorest to the richest
every_other = pytest.mark.parametrize("step", (2, pytest.param(1, marks=pytest.mark.long)))
ROOMY = "wide"
READY = with_prices(machine("avx512"), fork=5.0)  # threads pay


def cost(text: str, target: Target) -> float:
    try:
        return synthesize(text, target).cost
    except NoProgramError:
        return inf


def never_dearer(text: str, targets: list[Target]) -> None:
    costs = [cost(text, t) for t in targets]
    for less, more in itertools.pairwise(costs):
        assert more <= less * (1 + 1e-6), costs
    assert costs[-1] < inf


@every_other
@rising(0)
def test_more_registers_never_cost_more(text, step):
    never_dearer(text, [replace(machine(ROOMY), registers=n) for n in (3, 4, 6, 9, 12, 16, 32)[::step]])


@rising(1)
def test_a_kernel_more_never_costs_more(text):
    kernels = machine("avx512").kernels
    chosen = [k for k in kernels if k.name in ("map", "pack", "combine")]
    rising = [tuple(chosen)] + [tuple(chosen := [*chosen, k]) for k in kernels if k not in chosen]
    never_dearer(text, [replace(machine("avx512"), kernels=some) for some in rising[::3] + rising[-1:]])


@every_other
@rising(0)
def test_a_panel_width_more_never_costs_more(text, step):
    """All widths are tile sizes from the start, so that only the panels are new."""
    base = replace(machine(ROOMY), tile_sizes=(16, 32, 48, 64))
    never_dearer(
        text, [replace(base, panel_vectors=widths) for widths in ((), (1,), (1, 2), (1, 2, 4), (1, 2, 3, 4))[::step]]
    )


@every_other
@rising(1)
def test_a_tile_size_more_never_costs_more(text, step):
    never_dearer(
        text,
        [
            replace(machine("narrow"), tile_sizes=sizes)
            for sizes in ((), (5,), (5, 7), (5, 7, 10), (5, 7, 10, 11))[::step]
        ],
    )


@rising(0)
def test_a_cache_twice_as_large_never_costs_more(text):
    """Limits are rounded down to steps, so this is no theorem for any two sizes; twice the size leaves a step to spare.
    The outer cache stays as it is, for where the operands rest is part of the question."""
    base = machine(ROOMY)
    _, near, mid, far = base.levels
    sizes = (512, 1024, 2048)
    never_dearer(
        text,
        [
            replace(base, levels=(base.levels[0], replace(near, capacity=size), replace(mid, capacity=4096), far))
            for size in sizes
        ],
    )


def shared_rows(node):
    """Rows of a tile of a parallel loop whose ends another thread writes: those of a row-major output split along its
    rows."""
    out = [dim for axis in node.state.family.operation.output.axes for dim, _ in axis]
    tile = {**node.state.size, **dict(zip(node.dims, node.tiles))}
    if not out or tile[out[-1]] == node.state.size[out[-1]]:
        return 0
    return prod(tile[d] for d in out[:-1])


@pytest.mark.parametrize("text", SPECS)
def test_every_node_costs_what_is_under_it_and_more(text):
    program = synthesize(text, READY, threads=2)
    assert any(isinstance(node, Loop) and node.threads > 1 for node in walk(program.root))
    for node in walk(program.root):
        assert node.cost > 0
        if isinstance(node, Loop) and node.threads > 1:
            tiles = 1
            for d, t in zip(node.dims, node.tiles):
                tiles *= ceil(node.state.size[d] / t)
            loop, fork, seam = (READY.coefficient[name] for name in ("loop", "fork", "seam"))
            shared = seam * shared_rows(node)
            join = node.join.cost if node.join else 0
            assert node.cost == pytest.approx(
                fork + shared + ceil(tiles / 2) * (node.bodies[0].cost + loop) + join, rel=1e-5
            )
        elif isinstance(node, Loop):
            assert node.cost >= node.trips() * min(child.cost for child in children(node))


@pytest.mark.parametrize("text", SPECS)
def test_threads_never_cost_more(text):
    for target in (machine("avx512"), READY):
        one, two = synthesize(text, target).cost, synthesize(text, target, threads=2).cost
        assert two <= one
    assert two < one


def test_threads_pay_on_a_large_problem():
    text, target = "matmul(f32[384,384], f32[384,384])", machine("avx512")
    one, two = synthesize(text, target), synthesize(text, target, threads=2)
    assert isinstance(two.root, Loop) and two.root.threads == 2
    assert one.cost / 2 < two.cost < one.cost * 0.6

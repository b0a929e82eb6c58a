"""Hand schedules: the same steps, prices and limits as the search; refusals that say why; kernels that are right."""

from __future__ import annotations

import functools

import griotte as gt
import numpy as np
import pytest
from checked import agrees, later
from griotte.compiler.scheduling import Schedule
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Block, Hole, KernelCall, Loop, Move, Node, children
from griotte.engine.rewrites import DoesNotApply, OpenHole, Select, edges
from griotte.engine.rewrites import Move as MoveRewrite
from griotte.engine.rewrites.by_hand import arguments
from griotte.engine.search import limits
from griotte.engine.search.holes import main_child
from griotte.engine.search.ladder import ladder, tile_sizes
from griotte.engine.search.oracle import Oracle
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from griotte.machine import runs_here
from machines import machine
from spaces import by_turns

MATMUL = "matmul(f32[64,68], f32[68,64])"
SPECS = [
    ("matmul(f32[100,77], f32[77,90])", "avx512", 1),
    ("matmul(f32[512,256], f32[256,256])", "avx512", 2),
    ("matmul(f32[7,9], f32[9,20])", "narrow", 1),
    ("matmul(f32[3,40,33], f32[3,33,50])", "avx2", 1),
    ("matmul(f32[300,40,48], f32[300,48,96])", "avx2", 2),
    ("matmul(bf16[1,256], bf16[256,512]{0,1}) -> f32[1,512]", "avx512", 1),
    ("matmul(bf16[40,36], bf16[36,48]) -> f32[40,48]", "avx512", 1),
    ("matmul(u8[20,32], s8[32,48]) -> s16[20,48]", "avx512", 1),
    ("matmul(f32[20,70], const f32[70,90]{0,1})", "avx2", 1),
    ("matmul(const bf16[256,512], const bf16[512,200]{0,1}) -> f32[256,200]", "avx512", 2),
    ("matmul(f32[3,40,33], const f32[3,33,50]{1,2,0})", "avx512", 1),
    ("sum(f32[100,70], axis=1)", "avx2", 1),
    ("max(f32[33,50], axis=0)", "two", 1),
    ("transpose(f32[100,70], perm=(1,0))", "avx512", 1),
    ("exp(add(f32[8,40], f32[40]))", "portable", 1),
]


@functools.cache
def searched(text: str, name: str, threads: int = 1) -> gt.Program:
    return gt.synthesize(text, machine(name), threads)


def in_turn(node: Node):
    """Every node in the order in which a schedule takes its holes."""
    yield node
    parts, main = children(node), main_child(node)
    for i in sorted(range(len(parts)), key=lambda i: (i != main, i)):
        yield from in_turn(parts[i])


def replayed(schedule: Schedule, node: Node) -> Schedule:
    """The rewrite that made `node`, by hand."""
    match node:
        case Loop(dims=(dim,), tiles=(tile,), threads=1):
            return schedule.tile(dim, tile)
        case Loop():
            return schedule.tile(node.dims, node.tiles, parallel=node.threads)
        case Move(operand=i, to=to, ahead=True):
            return schedule.ahead(i, **arguments(MoveRewrite(i, to), node.state.family))
        case Move(operand=i, to=to):
            return schedule.move(
                i, schedule.target.levels[to.level].name, **arguments(MoveRewrite(i, to), node.state.family)
            )
        case Block():
            return schedule.to_accumulator()
        case KernelCall(kernel=kernel, lane=lane):
            return schedule.select(kernel, lanes=lane)
    raise AssertionError(node)


@pytest.mark.parametrize("text, name, threads", SPECS)
def test_the_searched_program_can_be_written_by_hand_and_costs_the_same(text, name, threads):
    best = searched(text, name, threads)
    schedule = gt.schedule(text, machine(name))
    for node in in_turn(best.root):
        schedule = replayed(schedule, node)
    assert schedule.holes == ()
    assert schedule.cost == best.cost
    assert str(schedule) == str(best)
    assert gt.synthesize(schedule).to_c() == best.to_c()


@pytest.mark.parametrize("text, name, threads", SPECS)
def test_half_of_the_searched_program_is_filled_to_its_cost(text, name, threads):
    best = searched(text, name, threads)
    schedule, steps = gt.schedule(text, machine(name)), list(in_turn(best.root))
    for node in steps[: 1 + len(steps) // 2]:
        schedule = replayed(schedule, node)
    assert gt.synthesize(schedule).cost == pytest.approx(best.cost, rel=1e-5)


# ---- schedules drawn at random ---------------------------------------------------------------------------------------


def step(schedule: Schedule, rng: np.random.Generator, tiles=tile_sizes) -> Schedule:
    """One more rewrite, drawn from those of the space; the schedule as it is where the rewrite does not apply."""
    holes = schedule.holes
    if not holes:
        return schedule
    number = int(rng.integers(len(holes)))
    schedule, state, target = schedule.at(number), holes[number].state, schedule.target
    options = [lambda e=e: by_hand(schedule, state, e.rewrite) for e in edges(state.family, target)]
    sizes = {d: tiles(n) for d, n in state.size.items() if n > 1}
    options += [lambda d=d: schedule.tile(d, int(rng.choice(sizes[d]))) for d in sizes for _ in range(2)]
    if not holes[number].path:
        options += [
            lambda d=d: schedule.tile(d, int(rng.choice(sizes[d])), parallel=2)
            for d in state.family.operation.parallel
            if d in sizes
        ]
    try:
        return options[rng.integers(len(options))]() if options else schedule
    except DoesNotApply:
        return schedule


def by_hand(schedule: Schedule, state, rewrite) -> Schedule:
    match rewrite:
        case Select(kernel, lane):
            return schedule.select(kernel, lane)
        case MoveRewrite(operand, to):
            return schedule.move(operand, schedule.target.levels[to.level].name, **arguments(rewrite, state.family))
    return schedule.to_accumulator()


DRAWN = [
    ("matmul(f32[6,5], f32[5,20])", "narrow"),
    ("matmul(u8[3,8], s8[8,18])", "wide"),
    ("sum(f32[9,21], axis=1)", "scarce"),
    ("matmul(bf16[4,6], bf16[6,17]) -> f32[4,17]", "paired"),
]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("text, name", DRAWN)
def test_a_drawn_schedule_means_its_spec_and_beats_no_search(text, name, seed):
    spec, rng = gt.parse(text), np.random.default_rng(seed)
    schedule = gt.schedule(spec, machine(name))
    for _ in range(6):
        schedule = step(schedule, rng)
    assert not isinstance(schedule.root, Hole)  # some step applied
    arrays = random_arrays(spec, rng)
    assert compare(spec, arrays, interpret(schedule.root, spec, *arrays))[1:] == (True, "")
    try:
        program = gt.synthesize(schedule)
    except gt.NoProgramError as why:
        assert (
            name in ("scarce", "paired") and "expected a program for the hole" in str(why) and "lines left" in str(why)
        )
        return
    assert program.cost >= searched(text, name, program.threads).cost * (1 - 1e-5)
    assert compare(spec, arrays, interpret(program.root, spec, *arrays))[1:] == (True, "")


TINY = [
    ("matmul(f32[3,2], f32[2,9])", "narrow"),
    ("matmul(u8[2,4], s8[4,17])", "wide"),
    ("sum(f32[9,21], axis=1)", "scarce"),
    ("max(f64[2,9], axis=1)", "plain"),
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("text, name", TINY)
def test_what_fills_a_hole_is_the_least_that_its_limits_allow(text, name, seed):
    """Tiles of any size, and each hole against brute force."""
    target, rng = machine(name), np.random.default_rng(100 + seed)
    schedule = gt.schedule(text, target)
    for _ in range(4):
        schedule = step(schedule, rng, tiles=lambda n: range(1, n))
    extents = {
        d: tuple({h.state.size[d] for h in schedule.holes if d in h.state.size})
        for d in schedule.canonical.operation.dims
    }
    ladders = {d: ladder(schedule.canonical, d, target, e, schedule.threads) for d, e in extents.items() if e}
    oracle = Oracle(target, schedule.home, ladders)
    least = [oracle.at((h.state.family, h.state.sizes, limit_steps(h, target, schedule.home))) for h in schedule.holes]
    if np.inf in least:
        with pytest.raises(gt.NoProgramError, match="expected a program for the hole"):
            gt.synthesize(schedule)
        return
    filled = gt.synthesize(schedule)
    found = [functools.reduce(lambda node, i: children(node)[i], h.path, filled.root).cost for h in schedule.holes]
    assert found == pytest.approx(least, rel=1e-5)


def limit_steps(hole: OpenHole, target, home: int) -> tuple[int, ...]:
    """The memory left to a hole as the oracle counts it."""
    levels = limits.axes(target, home, hole.state.family)
    return tuple(map(int, np.unravel_index(hole.limit, (len(limits.SHARES),) * len(levels)))) if levels else ()


# ---- the face --------------------------------------------------------------------------------------------------------


def test_a_schedule_is_printed_with_numbered_holes():
    s = (
        gt.schedule("matmul(f32[100,90], f32[90,80])", machine("avx512"))
        .tile("m", 24)
        .move(1, "L2", panel=16)
        .split("k", 30)
    )
    assert str(s.tile("n", 16).move("y", "registers", lanes="n")).splitlines() == [
        "loop m by 24",
        "  copy x1 90x80 -> L2, panels of 16",
        "      ?0 copy k=90 n=80",
        "    loop k by 30",
        "      first:",
        "        ?1 matmul m=24 n=80 k=30",
        "        loop n by 16",
        "          registers y 24x16  ?2 matmul m=24 n=16 k=30 added to y",
        "  leftover m 4:",
        "    ?3 matmul m=4 n=80 k=90",
    ]


def test_rewrites_leave_the_schedule_they_start_from_alone():
    s = gt.schedule(MATMUL, machine("avx2"))
    assert s.tile("m", 6).holes != s.holes
    assert len(s.holes) == 1 and s.cost is None


def test_the_next_hole_is_the_main_body_then_what_at_names():
    s = gt.schedule(MATMUL, machine("avx2")).tile("m", 24)
    assert [h.state.size["m"] for h in s.holes] == [24, 16]
    assert [h.state.size["m"] for h in s.tile("m", 4).holes] == [4, 16]
    assert [h.state.size["m"] for h in s.at(1).tile("m", 4).holes] == [24, 4]
    s = s.at(1).tile("m", 12).tile("n", 16)
    assert [(h.state.size["m"], h.state.size["n"]) for h in s.holes] == [(24, 64), (12, 16), (4, 64)]


def test_a_split_has_no_later_iteration_where_there_is_one_tile():
    s = gt.schedule(MATMUL, machine("avx2")).split("k", 48)
    assert [(h.state.size["k"], h.state.family.accumulate) for h in s.holes] == [(48, False), (20, True)]
    assert gt.synthesize(s).cost > 0


def test_moves_take_memory_from_the_holes_below():
    s = gt.schedule("matmul(f32[512,512], f32[512,512])", machine("avx512"))
    free, below = s.holes[0].left, s.move(1, "L2", panel=64).holes[1]
    assert below.left["L2"] <= free["L2"] - 512 * 512 * 4 / 64
    assert below.left["L1"] == free["L1"]
    assert "x1 f32 in L2 (panels of 64)" in str(below) and "lines left" in str(below)


def test_a_copy_may_turn_rows_for_dot_instructions():
    s = gt.schedule("conv2d(u8[1,12,9,9], s8[24,12,3,3], padding=1)", machine("avx2")).move(0, "L1", compact="i3")
    assert "copy x0 12x11x11 -> L1, compact along i3" in str(s) and gt.synthesize(s).cost > 0
    with pytest.raises(DoesNotApply, match="compact='i3'.*, found compact='i4'"):
        gt.schedule("conv2d(u8[1,12,9,9], s8[24,12,3,3], padding=1)", machine("avx2")).move(0, "L1", compact="i4")


def test_a_schedule_without_rewrites_is_the_search():
    best = searched(MATMUL, "avx2", 2)
    assert str(gt.synthesize(gt.schedule(MATMUL, machine("avx2")), threads=2)) == str(best)


# ---- refusals --------------------------------------------------------------------------------------------------------


def accumulators(s: Schedule, m: int) -> Schedule:
    return s.tile("m", m).tile("n", 8).move(2, "registers", lanes="n")


REFUSED = {
    "no such dimension": (
        lambda s: s.tile("q", 4),
        "tile of q by 4 does not apply to matmul m=64 n=64 k=68: expected a dimension of matmul (m n k), found 'q'",
    ),
    "tile too large": (lambda s: s.tile("m", 64), "expected a tile of 1..63 for m = 64, found 64"),
    "tile of nothing": (lambda s: s.tile("m", 0), "expected a tile of 1..63 for m = 64, found 0"),
    "tile of a half": (lambda s: s.tile("m", 2.5), "expected an integer for the size of a tile, found 2.5"),
    "two serial dimensions": (lambda s: s.tile(("m", "n"), (8, 8)), "tile twice, or give parallel=threads"),
    "no name": (lambda s: s.tile(3, 4), "found 3"),
    "unit dimension": (lambda s: s.tile("m", 1).tile("m", 1), "expected a dimension longer than 1, found m = 1"),
    "panel straddled": (
        lambda s: s.move(1, "L2", panel=32).tile("n", 36),
        "a multiple of 32 (a packed operand), found 36",
    ),
    "split of a row": (lambda s: s.split("m", 8), "expected a reduction (k), found 'm'"),
    "parallel reduction": (
        lambda s: s.tile("k", 8, parallel=2),
        "expected k in 2..2 parts, one for each thread at most, found 9",
    ),
    "parallel inside": (
        lambda s: s.tile("m", 32).tile("n", 32, parallel=2),
        "expected a parallel loop around the whole program",
    ),
    "one parallel tile": (lambda s: s.tile("m", 64, parallel=2), "expected two tiles or more to share out, found one"),
    "tiles missing": (lambda s: s.tile(("m", "n"), 32, parallel=2), "expected a tile for each of m n, found 1 tiles"),
    "three parallel dimensions": (
        lambda s: s.tile(("m", "n", "k"), (1, 1, 1), parallel=2),
        "expected one dimension or two, found m n k",
    ),
    "threads": (lambda s: s.tile("m", 8, parallel=0), "expected 2 threads or more, found 0"),
    "no such operand": (lambda s: s.move(3, "L1"), "expected an operand 0..2 (x0 x1 y), found 3"),
    "no such level": (lambda s: s.move(0, "L4"), "expected a level of avx2 (registers L1 L2 L3 memory), found 'L4'"),
    "no faster level": (
        lambda s: s.move(0, "L1").move(0, "L2"),
        "expected a level faster than L1, or another layout, found L2",
    ),
    "input in registers": (lambda s: s.move(0, "registers"), "only accumulators live in registers"),
    "no such panel": (
        lambda s: s.move(1, "L1", panel=40),
        "panel=8 or panel=16 or panel=24 or panel=32, found panel=40",
    ),
    "laid out twice": (
        lambda s: s.move(1, "L2", panel=16).move(1, "L1", panel=8),
        "expected no layout (a view), found panel=8",
    ),
    "no lanes": (lambda s: s.move(2, "registers"), "expected lanes='n' or lanes='k', found no lanes"),
    "other lanes": (lambda s: s.move(2, "registers", lanes="m"), "expected lanes='n' or lanes='k', found lanes='m'"),
    "too many accumulators": (
        lambda s: s.move(2, "registers", lanes="n"),
        "expected accumulators in 16 registers, found 512 needed",
    ),
    "no such kernel": (lambda s: s.select("fma"), "expected a kernel of avx2 ("),
    "output not in registers": (
        lambda s: s.select("multiply_add"),
        "expects its output in registers; move it there first",
    ),
    "registers for the step": (lambda s: accumulators(s, 15).select("multiply_add"), "tile the output smaller"),
    "lanes of the kernel": (
        lambda s: accumulators(s, 4).select("multiply_add", lanes="m"),
        "expected lanes along n, found 'm'",
    ),
    "tiled in registers": (lambda s: accumulators(s, 4).tile("k", 8), "a kernel takes those whole: select one"),
    "moved in registers": (
        lambda s: accumulators(s, 4).move(0, "L1"),
        "expected a step of the search's space (select ",
    ),
    "accumulates already": (lambda s: s.to_accumulator().to_accumulator(), "this one already accumulates"),
    "no such hole": (lambda s: s.at(1), "expected a hole 0..0, found 1; print the schedule to see them"),
    "a hole's name": (lambda s: s.at("m"), "expected an integer for the number of a hole, found 'm'"),
}


@pytest.mark.parametrize("misuse, why", REFUSED.values(), ids=REFUSED)
def test_a_rewrite_that_does_not_apply_says_why(misuse, why):
    with pytest.raises(DoesNotApply) as found:
        misuse(gt.schedule(MATMUL, machine("avx2")))
    assert why in str(found.value) and "expect" in str(found.value)
    assert isinstance(found.value, gt.NoProgramError) and "\n" not in str(found.value)


def test_a_move_that_does_not_fit_says_what_it_needs_and_what_is_left():
    s = gt.schedule("matmul(f32[512,512], f32[512,512])", machine("avx512"))
    with pytest.raises(
        DoesNotApply, match=r"expected at most the \d+ lines that are left of L1, found 16384 needed; tile first"
    ):
        s.move(0, "L1")
    with pytest.raises(DoesNotApply, match="expected at most the 0 lines that are left of L1, found 512 needed"):
        s.tile("m", 16).move(0, "L1").move(2, "L1")


def test_a_map_takes_a_row():
    with pytest.raises(DoesNotApply, match="expected i1 = 1, for map runs along i0 alone; tile i1 by 1"):
        gt.schedule("transpose(f32[8,8], perm=(1,0))", machine("avx2")).select("map", lanes="i0")


def test_a_batch_dimension_comes_off_first():
    s = gt.schedule("matmul(f32[3,8,8], f32[3,8,8])", machine("avx2"))
    with pytest.raises(
        DoesNotApply,
        match="expected a loop over i0 by 1 before all else, for every operand moves along it; found m by 4",
    ):
        s.tile("m", 4)
    assert gt.synthesize(s.tile("i0", 1).tile("m", 4)).cost > 0


def test_batch_dimensions_come_off_in_any_order():
    s = gt.schedule("matmul(f32[2,3,8,8]{2,0,1,3}, f32[2,3,8,8])", machine("avx2"))
    with pytest.raises(
        DoesNotApply,
        match="expected a loop over i0 or i1 by 1 before all else, for every operand moves along it; found i1 by 2",
    ):
        s.tile("i1", 2)
    assert "loop i1 by 1" in str(s.tile("i1", 1).tile("i0", 1)) and "loop i0 by 1" in str(s.tile("i0", 1).tile("i1", 1))


@pytest.mark.parametrize(
    "text, steps",
    [
        (
            "attention(f32[1,256,64], f32[1,256,64], f32[1,256,64], causal=true)",
            "skip by 0; skip by 128; skip by 64; skip by 32",
        ),
        ("matmul(f32[8,8], const f32[8,16])", "ahead 1"),
    ],
)
def test_what_stands_above_all_else_comes_before_loops(text, steps):
    with pytest.raises(
        DoesNotApply, match=f"expected a step of the search's space \\({steps}\\), found one outside it"
    ):
        gt.schedule(text, machine("avx2")).tile("m", 4)


def test_a_complete_schedule_takes_no_more():
    s = gt.schedule("exp(f32[8])", machine("avx2")).select("map")
    for more in (lambda: s.tile("i0", 4), lambda: s.at(0), lambda: s.move(0, "L1"), lambda: s.select("map")):
        with pytest.raises(DoesNotApply, match="expected an open hole, found a complete program"):
            more()


def test_a_program_with_a_hole_says_so():
    s = gt.schedule(MATMUL, machine("avx2")).tile("m", 24)
    for use in (s.compile, s.to_c, s.explain, lambda: s.to_html("never.html")):
        with pytest.raises(
            gt.NoProgramError,
            match=(
                r"expected a complete program, found 2 holes, first matmul m=24 n=64 k=68;"
                r" griotte.synthesize\(schedule\) fills them"
            ),
        ):
            use()


def test_target_and_threads_are_those_of_the_schedule():
    s = gt.schedule(MATMUL, machine("avx2")).tile("m", 24)
    with pytest.raises(gt.SpecError, match="expected avx2, the target of the schedule, found portable"):
        gt.synthesize(s, target="portable")
    with pytest.raises(gt.SpecError, match="expected 1 thread, those of the schedule, found 2"):
        gt.synthesize(s, threads=2)
    with pytest.raises(gt.SpecError, match="expected a Spec or its text, found int"):
        gt.schedule(3)
    with pytest.raises(gt.TargetError, match="expected a target"):
        gt.schedule(MATMUL, target="avx-512")


def test_a_hole_that_nothing_fills_is_named():
    s = accumulators(gt.schedule(MATMUL, machine("avx2")), 15)
    with pytest.raises(
        gt.NoProgramError,
        match="expected a program for the hole matmul m=15 n=8 k=68: .*, found none; undo a move or take other tiles",
    ):
        gt.synthesize(s)


# ---- kernels ---------------------------------------------------------------------------------------------------------

KERNELS = {
    "off the ladder": (
        "matmul(f32[130,70], f32[70,110])",
        lambda s: s.tile("m", 100).move(1, "L2", panel=2 * s.target.lanes("f32")).tile("k", 33),
    ),
    "over threads": (
        "matmul(f32[100,70], f32[70,90])",
        lambda s: s.tile(("m", "n"), (30, 50), parallel=2).tile("m", 7),
    ),
    "down strips, over threads": (
        "matmul(f32[33,5], f32[5,40])",
        lambda s: s.tile("m", 15, parallel=2).tile("n", 8).tile("m", 2),
    ),
    "batched": ("matmul(f32[3,20,30], f32[3,30,40])", lambda s: s.tile("i0", 1, parallel=2).split("k", 7)),
    "filled, then added to": (
        "matmul(f32[33,40], f32[40,50])",
        lambda s: s.to_accumulator().tile("k", 16).at(0).tile("m", 5),
    ),
    "one row at a time": ("transpose(f32[37,21], perm=(1,0))", lambda s: s.tile("i0", 10).tile("i1", 1)),
    "a sum in parts": ("sum(f32[40,300], axis=1)", lambda s: s.tile("i0", 7).split("i1", 130).tile("i0", 2)),
    "an integer result that narrows": (
        "matmul(u8[20,40], s8[40,30]) -> s16[20,30]",
        lambda s: s.move(2, "L1", dtype="s32").tile("k", 24),
    ),
}
WIDEST = next(name for name in ("avx512", "avx2", "portable") if runs_here(machine(name)))


@pytest.mark.parametrize("what, name", by_turns(KERNELS, dict.fromkeys((WIDEST, "portable"))))
def test_kernels_of_hand_schedules_are_right(what, name):
    text, steps = KERNELS[what]
    spec = gt.parse(text)
    arrays = random_arrays(spec, np.random.default_rng(0), hostile=True)
    program = gt.synthesize(steps(gt.schedule(spec, machine(name))))
    later(program, arrays, lambda found: agrees(spec, arrays, found))


# Graphs --------------------------------------------------------------------------------------------------------------

SOFTMAX = "softmax(f32[24,40])"


def test_a_graph_is_scheduled_by_hand():
    best = gt.synthesize(SOFTMAX, machine("avx512"), table="none")
    begun = gt.schedule(SOFTMAX, machine("avx512")).tile("i0", 4).bufferize("max", "L1").inline("exp")
    filled = gt.synthesize(begun, table="none")
    assert filled.cost >= best.cost * (1 - 1e-6)
    assert "buffer max 4 f32 in L1" in str(filled) and "exp in registers, computed where it is read" in str(filled)
    spec = gt.parse(SOFTMAX)
    (x,) = random_arrays(spec, np.random.default_rng(0))
    np.testing.assert_allclose(interpret(filled.root, spec, x, target=filled.target), gt.interpret(spec, x), rtol=1e-5)


def test_an_output_is_put_where_it_goes_by_hand():
    text = "outputs(%h: add(f32[60,400], f32[60,400]), rms_norm(%h, f32[400]))"
    best = gt.synthesize(text, machine("avx512"), table="none")
    begun = gt.schedule(text, machine("avx512")).tile("i0", 2).bufferize("add", "L1")
    filled = gt.synthesize(begun, table="none")
    assert "buffer add 2x400 f32 in L1" in str(filled) and "copy in y0" in str(filled)
    put = gt.synthesize(gt.schedule(text, machine("avx512")).tile("i0", 2).bufferize("add", "y0"), table="none")
    assert "add in y0" in str(put) and put.cost >= best.cost * (1 - 1e-6)
    assert filled.cost >= best.cost * (1 - 1e-6)
    with pytest.raises(DoesNotApply, match="expected L1 or y0, found 'y1'"):
        gt.schedule(text, machine("avx512")).tile("i0", 2).bufferize("add", "y1")
    assert (
        len(
            gt.schedule((gt.exp(gt.tensor((8,))), gt.neg(gt.tensor((8,)))), machine("avx512"))
            .bufferize("exp", "y0")
            .spec.outputs
        )
        == 2
    )


def test_a_map_is_done_as_a_reduction_is_stored():
    text = "relu(matmul(f32[16,32], f32[32,48]))"
    filled = gt.synthesize(gt.schedule(text, machine("avx512")).finish("matmul"), table="none")
    assert filled.cost == pytest.approx(gt.synthesize(text, machine("avx512"), table="none").cost)


@pytest.mark.parametrize(
    "step, complaint",
    [
        (lambda s: s.bufferize("nosuch", "L1"), "expected a tensor between nests .*'max' or 1.*found 'nosuch'"),
        (lambda s: s.bufferize("max", "L9"), "expected .*L1.* found 'L9'"),
        (lambda s: s.finish("max"), "finish"),
        (lambda s: s.inline("max"), "inline"),
        (lambda s: s.select("combine"), "expected one nest"),
    ],
)
def test_steps_that_a_graph_does_not_take(step, complaint):
    with pytest.raises(DoesNotApply, match=complaint):
        step(gt.schedule(SOFTMAX, machine("avx512")))


def test_one_nest_has_nothing_between():
    with pytest.raises(DoesNotApply, match="nothing between"):
        gt.schedule(MATMUL, machine("avx512")).bufferize(0, "L1")

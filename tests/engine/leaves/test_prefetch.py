"""What a program's leaves ask for before they need it: operand, form, distance, level, as hand schedules on small
machines have it."""

import re
from dataclasses import replace

import pytest
from griotte import synthesize
from griotte.codegen import emit
from griotte.compiler.scheduling import schedule
from griotte.engine.leaves.prefetch import prefetched
from griotte.engine.program import printer
from griotte.engine.program.nodes import LATER_ROW, NEXT_ROWS, PANEL, RESULT, ROW, KernelCall, Loop, Request, walk
from griotte.machine import Prefetch
from machines import machine

TINY = {"L2": 1 << 13, "L3": 1 << 14}  # bytes; what small arrays rest beyond


def asking(name: str = "avx512", caches: dict[str, int] | None = None, **distances):
    """A machine with these distances, and smaller caches, in which operands only rest."""
    target = replace(machine(name), prefetch=Prefetch(**distances), largest_cache=None)
    return replace(
        target,
        levels=tuple(
            replace(level, capacity=caches[level.name], share=0.0) if level.name in (caches or {}) else level
            for level in target.levels
        ),
    )


def done(halfway, lanes: str = "n", kernel: str = "multiply_add"):
    return synthesize(halfway.move(2, "registers", lanes=lanes).select(kernel), table="none")


def root(program):
    return prefetched(program.root, program.canonical, program.target)


def leaves(program, kernel: str = "multiply_add") -> list[KernelCall]:
    return [node for node in walk(root(program)) if isinstance(node, KernelCall) and node.kernel == kernel]


def asked(program, operand: int = 1, kernel: str = "multiply_add") -> set[tuple[Request, ...]]:
    """What the leaves of a program ask for of an operand, each way once."""
    return {leaf.requests(operand) for leaf in leaves(program, kernel)}


def by_panels(target, m: int = 8, k: int = 40, n: int = 320):
    return schedule(f"matmul(f32[{m},{k}], const f32[{k},{n}])", target).ahead(1, panel=32).tile("n", 32)


def test_a_panel_from_memory_is_asked_for_into_l2_far_on_and_into_l1_near():
    assert asked(done(by_panels(asking(caches=TINY, far_panel=16384)))) == {
        (Request(PANEL, 16384, 2), Request(PANEL, 1024, 1))
    }
    assert asked(done(by_panels(asking(caches=TINY, far_panel=4096, near_panel=256)))) == {
        (Request(PANEL, 4096, 2), Request(PANEL, 256, 1))
    }


def test_a_panel_is_asked_for_into_l1_alone_where_the_machine_says_so_or_it_is_in_l2():
    assert asked(done(by_panels(asking(caches=TINY)))) == {(Request(PANEL, 8192),)}
    assert (
        asked(done(by_panels(asking(far_panel=16384, near_panel=512))))
        == {(Request(PANEL, 512),)}
        == asked(done(by_panels(asking(near_panel=512))))
    )


def test_a_panel_that_few_rows_take_is_asked_for_into_one_cache_alone():
    few, enough = (asked(done(by_panels(asking(caches=TINY, far_panel=16384, far_rows=rows), m=4))) for rows in (5, 4))
    assert few == {(Request(PANEL, 8192),)} and enough == {(Request(PANEL, 16384, 2), Request(PANEL, 1024))}
    light = asked(done(by_panels(asking(caches=TINY, far_panel=16384, far_rows=5, light_panel=2048), m=4)))
    assert light == {(Request(PANEL, 2048, 2),)}
    in_l3 = asking(caches={"L2": 1 << 13}, far_panel=16384, far_rows=5, light_panel=2048)
    assert asked(done(by_panels(in_l3, m=4))) == {()}
    assert asked(done(by_panels(in_l3, m=8))) == {(Request(PANEL, 16384, 2), Request(PANEL, 1024))}


def test_a_short_loop_over_a_panel_meets_it_from_far_once():
    """Three blocks of rows: the first has requests, and so a body, of its own; of four the panel counts as in L2 at
    once."""
    near = (Request(PANEL, 1024),)
    for far_panel, far in ((16384, (Request(PANEL, 16384, 2), *near)), (0, (Request(PANEL, 8192),))):
        _meets_once(far_panel, far, near)


def _meets_once(far_panel: int, far: tuple[Request, ...], near: tuple[Request, ...]):
    for blocks, ways in ((3, {far, near}), (4, {near})):
        program = done(by_panels(asking(far_panel=far_panel), 8 * blocks, k=300, n=2400).move(1, "L2").tile("m", 8))
        assert asked(program) == ways
        rows = next(node for node in walk(root(program)) if isinstance(node, Loop) and node.dims == ("m",))
        assert (rows.first is not None) == (blocks == 3)


def test_rows_from_memory_are_asked_for_along_them():
    text = "matmul(f32[1,40], f32[40,1000])"
    by_parts = schedule(text, asking(caches=TINY)).split("k", 8).tile("n", 192)
    assert asked(done(by_parts)) >= {(Request(ROW, 768),), (Request(ROW, 640),)}  # parts of 192 elements, and one of 40
    down = schedule("matmul(f32[1,1000], f32[1000,40]{0,1})", asking(caches=TINY, row=256)).tile("n", 8)
    assert asked(done(down, "k")) == {(Request(ROW, 256),)}
    long = schedule("matmul(f32[1,12288], f32[12288,16]{0,1})", asking(caches=TINY)).tile("n", 8)
    assert asked(done(long, "k")) == {(Request(ROW, 768),)}


def test_parts_of_rows_are_asked_for_into_l2_first_where_the_machine_says_so():
    def ways(part: int, **distances):
        """Of parts of so many elements."""
        return asked(
            done(
                schedule("matmul(f32[1,40], f32[40,1920])", asking(caches=TINY, **{"far_part": 1024, **distances}))
                .split("k", 8)
                .tile("n", part)
            )
        )

    assert ways(64) >= {(Request(ROW, 1024, 2), Request(ROW, 256))} and ways(64, near_part=320) >= {
        (Request(ROW, 1024, 2), Request(ROW, 320))
    }
    assert ways(192) == {(Request(ROW, 1024, 2), Request(ROW, 768))}
    assert ways(192, far_part=512) == {(Request(ROW, 768, 2), Request(ROW, 768))}
    down = schedule("matmul(f32[1,1000], f32[1000,40]{0,1})", asking(caches=TINY, far_part=1024)).tile("n", 8)
    assert asked(done(down, "k")) == {(Request(ROW, 512),)}


@pytest.mark.parametrize(
    "far, asked_for", [(1024, {(Request(ROW, 1024, 2), Request(ROW, 256))}), (0, {(Request(ROW, 640),)})]
)
@pytest.mark.parametrize("rows, is_held", [(40, True), (8, False)])
def test_parts_of_rows_that_a_view_holds_and_that_are_used_often_are_not_asked_for(rows, is_held, far, asked_for):
    """By tiles of 4 rows; where these are few, the parts count as coming from memory."""
    strips = schedule(f"matmul(f32[{rows},1000], f32[1000,1000])", asking(caches={"L3": 1 << 14}, far_part=far))
    viewed = strips.split("k", 40).move(1, "L2").tile("m", 4).tile("n", 32)
    found = asked(done(viewed))
    assert found == ({()} if is_held else asked_for)


def test_the_next_rows_are_asked_for_where_they_are_near_enough():
    def ways(most: int):
        return asked(
            done(
                schedule("matmul(f32[1,512], f32[512,64]{0,1})", asking(caches=TINY, next_rows=most)).tile("n", 8), "k"
            )
        )

    assert ways(8 * 512 * 4) == {(Request(NEXT_ROWS, 8 * 512 * 4, 2), Request(ROW, 512))}
    assert ways(8 * 512 * 4 - 1) == {(Request(ROW, 512),)}


def test_the_next_rows_are_asked_for_where_the_core_is_left_alone_along_these():
    alone = asking(caches=TINY, next_rows=1 << 16, least_work=100.0)
    assert asked(done(schedule("matmul(f32[1,512], f32[512,64]{0,1})", alone).tile("n", 8), "k")) == {
        (Request(NEXT_ROWS, 8 * 512 * 4, 2),)
    }


def test_of_long_rows_the_next_ones_are_asked_for_where_a_tile_of_them_is_small():
    def ways(most: int):
        by_parts = (
            schedule("matmul(f32[1,1024], f32[1024,64]{0,1})", asking(caches=TINY, next_rows=most))
            .split("k", 256)
            .tile("n", 8)
        )
        return asked(done(by_parts, "k"))

    assert (Request(NEXT_ROWS, 8 * 1024 * 4, 2), Request(ROW, 512)) in ways(8 * 256 * 4)
    assert ways(8 * 256 * 4 - 1) == {(Request(ROW, 512),)}


def test_of_rows_that_a_loop_between_goes_on_with_all_of_the_next_is_asked_for_before_it_is_read():
    def ways(most: int):
        between = (
            schedule("matmul(f32[1,1024], f32[1024,64]{0,1})", asking(caches=TINY, next_rows=most))
            .tile("n", 8)
            .split("k", 256)
        )
        return asked(done(between, "k"))

    assert (Request(NEXT_ROWS, 8 * 1024 * 4, 2), Request(ROW, 512)) in ways(8 * 1024 * 4)
    assert ways(8 * 1024 * 4 - 1) == {(Request(ROW, 512),)}


def test_rows_in_l2_are_asked_for_some_steps_on():
    def ways(**distances):
        return asked(done(schedule("matmul(f32[2,300], f32[300,96])", asking(**distances)).tile("n", 32)))

    assert ways(later_row=8) == {(Request(LATER_ROW, 8),)} and ways() == {()}


def by_strips(columns: int, l3: int, **distances):
    """What is asked for of x1, 40 rows of so many f32, by strips of 32 columns; of what is left over, nothing."""
    target = asking(caches={"L2": 1 << 13, "L3": l3}, **distances)
    return asked(done(schedule(f"matmul(f32[2,40], f32[40,{columns}])", target).tile("n", 32))) - {()}


def test_rows_in_l3_are_asked_for_some_steps_on_by_a_leaf_that_reads_a_part_of_each():
    assert by_strips(320, 1 << 20, far_row=4) == {(Request(LATER_ROW, 4),)}
    assert (
        by_strips(320, 1 << 20) == by_strips(320, 1 << 14, far_row=4) == {(Request(ROW, 640),)}
    )  # a machine that says nothing; rows in memory


@pytest.mark.parametrize("columns, folds", [(1024, True), (1028, True), (1032, False)])
def test_rows_in_l3_that_lie_on_one_set_are_asked_for_along_them(columns, folds):
    """The third row on begins within a line of a multiple of 4 KiB from this one, or not."""
    assert by_strips(columns, 1 << 20, far_row=3) == {(Request(ROW, 640),) if folds else (Request(LATER_ROW, 3),)}


def test_nothing_is_asked_for_where_there_is_little_work_for_a_line():
    def leaf(work: float) -> KernelCall:
        return leaves(
            done(
                schedule("matmul(f32[1,40], f32[40,1000])", asking(caches=TINY, least_work=work))
                .split("k", 8)
                .tile("n", 200)
            )
        )[0]

    few, enough = leaf(2.5), leaf(0.5)
    assert few.requests(1) == () and few.supplies[1].alone
    assert enough.requests(1) and not enough.supplies[1].alone


def test_nothing_is_asked_for_of_what_is_near():
    copied = (
        schedule("matmul(f32[4,40], f32[40,320])", asking(caches=TINY, far_panel=16384, later_row=8))
        .tile("n", 32)
        .move(1, "L1", panel=32)
    )
    found = leaves(synthesize(copied, table="none"))
    assert {(leaf.supplies[1].place, leaf.requests(1)) for leaf in found} == {("L1", ())}


def test_a_result_that_is_added_to_is_asked_for():
    program = done(schedule("matmul(f32[4,64], f32[64,32])", asking()).split("k", 32))
    assert asked(program, 2) == {(), (Request(RESULT),)}


def test_a_result_that_lies_far_is_asked_for_as_a_leaf_begins():
    far, near = (
        done(schedule("matmul(f32[4,40], f32[40,1024])", asking(caches=caches)).tile("n", 32)) for caches in (TINY, {})
    )
    assert asked(far, 2) == {(Request(RESULT),)} and asked(near, 2) == {()}
    assert "__builtin_prefetch(y, 1)" in written(far) and "__builtin_prefetch(y" not in written(near)


def test_of_a_panel_each_line_is_asked_for_once():
    """Vectors of 32 bytes are two in a line; a panel of 8 has half a line in a row, of 24 three halves."""
    for panel, asked_for in ((8, 1), (16, 1), (24, 2), (32, 2)):
        program = done(
            schedule("matmul(f32[2,400], const f32[400,96])", asking("avx2")).ahead(1, panel=panel).tile("n", panel)
        )
        (leaf,) = re.findall(r"static void multiply_add_.*?\n}", written(program), re.S)
        assert leaf.count("__builtin_prefetch(p1") * (panel // 8) == asked_for * leaf.count("load_f32x8(p1") > 0


def test_a_pack_asks_for_nothing():
    """It reads so few rows side by side that the core follows each of them."""
    program = (
        schedule("matmul(f32[4,40], f32[40,1000])", asking(caches=TINY, row=320)).tile("n", 64).move(1, "L1", panel=32)
    )
    assert asked(synthesize(program, table="none"), 0, "pack") == {()}


def test_registers_of_a_panel_from_far_are_asked_for_into_l2():
    text = "matmul(bf16[16,64], const bf16[64,320]) -> f32[16,320]"
    program = synthesize(text, asking("tiles", TINY, far_panel=16384), table="none")
    assert asked(program, kernel="tile_bf16") == {(Request(PANEL, 16384, 2),)}


# ---- the pass as such ------------------------------------------------------------------------------------------------


INTO_L2 = re.compile(r"__builtin_prefetch\(p1 \+ k \* 32 \+ (\d+), 0, 2\)")


def written(program) -> str:
    return emit.emit(program.root, program.canonical, program.target, "f", "").source


@pytest.fixture(scope="module")
def panels():
    return done(by_panels(asking(caches=TINY, far_panel=16384)))


def test_a_program_that_asks_for_nothing_has_no_requests_in_c(panels, monkeypatch):
    assert "__builtin_prefetch" in written(panels)
    monkeypatch.setattr(emit, "prefetched", lambda node, spec, target: node)
    assert "__builtin_prefetch" not in written(panels)


def test_the_c_asks_for_what_the_program_tells(panels, monkeypatch):
    """And not for what the machine would: with another one's requests they are twice as far on."""
    before = {int(n) for n in INTO_L2.findall(written(panels))}
    farther = replace(panels.target, prefetch=Prefetch(far_panel=32768))
    monkeypatch.setattr(emit, "prefetched", lambda node, spec, target: prefetched(node, spec, farther))
    assert before and {int(n) for n in INTO_L2.findall(written(panels))} == {n + 16384 // 4 for n in before}


def test_a_pass_over_its_own_result_changes_nothing(panels):
    once = root(panels)
    assert (
        printer.text(prefetched(once, panels.canonical, panels.target), panels.target)
        == printer.text(once, panels.target)
        != printer.text(panels.root, panels.target)
    )


def test_what_is_asked_for_is_printed(panels):
    assert "prefetch x1 (memory): panel 16 KiB into L2, panel 1 KiB into L1" in [
        line.strip() for line in panels.requests().splitlines()
    ]
    assert "prefetch" not in str(panels)


def test_of_two_panels_the_smaller_is_asked_for_as_many_steps_on():
    """Scales of groups of 32: a row of 128 bytes for four of weights' words."""
    given = schedule(
        "group_matmul(f32[1,4096], const s4[64,128,32], const f32[64,128])",
        asking(caches=TINY, far_panel=8192, near_panel=2048),
    )
    program = synthesize(
        given.ahead(1, panel=32, group=8)
        .ahead(2, panel=32)
        .tile("n", 32)
        .move(3, "registers", lanes="n")
        .select("nibbles_f32_f32"),
        table="none",
    )
    assert asked(program, 1, "nibbles_f32_f32") == {(Request(PANEL, 8192, 2), Request(PANEL, 2048))}
    assert asked(program, 2, "nibbles_f32_f32") == {(Request(PANEL, 2048, 2), Request(PANEL, 512))}


# ---- what the core asks for by itself --------------------------------------------------------------------------------


def inwards(*tiles, **parallel) -> list[str]:
    """The loops that run inwards, as they are printed, of a product of 40x4 by 4x192 tiled so, after a loop over
    threads where there is one."""
    halfway = schedule("matmul(f32[40,4], f32[4,192])", asking())
    halfway = halfway.tile(*parallel["over"], parallel=2) if parallel else halfway
    for tile in tiles:
        halfway = halfway.tile(*tile)
    return [line.strip() for line in done(halfway).requests().splitlines() if "inwards" in line]


def test_a_thread_goes_down_a_strip_of_its_rows_from_both_ends():
    assert inwards(("n", 32), ("m", 4), over=("m", 20)) == ["loop m by 4, inwards"]
    assert inwards(("m", 10), ("n", 32), ("m", 2), over=("m", 20)) == ["loop m by 2, inwards"]


AS_THEY_LIE = {
    "one thread": ([("n", 32), ("m", 4)], {}),
    "row by row": ([("m", 4), ("n", 32)], {"over": ("m", 20)}),
    "two steps": ([("n", 32), ("m", 10)], {"over": ("m", 20)}),
    "columns shared": ([("n", 32), ("m", 4)], {"over": ("n", 96)}),
    "columns of a strip": ([("n", 48), ("m", 20), ("n", 16)], {"over": ("n", 96)}),
}


@pytest.mark.parametrize("what", AS_THEY_LIE)
def test_other_loops_run_as_rows_lie(what):
    tiles, over = AS_THEY_LIE[what]
    assert inwards(*tiles, **over) == []

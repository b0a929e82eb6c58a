"""What is asked for ahead of time: rows as they were given, from beyond L2, where the program walks along them."""

import re
from dataclasses import replace

from features import skip_without
from generated_harness import programs_right
from griotte import synthesize
from griotte.compiler.scheduling import schedule
from griotte.engine.footprint import crowded
from griotte.lang.nests.access import Access
from griotte.lang.nests.family import Layout, Operand
from griotte.machine import Prefetch, Writing, runs_here
from machines import machine


def priced(name: str):
    """A machine whose panels are of two vectors: the search is short."""
    return replace(machine(name), panel_vectors=(2,))


EARLY = {name: replace(priced(name), prefetch=Prefetch(far_panel=16384)) for name in ("avx512", "tiles")}
NEAR = replace(priced("avx512"), prefetch=Prefetch(later_row=8))
SMALL = {"L2": 1 << 19, "L3": 1 << 20}  # caches that small arrays rest beyond
PATIENT = replace(machine("avx512"), prefetch=Prefetch(least_work=2.5))
TINY = {"L2": 1 << 16, "L3": 1 << 17}  # nothing is moved to these: a search of little
SPECS = (
    "matmul(f32[1,107], f32[107,525])",
    "matmul(f32[2,107], f32[107,525])",
    "matmul(bf16[1,201], bf16[201,825]) -> f32[1,825]",
    "matmul(u8[1,300], s8[300,803]) -> s32[1,803]",
    "sum(f32[107,525], axis=0)",
    "max(f32[105,525], axis=0)",
)


def beside(target, caches: dict[str, int]):
    """The target with smaller caches, so that small arrays rest beyond them."""
    share = {} if caches is SMALL else {"share": 0.0}  # in what is too small to plan with, operands only rest
    return replace(
        target,
        levels=tuple(
            replace(level, capacity=caches[level.name], **share) if level.name in caches else level
            for level in target.levels
        ),
        largest_cache=None,
    )


BLOCKS = beside(replace(NEAR, prefetch=Prefetch(next_rows=65536)), SMALL)


def source(text: str, least_work: float = 0) -> str:
    """The C for a core that asks from so many multiply-adds for each line."""
    return synthesize(text, replace(priced("avx512"), prefetch=Prefetch(least_work=least_work)), table="none").to_c()


def test_rows_from_far_levels_are_asked_for_ahead():
    assert "__builtin_prefetch(p1 + " in source("matmul(f32[1,300], f32[300,4096])")
    assert "__builtin_prefetch(p1 + " in source("matmul(f32[1,4096], f32[4096,300]{0,1})")


def test_long_rows_are_asked_for_farther_ahead():
    for k, ahead in ((2048, 512), (12288, 768), (16384, 1024), (262144, 1024)):
        eight = schedule(f"matmul(f32[1,{k}], f32[{k},2000]{{0,1}})", priced("avx512")).tile("n", 8)
        text = synthesize(eight.move(2, "registers", lanes="k").select("multiply_add"), table="none").to_c()
        assert f"__builtin_prefetch(p1 + k + {ahead // 4});" in text


def test_what_is_viewed_to_l1_and_used_once_is_still_asked_for():
    by_rows = schedule("matmul(f32[1,300], f32[300,4096])", priced("avx512")).split("k", 2).move(1, "L1")
    found = synthesize(by_rows, table="none")
    assert "view x1 2x4096 -> L1" in str(found) and "__builtin_prefetch(p1 + " in found.to_c()


def test_rows_that_stay_near_are_not():
    assert "__builtin_prefetch(p1 + " not in source("matmul(f32[1,30], f32[30,4096])")


def test_rows_that_stay_near_are_asked_for_some_steps_ahead():
    text = "matmul(f32[4,512], f32[512,700])"
    found = synthesize(text, NEAR, table="none").to_c()
    assert "__builtin_prefetch(p1 + k * 700 + 5600)" in found
    assert re.search(r"__builtin_prefetch\(p1 \+ k \* 700 \+ \d+ \+ \d+\);", found)  # the last element's line
    assert "__builtin_prefetch(p1" not in source(text)


def test_rows_that_were_viewed_near_are_asked_for_as_from_far_and_where_used_often_as_from_near():
    """A view of 256 rows is in L2 from the second block of rows of x0 on: the first time it comes from far, in the
    order of memory."""

    def leaf(m: int) -> str:
        blocks = (
            schedule(f"matmul(f32[{m},1024], f32[1024,512])", NEAR)
            .split("k", 256)
            .move(1, "L2")
            .tile("m", 12)
            .tile("n", 32)
        )
        text = synthesize(blocks.move(2, "registers", lanes="n").select("multiply_add"), table="none").to_c()
        return next(part for part in text.split("/* y[m n] += ")[1:] if "m=12 n=32 k=256" in part)

    often, twice = leaf(96), leaf(24)
    along, rows_on = "__builtin_prefetch(p1 + k * 512 + 160)", "__builtin_prefetch(p1 + k * 512 + 4096)"
    assert rows_on in often and along not in often  # what is held in L2 is not asked for along its rows
    assert along in twice and rows_on not in twice


def test_rows_asked_for_some_steps_ahead_are_right_at_odd_sizes(tmp_path):
    texts = ("matmul(f32[3,307], f32[307,325])", "matmul(bf16[7,301], bf16[301,225]) -> f32[7,225]")
    programs = [synthesize(text, NEAR, table="none") for text in texts]
    assert all("__builtin_prefetch(p" in program.to_c() for program in programs)
    programs_right(programs, tmp_path)


def test_the_next_rows_are_asked_for_where_they_are_near():
    """Eight rows of 8 KiB are 64 KiB; as many of 16 KiB are too far, and what rests in L3 is not asked for so."""

    def asked(text: str, target=BLOCKS) -> bool:
        eight = schedule(text, target).tile("n", 8).move(2, "registers", lanes="k").select("multiply_add")
        return "__builtin_prefetch(p1 + k + 16384, 0, 2);" in synthesize(eight, table="none").to_c()

    assert asked("matmul(f32[1,2048], f32[2048,160]{0,1})")
    assert not asked("matmul(f32[1,2048], f32[2048,160]{0,1})", replace(BLOCKS, prefetch=Prefetch()))
    assert not asked("matmul(f32[1,4096], f32[4096,80]{0,1})")
    assert not asked("matmul(f32[1,2048], f32[2048,100]{0,1})")
    by_rows = schedule("matmul(f32[1,160], f32[160,2048])", BLOCKS).split("k", 8).tile("n", 192)
    text = synthesize(by_rows.move(2, "registers", lanes="n").select("multiply_add"), table="none").to_c()
    assert (
        "__builtin_prefetch(p1 + k * 2048 + 16384, 0, 2)" in text and "__builtin_prefetch(p1 + k * 2048 + 160)" in text
    )


def test_next_rows_asked_for_are_right_at_odd_sizes(tmp_path):
    target = beside(BLOCKS, TINY)
    columns = [
        schedule(text, target).tile("n", 8)
        for text in ("matmul(f32[1,605], f32[605,103]{0,1})", "matmul(bf16[2,1003], bf16[1003,203]{0,1}) -> f32[2,203]")
    ]
    halves = [
        columns[0],
        columns[1].tile("m", 1),
        schedule("matmul(f32[1,107], f32[107,701])", target).split("k", 8).tile("n", 192),
    ]
    lanes = ("k", "k", "n")
    programs = [
        synthesize(half.move(2, "registers", lanes=lane).select("multiply_add"), table="none")
        for half, lane in zip(halves, lanes)
    ]
    assert all(", 0, 2)" in program.to_c() for program in programs)
    programs_right(programs, tmp_path)


def test_what_a_core_sees_far_enough_ahead_is_not():
    one, three = (source(f"matmul(f32[{m},600], f32[600,4096])", PATIENT.prefetch.least_work) for m in (1, 3))
    assert "__builtin_prefetch(p1 + " not in one and "__builtin_prefetch(p1 + " in three


def test_one_line_is_asked_for_once():
    """Two vectors of bf16 are widened from one line."""
    text = source("matmul(bf16[1,600], bf16[600,4096]) -> f32[1,4096]")
    leaf = text[text.index("/* y[m n] ") :].split("\n}\n")[0]
    assert 0 < leaf.count("__builtin_prefetch(p1") <= leaf.count("(p1") / 2


def requests(text: str) -> tuple[int, int]:
    """Requests of a program's reductions for lines of x1: into L2, and into L1."""
    found = re.findall(r"__builtin_prefetch\(p1 [^;]*", text)
    far = sum(request.endswith(", 0, 2)") for request in found)
    return far, len(found) - far


def test_panels_from_far_are_asked_for_into_l2_and_then_into_l1():
    thin, square = "matmul(f32[8,100], const f32[100,1200])", "matmul(f32[500,500], const f32[500,500])"
    far, near = requests(synthesize(thin, beside(EARLY["avx512"], TINY), table="none").to_c())
    assert far == near > 0
    assert requests(synthesize(thin, beside(priced("avx512"), TINY), table="none").to_c()) == (0, near)
    far, near = requests(synthesize(square, EARLY["avx512"], table="none").to_c())  # its panels are used again from L2
    assert far == 0 and near > 0


def test_what_is_viewed_comes_from_far_the_first_time_and_from_near_then():
    def by_rows(m: int, rows: int):
        panel = (
            schedule(f"matmul(f32[{m},300], const f32[300,2400])", EARLY["avx512"])
            .ahead(1, panel=32)
            .tile("n", 32)
            .move(1, "L2")
        )
        return synthesize(
            panel.tile("m", rows).move(2, "registers", lanes="n").select("multiply_add"), table="none"
        ).to_c()

    far, near = requests(by_rows(16, 12))  # 12 rows, then 4
    assert 0 < far < near
    assert 0 < requests(by_rows(24, 8))[0] < requests(by_rows(24, 8))[1]  # so few times that the first has C of its own
    assert requests(by_rows(32, 8))[0] == 0  # the same C each time


def test_registers_of_panels_from_far_are_asked_for_into_l2():
    text = "matmul(bf16[8,300], const bf16[300,800]) -> f32[8,800]"
    far, near = requests(synthesize(text, beside(EARLY["tiles"], TINY), table="none").to_c())
    assert far > 0 and near == 0
    assert requests(synthesize(text, beside(priced("tiles"), TINY), table="none").to_c()) == (0, 0)


def test_panels_asked_for_early_are_right_at_odd_sizes(tmp_path):
    target = EARLY["tiles" if runs_here(EARLY["tiles"]) else "avx512"]
    skip_without(target.features)
    target = beside(target, TINY)
    texts = (
        "matmul(f32[5,107], const f32[107,525])",
        "matmul(bf16[7,205], const bf16[205,825]) -> f32[7,825]",
        "matmul(u8[5,305], const s8[305,905]) -> s32[5,905]",
    )
    programs = [synthesize(text, target, table="none") for text in texts]
    assert all(requests(program.to_c())[0] for program in programs)
    programs_right(programs, tmp_path)


def test_rows_above_eight_are_crowded():
    access = Access.of("k n")
    given = Operand("f32", 3, Layout((1, 0), given=True, far=True))
    assert crowded(access, given, {"k": 8, "n": 64}, 8, 64) == 0
    assert crowded(access, given, {"k": 16, "n": 64}, 8, 64) == 16 * 4 / 2
    near = Operand("f32", 3, Layout((1, 0), given=True))
    assert crowded(access, near, {"k": 16, "n": 64}, 8, 64) == 0


def test_rows_that_nobody_asks_ahead_for_are_walked_a_few_vectors_at_a_time():
    text = synthesize("matmul(f32[1,600], f32[600,4096])", PATIENT, table="none").to_c()
    leaf = text[text.index("/* y[m n] ") :].split("\n}\n")[0]
    assert "n=192 k=8" in leaf and leaf.count("for (int64_t k = 0;") == 192 // (Writing().walked * 16)


def test_such_walks_are_right_at_odd_sizes(tmp_path):
    target = beside(PATIENT, TINY)
    programs = [synthesize(text, target, table="none") for text in SPECS]
    assert sum("for (int64_t k = 0;" in p.to_c() for p in programs) >= 4
    programs_right(programs, tmp_path)


def scaled_groups(groups: int, size: int) -> str:
    """The C of a product with so many groups of 4-bit weights, and their scales, in panels."""
    target = beside(replace(priced("avx512"), prefetch=Prefetch(panel=1024)), TINY)
    given = schedule(f"group_matmul(f32[1,4096], const s4[64,{groups},{size}], const f32[64,{groups}])", target)
    tile = given.ahead(1, panel=32, group=8).ahead(2, panel=32).tile("n", 32).move(3, "registers", lanes="n")
    return synthesize(tile.select("nibbles_f32_f32"), table="none").to_c()


def test_scales_of_groups_are_asked_for_once_for_each_of_their_rows():
    """As far on as weights, of which 1 KiB are two groups: two rows of 128 bytes, in the loop over groups and not in
    that over what a group has."""
    leaf = scaled_groups(128, 32).partition("nibbles_f32_f32_32x128x32_0(")[2].partition("\n}\n")[0]
    outer, _, inner = leaf.partition("for (int64_t i2 = 0;")
    assert (
        re.findall(r"__builtin_prefetch\((p2.*)\);", outer) == ["p2 + i1 * 32 + 64", "p2 + i1 * 32 + 80"]
        and "prefetch(p2" not in inner
    )
    assert "__builtin_prefetch(p1 + i1 * 128 + i2 * 4 + 256);" in inner


def test_a_panel_is_asked_for_a_step_on_where_its_rows_are_longer_than_the_distance():
    """Scales of groups of 128, a sixteenth of the bytes of weights: of 1 KiB on 64 bytes are left, half a row."""
    assert "__builtin_prefetch(p2 + i1 * 32 + 32);" in scaled_groups(32, 128)

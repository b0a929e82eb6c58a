"""What loops pay that come back to what they left."""

from dataclasses import replace

import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.cost.traffic import by_rows, counts, cut, met, met_anew, outlasting
from griotte.engine.cost.views import brought
from griotte.engine.search.problem import problem
from griotte.lang.text.text import parse
from griotte.machine.measured import shipped
from machines import machine, with_prices

TARGET = machine("avx512")
ALIASED = with_prices(TARGET, **{f"aliased.{level.name}": 5.0 for level in TARGET.levels[2:]})
RECENT = int(TARGET.crossing.recent_pages)


def pages(text: str, dim: str, **size) -> list[float]:
    """What each step but the first of a loop over `dim` counts, by rows of the result."""
    family = problem(canonical_form(parse(text)), TARGET).goal
    return np.broadcast_to(cut(family, dim, TARGET, size).get("pages", 0.0), np.shape(size["m"])).tolist()


NAMING = with_prices(
    replace(TARGET, spans=replace(TARGET.spans, named=16 << 10)),
    **{f"abreast.{level.name}": 9.0 for level in TARGET.levels[1:]},
)


def of_operand(text: str, i: int, target=NAMING, **size) -> dict:
    """What a leaf counts of an operand of a Spec."""
    family = problem(canonical_form(parse(text)), target).goal
    return {name: float(count) for name, count in counts(family, i, target, size, 1).items()}


def test_a_sum_of_whole_rows_counts_them_as_abreast_and_not_as_begun():
    found = of_operand("sum(f32[1000,500], axis=1)", 0, m=12, i0=12, i1=500, k=500)
    assert (found["start"], found["abreast"]) == (0, 12)
    found = of_operand("sum(f32[1000,500], axis=1)", 0, m=12, i0=12, i1=300, k=300)
    assert (found["start"], found["abreast"]) == (12, 0)


def test_few_whole_rows_side_by_side_are_abreast_in_memory_alone():
    """In a cache, from `streams` on."""
    abreast = lambda text, rows: of_operand(text, 0, m=rows, i0=rows, i1=500, k=500)["abreast"]
    cached, far = "sum(f32[1000,500], axis=1)", "sum(f32[1000000,500], axis=1)"
    assert [abreast(cached, rows) for rows in (1, 6, 8, 12)] == [0, 0, 8, 12]
    assert [abreast(far, rows) for rows in (1, 6, 8, 12)] == [1, 6, 8, 12]


def test_a_map_of_whole_rows_goes_on_from_one_to_the_next():
    for i in (0, 2):
        assert of_operand("add(f32[1000,500], f32[500])", i, i0=1, i1=500)["run"] == 0
        assert of_operand("add(f32[1000,500], f32[500])", i, i0=1, i1=250)["run"] == 1


def test_no_machine_whose_file_does_not_say_so_tells_whole_rows_from_parts():
    assert of_operand("add(f32[1000,500], f32[500])", 0, TARGET, i0=1, i1=500)["run"] == 1
    assert of_operand("sum(f32[1000,500], axis=1)", 0, TARGET, i0=12, i1=500)["start"] == 12


@pytest.mark.parametrize(
    "text, expected",
    [
        ("sum(f32[1000,500], axis=1)", True),
        ("sum(f32[1000,500], axis=0)", False),  # down the columns, strip by strip
        ("add(f32[1000,500], f32[500])", True),
        ("transpose(f32[700,900])", False),
    ],
)
def test_who_goes_along_rows(text, expected):
    assert by_rows(problem(canonical_form(parse(text)), NAMING).goal, 0) == expected


TURNING = with_prices(TARGET, **{f"turned.{level.name}": 2.0 for level in TARGET.levels[2:]})


@pytest.mark.parametrize("text", ["transpose(f32[700,900])", "transpose(u8[8,100,70], perm=(0,2,1))"])
def test_a_transpose_counts_lines_that_are_turned_where_that_was_measured(text):
    """They stand for the beginnings of parts of rows, which others count."""
    sizes = {"i0": 40, "i1": 40, "i2": 40}
    found, plain = ([of_operand(text, i, target, **sizes) for i in (0, 1)] for target in (TURNING, TARGET))
    assert found[0] == {"stream": plain[0]["stream"], "turned": plain[0]["stream"]}
    assert found[1] == {"store": plain[1]["store"]} and all(each["run"] > 1 for each in plain)


@pytest.mark.parametrize("text", ["exp(f32[700,900])", "add(f32[70,90], f32[90])", "sum(f32[70,90], axis=0)"])
def test_what_turns_nothing_counts_no_turned_lines(text):
    assert "turned" not in of_operand(text, 0, TURNING, i0=40, i1=40)


def test_a_view_counts_turned_lines_where_they_come_from():
    """No code is emitted: they come in the same order without the view."""
    family = problem(canonical_form(parse("transpose(f32[700,900])")), TURNING).goal
    found = brought(family, 0, TURNING, {"i0": 40, "i1": 40}, 1, 1)
    assert [float(n) for name, n in found.items() if name.startswith("turned")] == [found["stream.L3"]]


@pytest.mark.parametrize("rows, expected", [(6, 0.0), (8, 0.0), (16, 8.0), (64, 56.0)])
def test_few_rows_in_l2_are_followed_from_one_leaf_to_the_next(rows, expected):
    followed = replace(TARGET, crossing=replace(TARGET.crossing, followed=1.0))
    family = problem(canonical_form(parse("matmul(f32[64,1000], f32[1000,1000])")), TARGET).goal
    in_l2 = replace(
        family, operands=tuple(replace(o, level=2 if i == 1 else o.level) for i, o in enumerate(family.operands))
    )
    size = {"m": 4, "k": rows, "n": 24}
    assert met(in_l2, 1, followed, size, 1)["start"] == expected
    half = replace(TARGET, crossing=replace(TARGET.crossing, followed=0.5))
    assert met(in_l2, 1, half, size, 1)["start"] == (rows + expected) / 2
    assert met(in_l2, 1, TARGET, size, 1)["start"] == met(family, 1, followed, size, 1)["start"] == rows


def test_products_and_graphs_name_short_rows_alone():
    rows = lambda text: [o.layout.row for o in problem(canonical_form(parse(text)), NAMING).goal.operands]
    assert rows("matmul(f32[64,300], f32[300,500])") == [0, 0, 0]
    assert set(rows("matmul(f32[64,100], f32[100,100])")) == {100}
    assert rows("softmax(f32[1000,500], axis=-1)") == [0, 0]
    assert rows("sum(f32[1000,500], axis=1)")[0] == 500


def test_rows_that_a_loop_comes_back_to_are_found_anew_where_they_are_many():
    rows = np.array([1, RECENT, RECENT + 1, 500])
    size = {"m": rows, "n": 512, "k": 30}
    assert pages("matmul(f32[999,30], f32[30,512])", "n", **size) == [0, 0, RECENT + 1, 500]
    assert pages("matmul(f32[999,30], f32[30,512])", "k", **size) == [0, 0, RECENT + 1, 500]


@pytest.mark.parametrize(
    "text, dim",
    [
        ("matmul(f32[999,30], f32[30,512])", "m"),  # other rows at each step
        ("matmul(f32[999,30], f32[30,511])", "n"),  # three on a page
        ("matmul(f32[30,999]{0,1}, f32[999,511])", "m"),  # of inputs it is not counted
    ],
)
def test_others_are_not(text, dim):
    assert pages(text, dim, m=np.array([500]), n=400, k=30) == [0]


@pytest.mark.parametrize(
    "columns, counted",
    [(600, 0.75), (1024, 1.0), (511, 0.0), (608, 0.0)],  # half a page apart; a page; a third; and on lines
)
def test_pages_that_a_leaf_meets_anew(columns, counted):
    target = replace(TARGET, crossing=replace(TARGET.crossing, between=0.75))
    family = problem(canonical_form(parse(f"matmul(f32[99,999], f32[999,{columns}])")), target).goal
    size = {"m": 6, "n": 16, "k": np.array([40, 100, 400])}
    found = np.broadcast_to(met_anew(family, 1, target, size), 3)
    assert found.tolist() == [max(0.0, counted * rows - RECENT) * target.crossing.anew for rows in (40, 100, 400)]
    if counted < 1:
        assert not np.any(met_anew(family, 1, TARGET, size))  # of a machine that does not say so


def test_the_dearer_it_is_to_begin_rows_the_longer_a_leaf_computes_before_any_of_that_is_unseen():
    """As long as the lines and their beginnings take; of one that computes for ever nothing of them shows."""
    family = problem(canonical_form(parse("matmul(f32[4096,256], f32[256,4096])")), TARGET).goal
    target = replace(TARGET, crossing=replace(TARGET.crossing, outlasting=1.0))

    def unseen(start: float, cycles: float) -> float:
        far = target.levels[family.slowest].name
        none, some = (with_prices(target, **{f"start.{far}": price, f"aliased.{far}": 0.0}) for price in (0.0, start))
        size = {"m": 64, "n": 64, "k": 64}
        none, some = (outlasting(family, each, size, cycles, cycles, "n") for each in (none, some))
        return float(none - some)

    begins = lambda start: 1e6 * (1 - unseen(start, 1e6) / unseen(start, 1e12))  # the cycles from which on some is
    assert 0 < 2 * unseen(10.0, 1e12) == pytest.approx(unseen(20.0, 1e12))
    assert begins(20.0) - begins(10.0) == pytest.approx(unseen(10.0, 1e12), rel=1e-3)
    assert unseen(10.0, 0.99 * begins(10.0)) == 0 < unseen(10.0, 1.01 * begins(10.0))


@pytest.mark.parametrize("slack", [0.0, 2.0])
def test_the_longer_a_leafs_ports_are_idle_the_less_of_its_lines_shows(slack):
    family = problem(canonical_form(parse("matmul(f32[4096,256], f32[256,4096])")), TARGET).goal
    target = replace(TARGET, crossing=replace(TARGET.crossing, outlasting=1.0, slack=slack))
    far = target.levels[family.slowest].name
    target = with_prices(target, **{f"start.{far}": 0.0, f"line.{far}": 2.0, f"stream.{far}": 8.0})
    size = {"m": 64, "n": 64, "k": 64}
    cycles = 8.0 * sum(met(family, i, target, size, 1)["line"] for i in (0, 1))  # as long as their way
    found = [float(outlasting(family, target, size, cycles, share * cycles, "n")) for share in (0.25, 0.5, 1.0, 2.0)]
    assert found[-1] == found[-2]
    assert (found == [found[-1]] * 4) if slack == 0 else found[0] < found[1] < found[2]


def given(text: str):
    """The goal of a product whose second input lies in rows, and a count of what a tile of those counts."""
    family = problem(canonical_form(parse(text)), TARGET).goal
    return family, lambda **size: counts(family, 1, TARGET, {"m": 4, **size}, 1)


def test_rows_that_share_sets_are_begun_anew_where_more_of_them_are_read_than_l1_has_ways():
    ways = TARGET.levels[1].capacity // TARGET.spans.page
    _, aliased = given("matmul(f32[4,2048], f32[2048,2048])")
    assert aliased(k=ways, n=24)["aliased"] == 0
    assert aliased(k=4 * ways, n=24)["aliased"] == 3 * ways == 3 / 4 * aliased(k=4 * ways, n=24)["start"]
    drifted = given("matmul(f32[4,2048], f32[2048,2047])")[1](k=4 * ways, n=24)["aliased"]
    assert 0 < drifted < 3 * ways  # rows 4 bytes less than whole pages apart
    for columns in (2012, 2080, 512):  # in no whole pages
        assert "aliased" not in given(f"matmul(f32[4,2048], f32[2048,{columns}])")[1](k=8 * ways, n=24)


def test_leaves_pay_for_them_and_no_view_has_its_price_from_that():
    family, _ = given("matmul(f32[4,2048], f32[2048,2048])")
    assert not [name for name in brought(family, 1, ALIASED, {"m": 4, "k": 64, "n": 1024}, 1, 1) if "aliased" in name]


def test_where_a_file_says_so_all_of_them_are_begun_anew():
    """`ways = 0`: of machines whose `aliased` was measured of whole stretches; views count them too."""
    family, _ = given("matmul(f32[4,2048], f32[2048,2048])")
    target = replace(ALIASED, crossing=replace(TARGET.crossing, ways=0.0))
    size = {"m": 4, "k": 2, "n": 24}
    found = counts(family, 1, target, size, 1)
    assert found["aliased"] == found["start"] == 2
    assert [name for name in brought(family, 1, target, {**size, "n": 1024}, 1, 1) if "aliased" in name]


def test_files_that_price_rows_that_share_sets_say_how_that_was_measured():
    known = [each.prices for each in shipped() if "aliased.L2" in each.prices.parameters]
    priced = [prices for prices in known if "abreast.L3" not in prices.parameters]  # by the probes of before
    assert priced and all(prices.crossing.get("ways") == 0.0 for prices in priced)


@pytest.mark.parametrize("text", ["matmul(f32[4,1024], f32[1024,1024])", "matmul(f32[4,2048], f32[2048,2048])"])
def test_a_level_without_a_capacity_keeps_all_rows(text):
    family = problem(canonical_form(parse(text)), TARGET).goal
    levels = (TARGET.levels[0], replace(TARGET.levels[1], capacity=None), *TARGET.levels[2:])
    found = counts(family, len(family.operands) - 2, replace(TARGET, levels=levels), dict.fromkeys("mnk", 64), 1)
    assert found.get("aliased", 0) == 0

"""The probes on this machine: finite, positive, within bounds. No figure of time is asserted."""

import math
from dataclasses import replace

import numpy as np
import pytest
from griotte.engine.cost.ports import tied
from griotte.machine import named
from griotte.machine.core import Level
from griotte.machine.machine import BY_NAME, CURVED, LEAST_CYCLES, SLACK
from griotte.runtime.calibrate import measure, probes
from griotte.runtime.calibrate.parameters import TEAM, hidden, hiding, parameters
from machines import machine

TARGET = named("portable")


@pytest.fixture(scope="module")
def rounds():
    runner = measure.Runner(TARGET, 1)
    return [runner.round(probes.probes(TARGET)) for _ in range(3)]


def test_every_probe_gives_a_finite_positive_number(rounds):
    assert not all(math.isnan(cycles) for cycles in rounds[0].values())
    for name in rounds[0]:
        found = [cycles[name] for cycles in rounds if not math.isnan(cycles[name])]
        assert all(0 < cycles < math.inf for cycles in found), name


def test_every_parameter_of_one_thread_is_measured_within_its_bounds(rounds):
    found = measure.summary(rounds, 64)
    assert found and set(found) <= set(BY_NAME) - set(TEAM)  # on a busy machine a probe may have no undisturbed turn
    for name, m in found.items():
        assert BY_NAME[name].least <= m.value <= BY_NAME[name].most and m.low <= m.median <= m.high


CYCLES = {
    "multiply_add": 0.5,
    "chain": 4.0,
    "mixed": 0.25,
    "load": 0.5,
    "broadcast": 0.5,
    "store": 1.0,
    "shuffle": 1.0,
    "issue": 0.25,
    "pages": 12.0,
    "pages.few": 4.0,
    **{f"leaf.{steps}": steps * 6.0 + 4 + 26 for steps in probes.STEPS},
    **{f"rows.{rows}.{steps}": steps * max(4, rows) + 20.0 for rows in probes.ROWS for steps in probes.LONG},
    "read.L2": 2.0,
    "plain.L2": 2.0,
    "copy.L2": 6.0,
    "strips.L2": 16.0,
    "apart.L2": 11.0,
    "strided.L2.0": 6.25,
    **{f"strided.L2.{at}": 7.25 for at in range(1, len(probes.STRIDED))},
    "strided.L2.panel": 6.0,
    **{f"beside.L1.{rows}": float(rows) for rows in probes.BESIDE},
    **{f"beside.L2.{rows}": rows + 2.0 for rows in probes.BESIDE},
    **{f"panel.L1.{rows}x{wide}": 4.0 * rows / wide for rows, wide in probes.PANELS},
    **{f"panel.L2.{rows}x{wide}": float(tied(1.5, 4 * rows / wide, 2.0)) for rows, wide in probes.PANELS},
}


def test_what_two_threads_do_runs():
    runner = measure.Runner(TARGET, 2)
    found = {probe.name: runner.run(probe) for probe in probes.probes(TARGET, 2) if probe.threads == 2}
    shared = {
        f"{name}.{level}.{shares}"
        for name in ("shared", "shared_copy")
        for level in ("L3", "memory")
        for shares in (1, 2)
    }
    assert set(found) == {"fork", "transfer", "own"} | shared and not any(cycles < 0 for cycles in found.values())


def test_of_one_thread_nothing_is_asked_of_two():
    assert not measure.Runner(TARGET, 1).has_company() and not any(
        probe.threads == 2 for probe in probes.probes(TARGET, 1)
    )


def test_what_a_beginning_takes_more_beside_a_leaf_shows_in_the_share_that_it_and_its_lines_are_of_that():
    cycles = {name: np.asarray(found) for name, found in CYCLES.items()}
    panel, way, start = 6.0, 4.0, parameters(CYCLES)["first.L2"]
    more = np.mean([CYCLES[f"strided.L2.{at}"] for at in range(len(probes.STRIDED))]) - panel
    assert start * (way + start) / panel == pytest.approx(more)
    slow = cycles | {f"strided.L2.{at}": np.asarray(20.0) for at in range(len(probes.STRIDED))}
    assert parameters(slow)["first.L2"] == 14.0  # all of it, where the leaf is the shorter


def test_parameters_by_hand():
    found = parameters(CYCLES)
    assert found == {
        "multiply_add": 2.0,
        "latency": 4.0,
        "mixed": 4.0,
        "load": 2.0,
        "broadcast": 2.0,
        "store": 1.0,
        "shuffle": 1.0,
        "issue": 4.0,
        "page": 8.0,
        "leaf": 26.0 * 0.6,
        "tie": 1.0,
        "read.L2": 2.0,
        "write.L2": 4.0,
        "first.L2": pytest.approx((4**2 + 4 * 6 * 1.0) ** 0.5 / 2 - 2),
        "aliased.L2": 5.0,
        "hidden.L2": 0.5,
    }


def test_threads_are_measured_against_one_alone():
    of_two = {"fork": 3000.0, "transfer": 130.0, "own": 10.0}
    shared = {"shared.L3.1": 4.0, "shared.L3.2": 6.0, "shared.memory.1": 10.0, "shared.memory.2": 9.0}
    copied = {"shared_copy.L3.1": 9.0, "shared_copy.L3.2": 13.0, "shared_copy.memory.1": 22.0}
    found = parameters(CYCLES | of_two | shared | copied | {"shared_copy.memory.2": 27.0})
    assert [found[name] for name in TEAM] == [3000.0, 120.0, 1.5, 1.0, (13 - 6) / (9 - 4), (27 - 9) / (22 - 10)]


def test_of_what_two_threads_do_the_least_of_some_turns_counts():
    class Runner(measure.Runner):
        def __init__(self):
            self.left = [9.0, math.nan, 7.0, 8.0]

        def run(self, probe):
            return self.left.pop(0)

    asked = next(probe for probe in probes.probes(TARGET, 2) if probe.name == "shared.L3.2")
    assert asked.turns == 3 and Runner().round((asked,)) == {"shared.L3.2": 7.0}


FROM_L3 = {
    "read.L3": 4.0,
    "plain.L3": 4.0,
    "copy.L3": 8.0,
    "strips.L3": 24.0,
    "crowd.L3.8": 4.0,
    "crowd.L3.48": 6.5,
    "abreast.L3": 130.0,
    "turned.L3": 9.5,
    "parts.L3.2048": 6.0,
    "parts.L3.8192": 4.0,
    **{f"beside.L3.{rows}": float(tied(1.5, rows, 4.0)) for rows in probes.BESIDE},
}


@pytest.mark.parametrize("many, more", [(6.5, 3.0), (4.0, LEAST_CYCLES), (3.9, LEAST_CYCLES)])
def test_rows_beside_many_others_are_dearer_by_the_share_of_them_beyond_what_a_core_follows(many, more):
    """Measured as nothing is not what was never measured."""
    assert parameters(CYCLES | FROM_L3 | {"crowd.L3.48": many})["crowded.L3"] == pytest.approx(more)


@pytest.mark.parametrize("few, share", [(6.0, 1.0), (6.5, 0.5), (5.9, 1.0), (9.0, 0.0)])
def test_what_few_rows_take_is_a_share_of_what_many_take(few, share):
    strided = {f"strided.L2.{at}": 7.0 for at in range(len(probes.STRIDED))} | {"strided.L2.panel": 6.0}
    assert parameters(CYCLES | strided | {"strided.L2.few": few})["followed"] == share


@pytest.mark.parametrize("took, more", [(9.5, 1.5), (7.0, LEAST_CYCLES)])
def test_a_transposed_line_is_measured_beside_a_copied_one(took, more):
    assert parameters(CYCLES | FROM_L3 | {"turned.L3": took})["turned.L3"] == more


def test_rows_that_lie_one_behind_the_other_are_measured_beside_lines_alone():
    assert parameters(CYCLES | FROM_L3)["abreast.L3"] == 130.0 - probes.ABREAST * 4.0


@pytest.mark.parametrize("curve, taken", [(3.0, 3.0), (5.0, 4.0)])
def test_a_line_takes_no_more_than_where_more_bytes_are_read_over_and_over(curve, taken):
    target = named("avx2")
    size = probes.working_sets(target)["L3"]
    more = min(count for count in CURVED if count << 20 >= size)
    found = measure.said([CYCLES | FROM_L3], [{f"curve.{more}": curve, f"curve.{CURVED[0]}": 1.0}], target)
    assert found["read.L3"].value == taken


def test_a_strip_of_rows_a_page_apart_is_no_free_line():
    assert parameters(CYCLES | FROM_L3)["first.L3"] == 20.0


@pytest.mark.parametrize("times", [0.75, 1.0, 2.0])
def test_how_long_products_take_that_hide_lines_is_what_leaves_say(times):
    """Of a share of 1/2, as their shorter ones have it."""
    shares = {rows: 0.5 * min(1.0, rows / (4.0 * times)) for rows in probes.BESIDE}
    both = {f"beside.L3.{rows}": rows + 4.0 * (1 - share) for rows, share in shares.items()}
    cycles = {name: np.array(found) for name, found in (CYCLES | FROM_L3 | both).items()}
    assert hiding(cycles, np.array(0.5)) == pytest.approx(times, rel=0.03)


def test_what_comes_in_vain_past_a_part_of_a_row_is_told_in_lines():
    assert parameters(CYCLES | FROM_L3)["passed"] == (6.0 - 4.0) * 32 / 4.0


@pytest.mark.parametrize("plain, taken", [(4.0, 4.0), (4.4, 4.4), (12.0, 4.0)])
def test_reading_takes_no_more_than_what_leaves_take_that_ask_ahead(plain, taken):
    """A core that sees too little ahead by itself: 27 cycles a line by a plain read, 8 by a leaf that asks."""
    found = parameters(CYCLES | FROM_L3 | {"read.L3": plain} | {f"beside.L3.{rows}": 4.0 for rows in (1, 2)})
    assert found["read.L3"] == taken


def test_the_curve_is_as_it_was_read():
    assert parameters(CYCLES | {"curve.4": 3.5})["curve.4"] == 3.5


@pytest.mark.parametrize("share", [0.0, 0.25, 0.9, 1.0])
def test_what_hides_is_what_leaves_of_few_and_of_many_rows_say(share):
    both = {f"beside.L3.{rows}": float(tied(2 - share, rows, 3.0)) for rows in probes.BESIDE}
    cycles = {name: np.asarray(found) for name, found in (CYCLES | {"plain.L3": 3.0} | both).items()}
    assert hidden(cycles, "L3") == pytest.approx(share, abs=1e-4)
    assert parameters(CYCLES | panels(lambda alone: tied(2 - share, alone, 2.0)))["hidden.L2"] == pytest.approx(
        share, abs=1e-4
    )


def test_what_hides_is_what_leaves_say_that_wait_for_a_part_of_their_cycles():
    """A leaf of few rows waits four cycles and computes in one of them for each row, so more hides behind it."""
    alone = {rows: max(4.0, rows) for rows in probes.BESIDE}
    both = {rows: float(tied(1.4 ** (min(1.0, rows / each) ** SLACK), each, 3.0)) for rows, each in alone.items()}
    names = {f"beside.{at}.{rows}": n for at, found in (("L1", alone), ("L3", both)) for rows, n in found.items()}
    cycles = {name: np.asarray(found) for name, found in (CYCLES | {"plain.L3": 3.0} | names).items()}
    assert hidden(cycles, "L3") == pytest.approx(0.6, abs=1e-4)


def panels(both) -> dict[str, float]:
    """Leaves that walk down panels in L2, which take so long by what they take in L1."""
    return {
        name.replace("L1", "L2"): float(both(alone)) for name, alone in CYCLES.items() if name.startswith("panel.L1")
    }


@pytest.mark.parametrize("times, share", [(0.5, 1.0), (3.0, 0.0)])
def test_what_hides_is_a_share_though_the_clock_is_wrong(times, share):
    assert parameters(CYCLES | panels(lambda alone: times * max(alone, 2.0)))["hidden.L2"] == share


@pytest.mark.parametrize("ratio", [1.0, 1.04, 1.076, 1.2])
def test_what_a_tie_takes_is_found_from_leaves_of_more_and_more_rows(ratio):
    steps = tied(ratio, np.array(probes.ROWS, float), 4.0)
    assert parameters(
        CYCLES
        | {f"rows.{rows}.{count}": count * step + 20 for rows, step in zip(probes.ROWS, steps) for count in probes.LONG}
    )["tie"] == pytest.approx(ratio, abs=1e-4)


def test_of_many_rounds_at_once_parameters_are_those_of_each():
    rounds = [{name: cycles * (1 + 0.1 * ((i + len(name)) % 3)) for name, cycles in CYCLES.items()} for i in range(5)]
    at_once = parameters({name: np.array([found[name] for found in rounds]) for name in CYCLES})
    for i, found in enumerate(rounds):
        assert {name: values[i] for name, values in at_once.items()} == pytest.approx(parameters(found), nan_ok=True)


def test_a_probe_that_had_no_number_is_left_out_of_its_round():
    noisy = [CYCLES | {"load": math.nan}, CYCLES | {"chain": 400.0, "load": 0.25}, CYCLES, CYCLES, CYCLES]
    found = measure.summary(noisy, 64)
    assert found["latency"].value == 4.0 and found["load"].median == 2.0 and not math.isnan(found["load"].value)


def test_a_parameter_without_any_number_is_left_out():
    found = measure.summary([CYCLES | {"load": math.nan, "copy.L2": math.nan}] * 2, 64)
    assert set(parameters(CYCLES)) - set(found) == {"load", "tie", "write.L2"}
    assert not np.isnan([[m.value, m.median, m.low, m.high] for m in found.values()]).any()


def test_capacities_are_those_of_the_target():
    found = measure.capacities(measure.Runner(TARGET, 1), TARGET)
    assert [c.bytes for c in found] == [level.capacity for level in TARGET.levels[1:-1]]
    assert all(c.within > 0 and c.beyond > 0 and c.held <= c.bytes for c in found) and [c.held for c in found[:-1]] == [
        c.bytes for c in found[:-1]
    ]


class Curve:
    """A runner whose lines take as long as a function of the bytes says that are read over and over."""

    def __init__(self, cycles):
        self.cycles = cycles

    def round(self, asked):
        return {probe.name: self.cycles(probe.first) for probe in asked}


@pytest.mark.parametrize("knee, held", [(4 << 20, 4 << 20), (6 << 20, 4 << 20), (64 << 20, 32 << 20)])
def test_of_a_shared_cache_a_thread_has_what_lies_before_the_rise(knee, held):
    target = machine("avx512")
    levels = (*target.levels[:3], replace(target.levels[3], share=0.0), target.levels[4])
    found = measure.capacities(Curve(lambda count: 4.0 if count <= knee else 12.0), replace(target, levels=levels))
    assert [c.held for c in found] == [48 << 10, 2 << 20, held]


def test_a_cache_whose_lines_come_slower_the_more_there_are_is_held_up_to_half_way():
    target = machine("avx512")
    levels = (*target.levels[:3], replace(target.levels[3], share=0.0), target.levels[4])
    slower = Curve(lambda count: min(16.0, 4.0 * (count / (4 << 20)) ** 0.5))
    *_, last = measure.capacities(slower, replace(target, levels=levels))
    assert last.held == 16 << 20  # 8 cycles, between 4 and 16


def test_all_of_a_shared_cache_is_looked_at():
    target = replace(machine("avx512"), largest_cache=64 << 20)
    share = replace(target.levels[3], share=0.0, capacity=4 << 20)
    found = measure.unshared(replace(target, levels=(*target.levels[:3], share, target.levels[4])))
    assert found.levels[3].capacity == 64 << 20 and measure.unshared(target).levels == target.levels
    assert found.spans.named == measure.NAMED > target.spans.named


def test_the_curve_is_of_what_no_counted_cache_holds():
    rises = Curve(lambda count: 4.0 + count / (64 << 20))
    found = measure.curve([measure.curve_round(rises, machine("avx512"))] * 3)
    assert found and all(name in BY_NAME for name in found)
    assert [m.value for m in found.values()] == sorted(m.value for m in found.values())


def test_a_cache_of_which_nothing_was_seen_is_taken_whole():
    target = machine("avx512")
    levels = (*target.levels[:3], replace(target.levels[3], share=0.0), target.levels[4])
    found = measure.capacities(Curve(lambda count: math.nan), replace(target, levels=levels))
    assert [c.held for c in found] == [c.bytes for c in found]


class Loads:
    """Probes on a machine whose caches hold so many bytes: cycles of a load that waits for the one before."""

    def __init__(self, *caches: int, silent: bool = False):
        self.caches, self.silent = caches, silent

    def round(self, asked):
        (probe,) = asked
        level = sum(probe.first > size for size in self.caches)
        return {probe.name: math.nan if self.silent else (4.0, 13.0, 40.0, 200.0)[level]}


def of_caches(*capacities: int):
    levels = [Level(f"L{n}", capacity, 0.5) for n, capacity in enumerate(capacities, 1)]
    return replace(TARGET, levels=(TARGET.levels[0], *levels, Level("memory", None)), largest_cache=max(capacities))


def capacities_of(target):
    return [level.capacity for level in target.levels[1:-1]]


@pytest.mark.parametrize("assumed", [{1, 2}, {1}, {2}, set()])
def test_caches_that_no_system_told_are_as_large_as_loads_say(assumed):
    """Of a core that nobody knows: 32 KiB and 512 KiB are a guess."""
    there = Loads(64 << 10, 2 << 20)
    found = capacities_of(measure.sized(there, of_caches(32 << 10, 512 << 10), assumed))
    right = {1: 64 << 10, 2: 2 << 20}
    if assumed == {2}:  # beside 32 KiB that were told, 64 KiB are as near as L1
        right[2] = 64 << 10
    assert found == [right[n] if n in assumed else size for n, size in ((1, 32 << 10), (2, 512 << 10))]


def test_the_last_cache_is_the_largest_of_what_was_found():
    assert measure.sized(Loads(64 << 10, 4 << 20), of_caches(32 << 10, 512 << 10), {1, 2}).largest_cache == 4 << 20
    told = of_caches(32 << 10, 512 << 10)
    assert measure.sized(Loads(1, 2), told, ()) == told


def test_a_cache_ends_before_one_that_was_told():
    assert capacities_of(measure.sized(Loads(1 << 10, 1 << 30), of_caches(1 << 15, 1 << 19, 1 << 21), {2})) == [
        1 << 15,
        1 << 21,
        1 << 21,
    ]


def test_where_no_clock_agrees_caches_stay_as_they_were_taken_to_be():
    guessed = of_caches(32 << 10, 512 << 10)
    assert measure.sized(Loads(1, 2, silent=True), guessed, {1, 2}) == guessed

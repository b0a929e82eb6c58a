"""Tiles of registers, measured on this machine. No figure of time is asserted."""

import pytest
from griotte.machine import named
from griotte.runtime.calibrate import leaves
from griotte.runtime.compilers import find_compiler
from griotte.runtime.leaves import stale
from griotte.tools.commands.calibrate import LEAVES
from machines import machine

TARGET = named("portable")


def test_every_tile_is_timed_with_few_steps_and_with_many():
    pairs = list(leaves.pairs(TARGET, ["f32"]))
    assert {(few.rows, few.vectors) for few, _ in pairs} >= {(1, 1), (2, 2), (6, 2), (1, 4)}
    for few, many in pairs:
        assert (
            few.form == many.form
            and few.steps < many.steps
            and many.starts(TARGET)[-1] <= leaves.SHARE * TARGET.levels[1].capacity
        )


def test_a_line_goes_through_both():
    few, many = next(leaves.pairs(TARGET, ["f32"]))
    tile = leaves.line(few, many, 10 + 2.0 * few.steps, 10 + 2.0 * many.steps, TARGET)
    assert (tile.intercept, tile.slope) == (10.0, 2.0) and leaves.line(few, many, 1.0, 1000.0, TARGET).intercept == 0.0


def test_no_accumulator_is_updated_without_a_port():
    few, many = next(pair for pair in leaves.pairs(TARGET, ["f32"]) if pair[0].rows * pair[0].vectors == 4)
    bound, span = 4 / TARGET.ports.arithmetic, many.steps - few.steps
    tile = leaves.line(few, many, few.steps * bound + 9, few.steps * bound + 3 + span * bound, TARGET)
    assert (tile.intercept, tile.slope) == (6.0, bound)


def test_the_tiles_of_this_machine_are_measured(monkeypatch):
    monkeypatch.setattr(leaves, "ROUNDS", 2)
    monkeypatch.setattr(leaves, "LYING", ("panel",))
    found = leaves.measure(TARGET, ["f32"])
    if found is None:
        pytest.skip("no turn was undisturbed")
    form = found.by_name["multiply_add f32 f32 f32 panel"]
    assert form.ratio > 0 and found.compiler == find_compiler().version
    assert all(tile.intercept >= 0 and tile.slope >= 0 for tile in form.tiles) and form.grid.shape[0] == 2


def test_of_no_dtypes_nothing_is_measured():
    assert leaves.measure(TARGET, []) is None and stale(TARGET) == ""


def test_the_command_line_offers_what_can_be_measured():
    assert LEAVES == tuple(leaves.DTYPES)


def test_what_bytes_may_be_multiplied_by_is_measured_with_them():
    """Where one of two ways is as measured and the other as the ports say, the search takes the wrong one."""
    target = machine("avx2")
    measured = {few.kernel.name for few, _ in leaves.pairs(target, leaves.usual(target))}
    first = {kernel.name for kernel in target.kernels if kernel.name.startswith("madd_") and kernel.name.endswith("s8")}
    assert first == {"madd_u8s8", "madd_s8s8", "madd_s16s8"} <= measured


@pytest.mark.parametrize(
    "name, words",
    [("portable", ["f32"]), ("avx2", ["f32", "u8", "s8", "s16"]), ("avx512", ["f32", "bf16", "u8", "s8"])],
)
def test_what_the_machine_has_instructions_for_is_measured_by_theirs_alone(name, words):
    target = machine(name)
    assert list(leaves.usual(target)) == words
    groups = {word: {few.kernel.group for few, _ in leaves.pairs(target, [word])} for word in words}
    assert groups.pop("f32") == {1} and all(1 not in found for found in groups.values())

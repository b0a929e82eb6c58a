"""Functions and conversions as this machine takes them: which are asked for, and what follows from their cycles."""

import numpy as np
import pytest
from griotte.engine.leaves.map import price
from griotte.lang.functions import Slots
from griotte.machine import named
from griotte.runtime.calibrate import functions
from griotte.runtime.calibrate.functions import LEAST, LENGTH

TARGET = named("portable")


def test_functions_of_many_slots_are_asked_for_and_conversions():
    found = list(functions.asked(TARGET))
    names = {each.function for each in found} - {""}
    assert {"exp", "tanh", "log", "div", "sqrt"} <= names and not {"add", "relu", "copy"} & names
    assert all(TARGET.function[name].all >= LEAST for name in names)
    assert {("f32", "s8"), ("f32", "bf16"), ("u8", "f32")} <= {each.conversion for each in found}


def predicted(target, each):
    family, size = each.nest.family(target)
    kernel = next(k for k in target.kernels if k.name == "map")
    return float(price.cycles(kernel, each.nest.lane(target), family, target, size)) + target.coefficient["call"]


@pytest.mark.parametrize("times", [1.5, 3.0])
def test_a_row_is_predicted_as_it_was_measured(times):
    """Of a body that takes longer than its loads and stores."""
    asked = [each for each in functions.asked(TARGET) if each.function in ("exp", "tanh", "gelu", "div")]
    cycles = {each: times * predicted(TARGET, each) for each in asked}
    found = functions.fitted(TARGET, cycles)
    for each in asked:
        assert predicted(found, each) == pytest.approx(cycles[each], rel=0.02)
        assert found.function[each.function].multiplying <= found.function[each.function].all * (1 + 1e-9)


def test_a_conversion_that_is_quick_keeps_what_it_is_taken_to_be():
    (each,) = (e for e in functions.asked(TARGET) if e.conversion == ("u8", "f32"))
    vectors = LENGTH / TARGET.lanes("f32")
    assert functions.fitted(TARGET, {each: vectors}) == TARGET
    slow = functions.fitted(TARGET, {each: 10 * vectors + TARGET.coefficient["call"]})
    assert slow.conversion["u8", "f32"] == pytest.approx(10 * TARGET.ports.mixed - TARGET.handling.looped)


def test_a_clock_that_never_agreed_changes_nothing(monkeypatch):
    monkeypatch.setattr(functions, "_cycles", lambda nests, target: [np.nan] * len(nests))
    assert functions.measure(TARGET) == TARGET


def test_the_functions_of_this_machine_are_measured(monkeypatch):
    monkeypatch.setattr(functions, "ROUNDS", 3)
    chosen = [each for each in functions.asked(TARGET) if each.function == "exp" or each.conversion == ("f32", "bf16")]
    monkeypatch.setattr(functions, "asked", lambda target: iter(chosen))
    found = functions.measure(TARGET)
    assert set(found.function) == set(TARGET.function) and isinstance(found.function["exp"], Slots)
    assert found.function["exp"].all > 0

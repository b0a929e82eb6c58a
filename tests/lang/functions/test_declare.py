"""What is declared from outside: found by every stage while it is, refused where something is amiss."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.engine.table.keys import target_key
from griotte.lang import functions
from griotte.lang.constructors.forms import form_of
from griotte.lang.functions import COMBINERS, FUNCTIONS, Combiner, Function, slots
from griotte.machine import resolve

CUBE = Function(
    "cube",
    ("x",),
    lambda x: x * x * x,
    slots(2),
    "{0} * {0} * {0}",
    lambda kit: "return x * x * x;",
    is_call=True,
)
TIMES = Function("times", ("x", "y"), np.multiply, slots(1), "({} * {})", infix="*", commutes=True, ulps=0.5)
PRODUCT = Combiner("times", np.multiply, lambda dtype: dtype.type(1), call="times_all")


def test_it_is_there_for_a_while():
    before = dict(FUNCTIONS), dict(COMBINERS)
    x = np.arange(-3, 4, dtype=np.int32)
    with functions.declared(CUBE, TIMES, PRODUCT):
        assert np.array_equal(gt.compile("cube(s32[7])", table="none")(x), x**3)
        assert gt.compile("times_all(s32[7])", table="none")(x + 4) == 5040
        assert str(form_of("cube").constructor(gt.tensor((7,), np.int32))) == "cube(s32[7]) -> s32[7]"
        with pytest.raises(gt.SpecError, match="cube expects operands x, found 2"):
            form_of("cube").constructor(gt.tensor((7,)), gt.tensor((7,)))
    assert before == (dict(FUNCTIONS), dict(COMBINERS))
    assert form_of("cube") is None
    with pytest.raises(gt.SpecError, match="expected an operation, found 'cube'"):
        gt.parse("cube(s32[7])")


def test_nothing_stays_of_what_is_refused_in_part():
    with pytest.raises(gt.SpecError), functions.declared(CUBE, CUBE):
        pass
    assert "cube" not in FUNCTIONS


def test_a_helper_of_the_code_generator_is_not_called_by_another_name():
    with functions.declared(Function("load", ("x",), np.negative, slots(1), "-{0}", CUBE.c, is_call=True)):
        program = gt.synthesize("load(f32[64])", table="none")
        with pytest.raises(gt.SpecError, match="names of their own, found load"):
            program.to_c()


def test_the_key_of_a_target_has_what_functions_cost():
    key = target_key(resolve("portable"))
    with functions.declared(CUBE):
        other = target_key(resolve("portable"))
    assert other != key == target_key(resolve("portable"))


def test_a_target_from_before_is_refused():
    target = resolve("portable")
    with functions.declared(CUBE), pytest.raises(gt.TargetError, match="resolved before cube was declared"):
        gt.synthesize("cube(f32[7])", target, table="none")


@pytest.mark.parametrize(
    "wrong, complaint",
    [
        (FUNCTIONS["exp"], "name of its own, found 'exp'"),
        (COMBINERS["add"], "name of its own, found 'add'"),
        (Function("a-b", ("x",), np.abs, slots(1), "{}"), "name of its own, found 'a-b'"),
        (Function("cube", ("x",), np.abs, {}, "{}"), "slots of cube for portable targets, found none"),
        (Combiner("cube", np.multiply, lambda dtype: 1), "to have a Function of two arguments of its name, found none"),
        (Combiner("exp", np.multiply, lambda dtype: 1), "found another"),
    ],
)
def test_what_is_amiss_is_said(wrong, complaint):
    before = dict(FUNCTIONS), dict(COMBINERS)
    with pytest.raises(gt.SpecError, match=complaint):
        functions.declare(wrong)
    assert before == (dict(FUNCTIONS), dict(COMBINERS))

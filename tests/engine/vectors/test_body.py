"""Bodies with conditions: what `where` asks is a u8 input, a test that stays a mask, or any value."""

import numpy as np
import pytest
from features import skip_without
from generated_harness import Case, assert_right
from griotte import synthesize
from griotte.engine.vectors.body import predicates
from griotte.lang.calls.spec import Spec
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.operation import Operation
from griotte.lang.types.expr import Arg, Call, Const
from griotte.lang.types.tensor import tensor
from machines import machine

X, Y, Z = map(Arg, range(3))


def where(condition, x, y) -> Call:
    return Call("where", (condition, x, y))


BODIES = (
    *(where(Call(test, (X, Y)), X, Z) for test in ("lt", "le", "eq")),
    where(Call("le", (X, Y)), Call("exp", (Z,)), Const(-np.inf)),
    where(Call("le", (X, Call("neg", (Y,)))), where(Call("lt", (Y, Z)), X, Y), Call("mul", (X, Z))),
    Call("add", (Call("lt", (X, Y)), Z)),
    where(Call("sub", (X, Y)), Z, Const(3.0)),
    where(X, X, Call("add", (Y, Z))),
)


def spec_of(body: Call, dtypes: tuple[str, str, str], sizes=(5, 37)) -> Spec:
    """The map of `body` over two tensors and a row."""
    nest = Operation.of("map", "i0 i1", ("i0 i1", "i0 i1", "i1"), "i0 i1", body)
    return Spec(
        nest,
        sizes,
        (tensor(sizes, dtypes[0]), tensor(sizes, dtypes[1]), tensor(sizes[1:], dtypes[2])),
        tensor(sizes, dtypes[1]),
    )


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
def test_conditions_are_right(name, tmp_path):
    skip_without(machine(name).features)
    specs = [
        spec_of(body, dtypes)
        for body in BODIES
        for dtypes in (("f32",) * 3, ("s32",) * 3, ("f64",) * 3, ("bf16", "f32", "f32"))
        if "exp" not in str(body) or dtypes[1][0] == "f"
    ]
    specs.append(spec_of(where(X, Y, Call("neg", (Z,))), ("pred", "f32", "f32")))
    specs.append(spec_of(where(X, Call("add", (X, Y)), Z), ("pred", "s32", "s32")))  # asked for, and computed with
    cases = []
    for seed, spec in enumerate(specs):
        arrays = list(random_arrays(spec, np.random.default_rng(seed), True))
        arrays[0][:, ::3] = arrays[1][:, ::3].astype(arrays[0].dtype)
        cases.append(Case(synthesize(spec, machine(name), table="none").root, spec, tuple(arrays)))
    assert_right(cases, machine(name), tmp_path)


def test_a_test_needs_no_array_of_conditions():
    spec = spec_of(where(Call("le", (X, Y)), X, Z), ("f32",) * 3)
    source = synthesize(spec, machine("avx512"), table="none").to_c()
    assert "_mm512_cmp_ps_mask" in source and "uint8_t" not in source


def test_predicates_are_only_asked_for():
    assert predicates(where(X, Y, Z)) == {0}
    assert predicates(where(X, Call("add", (X, Y)), Z)) == predicates(where(Call("le", (X, Y)), X, Z)) == frozenset()
    assert predicates(where(Call("le", (X, Y)), X, where(Z, X, Y))) == {2}

"""Pairs: the maximum of a softmax and the sum of its exponentials by one reading are what they are by two, whatever
rows hold, and the search takes it where it costs least."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from brute_force import equals_brute_force
from features import skip_without
from griotte.compiler.reports.tree import tree
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites import DoesNotApply, Finish, Inline, Pairs, edges, tilings
from griotte.engine.rewrites.pairs import pairs_of
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.machine import BUILT_IN, Cpu, build, detect
from griotte.support.errors import NoProgramError
from hypothesis import given
from hypothesis import strategies as st
from machines import described, machine, three
from rewriting import after_one, filled, keeps_meaning, made_one
from strategies import examples

TARGET = machine("avx512")
NAMES = ["portable", "avx2", "avx512"]
CASES = {
    "softmax": "softmax(f32[3,{n}])",
    "one row": "softmax(f32[1,{n}])",
    "with a total that is finished": "softmax(f32[70,{n}])",
    "of a logarithm": "log_softmax(f32[5,{n}])",
    "a logarithm": (
        "add(log(sum(exp(sub(%x: f32[4,{n}], reshape(max(%x, axis=1)) -> f32[4,1])), axis=1)), max(%x, axis=1))"
    ),
    "then scaled by x": "mul(softmax(%x: f32[2,3,{n}]), %x)",
}


def states(text: str) -> list[State]:
    """The graphs that one goal leads to by nests made one, in which one reading may give both."""
    return [state for state in made_one(text, TARGET, (Finish, Inline)) if pairs_of(state.family) is not None]


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
@examples(25)
@given(n=st.integers(2, 200), seed=st.integers(0, 99))
def test_at_once_means_the_same(text, n, seed):
    found = states(text.format(n=n))
    assert found
    state = found[seed % len(found)]
    arrays = filled(state, np.random.default_rng(seed))
    keeps_meaning(state, arrays, lambda arrays: after_one(Pairs(1), state, TARGET, arrays), 1e-5, 1e-6)


N, rng = 750, np.random.default_rng(0)
ROWS = {
    "usual": rng.standard_normal(N) * 5,
    "falling": np.linspace(50, -50, N),
    "rising": np.linspace(-900, 900, N),
    "equal": np.full(N, 3.0),
    "zeros of either sign": np.where(np.arange(N) % 2, 0.0, -0.0),
    "denormals": rng.standard_normal(N) * 1e-40,
    "at 1e3": rng.standard_normal(N) + 1e3,
    "at -1e3": rng.standard_normal(N) - 1e3,
    "at the bound": np.full(N, 1024.0) - np.arange(N) % 40,
    "at 1e5": np.arange(N) % 9 + 1e5,
    "at 1e8": np.arange(N) % 9 * 8 + 1e8,
    "large": np.full(N, 3e38),
    "largest and least": np.where(np.arange(N) % 2, 3.4028235e38, -3.4028235e38),
    "least": np.full(N, -3.4028235e38),
    "hidden by a number": np.where(np.arange(N) % 3, -1e9, np.arange(N) / 99),
    "hidden but the last": np.where(np.arange(N) < N - 1, -np.inf, -7.0),
    "hidden": np.full(N, -np.inf),
    "NaN": np.where(np.arange(N) == 40, np.nan, 1.0),
    "NaN last": np.where(np.arange(N) == N - 1, np.nan, 1.0),
    "infinite": np.where(np.arange(N) == 70, np.inf, 1.0),
}
X = np.array([*ROWS.values()], np.float32)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_hostile_rows(row):
    state = states(f"softmax(f32[3,{N}])")[0]
    before = filled(state, np.random.default_rng(0))
    before[0][1] = row
    keeps_meaning(state, before, lambda arrays: after_one(Pairs(1), state, TARGET, arrays), 1e-5, 1e-7)


def at_once(spec, name: str):
    """By hand, a row at a time."""
    skip_without(BUILT_IN[name].features)
    program = gt.synthesize(
        gt.schedule(spec, name).tile(canonical_form(spec).operation.dims[0], 1).pairs(), table="none"
    )
    assert "at once, in L1" in str(program) and program.explain() and tree(program.root, program.target).total
    return program


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [N, 691])
def test_hostile_rows_in_c(name, n):
    spec = parse(f"softmax(f32[{len(X)},{n}])")
    with np.errstate(all="ignore"):
        exact = gt.interpret(spec, X[:, :n].astype(np.float32))
        np.testing.assert_allclose(
            at_once(spec, name).compile()(np.ascontiguousarray(X[:, :n])), exact, rtol=2e-6, atol=1e-12
        )


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_gives_the_maximum_and_the_sum_within_its_rounding(name):
    spec = parse(
        f"where(pred[{len(X)}], sum(exp(sub(%x: f32[{len(X)},{N}], reshape(%m: max(%x, axis=1)) -> f32[{len(X)},1])),"
        " axis=1), %m)"
    )
    kernel, high = at_once(spec, name).compile(), X.max(axis=1)
    with np.errstate(all="ignore"):
        exact = np.exp(X.astype(np.float64) - high.astype(np.float64)[:, None]).sum(axis=1)
    np.testing.assert_allclose(kernel(np.ones(len(X), bool), X), exact, rtol=2e-6)
    np.testing.assert_array_equal(kernel(np.zeros(len(X), bool), X), high)


def test_refusals():
    for text in (
        "layer_norm(f32[900,90], f32[90], f32[90])",
        "softmax(bf16[900,90])",
        "softmax(f32[90,900], axis=0)",
        "softmax(mul(f32[900,90], f32[900,1]))",
    ):
        with pytest.raises(DoesNotApply, match="maximum of an f32 array along its rows"):
            Pairs(1).edge(problem(canonical_form(parse(text)), TARGET).goal, TARGET)
    near = gt.schedule(parse("softmax(f32[900,90])"), "portable").tile("i0", 1).move(0, "L1")
    with pytest.raises(NoProgramError, match="maximum of an f32 array along its rows"):
        near.pairs()


def test_what_gives_both_has_loops_over_rows_and_one_leaf():
    family = (
        Pairs(1).edge(problem(canonical_form(parse("softmax(f32[900,90])")), TARGET).goal, TARGET).children[0].family
    )
    (leaf,) = edges(family, TARGET)
    assert leaf.rewrite.kernel == "pairs" and not leaf.children and [tiling.dim for tiling in tilings(family)] == ["i0"]
    assert leaf.fit({"i0": 1, "i1": 90}) and not leaf.fit({"i0": 2, "i1": 90})


def test_the_search_reads_long_rows_once_before_the_last_pass():
    zen = replace(detect(), cpu=Cpu("AuthenticAMD", 25, 17), caches={1: 32 << 10, 2: 1 << 20, 3: 32 << 20}, cpus=2)
    for text, is_taken in (("softmax(f32[1,8388608])", True), ("softmax(f32[1,262144])", False)):
        assert ("at once" in str(gt.synthesize(text, build("avx2", zen), table="none"))) is is_taken, text


SMALL = described('name = "small"\nbase = "avx2"' + three(256, 768))


@pytest.mark.parametrize("rows, columns", [("<=3", "140"), ("3", "<=140")])
def test_of_a_dynamic_size(rows, columns):
    skip_without(BUILT_IN["avx2"].features)
    program = gt.synthesize(f"log_softmax(f32[{rows},{columns}])", SMALL, table="none")
    assert "at once" in str(program)
    kernel, whole = program.compile(), np.random.default_rng(0).standard_normal((3, 140)).astype(np.float32) * 5
    for x in [whole[:, :n] for n in (1, 7, 133, 140)] if "<=" in columns else [whole[:n] for n in (1, 3)]:
        np.testing.assert_allclose(
            kernel(x),
            gt.interpret(parse(f"log_softmax(f32[{x.shape[0]},{x.shape[1]}])"), np.ascontiguousarray(x)),
            rtol=1e-5,
            atol=1e-5,
        )


@pytest.mark.parametrize("name", ["two", "narrow", "scarce"])
@pytest.mark.parametrize("text", ["log_softmax(f32[2,5])", "softmax(f32[1,7])"])
def test_the_solver_equals_brute_force(name, text):
    target = machine(name)
    start = equals_brute_force(canonical_form(parse(text)), target)
    assert any(isinstance(edge.rewrite, Pairs) for edge in edges(start.goal, target)) is bool(target.places(start.home))

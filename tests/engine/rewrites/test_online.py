"""Online: a softmax in rounds means what it meant whole, whatever its rows hold, and the search takes it where it costs
least."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from brute_force import equals_brute_force
from checked import later, like_reference
from griotte.compiler.reports.tree import tree
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.idioms.online import chain
from griotte.engine.program.nodes import Rounds, walk
from griotte.engine.rewrites import Batch, DoesNotApply, Factor, Finish, Inline, Online, Skip, online
from griotte.engine.rewrites.pairs import softmax_pairs
from griotte.engine.search.problem import problem
from griotte.lang.functions import COMBINERS, FUNCTIONS, declared
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.machine import Cpu, build, detect
from griotte.support.errors import NoProgramError
from hypothesis import given
from hypothesis import strategies as st
from machines import machine
from rewriting import after_one, filled, keeps_meaning, made_one
from strategies import examples

TARGET = machine("avx512")
CASES = {
    "softmax": "softmax(f32[3,{n}])",
    "with a total that is finished": "softmax(f32[70,{n}])",
    "attention": "attention(f32[2,40,8], f32[2,{n},8], f32[2,{n},7])",
    "causal": "attention(f32[2,40,8], f32[2,{n},8], f32[2,{n},7], causal=true)",
    "masked": "attention(f32[2,40,8], f32[2,{n},8], f32[2,{n},7], mask=f32[40,{n}])",
    "scaled": "attention(f32[4,40,8], f32[2,{n},8], f32[2,{n},7], scale=0.7)",
}


MADE_ONE = Batch, Factor, Finish, Inline, Skip


def states(text: str) -> list[State]:
    """The graphs, made of one goal without a buffer, that rounds may be made of."""
    found = (
        (state, online.softmax_of(state.family))
        for state in made_one(text, TARGET, MADE_ONE)
        if state.family.operation.unplaced
    )
    return [state for state, softmax in found if softmax is not None and state.size[softmax.dim] > 64]


def in_rounds(state: State, tile: int, arrays, kept: bool = False):
    return after_one(Online(tile, 1, kept), state, TARGET, arrays)


def may_keep(state: State) -> bool:
    return online.may_keep(online.softmax_of(state.family), state.family)


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
@examples(25)
@given(n=st.integers(65, 200), seed=st.integers(0, 99))
def test_rounds_mean_the_same(text, n, seed):
    found = states(text.format(n=n))
    assert found
    state = found[seed % len(found)]
    keeps_meaning(state, filled(state, np.random.default_rng(seed)), lambda arrays: in_rounds(state, 64, arrays))


KEPT = {
    "softmax": "softmax(f32[3,{n}])",
    "with a total that is finished": "softmax(f32[70,{n}])",
    "along rows": "softmax(f32[{n},9], axis=0)",
    "of scaled rows": "softmax(mul(add(f32[6,{n}], f32[{n}]), f32[6,1]))",
    "then scaled": "mul(softmax(f32[6,{n}]), f32[6,{n}])",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
@examples(25)
@given(n=st.integers(65, 200), seed=st.integers(0, 99))
def test_exponentials_kept_in_the_output_mean_the_same(text, n, seed):
    found = [state for state in states(text.format(n=n)) if may_keep(state)]
    assert found
    state = found[seed % len(found)]
    arrays = filled(state, np.random.default_rng(seed))
    keeps_meaning(state, arrays, lambda arrays: in_rounds(state, 64, arrays, kept=True), atol=1e-6)


@pytest.mark.parametrize(
    "text", ["attention(f32[2,40,8], f32[2,150,8], f32[2,150,7])", "softmax(f32[3,150]) -> bf16[3,150]"]
)
def test_exponentials_are_kept_only_where_the_output_is_made_of_them(text):
    found = states(text)
    assert found and not any(map(may_keep, found))
    with pytest.raises(DoesNotApply, match="where the output goes"):
        Online(64, 1, True).edge(found[0].family, TARGET)


ROWS = {
    "falling": np.linspace(50, -50, 150),
    "rising": np.linspace(-50, 50, 150),
    "equal": np.full(150, 3.0),
    "large": np.full(150, 3e38),
    "hidden at first": np.where(np.arange(150) < 100, -np.inf, 1.0),
    "hidden at the end": np.where(np.arange(150) > 10, -np.inf, 1.0),
    "hidden": np.full(150, -np.inf),
    "NaN": np.where(np.arange(150) == 149, np.nan, 1.0),
    "infinite": np.where(np.arange(150) == 70, np.inf, 1.0),
}


@pytest.mark.parametrize("kept", [False, True], ids=["", "kept"])
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_hostile_rows(row, kept):
    """Of a row of -inf alone, and of one with an infinity or a NaN, softmax is NaN, in rounds or whole."""
    state = states("softmax(f32[3,150])")[0]
    before = filled(state, np.random.default_rng(0))
    before[0][1] = row
    keeps_meaning(state, before, lambda arrays: in_rounds(state, 64, arrays, kept), 1e-5, 1e-7)


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
@pytest.mark.parametrize("rows, tile", [(1, 64), (3, 64), (1, 256)])
def test_hostile_rows_by_kept_exponentials_in_c(name, rows, tile):
    x = np.array(
        [*ROWS.values(), np.where(np.arange(150) < 64, -3e38, 3e38), np.full(150, -3.4028235e38)], np.float32
    ).repeat(5, axis=1)
    spec = parse(f"softmax(f32[{len(x)},750])")
    program = gt.synthesize(gt.schedule(spec, name).tile("i0", rows).online(tile, "L1", kept=True), table="none")
    with np.errstate(all="ignore"):
        like_reference(program, [x], 1e-5, 1e-9)


def test_of_any_number_of_rows_exponentials_are_kept():
    kernel = gt.compile("softmax(f32[<=3,262144])", "avx2", table="none")
    for rows in (1, 3):
        x = np.random.default_rng(rows).standard_normal((rows, 262144)).astype(np.float32) * 5
        np.testing.assert_allclose(
            kernel(x), gt.interpret(parse(f"softmax(f32[{rows},262144])"), x), rtol=1e-4, atol=1e-9
        )


def test_the_search_weighs_exponentials_that_are_kept_of_long_rows():
    """Read once from far, and computed once: rows that no near level holds, whose exponentials L3 rests. Three passes
    may cost less, for what corrects a kept exponential makes no denormal."""
    zen = replace(detect(), cpu=Cpu("AuthenticAMD", 25, 17), caches={1: 32 << 10, 2: 1 << 20, 3: 32 << 20}, cpus=2)
    target = build("avx2", zen)
    spec = parse("softmax(f32[1,262144])")
    long, kept = (
        gt.synthesize(each, table="none")
        for each in (gt.schedule(spec, target), gt.schedule(spec, target).online(1024, "L1", kept=True))
    )
    assert "exponentials in y" in str(kept) and "after, each:" in str(kept)
    assert long.cost <= kept.cost < 1.2 * long.cost
    assert "rounds" not in str(gt.synthesize("softmax(f32[64,1000])", target, table="none"))
    assert [line for line in str(tree(long.root, long.target)).splitlines() if line] and long.explain()


def test_a_query_that_sees_no_key_gives_zero():
    spec = parse("attention(f32[1,60,40], f32[1,150,40], f32[1,150,40], mask=pred[60,150])")
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal(t.shape, np.float32) for t in spec.inputs[:3])
    seen = rng.random((60, 150)) < 0.5
    seen[2], seen[5, :100] = False, False
    schedule = gt.schedule(spec, "portable").tile("m", 10).factor("div").online(64, "L1")
    expected = gt.interpret(spec, q, k, v, seen)

    def right(result):
        assert (result[:, 2] == 0).all()
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)

    later(gt.synthesize(schedule, table="none"), (q, k, v, seen), right)


@pytest.mark.parametrize(
    "text, steps",
    [
        ("softmax(f32[40,310])", lambda s: s.tile("i0", 20).online(64, "L1")),
        ("softmax(f32[70,310])", lambda s: s.tile("i0", 8).online(64, "L1")),
        ("softmax(f32[70,310])", lambda s: s.tile("i0", 8).online(64, "L1", kept=True)),
        ("softmax(f32[40,256])", lambda s: s.tile("i0", 7).online(64, "L1", kept=True)),
        ("softmax(mul(f32[23,310], f32[23,1]))", lambda s: s.online(64, "L1", kept=True)),
        (
            "attention(f32[2,90,20], f32[2,330,20], f32[2,330,20])",
            lambda s: s.tile("h", 1).tile("m", 15).factor("div").online(64, "L1"),
        ),
    ],
)
def test_rounds_by_hand_compile(text, steps):
    spec = parse(text)
    program = gt.synthesize(steps(gt.schedule(spec, "portable")), table="none")
    assert any(isinstance(node, Rounds) for node in walk(program.root))
    assert "rounds of" in str(program) and "again:" in str(program)
    assert tree(program.root, program.target).total
    like_reference(program)


def test_refusals():
    with pytest.raises(DoesNotApply, match="maximum, exponentials less it"):
        Online(64, 1).edge(
            problem(canonical_form(parse("layer_norm(f32[9,90], f32[90], f32[90])")), TARGET).goal, TARGET
        )
    with pytest.raises(NoProgramError, match="more than 64 and at most 16384 of i1, found 40"):
        gt.schedule(parse("softmax(f32[900,40])"), "portable").online(64, "L1")
    with pytest.raises(NoProgramError, match="lie where the output goes"):
        gt.schedule(parse("attention(f32[1,20,8], f32[1,150,8], f32[1,150,7])"), "portable").factor("div").online(
            64, "L1", kept=True
        )
    with pytest.raises(NoProgramError, match="expected a level"):
        gt.schedule(parse("softmax(f32[9,90])"), "portable").online(64, "L9")


def test_what_is_no_such_chain_has_none():
    assert (
        chain(problem(canonical_form(parse("layer_norm(f32[9,90], f32[90], f32[90])")), TARGET).goal.operation) is None
    )


COMPUTED = "matmul(softmax(matmul(f32[40,8], f32[8,150])), exp(f32[150,7]))"


def test_exponentials_times_what_has_no_place_are_no_chain():
    """What a round multiplies with is read a block at a time, so it lies somewhere: `exp(v)` does not before it is put
    there."""
    assert not states(COMPUTED)
    factored = gt.schedule(parse(COMPUTED), "portable").factor("mul")
    with pytest.raises(NoProgramError, match="maximum, exponentials less it"):
        factored.online(64, "L1")


@pytest.mark.parametrize("text, steps", [
    (COMPUTED, lambda s: s.bufferize("exp", "L1").at(1).factor("mul").tile("m", 5).online(64, "L1")),
    ("matmul(softmax(matmul(f32[3,4], f32[4,70])), exp(f32[70,3]))", lambda s: s),
], ids=["by hand", "by search"])  # fmt: skip
def test_exponentials_times_what_is_computed_compile(text, steps):
    spec = parse(text)
    like_reference(gt.synthesize(steps(gt.schedule(spec, "portable")), table="none"))


@pytest.mark.parametrize("name", ["two", "narrow", "scarce"])
@pytest.mark.parametrize("text", ["softmax(f32[2,5])", "softmax(f32[1,7])"])
def test_the_solver_equals_brute_force_where_rounds_are_small(name, text, monkeypatch):
    monkeypatch.setattr(online, "TILES", (2, 3))
    equals_brute_force(canonical_form(parse(text)), machine(name))


def renamed(graph, names: dict[str, str]):
    """A graph whose nests are joined by combiners of other names."""
    as_named = lambda op: replace(op, combine=names.get(op.combine or "", op.combine))
    return replace(graph, nests=tuple(replace(nest, operation=as_named(nest.operation)) for nest in graph.nests))


def test_rounds_and_pairs_ask_what_combiners_declare_and_not_their_names():
    graph = problem(canonical_form(gt.parse("softmax(f32[64,4800])")), machine("avx2")).goal.operation
    named = {"maximum": "largest", "add": "plus"}
    functions = [replace(FUNCTIONS[old], name=new) for old, new in named.items()]
    combiners = [replace(COMBINERS[old], name=new, call="") for old, new in named.items()]
    with declared(*functions, *combiners):
        other = renamed(graph, named)
        found = chain(other)
        assert found is not None and chain(graph) is not None and softmax_pairs(other) is not None
        assert found.again(found.high).finish.function == "largest"
        assert {found.again(j).finish.function for j in found.sums} == {"plus"}
        assert {nest.operation.combine for nest in softmax_pairs(other).first.operation.nests} == {
            "largest",
            "plus",
            None,
        }
    unscaled = [replace(combiner, scales=False, selects=0) for combiner in combiners]
    with declared(*functions, *unscaled):
        chain.cache_clear()
        softmax_pairs.cache_clear()
        assert chain(other) is None and softmax_pairs(other) is None

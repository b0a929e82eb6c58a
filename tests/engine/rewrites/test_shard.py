"""Shard: a softmax cut along its columns means what it meant whole, whatever its rows hold, and threads share the
shards where that costs least."""

from dataclasses import replace
from itertools import islice
from math import inf, isclose

import griotte as gt
import numpy as np
import pytest
from checked import agrees, later, within_bounds
from generated_harness import Case, run
from griotte.compiler.reports.graph import outline, picture
from griotte.compiler.reports.tree import tree
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.idioms import shards
from griotte.engine.idioms.shards import SHARD
from griotte.engine.program.nodes import Loop, Shards, walk
from griotte.engine.rewrites import DoesNotApply, Shard, edges
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import problem
from griotte.engine.search.recorded import along, path_of
from griotte.engine.search.solved import Solved
from griotte.lang.meaning.agreement import tolerance
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests import pending
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from hypothesis import given
from hypothesis import strategies as st
from machines import machine, with_prices
from rewriting import after_one, filled, keeps_meaning, whole
from strategies import examples

TARGET = machine("avx2")
# few kernels, and a team that costs little
CHEAP = with_prices(machine("plain"), fork=500.0)
CASES = {
    "one row": "softmax(f32[1,{n}])",
    "few rows": "softmax(f32[3,{n}])",
    "a column": "softmax(f32[{n},2], axis=0)",
    "one query": "attention(f32[1,1,8], f32[1,{n},8], f32[1,{n},7])",
    "causal": "attention(f32[4,1,8], f32[2,{n},8], f32[2,{n},7], causal=true)",
    "masked": "attention(f32[2,2,8], f32[2,{n},8], f32[2,{n},7], mask=f32[2,{n}])",
}


def goal(text: str, count: int) -> State:
    """The whole arrays, told to be cut into so many shards."""
    state = whole(text, TARGET)
    told = shards.told(state.family.operation, state.size, count)
    return State(replace(state.family, batch=(), operation=told), state.sizes)


def in_shards(state: State, arrays) -> np.ndarray:
    rewrite = Shard(pending.ShardCount.of(state.family.operation))
    return after_one(rewrite, state, TARGET, arrays)


@pytest.fixture
def tiny(monkeypatch):
    """Shards of one column and more."""
    monkeypatch.setattr(shards, "LEAST", 1)


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
@examples(15)
@given(n=st.integers(128, 250), count=st.integers(2, 3), seed=st.integers(0, 99))
def test_shards_mean_the_same(text, n, count, seed):
    state = goal(text.format(n=max(n, 64 * count)), count)
    keeps_meaning(state, filled(state, np.random.default_rng(seed)), lambda arrays: in_shards(state, arrays))


@pytest.mark.parametrize("n, count", [(2, 2), (3, 2), (5, 4), (7, 7), (9, 5)])
def test_so_do_shards_of_one_column(tiny, n, count):
    state = goal(f"attention(f32[1,1,4], f32[1,{n},4], f32[1,{n},3])", count)
    keeps_meaning(state, filled(state, np.random.default_rng(n)), lambda arrays: in_shards(state, arrays))


ROWS = {
    "falling": np.linspace(50, -50, 151),
    "rising": np.linspace(-50, 50, 151),
    "equal": np.full(151, 3.0),
    "large": np.full(151, 3e38),
    "large and small": np.where(np.arange(151) % 2, 3e38, -3e38),
    "a hidden shard": np.where(np.arange(151) < 75, -np.inf, 1.0),
    "hidden at the end": np.where(np.arange(151) > 10, -np.inf, 1.0),
    "all but what is left over": np.where(np.arange(151) < 150, -np.inf, 1.0),
    "hidden": np.full(151, -np.inf),
    "NaN": np.where(np.arange(151) == 149, np.nan, 1.0),
    "infinite": np.where(np.arange(151) == 70, np.inf, 1.0),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_hostile_rows(row):
    """Of a row of -inf alone, and of one with an infinity or a NaN, softmax is NaN, in shards or whole."""
    state = goal("softmax(f32[3,151])", 2)
    before = filled(state, np.random.default_rng(0))
    before[0][1] = row
    keeps_meaning(state, before, lambda arrays: in_shards(state, arrays), 1e-5, 1e-7)


def test_a_query_that_sees_no_key_gives_zero():
    spec = parse("attention(f32[1,3,9], f32[1,151,9], f32[1,151,5], mask=pred[3,151])")
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal(t.shape, np.float32) for t in spec.inputs[:3])
    seen = rng.random((3, 151)) < 0.5
    seen[1], seen[2, :80] = False, False
    expected = gt.interpret(spec, q, k, v, seen)

    def right(result):
        assert (result[:, 1] == 0).all()
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)

    later(gt.synthesize(gt.schedule(spec, "portable").shard(2), table="none"), (q, k, v, seen), right)


@pytest.mark.parametrize(
    "text", ["softmax(f32[1,310])", "softmax(f32[3,310])", "attention(bf16[2,1,9], bf16[1,201,9], bf16[1,201,5])"]
)
def test_by_hand(text):
    spec = parse(text)
    program = gt.synthesize(gt.schedule(spec, "portable").shard(3), table="none")
    assert isinstance(program.root, Shards) and "shards of" in str(program) and "joined:" in str(program)
    assert tree(program.root, program.target).total and picture(program).shapes
    assert any("shards of" in item.words for item in outline(program).items if hasattr(item, "words"))
    within_bounds(program, 1)


def test_refusals():
    with pytest.raises(DoesNotApply, match="a softmax of whole arrays, told to be cut"):
        gt.schedule("softmax(f32[1,100])", "portable").shard(2)
    with pytest.raises(DoesNotApply, match="two shards or more"):
        gt.schedule("softmax(f32[1,900])", "portable").shard(1)
    with pytest.raises(DoesNotApply, match="two shards or more"):
        gt.schedule("exp(f32[1,900])", "portable").shard(2)
    with pytest.raises(DoesNotApply, match="shard before all else"):
        gt.schedule("softmax(f32[3,900])", "portable").tile("i0", 1).shard(2)
    with pytest.raises(DoesNotApply, match="a softmax of whole arrays"):
        Shard(2).edge(
            problem(canonical_form(parse("layer_norm(f32[1,900], f32[900], f32[900])")), TARGET, 2).goal, TARGET
        )


OFFERED = {
    "softmax(f32[1,300])": 2,
    "softmax(f32[3,300])": 4,
    "attention(f32[1,1,8], f32[1,300,8], f32[1,300,8])": 2,
    "attention(f32[2,1,8], f32[2,300,8], f32[2,300,8], causal=true)": 3,
}


@pytest.mark.parametrize("text, threads", OFFERED.items(), ids=OFFERED)
def test_it_is_offered_where_rows_are_fewer_than_threads(text, threads):
    canonical = canonical_form(parse(text))

    def offered(threads: int) -> list[int]:
        found = (e.rewrite for e in edges(problem(canonical, TARGET, threads).goal, TARGET))
        return [rewrite.count for rewrite in found if isinstance(rewrite, Shard) and rewrite.count]

    assert offered(threads) == [threads] and not offered(threads - 1) and not offered(1)


@pytest.mark.parametrize(
    "text",
    [
        "softmax(f32[8,300])",
        "softmax(f32[<=1,300])",
        "softmax(f32[1,100])",
        "matmul(softmax(f32[1,300]), f32[300,3])",
        "max(f32[1,300], axis=1)",
    ],
)
def test_it_is_not_offered_elsewhere(text):
    assert not any(
        isinstance(e.rewrite, Shard) for e in edges(problem(canonical_form(parse(text)), TARGET, 2).goal, TARGET)
    )


def test_what_lies_between_is_as_large_as_of_one_shard():
    """Of the shards, a batch, one is computed at a time, and what lies between its nests is near."""
    state = goal("matmul(softmax(add(f32[2,300], f32[2,300])), f32[300,3])", 2)
    shard = Shard(2).edge(state.family, TARGET).children[0].family
    assert shard.batch == (SHARD,)
    assert max(shard.operation.bytes[t] for t in shard.operation.unplaced) == 2 * 150 * 4


SHARED = "attention(f32[1,1,3], f32[1,1515,3], f32[1,1515,2])"


@pytest.mark.parametrize("text, threads", [(SHARED, 2), ("softmax(f32[1,517])", 4)])
def test_threads_share_shards(text, threads, tmp_path):
    """The best program that begins so, and one in series: under sanitizers, with a part for what is left over."""
    solved, alone = (
        Solved(canonical_form(parse(text)), CHEAP, threads),
        gt.synthesize(gt.schedule(text, CHEAP).shard(3), table="none"),
    )
    assert text != SHARED or isinstance(solved.best, Shards)
    root = next(root for root in solved.kinds() if isinstance(root, Shards))
    assert len(root.parts) == 2 and any(
        isinstance(node, Loop) and node.dims == (SHARD,) and node.threads == threads for node in walk(root)
    )
    arrays = tuple(random_arrays(parse(text), np.random.default_rng(threads), True))
    bounds = tolerance(parse(text), arrays)
    for result in run([Case(each, parse(text), arrays) for each in (root, alone.root)], CHEAP, tmp_path):
        agrees(parse(text), arrays, result, bounds)


def test_alternatives_and_kinds_have_it_and_their_paths_lead_back():
    solved = Solved(canonical_form(parse(SHARED)), CHEAP, 2)
    costs = [program.cost for program in solved.cheapest(20)]
    kinds = list(islice(solved.kinds(), 8))
    assert costs == sorted(costs) and {isinstance(root, Shards) for root in kinds} == {True, False}
    for root in kinds:
        path = solved.read(lambda rebuild: path_of(root, rebuild.space, 2))
        assert solved.read(lambda rebuild: along(path, root.state, rebuild, 2)).cost == pytest.approx(root.cost)


def test_the_table_remembers_it(tmp_path):
    first, again = (gt.synthesize(SHARED, CHEAP, 2, tmp_path / "a.griotte") for _ in range(2))
    assert (
        isinstance(first.root, Shards)
        and str(again) == str(first)
        and again.cost == first.cost
        and again.stats["specs_solved"] == 0
    )


@pytest.mark.parametrize("name", ["two", "narrow", "scarce"])
@pytest.mark.parametrize("text", ["softmax(f32[1,3])", "softmax(f32[1,4])"])
def test_the_solver_equals_brute_force_where_shards_are_small(name, text, tiny):
    target = machine(name)
    target = with_prices(target, fork=0.0)
    start = problem(canonical_form(parse(text)), target, 2)
    assert pending.ShardCount.of(start.goal.operation) == 2
    least = Oracle(target, start.home, start.ladders).least(start.goal, start.sizes, 2)
    try:
        found = gt.synthesize(text, target, 2, "none").cost
    except NoProgramError:
        found = inf
    assert isclose(found, least, rel_tol=1e-5) or found == least == inf

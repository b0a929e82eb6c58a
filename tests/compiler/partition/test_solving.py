"""What is too much for one search, or has no program as one, is cut, and solved."""

import json

import griotte as gt
import numpy as np
import pytest
from drawn.graphs import random_graph
from drawn.networks import random_network
from griotte.compiler.partition import Partition, SolvedGroup, TooMuchError
from griotte.compiler.partition.calls import cut_calls, placed_calls
from griotte.compiler.partition.record import CutRecord
from griotte.compiler.partition.solving import LEAST, TOLERANCES, Counted
from griotte.compiler.session import Session
from griotte.compiler.synthesis import program_of
from griotte.engine.cutting import atoms_of
from griotte.engine.search.oracle import Oracle
from griotte.machine import resolve
from griotte.tools.commands.specs import examine

CHAIN = "softmax(matmul(relu(matmul(f32[3,4], f32[4,5])), f32[5,4]), axis=-1)"
NOT_ONE = (
    "slice(reshape(f16[48,2,4]) -> f16[48,8], starts=(0,1), limits=(48,8))",
    "conv2d(reshape(reshape(f32[5,2,9]) -> f32[5,18]) -> f32[1,1,5,18], const f32[4,1,3,3], padding=1)",
    "attention(reshape(take(const bf16[9,40], s32[1])) -> bf16[1,1,1,40], bf16[1,1,16,40], bf16[1,1,16,40])",
    "outputs(sum(reshape(%x: exp(f32[24])) -> f32[4,6], axis=1), sum(reshape(%x) -> f32[6,4], axis=0))",
    "reshape(reshape(f32[2,3,4]) -> f32[24]) -> f32[4,2,3]",
    "matmul(reshape(relu(f32[6,4])) -> f32[8,3], const f32[3,5])",
    "relu(conv2d(f32[1,2,8,8], exp(const f32[3,2,3,3])))",
    # a constant that one part reads as it is given, and another packed
    "matmul(reshape(relu(mul(f32[6,4], %w: const f32[6,4]))) -> f32[8,3], reshape(%w) -> f32[3,8])",
    "outputs(%a: reshape(exp(f32[2,3])) -> f32[3,2], mul(%a, %a))",
)


def session(work=None, table="none"):
    return Session(resolve("portable"), table=table, work=work)


def partition(text, work=None):
    return Partition(gt.parse(text), session(work))


def synthesize(spec, work, table="none"):
    return program_of(gt.parse(spec) if isinstance(spec, str) else spec, session(work, table))


def right(program, seed=0):
    """Whether a program's kernel gives what the reference does, on random data."""
    from griotte.lang.meaning.agreement import compare, tolerance
    from griotte.lang.meaning.samples import sample

    kernel = program.compile()
    arrays = sample("random", program.spec, np.random.default_rng(seed))
    found = compare(program.spec, arrays, kernel(*arrays), tolerance(program.spec, arrays, random=True))
    return found[1]


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize("text", NOT_ONE)
def test_what_has_no_program_as_one_is_cut_and_right(text, threads):
    program = gt.synthesize(text, "portable", threads, table="none")
    assert right(program)


def test_what_one_search_covers_is_not_cut():
    found = partition(CHAIN)
    assert len(found.groups) == 1 and not found.refusals and not found.cuts


def as_one(text, work=None, table="none"):
    return Partition(gt.parse(text), session(work, table), as_one=True)


def test_what_is_to_be_one_is_one_search():
    (found,) = as_one(CHAIN).groups
    (free,) = partition(CHAIN).groups
    assert isinstance(found, SolvedGroup) and found.best.cost == free.best.cost
    assert len(as_one("exp(f32[8])").groups) == 1
    with pytest.raises(TooMuchError, match="that one search covers, found .* too much for one search"):
        as_one(CHAIN, 1e6)


@pytest.mark.parametrize("text", [*NOT_ONE[:6], *NOT_ONE[7:]])
def test_what_is_to_be_one_and_is_not_is_refused_without_a_search_of_its_parts(text, monkeypatch):
    from griotte.compiler.partition import solving

    monkeypatch.setattr(solving, "choose", None)
    with pytest.raises(gt.NoProgramError, match="that one search covers") as refused:
        as_one(text)
    assert not isinstance(refused.value, TooMuchError)


def test_the_table_remembers_what_is_not_one(monkeypatch, tmp_path):
    from griotte.compiler.partition import solving

    with pytest.raises(TooMuchError) as first:
        as_one(CHAIN, 1e6, tmp_path / "t.griotte")
    monkeypatch.setattr(solving, "solving", None)  # is not counted again
    with pytest.raises(TooMuchError) as again:
        as_one(CHAIN, 1e6, tmp_path / "t.griotte")
    assert str(again.value) == str(first.value)


@pytest.mark.parametrize("most", (1e6, 3e7, 1e8))
def test_with_less_effort_it_is_cut_and_right(most):
    program = synthesize(CHAIN, most)
    assert program.is_partitioned and right(program)
    assert all("too much" in cut["why"] for cut in program.stats["cuts"])


def test_much_effort_costs_no_more_than_little():
    costs = [synthesize(CHAIN, most).cost for most in (1e6, 1e9)]
    assert costs[1] < costs[0]


def test_each_part_costs_what_brute_force_says():
    text = "sum(exp(softmax(f32[2,3], axis=-1)), axis=0)"
    found, total = partition(text, 1e6), 0.0
    assert len(found.groups) > 1
    for group in found.groups:
        start = group.solved.start
        least = Oracle(group.solved.target, start.home, start.ladders).least(start.goal, start.sizes, 1)
        assert np.isclose(group.solved.best.cost, least, rtol=1e-5)
        total += least
    program = synthesize(text, 1e6)
    calls = len(found.groups) * program.target.cost({"call": 1})
    assert np.isclose(program.cost, total + calls, rtol=1e-5)


def test_parts_alike_are_one_problem():
    x, w = gt.tensor((4, 8), name="x"), [gt.tensor((8, 8), name=f"w{i}") for i in range(2)]
    spec = gt.exp(gt.matmul(gt.exp(gt.matmul(x, w[0])), w[1]))
    program = synthesize(spec, 1e6)
    solved = {id(part.program) for part in program.parts}
    assert len(solved) < len(program.parts) and right(program)


def test_the_same_spec_is_cut_in_the_same_way():
    one, other = (synthesize(CHAIN, 3e7) for _ in range(2))
    assert str(one) == str(other) and one.to_c() == other.to_c()


def test_the_table_remembers_where_it_is_cut(monkeypatch, tmp_path):
    from griotte.compiler.partition import solving

    first = synthesize(CHAIN, 3e7, tmp_path / "t.griotte")
    monkeypatch.setattr(solving, "choose", None)  # is not asked again
    again = synthesize(CHAIN, 3e7, tmp_path / "t.griotte")
    assert again.stats["specs_solved"] == 0 and str(again) == str(first)


@pytest.mark.parametrize("text", ("[]", "nonsense", "[[0],[0]]", "[[1,0],[2]]", "{}", '[["a"]]'))
def test_a_record_that_is_no_way_to_cut_is_left_out(text, tmp_path):
    asked = session(3e7, tmp_path / "t.griotte")
    spec = gt.parse(CHAIN)
    Partition(spec, asked)
    key = CutRecord(spec, placed_calls(spec), asked)._key("parts")
    kept = json.loads(asked.store.choice(key))
    asked.store.choose(key, text)
    again = Partition(gt.parse(CHAIN), asked)
    assert [list(g.steps) for g in again.groups] == kept


@pytest.mark.parametrize("effort", (-1, 4, "2", True, False, None))
def test_an_effort_that_is_none_is_refused(effort):
    with pytest.raises(gt.GriotteError, match="expected an effort of 0, 1, 2 or 3"):
        gt.synthesize("exp(f32[8])", "portable", effort=effort)


def test_what_goes_wrong_within_is_one_line_with_the_spec(monkeypatch):
    from griotte.compiler.partition import solving

    monkeypatch.setattr(solving, "canonical_form", lambda spec: {}["no such"])
    with pytest.raises(
        gt.GriotteError, match=r"expected a program for exp\(f32\[8\]\).* KeyError.*please report it"
    ) as told:
        gt.synthesize("exp(f32[8])", "portable", table="none")
    assert "\n" not in str(told.value)


def test_a_dynamic_size_is_cut_too():
    text = "softmax(matmul(relu(matmul(f32[<=5,4], const f32[4,6])), const f32[6,4]), axis=-1)"
    program = synthesize(text, 1e6)
    assert program.is_partitioned and sorted(n for sizes, _ in program.groups for n in sizes) == [1, 2, 3, 4, 5]
    kernel, rng = program.compile(), np.random.default_rng(0)
    w1, w2 = rng.standard_normal((4, 6), np.float32), rng.standard_normal((6, 4), np.float32)
    for n in (1, 2, 5):
        x = rng.standard_normal((n, 4), np.float32)
        assert np.allclose(kernel(x, w1, w2), gt.interpret(program.spec, x, w1, w2), atol=1e-5)
        assert program.at(n).cost <= program.cost and program.at(n).spec.inputs[0].shape == (n, 4)
    assert program.largest.cost == program.cost and "_M 5" in program.build().header


@pytest.mark.parametrize(
    "text",
    (
        "attention(f32[2,9,4], f32[2,9,4], f32[2,9,4], causal=true)",
        "attention(f32[2,9,4], f32[2,12,4], f32[2,12,4], causal=true, mask=pred[9,12])",
        "argmax(softmax(f32[5,9], axis=1), axis=1)",
    ),
)
@pytest.mark.parametrize("most", (1e6, 3e7))
def test_what_is_compared_by_place_is_cut_too(text, most):
    program = synthesize(text, most)
    assert program.is_partitioned and right(program)


def test_a_crowd_of_nests_is_not_counted_as_one():
    text = "f32[2,3]"
    for n in range(13):
        text = f"matmul({text}, f32[{3 - n % 2},{2 + n % 2}])"
    found = partition(text)
    assert "13 nests, 13 of them contractions" in found.refusals[0].why
    assert len(found.groups) >= 7 and all(len(group.steps) <= 2 for group in found.groups)
    assert found.cuts and all("13 nests" in cut["why"] for cut in found.cuts)
    assert right(gt.synthesize(text, "portable", table="none"))


@pytest.mark.parametrize("of_it", (1.01, 0.99))
def test_what_is_counted_is_held_to_the_bound(of_it):
    every = tuple(range(len(partition(CHAIN).calls.calls)))
    work = partition(CHAIN)._problem(every, 1e12).work
    assert work.graphs > 0 and work.single > 0 and 0 < work.counting < work.total
    assert (len(partition(CHAIN, of_it * work.total).groups) == 1) == (of_it > 1)


def test_what_is_spent_is_no_longer_left_to_other_pieces():
    """Then each may be a tenth of the bound."""
    found = partition(CHAIN, 1e8)
    solved = [problem.work.total for problem in found._problems.values() if isinstance(problem, Counted)]
    assert len(found.groups) > 1 and len(solved) > 2 and 1e8 * LEAST < found._spent <= 2e8


@pytest.mark.parametrize("text", (CHAIN, "sum(exp(softmax(f32[2,3], axis=-1)), axis=0)"))
def test_no_cut_of_its_atoms_is_cheaper(text, monkeypatch):
    """But for what another cut may be cheaper by."""
    monkeypatch.setattr(Partition, "_crowd", lambda self: "a crowd")
    found, call = partition(text), resolve("portable").cost({"call": 1})
    atoms, cost = (
        atoms_of(cut_calls(found.calls), with_maps=True),
        lambda groups: sum(group.best.cost + call for group in groups),
    )
    costs = []
    for ends in range(1 << (len(atoms) - 1)):
        runs, run = [], atoms[0]
        for i, atom in enumerate(atoms[1:]):
            runs, run = ([*runs, run], atom) if ends >> i & 1 else (runs, (*run, *atom))
        costs.append(cost(found._one(tuple(sorted(steps)), 1e10) for steps in (*runs, run)))
    assert found.refusals[0].why == "a crowd" and len(costs) > 2
    assert cost(found.groups) * (1 - TOLERANCES[2].gap) <= min(costs) <= cost(found.groups) <= costs[-1]


@pytest.mark.parametrize("most", (1e6, 3e7))
def test_what_is_known_ahead_is_no_part_of_what_is_not(most):
    """A weight that is computed of one constant and read by two products, of which one might be joined with it."""
    products = "matmul(relu(matmul(f32[3,4], %w: exp(softmax(const f32[4,4], axis=1)))), {})"
    text = products.format("reshape(reshape(%w) -> f32[16]) -> f32[4,4]")
    program = synthesize(text, most)
    assert program.is_partitioned and right(program)


def some(count, long, dear=()):
    """Numbers below `long`; in `make test` those below `count` that are not dear."""
    return [pytest.param(n, marks=[pytest.mark.long] * (n >= count or n in dear)) for n in range(long)]


DEAR = (1, 4, 5)  # networks whose search takes 5 to 15 s


@pytest.mark.parametrize("seed", range(40))
def test_a_network_is_its_own_text(seed):
    spec = gt.parse(random_network(np.random.default_rng(seed)))
    assert gt.parse(str(spec)) == spec and len(spec.graph.calls) > 1


@pytest.mark.parametrize("seed", some(8, 60))
def test_a_graph_has_a_right_program(seed):
    text = random_graph(np.random.default_rng((37, seed)), 12, 1 + seed % 12)
    found = examine(text, Session(resolve("portable"), 1 + seed % 2, "none"), 0)
    assert found["ok"], found


@pytest.mark.parametrize("seed", some(6, 40, DEAR))
def test_a_network_has_a_right_program(seed):
    text = random_network(np.random.default_rng((37, 1, seed)), 3)
    found = examine(text, Session(resolve("portable"), 1 + seed % 2, "none"), 0)
    assert found["ok"], found

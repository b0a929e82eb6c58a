"""Prices of a whole call: one count of bytes says where its arrays rest and what a line from there costs. Whoever asks
a table asks by them."""

import json
from dataclasses import replace

import griotte as gt
import pytest
from click.testing import CliRunner
from griotte.compiler.pricing import called_bytes, of_call
from griotte.compiler.session import Session
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.problem import problem
from griotte.engine.table import store as store_module
from griotte.engine.table.file import opened
from griotte.engine.table.keys import target_key
from griotte.engine.table.shipped import PackedAnswers, reading
from griotte.lang.text.text import parse
from griotte.machine.core import Calls
from griotte.tools.cli import main
from griotte.tools.scale.fill import fill
from griotte.tools.scale.goals import Goal
from griotte.tools.scale.shipping import Asked, ship
from machines import machine

SMALL = {"L1": 1 << 10, "L2": 1 << 12, "L3": 1 << 14}
CURVE = tuple((count << 10, 4.0 * 2**i) for i, count in enumerate((1, 4, 16, 64)))


def by_calls(name="avx2"):
    """A target with caches of 1, 4 and 16 KiB whose lines cost as many bytes as a call goes over say."""
    found = machine(name)
    levels = tuple(
        replace(level, capacity=SMALL[level.name], share=0.0 if level.name == "L3" else level.share)
        if level.name in SMALL
        else level
        for level in found.levels
    )
    crossing = replace(found.crossing, walked=1.0)
    return replace(found, levels=levels, largest_cache=None, crossing=crossing, calls=Calls(CURVE, (("memory", 1.5),)))


TARGET = by_calls()
GRAPHS = {
    "product": "matmul(f32[{n},8], f32[8,17])",
    "map": "exp(f32[{n},16])",
    "softmax": "softmax(f32[{n},16], axis=1)",
    "two products": "matmul(relu(matmul(f32[{n},8], f32[8,24])), f32[24,8])",
    "attention": "matmul(softmax(matmul(f32[{n},8], f32[8,{n}]), axis=1), f32[{n},8])",
    "two readers": "add(relu(matmul(f32[{n},8], f32[8,16])), exp(matmul(f32[{n},8], f32[8,16])))",
    "rotated": "rope(f32[{n},16], f32[{n},8], f32[{n},8])",
}


@pytest.mark.parametrize("kind", GRAPHS)
def test_lines_are_priced_from_the_level_where_arrays_rest(kind):
    """As a Spec grows: of one that needs whole intermediates too, at the sizes where these fall out of a cache."""
    met = set()
    for n in (*range(1, 40, 3), *range(40, 200, 8), 400, 1000):
        spec = parse(GRAPHS[kind].format(n=n))
        called, home = of_call(TARGET, spec, 1), problem(canonical_form(spec), TARGET).home
        assert called.crossing.rests == home, (n, called_bytes(spec))
        met.add(home)
    assert len(met) >= 3


def test_of_a_dynamic_size_it_is_that_of_its_bound():
    spec = parse("matmul(f32[<=512,8], f32[8,16])")
    assert of_call(TARGET, spec, 1).crossing.rests == problem(canonical_form(spec), TARGET).home


def test_a_machine_with_one_price_a_level_stays_as_it_is():
    plain = replace(TARGET, calls=Calls())
    assert of_call(plain, parse(GRAPHS["product"].format(n=9)), 2) is plain
    session = Session(plain)
    assert session.of_call(parse(GRAPHS["product"].format(n=9))) is session


SPECS = [str(parse(GRAPHS[kind].format(n=n))) for kind, n in (("product", 3), ("product", 70), ("map", 300))]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, with nothing beneath it."""
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    monkeypatch.setenv("GRIOTTE_SHIPPED", "none")
    monkeypatch.delenv("GRIOTTE_TABLE", raising=False)
    yield tmp_path
    for path in tmp_path.rglob("*.griotte"):
        opened(path).close()


def test_these_have_prices_of_their_own():
    assert len({target_key(of_call(TARGET, parse(spec), threads)) for spec in SPECS for threads in (1, 2)}) >= 4


@pytest.mark.parametrize("threads", [1, 2])
def test_a_table_remembers_what_was_solved_by_prices_of_a_call(cache, threads):
    session = Session(TARGET, threads)
    for spec in map(parse, SPECS):
        assert not session.remembers(spec)
        gt.synthesize(spec, TARGET, threads=threads)
        assert session.remembers(spec) and not replace(session, threads=3).remembers(spec)


def test_a_list_is_solved_by_the_prices_that_are_asked_for(cache):
    table = cache / "list.griotte"
    goals = [Goal(spec, threads) for spec in SPECS for threads in (1, 2)]
    reports = list(fill(goals, Session(TARGET, table=table)))
    assert [report.error for report in reports] == [None] * len(goals)
    assert not any(report.skipped for report in reports)
    for goal in goals:
        found = gt.synthesize(goal.spec, TARGET, threads=goal.threads, table=table)
        assert found.stats["specs_solved"] == 0, goal
    assert all(report.skipped for report in fill(goals, Session(TARGET, table=table)))


def test_a_table_of_such_prices_is_solved_again(cache, monkeypatch):
    """By the target's file, which has a price a call, and no price that the table names."""
    from griotte.tools.commands.table import verify

    monkeypatch.setattr(verify, "resolved", lambda target: TARGET)
    table = cache / "list.griotte"
    list(fill([Goal(spec) for spec in SPECS], Session(TARGET, table=table)))
    answer = CliRunner().invoke(main, ["table", "verify", str(table), "--json"])
    found = json.loads(answer.stdout)
    assert answer.exit_code == 0 and found["ok"], answer.output
    assert sum(each["solved_again"] for each in found["replayed"]) == len(SPECS) and len(found["replayed"]) > 1


@pytest.fixture
def shipped(cache, monkeypatch):
    """A shipped table of such a machine."""
    answers = PackedAnswers()
    assert [why for _, why in ship(map(Asked, SPECS), TARGET, answers)] == [""] * len(SPECS)
    path = cache / "shipped.table"
    path.write_bytes(answers.packed({"machines": {}}))
    monkeypatch.setenv("GRIOTTE_SHIPPED", str(path))
    monkeypatch.setenv("GRIOTTE_CACHE", str(cache / "own"))
    reading._of.cache_clear()


def test_what_is_shipped_answers_by_prices_of_calls(shipped):
    for spec in SPECS:
        told, own = (gt.synthesize(spec, TARGET, table=table) for table in (None, "none"))
        assert told.stats["specs_solved"] == 0 < own.stats["specs_solved"]
        assert told.cost == own.cost and str(told) == str(own)
        assert Session(TARGET).remembers(parse(spec)) and not Session(TARGET, 2).remembers(parse(spec))


def test_what_is_shipped_of_another_machine_is_asked_by_its_prices_of_a_call(shipped, monkeypatch):
    monkeypatch.setattr(store_module, "near", lambda target: [TARGET])
    other = replace(TARGET, coefficients=tuple((name, 1.5 * cost) for name, cost in TARGET.coefficients))
    for spec in SPECS:
        assert gt.synthesize(spec, other, effort=0).stats["specs_solved"] == 0
    assert gt.synthesize(GRAPHS["product"].format(n=71), other, effort=0).stats["specs_solved"] > 0

"""Programs that the shipped table has of another machine: priced by one's own at effort 0, and never taken for the
best."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.compiler.session import Session
from griotte.compiler.synthesis import searched
from griotte.engine.program.interpret import interpret
from griotte.engine.table import store as store_module
from griotte.engine.table.file import opened
from griotte.engine.table.shipped import PackedAnswers, reading
from griotte.engine.table.shipped.layout import packed, patches_of, read, written
from griotte.engine.table.shipped.machines import machines, near
from griotte.lang.text.text import parse
from griotte.tools.scale.shipping import Asked, ship
from machines import machine

TARGET = machine("avx2")
OTHER = replace(TARGET, coefficients=tuple((name, 1.5 * cost) for name, cost in TARGET.coefficients))
SPEC = str(gt.synthesize("matmul(f32[9,8], f32[8,17])", TARGET, table="none").spec)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A table that has a Spec of TARGET, beneath an empty cache; TARGET is near to every machine."""
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GRIOTTE_TABLE", raising=False)
    answers = PackedAnswers()
    assert [why for _, why in ship([Asked(SPEC)], TARGET, answers)] == [""]
    path = tmp_path / "shipped.table"
    path.write_bytes(answers.packed({"machines": {}}))
    monkeypatch.setenv("GRIOTTE_SHIPPED", str(path))
    monkeypatch.setattr(store_module, "near", lambda target: [TARGET])
    reading._of.cache_clear()
    yield path
    opened(tmp_path / "cache/tables/default.griotte").close()


def soon(spec=SPEC, target=OTHER):
    return searched(parse(spec), Session(target, effort=0))


def test_a_program_of_a_machine_like_this_is_priced_by_this_ones(path):
    program, theirs = soon(), searched(parse(SPEC), Session(TARGET, table="none"))
    assert program.stats["specs_solved"] == 0
    assert program.cost > theirs.cost, "its own prices are dearer"
    assert program.cost >= searched(parse(SPEC), Session(OTHER, table="none")).cost
    x, y = (np.random.default_rng(0).random(shape, np.float32) for shape in ((9, 8), (8, 17)))
    assert np.allclose(interpret(program.root, program.spec, x, y, target=OTHER), x @ y, rtol=1e-5)


def test_it_is_no_answer_to_a_search(path):
    whole = searched(parse(SPEC), Session(OTHER))
    assert whole.stats["specs_solved"] > 0
    assert whole.cost == searched(parse(SPEC), Session(OTHER, table="none")).cost


def test_what_goes_beyond_it_is_searched_for(path):
    costs = [each.cost for each in soon().alternatives(3)]
    assert len(costs) == 3


def test_what_is_not_there_is_of_the_small_space(path):
    assert soon("matmul(f32[9,8], f32[8,13])").stats["specs_solved"] > 0


def test_decisions_that_cannot_be_are_of_the_small_space(path, recwarn):
    layout = read(path.read_bytes())
    keys = [f"{int(key):016x}" for key in layout.keys]
    records = {key: layout.record(key) for key in keys}
    wrong = lambda p: replace(p, boxes=replace(p.boxes, value=np.full_like(p.boxes.value, 4000)))
    bad = {
        key: written(map(wrong, patches_of(data))) if data[4:8] == b"grio" else data for key, data in records.items()
    }
    path.write_bytes(packed(layout.header, bad))
    assert soon().stats["specs_solved"] > 0


def test_near_are_those_with_as_many_registers_as_wide():
    wide = machines()["zen5"].target
    other = replace(wide, coefficients=tuple((name, 2 * cost) for name, cost in wide.coefficients))
    assert {each.vector_bytes for each in near(other)} == {64} and wide in near(other)
    assert list(near(replace(wide, registers=7))) == []

"""The table that is shipped is the one that the list, the space and the machines of now make."""

from pathlib import Path

import pytest
from griotte.compiler.pricing import of_call
from griotte.compiler.session import Session
from griotte.compiler.synthesis import searched
from griotte.engine.table.keys import space
from griotte.engine.table.shipped.keys import goal_key
from griotte.engine.table.shipped.reading import OWN, Shipped
from griotte.lang.text.text import parse
from griotte.tools.scale.shipping import MACHINES, Asked, listed, listing, told_of

LIST = Path(__file__).parents[3] / "benchmarks/shipped.jsonl"
STALE = "it was made of another {}: run make table, and commit the file that it writes"


@pytest.fixture(scope="module")
def every():
    return listed(LIST)


@pytest.fixture(scope="module")
def layout():
    found = Shipped(OWN).layout
    assert found is not None, f"expected {OWN}, found none that is whole; run make table"
    return found


def test_it_is_of_this_space(layout):
    assert layout.header["space"] == space(), STALE.format("version of the space")


def test_it_is_of_these_machines(layout, every):
    told = {name: told_of(shape, sum(name in each.machines for each in every)) for name, shape in MACHINES.items()}
    assert layout.header["machines"] == told, STALE.format("list, or of machines with other prices")


def test_it_has_the_whole_list(layout, every):
    targets = {name: shape.target for name, shape in MACHINES.items()}
    for each in every:
        for name in each.machines:
            called = of_call(targets[name], parse(each.spec), 1)
            keys = (goal_key(each.spec, 1, home, called) for home in range(1, len(called.levels)))
            assert any(layout.record(key) is not None for key in keys), f"{each.spec}: {STALE.format('list')}"


@pytest.mark.parametrize("name", MACHINES)
def test_what_it_answers_is_what_a_search_finds(name, every, tmp_path, monkeypatch):
    """Of a few that are searched quickly."""
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    monkeypatch.setenv("GRIOTTE_SHIPPED", str(OWN))
    monkeypatch.delenv("GRIOTTE_TABLE", raising=False)
    target = MACHINES[name].target
    of = sorted((each.spec for each in every if name in each.machines and not each.as_one), key=len)
    for text in of[:: len(of) // 6]:
        told, own = (searched(parse(text), Session(target, table=table)) for table in (None, "none"))
        assert told.stats["specs_solved"] == 0 < own.stats["specs_solved"], text
        assert told.cost == own.cost and str(told) == str(own), text


def test_it_is_small():
    assert OWN.stat().st_size < 3 << 20


def test_a_list_is_read_as_it_was_written(tmp_path):
    asked = [Asked("exp(f32[3])", 1, True, ("zen5",)), Asked("add(f32[2], f32[2])")]
    path = tmp_path / "list"
    path.write_text(listing(asked))
    assert listed(path) == asked

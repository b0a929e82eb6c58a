"""Whole table files: joined, pruned, written as rows, checked."""

import csv
import sys

import griotte as gt
import pyarrow.ipc
import pyarrow.parquet
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.replay import replay
from griotte.engine.table.contents import reading
from griotte.engine.table.export import COLUMNS, export
from griotte.engine.table.store import Store
from griotte.engine.table.whole_files import check, merge, prune
from griotte.lang.text.text import parse
from griotte.machine import named
from griotte.support.errors import TableError
from tables import SPECS, Family, change, digests, falsify, made, patch

BIGGER = "matmul(f32[18,8], f32[8,17])"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return made(tmp_path_factory.mktemp("table") / "t.griotte")


@pytest.fixture
def table(whole, tmp_path):
    """A copy to do harm to."""
    path = tmp_path / "t.griotte"
    path.write_bytes(whole.read_bytes())
    return path


def known(path, spec=SPECS[0], target="portable"):
    return gt.synthesize(spec, target, table=str(path)).stats["specs_solved"] == 0


def test_a_merged_table_answers_for_both(tmp_path):
    one, two = made(tmp_path / "one.griotte", SPECS[0]), made(tmp_path / "two.griotte", SPECS[1])
    into = tmp_path / "into.griotte"
    done = merge(into, [one, two])
    assert digests(into) == digests(one) | digests(two) and done.added == len(digests(into)) and done.known == 0
    again = merge(into, [two, one])
    assert (again.added, again.known) == (0, done.added)
    assert known(into, SPECS[0]) and known(into, SPECS[1])
    with reading(into) as contents:
        assert len(contents.goals()) == 2


def test_a_larger_patch_takes_the_place_of_those_it_covers(table, tmp_path):
    larger = made(tmp_path / "larger.griotte", BIGGER)
    merge(larger, [table])
    into = tmp_path / "into.griotte"
    merge(into, [table, larger])
    assert digests(into) <= digests(table) | digests(larger)
    assert known(into, BIGGER) and known(into) and check(into).problems == []


def test_targets_stay_apart(table, tmp_path):
    other = tmp_path / "other.griotte"
    gt.synthesize(SPECS[0], "avx2", table=str(other))
    merge(table, [other])
    with reading(table) as contents:
        assert sorted(c.name for c in contents.contexts()) == ["avx2", "portable"]
    assert known(table, target="avx2") and known(table, target="portable")


def test_merge_skips_damaged_rows_and_says_so(table, tmp_path):
    change(table, "UPDATE patch SET data = substr(data, 2) WHERE id = (SELECT min(id) FROM patch)")
    done = merge(tmp_path / "into.griotte", [table])
    assert len(done.complaints) == 1 and "a damaged one (row " in done.complaints[0]
    assert check(tmp_path / "into.griotte").problems == []


def test_merge_mends_damaged_rows_of_the_table_that_it_adds_to(table, whole):
    change(table, "UPDATE patch SET data = substr(data, 2) WHERE id = (SELECT min(id) FROM patch)")
    done = merge(table, [whole])
    assert done.added == 1 and digests(table) == digests(whole) and check(table).problems == []


def test_merge_refuses_before_it_begins(table, tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("to do")
    with pytest.raises(TableError, match="another kind of file"):
        merge(tmp_path / "into.griotte", [table, notes])
    with pytest.raises(TableError, match="expected a table, found no file"):
        merge(tmp_path / "into.griotte", [table, tmp_path / "none"])
    assert not (tmp_path / "into.griotte").exists() and notes.read_text() == "to do"
    with pytest.raises(TableError, match="found itself"):
        merge(table, [table])


def test_prune_drops_old_versions_alone(table, tmp_path):
    assert prune(table)[0] == [] and known(table)
    merge(tmp_path / "old.griotte", [made(tmp_path / "second.griotte")])
    change(tmp_path / "old.griotte", "UPDATE context SET space = ?", "0" * 32)
    merge(table, [tmp_path / "old.griotte"])
    dropped, before, after = prune(table)
    assert [c.space for c in dropped] == ["0" * 32] and after < before and known(table)
    assert len(prune(table, everything=True)[0]) == 1 and digests(table) == set()


def test_a_pruned_contexts_number_is_not_given_away(table):
    change(table, "UPDATE context SET space = ?", "0" * 32)
    with reading(table) as contents:
        (old,) = contents.contexts()
    prune(table)
    assert not known(table)
    with reading(table) as contents:
        assert {row.context for row in contents.rows()}.isdisjoint({old.id})


def test_export_writes_the_same_rows_in_every_form(table, tmp_path):
    rows, complaints = export(table, tmp_path / "t.csv")
    with open(tmp_path / "t.csv", newline="") as file:
        found = list(csv.DictReader(file))
    assert tuple(found[0]) == COLUMNS and len(found) == rows and complaints == []
    export(table, tmp_path / "t.parquet")
    export(table, tmp_path / "t.arrow")
    parquet = pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pylist()
    assert parquet == pyarrow.ipc.open_file(tmp_path / "t.arrow").read_all().to_pylist() and len(parquet) == rows
    for text, row in zip(found, parquet):
        assert text == {k: " ".join(map(str, v)) if isinstance(v, list) else str(v) for k, v in row.items()}


def test_exported_boxes_are_those_of_the_table(table, tmp_path):
    export(table, tmp_path / "t.parquet")
    exported = pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pylist()
    at = 0
    with reading(table) as contents:
        for row in contents.rows():
            patch = row.patch()
            for low, high, value in zip(
                patch.boxes.low.tolist(), patch.boxes.high.tolist(), patch.boxes.value.tolist()
            ):
                found, axes = exported[at], len(patch.sizes)
                assert found["low"] == [axis[i] for axis, i in zip(patch.sizes, low)]
                assert found["high"] == [axis[i - 1] for axis, i in zip(patch.sizes, high)]
                assert found["step_low"] == low[axes:] and len(found["levels"]) == len(low) - axes
                assert found["kind"] == ("none" if value < 0 else "edge" if value < 4096 else "tile")
                assert found["number"] == (value if value < 4096 else patch.tiles[found["axis"]][(value - 4096) % 256])
                at += 1
    assert at == len(exported)


def test_export_wants_a_known_ending_and_leaves_nothing_half_written(table, tmp_path):
    with pytest.raises(TableError, match="ends in .csv or .parquet or .arrow, found .*t.xlsx"):
        export(table, tmp_path / "t.xlsx")
    change(table, "UPDATE patch SET digest = 'x' WHERE id = (SELECT min(id) FROM patch)")
    assert len(export(table, tmp_path / "t.csv")[1]) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv", "t.griotte"]


def test_export_without_pyarrow(table, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TableError, match=r"expected pyarrow .*griotte\[table\]"):
        export(table, tmp_path / "t.parquet")
    assert export(table, tmp_path / "t.csv")[0] > 0


def test_a_whole_table_has_no_problems(whole):
    found = check(whole)
    assert found.problems == [] and found.patches == len(digests(whole)) and len(found.goals) == len(SPECS)


@pytest.mark.parametrize(
    "statement, problem",
    [
        ("UPDATE patch SET data = zeroblob(9) WHERE id = ?", "its digest does not fit"),
        ("UPDATE patch SET points = points + 1 WHERE id = ?", "its counts are not the patch's"),
        ("UPDATE patch SET context = 99 WHERE id = ?", "it is of no target"),
    ],
)
def test_a_damaged_row_is_named(table, statement, problem):
    with reading(table) as contents:
        row = next(contents.rows()).id
    change(table, statement, row)
    assert check(table).problems == [f"patch {row}: {problem}"]


def test_what_a_check_holds_of_a_family_is_in_the_order_in_which_it_is_believed(tmp_path):
    store, key = Store(tmp_path / "t.griotte", named("portable")), "a1" * 16
    for values, sizes in (([1, 2], (1, 2)), ([4, 5], (3, 5)), ([6], (7,))):
        store.keep((key, Family, patch(values, sizes)))
    (held,) = check(store.file.path).held.values()
    decisions = lambda patches: [p.boxes.dense().tolist() for p in patches]
    assert decisions(held[key]) == decisions(store.load(key)) == [[6], [4, 5], [1, 2]]


def test_replay_finds_a_wrong_decision(table):
    spec, target = canonical_form(parse(SPECS[0])), named("portable")
    (held,) = check(table).held.values()
    right = replay(spec, target, 1, held)
    assert right.wrong == () and right.specs > 0 and right.families <= set(held)
    falsify(table)
    found = check(table)
    assert found.problems == [] and len(replay(spec, target, 1, *found.held.values()).wrong) >= 1

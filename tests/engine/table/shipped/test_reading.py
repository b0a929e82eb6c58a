"""The table that comes with griotte: what it answers, for whom, and that whatever is wrong with it costs time alone."""

import json
import multiprocessing
import sqlite3
import sys
import warnings
from contextlib import closing
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.compiler.session import Session
from griotte.engine.table import keys as table_keys
from griotte.engine.table.file import opened
from griotte.engine.table.shipped import PackedAnswers, reading, shipped
from griotte.engine.table.shipped.layout import MAGIC, packed, read
from griotte.engine.table.store import CachedStore
from griotte.support.errors import NoProgramError, TableWarning
from griotte.tools.scale.shipping import Asked, ship
from machines import machine

TARGET = machine("avx2")
PRODUCT, SUM, GRAPH = "matmul(f32[9,8], f32[8,17])", "sum(f32[5,33], axis=1)", "relu(add(f32[3,7], f32[7]))"
SPECS = [str(gt.synthesize(text, TARGET, table="none").spec) for text in (PRODUCT, SUM, GRAPH)]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A table of three Specs, as bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRIOTTE_CACHE", str(tmp_path_factory.mktemp("solved")))
        answers = PackedAnswers()
        told = list(ship([Asked(spec) for spec in SPECS], TARGET, answers))
        assert [why for _, why in told] == ["", "", ""]
        return answers.packed({"machines": {}})


@pytest.fixture
def path(data, tmp_path, monkeypatch):
    """A shipped table beneath an empty cache."""
    path = tmp_path / "shipped.table"
    path.write_bytes(data)
    monkeypatch.setenv("GRIOTTE_SHIPPED", str(path))
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GRIOTTE_TABLE", raising=False)
    reading._of.cache_clear()
    yield path
    own = tmp_path / "cache/tables/default.griotte"
    if own.exists():
        opened(own).close()


def solved(text, target=TARGET, **asked):
    return gt.synthesize(text, target, **asked)


def told(text=PRODUCT, target=TARGET) -> tuple[list[str], object]:
    """What is warned of, and the program."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        program = solved(text, target)
    return [str(one.message) for one in caught if issubclass(one.category, TableWarning)], program


def right(program, text=PRODUCT) -> bool:
    """Whether it is the program that a search from nothing finds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRIOTTE_SHIPPED", "none")
        own = solved(text, table="none")
    return str(own) == str(program) and own.cost == program.cost


@pytest.mark.parametrize("text", [PRODUCT, SUM, GRAPH])
def test_an_answer_is_that_of_a_search_to_the_bit(path, text):
    program = solved(text)
    assert program.stats["specs_solved"] == 0 and right(program, text)


def test_a_spec_that_it_lacks_is_solved_and_kept(path):
    other = "matmul(f32[9,8], f32[8,13])"
    assert solved(other).stats["specs_solved"] > 0
    assert solved(other).stats["specs_solved"] == 0


def test_nothing_of_it_goes_into_the_table_of_the_user(path, tmp_path):
    before = path.read_bytes()
    solved(PRODUCT)
    with closing(sqlite3.connect(tmp_path / "cache/tables/default.griotte")) as db:
        there = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in there & {"patch", "family", "choice", "use", "goal"}:
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    assert path.read_bytes() == before


def test_the_users_own_goes_before(path, monkeypatch):
    monkeypatch.setenv("GRIOTTE_SHIPPED", "none")
    solved(PRODUCT)
    monkeypatch.setenv("GRIOTTE_SHIPPED", str(path))
    monkeypatch.setattr(reading.Shipped, "patches", lambda *_: pytest.fail("the user's table answers"))
    assert solved(PRODUCT).stats["specs_solved"] == 0


def test_others_than_the_best_are_searched_for(path):
    program = solved(PRODUCT)
    assert program.stats["specs_solved"] == 0
    others = [each.cost for each in program.alternatives(4)]
    assert others == [each.cost for each in solved(PRODUCT, table="none").alternatives(4)]


def test_a_table_that_is_named_has_nothing_beneath_it(path, tmp_path):
    assert solved(PRODUCT, table=str(tmp_path / "own.griotte")).stats["specs_solved"] > 0
    assert solved(PRODUCT, table="none").stats["specs_solved"] > 0


def test_a_model_asks_it_before_it_starts_processes(path):
    store = Session(TARGET).store
    assert store.remembers(SPECS[0], 1) and not store.remembers(SPECS[0], 2) and not store.remembers("exp(f32[3])", 1)


# ---- for whom --------------------------------------------------------------------------------------------------------


def without(**fields):
    return replace(TARGET, **fields)


def test_a_cache_beyond_all_arrays_does_not_count(path):
    far = [replace(level, capacity=4 * level.capacity) if level.name == "L3" else level for level in TARGET.levels]
    other = without(levels=tuple(far), largest_cache=1 << 30, name="other", flags=("-O2",))
    assert solved(PRODUCT, other).stats["specs_solved"] == 0
    near = [replace(level, capacity=level.capacity // 2) if level.name == "L1" else level for level in TARGET.levels]
    assert solved(PRODUCT, without(levels=tuple(near))).stats["specs_solved"] > 0


def test_another_price_is_another_machine(path):
    dearer = tuple((name, 2 * cost if name == "call" else cost) for name, cost in TARGET.coefficients)
    assert solved(PRODUCT, without(coefficients=dearer)).stats["specs_solved"] > 0


def test_kernels_of_other_dtypes_do_not_count(path):
    fewer = tuple(k for k in TARGET.kernels if k.inputs is None or "f32" in k.inputs)
    assert len(fewer) < len(TARGET.kernels)
    assert solved(PRODUCT, without(kernels=fewer)).stats["specs_solved"] == 0
    bytes_of = "matmul(u8[9,8], s8[8,17]) -> s32[9,17]"
    assert solved(bytes_of, without(kernels=fewer)).stats["specs_solved"] > 0


@pytest.mark.parametrize("text", [PRODUCT, GRAPH, "conv2d(f32[1,3,9,9], f32[5,3,3,3])", "softmax(f32[7,30])"])
@pytest.mark.parametrize("times", [0.5, 16])
def test_programs_are_the_same_where_the_key_is(text, times):
    """What the key leaves out changes nothing."""
    far = tuple(
        replace(level, capacity=int(times * level.capacity)) if level.name in ("L2", "L3") else level
        for level in TARGET.levels
    )
    one, other = (solved(text, target, table="none") for target in (TARGET, without(levels=far)))
    assert one.cost == other.cost and str(one.root) == str(other.root)


# ---- harm ------------------------------------------------------------------------------------------------------------

HARM = {
    "empty": lambda data: b"",
    "another kind": lambda data: b"PK\3\4" + data,
    "truncated": lambda data: data[: len(data) // 2],
    "a byte changed": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
    "a header changed": lambda data: data.replace(b'"records"', b'"recordz"'),
    "no header": lambda data: MAGIC + table_keys.digest(b"\0\0\0\0").encode() + b"\0\0\0\0",
}


@pytest.mark.parametrize("harm", HARM)
def test_what_is_damaged_is_told_once_and_solved(path, harm):
    path.write_bytes(HARM[harm](path.read_bytes()))
    warned, program = told()
    assert len(warned) == 1 and "install griotte again" in warned[0] and str(path) in warned[0]
    assert program.stats["specs_solved"] > 0 and right(program)
    assert told(SUM)[0] == []


def test_one_that_cannot_be_read_is_told_once(path):
    path.unlink()
    path.mkdir()
    warned, program = told()
    assert len(warned) == 1 and right(program)


def test_none_at_all_is_no_fault(path):
    path.unlink()
    warned, program = told()
    assert warned == [] and right(program)


def test_one_of_another_version_answers_nothing_and_is_no_fault(path):
    layout = read(path.read_bytes())
    path.write_bytes(packed({**layout.header, "space": "of another version"}, {}))
    warned, program = told()
    assert warned == [] and program.stats["specs_solved"] > 0 and right(program)
    assert not shipped().is_current


def test_own_rewrites_are_another_space(path, monkeypatch):
    monkeypatch.setattr(reading, "space", lambda: "with another rewrite")
    assert solved(PRODUCT).stats["specs_solved"] > 0


def forged(path, change):
    """Every patch of the file changed, under digests that fit."""
    layout = read(path.read_bytes())
    records = {}
    for n, key in enumerate(layout.keys):
        record = layout.record(f"{int(key):016x}")
        records[f"{int(key):016x}"] = change(record) if record[4:8] == b"grio" else record
        assert n < len(layout)
    path.write_bytes(packed(layout.header, records))


def decisions(change):
    from griotte.engine.table.shipped.layout import patches_of, written

    def changed(record):
        return written([replace(p, boxes=replace(p.boxes, value=change(p.boxes.value))) for p in patches_of(record)])

    return changed


FORGERIES = {
    "an edge that there is not": decisions(lambda value: np.full_like(value, 4000)),
    "a tile that there is not": decisions(lambda value: np.full_like(value, 4096 + 255)),
    "a dimension that there is not": decisions(lambda value: np.full_like(value, 4096 + 31 * 256)),
    "no program": decisions(lambda value: np.full_like(value, -1)),
    "a record that is none": lambda record: record[:-3],
    "bytes": lambda record: b"\7" * len(record),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_what_cannot_be_is_told_once_and_solved(path, forgery):
    forged(path, FORGERIES[forgery])
    warned, program = told()
    assert len(warned) == 1 and "install griotte again" in warned[0]
    assert right(program) and told()[0] == []


def test_a_spec_without_a_program_is_refused_and_no_fault(path):
    few = without(registers=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(NoProgramError):
            solved(PRODUCT, few)


def test_a_folder_that_cannot_be_written(path, monkeypatch):
    path.chmod(0o444)
    path.parent.joinpath("cache").mkdir()
    path.parent.chmod(0o555)
    try:
        assert solved(PRODUCT).stats["specs_solved"] == 0
        assert sorted(p.name for p in path.parent.iterdir()) == ["cache", "shipped.table"]
    finally:
        path.parent.chmod(0o755)


def _cost(text):
    program = solved(text)
    return program.stats["specs_solved"], program.cost


def test_two_processes_at_once(path):
    with multiprocessing.get_context("spawn").Pool(2, initializer=sys.path.extend, initargs=(sys.path,)) as pool:
        found = pool.map(_cost, [PRODUCT, PRODUCT, SUM, GRAPH], chunksize=1)
    assert [specs for specs, _ in found] == [0] * 4
    assert found[0] == found[1]


def test_it_is_opened_when_something_is_asked(path, monkeypatch):
    asked = []
    monkeypatch.setattr(reading, "read", lambda data: asked.append(len(data)) or read(data))
    store = CachedStore(path.with_name("t.griotte"), TARGET)
    assert asked == []
    store.remembers("exp(f32[3])", 1)
    store.remembers("exp(f32[4])", 1)
    assert len(asked) == 1


def test_the_file_is_the_same_whoever_makes_it(data, tmp_path, monkeypatch):
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    answers = PackedAnswers()
    assert all(not why for _, why in ship([Asked(spec) for spec in SPECS], TARGET, answers))
    assert answers.packed({"machines": {}}) == data
    assert json.loads(json.dumps(read(data).header)) == read(data).header

"""The table in the user's cache: what it keeps of a search, what it notes of use, and what it gives up."""

import multiprocessing
import shutil
import time

import griotte as gt
import numpy as np
import pytest
from griotte.engine.search.reached import Reaching
from griotte.engine.table import store as module
from griotte.engine.table.contents import reading
from griotte.engine.table.file import File, opened
from griotte.engine.table.store import CachedStore, drop_families, held_families
from griotte.engine.table.table import Table
from griotte.engine.table.whole_files import check
from griotte.runtime import cache_size
from machines import machine
from tables import Family, patch

TARGET = machine("avx2")
KEYS = ONE, TWO, THREE = "a1" * 16, "b2" * 16, "c3" * 16


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.griotte"


@pytest.fixture
def clock(monkeypatch):
    """The time, as a list of one number."""
    now = [1_000_000]
    monkeypatch.setattr(module, "_now", lambda: now[0])
    return now


@pytest.fixture
def store(path, clock):
    """A store that a search has written three families to."""
    store = CachedStore(path, TARGET)
    for key in KEYS:
        store.keep((key, Family, patch([1, 2, 3])))
    return store


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    yield tmp_path / "tables" / "default.griotte"
    opened(tmp_path / "tables" / "default.griotte").close()


def keys(path) -> set[str]:
    return {family.key for family in held_families(path)}


def test_what_no_spec_meets_goes(path, store):
    store.select({ONE: (Family, store.load(ONE))}, [TWO])
    assert keys(path) == {ONE, THREE}, "what another search is at stays"
    with reading(path) as contents:
        assert {key for _, key, *_ in contents.families()} == {ONE, THREE}


def test_what_another_spec_met_stays(path, store):
    store.select({ONE: (Family, []), TWO: (Family, [])}, [])
    store.select({THREE: (Family, [])}, [ONE, TWO])
    assert keys(path) == set(KEYS) and all(family.is_met for family in held_families(path))


def test_what_was_dropped_meanwhile_is_kept_again(path, store):
    patches = store.load(ONE)
    CachedStore(path, TARGET).select({TWO: (Family, [])}, [ONE])
    assert ONE not in keys(path)
    store.select({ONE: (Family, patches)}, [])
    assert ONE in keys(path) and [p.boxes.dense().tolist() for p in store.load(ONE)] == [[1, 2, 3]]


def test_use_is_noted_once_the_last_note_is_old(path, store, clock):
    store.select({key: (Family, []) for key in KEYS}, [])
    clock[0] += module.STAMP_S // 2
    store.load(ONE)
    store.settle(False)
    assert {family.at for family in held_families(path)} == {1_000_000}
    clock[0] += module.STAMP_S
    store.load(ONE)
    store.load(TWO, asked=False)  # by a search, not for an answer
    store.settle(False)
    assert {family.key: family.at for family in held_families(path)} == {
        ONE: clock[0],
        TWO: 1_000_000,
        THREE: 1_000_000,
    }


def test_what_is_given_up_gives_its_room_back(path, clock):
    store = CachedStore(path, TARGET)
    for number in range(300):
        store.keep((f"{number:032x}", Family, patch(range(number, number + 300), tuple(range(1, 301)))))
    store.file.settle()
    before, families = path.stat().st_size, held_families(path)
    assert 0.9 * before < sum(family.bytes for family in families) < 1.1 * before
    drop_families(path, families[:-1])
    assert [family.key for family in held_families(path)] == [families[-1].key]
    assert path.stat().st_size < before / 3


def test_a_table_made_before_tables_could_shrink_does_so_too(path, clock):
    file = opened(path)
    file._db.execute("PRAGMA auto_vacuum = NONE")
    file._db.execute("VACUUM")
    test_what_is_given_up_gives_its_room_back(path, clock)


def test_it_is_rewritten_only_where_that_is_asked_for(path):
    """That takes as long as the whole file is large; after a search nobody waits for it."""
    file = opened(path)
    file._db.execute("PRAGMA auto_vacuum = NONE")
    file._db.execute("VACUUM")
    for anew, how in ((False, 0), (True, 2)):
        file.shrink(anew) if anew else file.shrink()
        assert file.rows("PRAGMA auto_vacuum") == [(how,)]


def test_what_was_used_meanwhile_is_not_given_up(path, store, clock):
    families = held_families(path)
    clock[0] += 1
    CachedStore(path, TARGET).select({ONE: (Family, [])}, [])
    drop_families(path, families)
    assert keys(path) == {ONE}


def test_a_table_from_before_use_was_noted_is_read_and_noted(path, clock):
    store = CachedStore(path, TARGET)
    store.keep((ONE, Family, patch([1, 2, 3])))
    store.file.write(lambda db: db.execute("DROP TABLE use"))
    store.file.close()
    again = CachedStore(path, TARGET)
    assert [(family.is_met, family.at) for family in held_families(path)] == [(False, 0)]
    assert again.load(ONE)
    again.settle(False)
    assert [(family.is_met, family.at) for family in held_families(path)] == [(True, clock[0])]


def test_a_table_that_may_only_be_read_answers(home, monkeypatch):
    gt.synthesize("exp(f32[33])", "portable")
    file = opened(home)
    file.write(lambda db: db.execute("DROP TABLE use"))
    file.close()
    file = opened(home)
    monkeypatch.setattr(file, "writable", False)
    with pytest.warns(gt.TableWarning, match="not kept"):
        assert gt.synthesize("exp(f32[33])", "portable").stats["specs_solved"] == 0
        gt.synthesize("exp(f32[34])", "portable")
    assert not list(home.parent.glob("*.damaged"))


SPECS = (
    ("matmul(f32[40,24], f32[24,32])", 1),
    ("matmul(f32[40,24], const f32[24,32])", 2),
    ("sum(f32[50,60], axis=0)", 2),
    ("softmax(f32[6,40])", 1),
    ("softmax(f32[6,40])", 2),
    ("matmul(f32[<=9,16], const f32[16,24])", 2),
    ("conv2d(f32[1,2,9,9], f32[3,2,3,3])", 1),
    ("matmul(bf16[3,8,24], bf16[3,24,16]) -> f32[3,8,16]", 2),
)


@pytest.mark.parametrize("text, threads", SPECS)
def test_asked_again_nothing_is_solved(home, text, threads):
    """Though most of what was solved is gone."""
    first = gt.synthesize(text, "avx2", threads)
    opened(home).close()
    again = gt.synthesize(text, "avx2", threads)
    assert again.stats["specs_solved"] == again.stats["families"] == 0
    assert str(again) == str(first) and again.cost == first.cost
    assert len(held_families(home)) < first.stats["families"] or first.stats["families"] < 5
    alone = gt.synthesize(text, "avx2", threads, table="none")
    assert str(alone) == str(first)


def test_other_sizes_on_the_ladders_are_lookups(home):
    first = gt.synthesize("matmul(f32[48,32], f32[32,48])", "avx2")
    for m in (32, 24, 16, 12, 3, 1):
        other = gt.synthesize(f"matmul(f32[{m},32], f32[32,48])", "avx2")
        assert other.stats["specs_solved"] == 0
    assert first.stats["specs_solved"] > 0


def test_a_search_that_meets_other_families_is_right(home):
    gt.synthesize("matmul(f32[40,24], f32[24,32])", "avx2")
    for text in ("matmul(f32[41,24], f32[24,32])", "matmul(f32[80,24], f32[24,32])"):
        found, alone = gt.synthesize(text, "avx2"), gt.synthesize(text, "avx2", table="none")
        assert str(found) == str(alone) and found.cost == alone.cost
        assert gt.synthesize(text, "avx2").stats["specs_solved"] == 0


# Two processes at once, in a cache that holds half of what they use ----------------------------------

TEXTS = [f"matmul(f32[{m},24], f32[24,{n}])" for m, n in ((8, 8), (9, 16), (10, 12), (16, 20), (20, 9), (24, 10))]


def use(seed, found):
    """Solve, compile and run, in an order of one's own."""
    cache_size.MOMENT_S, answers = 0.0, []
    for k in range(2 * len(TEXTS)):
        text = TEXTS[(k * (2 * seed + 5) + seed) % len(TEXTS)]
        program = gt.synthesize(text, "portable")
        arrays = [np.ones(t.shape, np.float32) for t in program.spec.inputs]
        answers.append((text, str(program), bool((program.compile()(*arrays) == 24).all())))
    found.put(answers)


def test_two_processes_share_a_cache_that_is_too_small(home, monkeypatch):
    whole = {text: gt.synthesize(text, "portable", table="none") for text in TEXTS}
    for program in whole.values():
        gt.synthesize(program.spec, "portable").compile()
    size = cache_size.usage().bytes
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", str(size // 2))
    opened(home).close()
    for folder in home.parent.parent.iterdir():
        shutil.rmtree(folder)
    fork = multiprocessing.get_context("fork")
    found = fork.Queue()
    both = [fork.Process(target=use, args=(seed, found)) for seed in (0, 1)]
    for process in both:
        process.start()
    answers = [answer for _ in both for answer in found.get(timeout=200)]
    for process in both:
        process.join()
    assert all(right and program == str(whole[text]) for text, program, right in answers)
    assert len(answers) == 4 * len(TEXTS) and cache_size.usage().bytes < 0.8 * size  # each may be one kernel over
    assert check(home).problems == []


# Written at the end of a search ----------------------------------------------------------------------

LARGE = "softmax(add(matmul(f32[48,40], f32[40,56]), f32[56]), axis=1)"


def test_nothing_is_written_before_a_search_ends(home, monkeypatch):
    seen, reached = [], Reaching.reached

    def looked(self, *given):
        seen.append(len(held_families(home)))
        return reached(self, *given)

    monkeypatch.setattr(Reaching, "reached", looked)
    found = gt.synthesize(LARGE, "avx2")
    held = held_families(home)
    assert seen and not any(seen) and all(family.is_met for family in held)
    assert 0 < len(held) < found.stats["families"] / 2
    assert gt.synthesize(LARGE, "avx2").stats["specs_solved"] == 0


def test_what_was_held_of_a_family_and_what_is_solved_anew_are_both_read(home):
    """Of other ladders than those of the search before."""
    for m in (48, 50, 96, 47):
        text = f"matmul(f32[{m},40], f32[40,56])"
        found, alone = gt.synthesize(text, "avx2"), gt.synthesize(text, "avx2", table="none")
        assert str(found) == str(alone) and found.cost == alone.cost
    assert gt.synthesize("matmul(f32[50,40], f32[40,56])", "avx2").stats["specs_solved"] == 0
    assert check(home).problems == []


def loads(monkeypatch) -> list[tuple]:
    """The families that files are asked for, one by one."""
    found, rows = [], File.rows

    def asked(self, query, values=()):
        if query == module._PATCHES:
            found.append(values)
        return rows(self, query, values)

    monkeypatch.setattr(File, "rows", asked)
    return found


def test_a_search_asks_for_what_the_file_has_alone(home, monkeypatch):
    found, other = loads(monkeypatch), "matmul(f32[50,40], f32[40,56])"
    first = gt.synthesize("matmul(f32[48,40], f32[40,56])", "avx2")
    assert len(found) < 5 < first.stats["families"], "an answer is looked for before the search"
    held = {family.key for family in held_families(home)}
    found.clear()
    second = gt.synthesize(other, "avx2")
    assert 5 < len(found) < second.stats["families"] / 2
    assert sum(key in held for _, key in found) > 5 > sum(key not in held for _, key in found)
    assert str(second) == str(gt.synthesize(other, "avx2", table="none"))


def test_what_another_writes_during_a_search_is_solved_here_and_read_after_it(home, monkeypatch):
    ask, other = Table.ask, "softmax(add(matmul(f32[48,40], f32[40,56]), f32[56]), axis=0)"

    def asked(self, families):
        ask(self, families)
        if not held_families(home):
            monkeypatch.setattr(Table, "ask", ask)
            gt.synthesize(other, "avx2")

    monkeypatch.setattr(Table, "ask", asked)
    found = gt.synthesize(LARGE, "avx2")
    assert str(found) == str(gt.synthesize(LARGE, "avx2", table="none"))
    assert all(gt.synthesize(text, "avx2").stats["specs_solved"] == 0 for text in (LARGE, other))
    assert check(home).problems == []


def test_a_table_that_forgets_asks_for_all_again(path, store):
    table = Table(TARGET, 3, {}, store)
    assert store.absent([(ONE, 1), ("d4" * 16, 2)]) == {2}
    assert CachedStore(path, machine("portable")).absent([(ONE, 1)]) == {1}, "of another target"
    table._keys |= {1: ONE, 2: "d4" * 16}
    table.ask([1, 2])
    store.keep(("d4" * 16, Family, patch([1, 2, 3])))
    assert table.patches(1, fresh=True) and not table.patches(2, fresh=True)
    table.forget()
    assert table.patches(2)


def test_a_table_with_a_bound_on_memory_is_written_as_it_is_solved(home):
    bounded = gt.synthesize(LARGE, "avx2", memory="2GiB")
    assert str(bounded) == str(gt.synthesize(LARGE, "avx2", table="none"))
    assert gt.synthesize(LARGE, "avx2").stats["specs_solved"] == 0


def searched(ready, found):
    ready.wait()
    program = gt.synthesize(LARGE, "avx2")
    found.put((program.stats["specs_solved"], str(program)))


def test_of_two_processes_at_the_same_search_one_does_it(home):
    fork = multiprocessing.get_context("fork")
    ready, found = fork.Barrier(2), fork.Queue()
    both = [fork.Process(target=searched, args=(ready, found)) for _ in range(2)]
    for process in both:
        process.start()
    (one, text), (other, same) = sorted(found.get(timeout=200) for _ in both)
    for process in both:
        process.join()
    assert one == 0 < other and text == same


def test_a_search_that_is_killed_leaves_a_file_that_is_whole(home):
    """And the claim on it goes with its owner."""
    fork = multiprocessing.get_context("fork")
    ready, found = fork.Barrier(2), fork.Queue()
    victim = fork.Process(target=searched, args=(ready, found))
    victim.start()
    ready.wait()
    time.sleep(0.1)
    victim.kill()
    victim.join()
    program = gt.synthesize(LARGE, "avx2")
    assert str(program) == str(gt.synthesize(LARGE, "avx2", table="none"))
    assert check(home).problems == []


def test_a_search_that_a_bound_holds_keeps_what_answers_and_larger_searches_read(home, monkeypatch):
    """It too solves the limits that it meets; what it met at fewer than another does is no answer to that."""
    monkeypatch.setattr("griotte.support.memory.Memory.relax", lambda memory, most: None)
    text, wider = "matmul(f32[12,31], f32[31,20])", "add(matmul(f32[12,31], f32[31,20]), f32[20])"
    plain = [gt.synthesize(each, TARGET, table="none") for each in (text, wider)]
    bound = [gt.synthesize(each, TARGET, memory="2GiB") for each in (text, wider)]
    assert [str(each) for each in bound] == [str(each) for each in plain]
    again = [gt.synthesize(each, TARGET) for each in (text, wider)]
    assert [str(each) for each in again] == [str(each) for each in plain]
    assert bound[0].stats["specs_solved"] == plain[0].stats["specs_solved"]
    assert not any(each.stats["specs_solved"] for each in again)
    assert check(home).problems == []

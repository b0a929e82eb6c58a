"""Files whose digests fit and whose content cannot be: nothing crashes, nothing wrong is answered, one warning names
the file.

Each forgery changes the rows of a whole table and gives them digests anew. A decision changed into another that is
legal cannot be told without solving: then the program may be dearer, and is right.
"""

import json
import sqlite3
import warnings
import zlib
from contextlib import closing
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from features import skip_without
from griotte.engine.program.interpret import interpret as run_tree
from griotte.engine.table import STEPS, Boxes, Damaged, Patch
from griotte.engine.table.file import opened
from griotte.engine.table.store import row_digest
from griotte.lang.meaning.samples import random_arrays
from griotte.support.errors import TableWarning
from machines import machine

CASES = (
    ("scarce", "sum(f32[7,20], axis=1)", 1),
    ("two", "matmul(f32[3,4], f32[4,5])", 1),
    ("narrow", "exp(f32[5,40])", 1),
    ("paired", "sum(bf16[6,40], axis=0)", 1),
    ("wide", "transpose(f32[9,20])", 1),
)
OVER_THREADS = ("avx2", "matmul(f32[9,12], const f32[12,35])", 2)
LARGER = ("two", "matmul(f32[9,20], f32[20,35])", 1)
EACH = 25  # forgeries of a kind; in make test one of each case


# ---- a whole table, forged -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """By case: (the bytes of a table with it, its program)."""
    found = {}
    for case in (*CASES, OVER_THREADS, LARGER):
        path = tmp_path_factory.mktemp("whole") / "t.griotte"
        found[case] = program_of(case, path)[0], path.read_bytes()
    return found


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.griotte"


def program_of(case, path) -> tuple[gt.Program, list[str]]:
    """(the program that is answered with this table, what is told), by a process that opens the file for the first
    time."""
    name, text, threads = case
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = gt.synthesize(text, machine(name), threads, table=path)
        finally:
            opened(path).close()
    return found, [str(w.message) for w in caught if issubclass(w.category, TableWarning)]


def rows(path) -> list[tuple[int, str, bytes]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT id, key, data FROM patch ORDER BY id").fetchall()


def put(path, id: int, key: str, data: bytes) -> None:
    """Give a row other bytes, under a digest that fits."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE patch SET data = ?, digest = ? WHERE id = ?", (data, row_digest(key, data), id))


def choices(path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT key, value FROM choice").fetchall()


def choose(path, key: str, value) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(
            "UPDATE choice SET value = ?, digest = ? WHERE key = ?", (value, row_digest(key, str(value).encode()), key)
        )


def forge_some(path, rng, harm) -> None:
    """Do harm to some patches, or to all."""
    held = rows(path)
    some = rng.choice(len(held), size=rng.choice([1, 3, len(held) // 2 or 1, len(held)]), replace=False)
    for id, key, data in (held[i] for i in some):
        put(path, id, key, harm(Patch.decode(data), rng).encode())


def with_codes(patch: Patch, value) -> Patch:
    return replace(patch, boxes=replace(patch.boxes, value=np.asarray(value).astype(np.int16)))


def forge_all(path, code: int) -> None:
    """Make this the decision of all patches, everywhere."""
    for id, key, data in rows(path):
        patch = Patch.decode(data)
        put(path, id, key, with_codes(patch, np.full(len(patch.boxes.value), code)).encode())


# ---- what is done to the decisions of a patch ------------------------------------------------------------------------


def any_edge(patch, rng):
    """The numbers of edges, at random: most leave the Spec's own, or do not fit."""
    return with_codes(patch, rng.integers(0, 12, len(patch.boxes.value)))


def one_other(patch, rng):
    value = patch.boxes.value.copy()
    value[rng.integers(len(value))] = rng.integers(-1, 12)
    return with_codes(patch, value)


def no_edge(patch, rng):
    """Numbers of no edge and no tile."""
    value = patch.boxes.value.copy()
    value[rng.random(len(value)) < rng.random()] = rng.choice([99, 16383, 4095, 32767, -2, -3, -32768])
    return with_codes(patch, value)


def any_tile(patch, rng):
    """Loops at random, of tiles beyond the extent too, and over dimensions that there are not."""
    count = len(patch.boxes.value)
    return with_codes(patch, 4096 + 256 * rng.integers(0, 4, count) + rng.integers(0, 9, count))


def largest_tile(patch, rng):
    """A loop by the extent itself: it leaves the Spec that it came from."""
    d = int(rng.integers(0, max(1, len(patch.sizes))))
    return with_codes(
        patch, np.full(len(patch.boxes.value), 4096 + 256 * d + len(patch.tiles[d]) - 1 if patch.tiles else 4096)
    )


def no_limits(patch, rng):
    """What suits all memory free, at every limit and size."""
    return with_codes(patch, np.full(len(patch.boxes.value), patch.boxes.value[-1]))


def no_programs(patch, rng):
    value = patch.boxes.value.copy()
    value[rng.random(len(value)) < rng.choice([0.2, 1.0])] = -1
    return with_codes(patch, value)


def shuffled(patch, rng):
    return with_codes(patch, rng.permutation(patch.boxes.value))


def overlapping(patch, rng):
    """Boxes that reach to the end of the grid, over one another: who reads a point, and who reads all, see different
    ones."""
    high = np.broadcast_to(np.array(patch.boxes.shape, np.uint16), patch.boxes.high.shape).copy()
    return replace(patch, boxes=replace(patch.boxes, high=high, value=rng.permutation(patch.boxes.value)))


def other_axes(patch, rng):
    """Limits of other levels, of other steps, or sizes that are given to other dimensions."""
    way = rng.integers(3)
    if way == 0 or not patch.levels:
        return replace(patch, sizes=patch.sizes[::-1], tiles=patch.tiles[::-1])
    if way == 1:
        return replace(patch, levels=tuple(level + 1 for level in patch.levels))
    return replace(patch, steps=STEPS + 1)


HARM = (any_edge, one_other, no_edge, any_tile, largest_tile, no_limits, no_programs, shuffled, overlapping, other_axes)


# ---- and to rows -------------------------------------------------------------------------------------------------


def swapped(path, rng):
    """The patches of one family under the key of another."""
    held = rows(path)
    for (id, key, _), i in zip(held, rng.permutation(len(held))):
        put(path, id, key, held[i][2])


BAD_HEADERS = (
    {"steps": 10**9},
    {"steps": 0},
    {"steps": True},
    {"steps": 10**400},
    {"levels": list(range(10_000))},
    {"levels": [1, 1]},
    {"levels": [True]},
    {"levels": [-1]},
    {"levels": [float("nan")]},
    {"levels": 1},
    {"sizes": [list(range(1, 65_000))] * 4, "tiles": [[1]] * 4},
    {"sizes": [[1, 10**30]]},
    {"sizes": [[True, 2]]},
    {"sizes": {"m": 1}},
    {"points": 10**30},
    {"points": -1},
    {"boxes": 2**31},
    {"holes": [[[0, 70_000]]]},
    {"holes": [[[[0]]]]},
    {"holes": None},
)


def encoded(header: bytes, columns: bytes) -> bytes:
    return b"grio" + len(header).to_bytes(4, "little") + header + columns


def mutated(data: bytes, change: dict) -> bytes:
    """The bytes of a patch with other numbers in its header."""
    length = int.from_bytes(data[4:8], "little")
    return encoded(json.dumps(json.loads(data[8 : 8 + length]) | change).encode(), data[8 + length :])


DEEP = encoded(b"[" * 200_000, zlib.compress(b""))


def headers(path, rng):
    held = rows(path)
    for i in rng.choice(len(held), size=rng.choice([1, len(held)]), replace=False):
        id, key, data = held[i]
        put(path, id, key, DEEP if rng.random() < 0.2 else mutated(data, BAD_HEADERS[rng.integers(len(BAD_HEADERS))]))


BAD_CHOICES = (
    *("", "[" * 200_000, "9" * 5000, "-1", "7", "true", "1.5", "NaN"),
    '[["m"], [4.0]]',
    '[["m"], [true]]',
    '[["k"], [1]]',
    '[["m"], [5]]',
    '[["n", "m"], [4, 4]]',
    '[[["m"]], [{}]]',
    "[[], [1]]",
    b"\xff\xfe",
    "٣",
)


def small_answers(path, rng):
    """Choices: loops over threads, the place of a constant."""
    for key, _ in choices(path):
        choose(path, key, BAD_CHOICES[rng.integers(len(BAD_CHOICES))])


FORGERIES = {harm.__name__: lambda path, rng, harm=harm: forge_some(path, rng, harm) for harm in HARM} | {
    "swapped": swapped,
    "headers": headers,
    "small_answers": small_answers,
}


# ---- what must hold --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forged_file_answers_nothing_wrong(kind, whole, path, request):
    met = 0
    for seed in range(EACH if request.config.getoption("--all") else len(CASES) + 1):
        case = OVER_THREADS if kind == "small_answers" or seed == 0 else CASES[seed % len(CASES)]
        best, data = whole[case]
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        FORGERIES[kind](path, np.random.default_rng([seed, *kind.encode()]))
        found, told = program_of(case, path)
        met += bool(told)
        assert str(found) == str(best) or found.cost >= best.cost and not told, (kind, seed)
        assert len(told) == (found.stats["specs_solved"] > 0), (kind, seed, told)
        assert all(str(path) in message for message in told)
        if str(found) != str(best):
            is_right(found)
        again, more = program_of(case, path)
        assert not more and str(again) == str(found) and again.stats["specs_solved"] == 0, (kind, seed, more)
    assert met, "no forgery of this kind meets what is read"


def is_right(program: gt.Program) -> None:
    """By the interpreter, whose arrays are poisoned before they are written."""
    arrays = random_arrays(program.spec, np.random.default_rng(0))
    agrees(program.spec, arrays, run_tree(program.root, program.spec, *arrays))


def test_what_is_answered_runs_as_c(whole, path):
    for seed, harm in enumerate((no_limits, any_edge, shuffled)):
        path.unlink(missing_ok=True)
        path.write_bytes(whole[LARGER][1])
        forge_some(path, np.random.default_rng(seed), harm)
        program, _ = program_of(LARGER, path)
        skip_without(program.target.features)
        arrays = random_arrays(program.spec, np.random.default_rng(0))
        agrees(program.spec, arrays, program.compile()(*arrays))


def test_no_program_is_not_believed(whole, path):
    """Where every family says that it has none, the Spec is solved again before anything is refused."""
    case = CASES[0]
    best, data = whole[case]
    path.write_bytes(data)
    forge_all(path, -1)
    found, told = program_of(case, path)
    assert str(found) == str(best) and len(told) == 1 and "a Spec without a program that has one" in told[0]
    assert program_of(case, path)[1] == []


def test_a_file_that_may_not_be_written_answers_right_each_time(whole, path, monkeypatch):
    case = CASES[1]
    best, data = whole[case]
    path.write_bytes(data)
    forge_all(path, 99)
    forged = path.read_bytes()
    for _ in range(2):
        file = opened(path)
        file.writable = False
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = gt.synthesize(case[1], machine(case[0]), table=path)
        file.close()
        told = [str(w.message) for w in caught]
        assert str(found) == str(best)
        assert [sum(text in m for m in told) for text in ("found a damaged one", "not kept")] == [1, 1]
        assert path.read_bytes() == forged


def test_sizes_that_are_dynamic_are_answered_right(tmp_path):
    path, text = tmp_path / "t.griotte", "matmul(f32[<=6,4], const f32[4,5])"
    best = gt.synthesize(text, machine("two"), table=path)
    opened(path).close()
    data = path.read_bytes()
    for seed, harm in enumerate((no_edge, largest_tile, no_programs, any_edge)):
        path.write_bytes(data)
        forge_some(path, np.random.default_rng(seed), harm)
        found, told = program_of(("two", text, 1), path)
        assert len(told) == (found.stats["specs_solved"] > 0) and (not told or str(found) == str(best))
        for size in (1, 5, 6):
            is_right(found.at(size))


@pytest.mark.parametrize("value", ["nan", "inf", "-3", "x", "1e999", b"\xff"])
def test_a_number_of_programs_that_is_none_is_counted_anew(whole, path, value):
    path.write_bytes(whole[CASES[0]][1])
    name, text, _ = CASES[0]
    wanted = gt.synthesize(text, machine(name), table=path).count()
    opened(path).close()
    for key, _ in choices(path):
        choose(path, key, value)
    with pytest.warns(TableWarning, match="found a damaged one") as told:
        assert gt.synthesize(text, machine(name), table=path).count() == wanted
    opened(path).close()
    assert len(told) == 1
    assert gt.synthesize(text, machine(name), table=path).count() == wanted
    opened(path).close()


@pytest.mark.parametrize("change", range(len(BAD_HEADERS)))
def test_a_header_that_cannot_be_is_refused(whole, path, change):
    path.write_bytes(whole[CASES[1]][1])
    data = rows(path)[0][2]
    with pytest.raises(gt.TableError) as refusal:
        Patch.decode(mutated(data, BAD_HEADERS[change]))
    assert isinstance(refusal.value, Damaged) and len(str(refusal.value)) < 200


def test_lists_in_lists_are_refused():
    with pytest.raises(gt.TableError, match="lists in lists"):
        Patch.decode(DEEP)


@pytest.mark.parametrize("largest", [150, 3000])
def test_three_million_boxes_over_one_another_cost_no_more_than_their_cells(whole, path, largest):
    """Over a grid that they do not fit into, and over one so large that they do."""
    best, data = whole[CASES[1]]
    path.write_bytes(data)
    goal = best._search.table.key(best._search.start.goal)
    (id, old), *_ = ((id, Patch.decode(old)) for id, key, old in rows(path) if key == goal)
    sizes, shape = (tuple(range(1, largest + 1)),) * 3, (largest,) * 3 + old.boxes.shape[3:]
    high = np.broadcast_to(np.minimum(shape, 2).astype(np.uint16), (3_000_000, len(shape)))
    boxes = Boxes(shape, np.zeros_like(high), high, np.zeros(len(high), np.int16))
    put(path, id, goal, replace(old, sizes=sizes, boxes=boxes, points=1).encode())
    found, told = program_of(CASES[1], path)  # its sizes are in none of the boxes: so it is solved
    assert [m for m in told if "3000000 boxes that overlap" in m] and str(found) == str(best)
    assert program_of(CASES[1], path)[1] == []

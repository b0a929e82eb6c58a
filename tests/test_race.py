"""The race's own machinery: its problems, its statistics, its turns. No rival is installed and nothing is timed for its speed."""

import json
import math
import sys
from pathlib import Path
from types import SimpleNamespace

import griotte as gt
import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.append(str(BENCHMARKS))

from racing import contestant, data, entries, problems, programs, report, stats, turns  # noqa: E402
from racing.problems import Problem  # noqa: E402
from racing.stats import Turn  # noqa: E402

# Problems ------------------------------------------------------------------------------------------------------------


def test_problems_are_well_formed():
    sets = problems.load()
    everything = [p for each in sets.values() for p in each]
    assert set(sets) == {"squares", "random", "bf16", "u8s8", "matvec", "thin", "batch", "small"}
    assert len({p.name for p in everything}) == len(everything)
    for problem in everything:
        spec = gt.parse(problem.spec)
        assert spec.flops == problem.flops, problem.name
    assert len(sets["matvec"]) == 16 and all(p.is_matvec for p in sets["matvec"])
    assert len({p.data_key for p in sets["random"]}) == 30
    assert sets["random"] == problems.load()["random"]  # the seed is fixed


@pytest.mark.parametrize(
    "text, complaint",
    [
        ('[x]\ntitle = "x"\nsize = [3]', "found size"),
        ('[x]\ntitle = "x"\nsizes = [3]\ndtypes = ["f64"]', "f64"),
        ('[x]\ntitle = "x"\nshapes = [[3, 4]]', r"\[3, 4\]"),
    ],
)
def test_malformed_sets_are_refused(text, complaint, tmp_path):
    path = tmp_path / "problems.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        problems.load(path)


def test_choosing():
    assert {p.set for p in problems.chosen(["bf16"])} == {"bf16"}
    assert [p.name for p in problems.chosen(["squares/f32-16x16x16"])] == ["squares/f32-16x16x16", "squares/f32-16x16x16-const"]
    with pytest.raises(ValueError, match="nosuch"):
        problems.chosen(["nosuch"])


def test_every_entry_has_its_module():
    for entry in entries.ENTRIES:
        assert (BENCHMARKS / "racing" / "rivals" / f"{entry.module.partition(':')[0]}.py").exists()
        assert entry.kind in ("ours", "rival", "probe")
    assert len({e.name for e in entries.ENTRIES}) == len(entries.ENTRIES)
    shared = {}
    for entry in entries.ENTRIES:
        if entry.packages:
            assert shared.setdefault(entry.root, (entry.packages, entry.debs)) == (entry.packages, entry.debs)


# Statistics ----------------------------------------------------------------------------------------------------------


def test_ratio_is_taken_round_by_round():
    ours = [Turn(1), Turn(2), Turn(4)]
    theirs = [Turn(2), Turn(4), Turn(8)]  # the machine slows down, the ratio does not move
    assert stats.ratio(theirs, ours) == stats.Ratio(2, 2, 2, 3)


def test_disturbed_rounds_are_left_out_where_enough_remain():
    ours = [Turn(1)] * 6
    theirs = [Turn(3)] * 5 + [Turn(90, disturbed=True)]
    assert stats.ratio(theirs, ours).rounds == 5 and stats.median_us(theirs) == 3
    few = [Turn(3), Turn(9, disturbed=True)]
    assert stats.ratio(few, ours[:2]).median == 6 and stats.median_us(few) == 6


def test_geometric_mean():
    assert stats.geometric_mean([0.5, 2]) == pytest.approx(1)
    assert math.isnan(stats.geometric_mean([]))


def test_ratio_needs_the_same_rounds():
    with pytest.raises(ValueError):
        stats.ratio([Turn(1)], [Turn(1), Turn(1)])


# Turns ---------------------------------------------------------------------------------------------------------------

FAKE = """
import json, sys, time
name, log, dies_at = sys.argv[1], sys.argv[2], int(sys.argv[3])
taken = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["do"] == "hello":
        answer = {"versions": {"fake": name}}
    elif message["do"] == "prepare":
        answer = {"skip": "no"} if message["problem"] == "hard" else {"way": "the only", "tried": {}, "wrong": []}
    elif message["do"] == "turn":
        taken += 1
        if taken == dies_at:
            sys.exit("ValueError: enough")
        if taken == -dies_at:
            time.sleep(60)
        open(log, "a").write(f"{name} begins\\n")
        open(log, "a").write(f"{name} ends\\n")
        answer = {"us": float(taken), "disturbed": False}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def fakes(tmp_path):
    """A maker of contestants that write down when they run; all are closed in the end."""
    script, log, made = tmp_path / "fake.py", tmp_path / "log", []
    script.write_text(FAKE)

    def make(name, dies_at=0, **more):
        made.append(turns.Contestant(name, [sys.executable, "-S", str(script), name, str(log), str(dies_at)], {}, **more))
        made[-1].start()
        return made[-1]

    yield SimpleNamespace(make=make, log=lambda: log.read_text().splitlines())
    for each in made:
        each.close()


def test_contestants_take_turns_one_at_a_time(fakes):
    a, b, rests = fakes.make("a"), fakes.make("b"), []
    taken, lost = turns.take_turns([a, b], rounds=4, rest=0.5, sleep=rests.append)
    assert not lost and [t.us for t in taken["a"]] == [1, 2, 3, 4] and len(taken["b"]) == 4
    lines = fakes.log()
    assert all(lines[i].split()[0] == lines[i + 1].split()[0] for i in range(0, len(lines), 2))  # begins, ends: nobody in between
    first = [lines[i].split()[0] for i in range(0, len(lines), 4)]
    assert set(first) == {"a", "b"} or first == ["a"] * 4
    assert rests == [0.5] * 8
    assert a.versions == {"fake": "a"}


def test_everyone_begins_as_often():
    orders = [turns._order(list("abc"), i) for i in range(6)]
    assert all(sorted(order) == list("abc") for order in orders)
    assert {order[0] for order in orders} == set("abc") and {order[-1] for order in orders} == set("abc")


def test_one_that_dies_is_left_out_and_can_start_again(fakes):
    a, b = fakes.make("a"), fakes.make("b", dies_at=2)
    taken, lost = turns.take_turns([a, b], rounds=3)
    assert len(taken["a"]) == 3 and "b" not in taken
    assert "status 1: ValueError: enough" in lost["b"]
    assert turns.prepare(b, {"problem": "easy"}).way == "the only"


def test_one_that_does_not_answer_is_ended(fakes):
    slow = fakes.make("slow", dies_at=-1, patience=0.3)
    _, lost = turns.take_turns([slow], rounds=1)
    assert "no answer in 0.3 s" in lost["slow"]


def test_one_may_decline(fakes):
    found = turns.prepare(fakes.make("a"), {"problem": "hard"})
    assert found.way is None and found.why_not == "no"


# A contestant's process, in this one ---------------------------------------------------------------------------------


@pytest.fixture
def arrays(tmp_path):
    def write(problem):
        data.write(problem, tmp_path)
        return {"problem": problem.as_json(), "data": str(tmp_path)}

    return write


def rival(make_ways):
    return SimpleNamespace(ways=make_ways, versions=dict)


@pytest.mark.parametrize("dtype", ["f32", "bf16", "u8s8"])
@pytest.mark.parametrize("layout", ["row", "col"])
@pytest.mark.parametrize("batch", [1, 2])
def test_a_right_way_is_taken(dtype, layout, batch, arrays):
    def ways(problem, a, b, threads):
        x, y = (contestant.as_bf16(v) if v.dtype == np.uint16 else v.astype(np.float32) for v in (a, b))
        c = contestant.aligned((*a.shape[:-1], b.shape[-1]), np.float32)
        assert (b.swapaxes(-1, -2) if problem.layout == "col" else b).flags.c_contiguous
        yield contestant.Way("numpy", lambda: np.matmul(x, y, out=c), lambda: c)

    runner = contestant.Runner(rival(ways), 1)
    assert runner.prepare(**arrays(Problem("t", batch, 3, 5, 7, dtype, layout)))["way"] == "numpy"
    assert runner.turn(0.0, 0.0)["us"] > 0


def test_a_wrong_way_is_told_and_a_slow_one_released(arrays):
    released = []

    def ways(problem, a, b, threads):
        def way(name, factor, pause):
            c = np.empty((problem.m, problem.n), np.float32)

            def run():
                for _ in range(pause):
                    np.matmul(a, b)
                np.multiply(np.matmul(a, b), factor, out=c)

            return contestant.Way(name, run, lambda: c, release=lambda: released.append(name))

        yield way("slow", 1, 300)
        yield way("wrong", 1.001, 0)
        yield way("quick", 1, 0)
        raise RuntimeError("no more")

    runner = contestant.Runner(rival(ways), 1)
    found = runner.prepare(**arrays(Problem("t", 1, 8, 8, 8)))
    assert found["way"] == "quick" and set(found["tried"]) == {"slow", "quick"}
    assert "wrong: expected" in found["wrong"][0] and "RuntimeError: no more" in found["wrong"][1]
    assert sorted(released) == ["slow", "wrong"]
    runner.drop()
    assert released[-1] == "quick"


def test_only_loops_enter_from_c(arrays):
    def ways(problem, a, b, threads):
        c = np.empty((problem.m, problem.n), np.float32)
        yield contestant.Way("python", lambda: np.matmul(a, b, out=c), lambda: c)

    runner = contestant.Runner(rival(ways), 1)
    assert runner.prepare(**arrays(Problem("t", 1, 8, 8, 8, door="c")))["skip"] == "no way in from C"


# Report and programs -------------------------------------------------------------------------------------------------


def heat(name, threads, us, ratios):
    n = int(name)
    problem = Problem("squares", 1, n, n, n).as_json()
    return {"problem": problem, "threads": threads, "us": us, "work": {"peak": 1e6}, "absent": {}, "foreign": 0.0, "ratio": {k: {"median": v, "low": v, "high": v} for k, v in ratios.items()}}


HEATS = [
    heat("64", 1, {"griotte": 2.0, "numpy": 4.0, "onednn": 1.0, "peak": 5.0}, {"numpy": 2.0, "onednn": 0.5, "peak": 2.5}),
    heat("128", 1, {"griotte": 10.0, "numpy": 20.0, "peak": 5.0}, {"numpy": 2.0, "peak": 0.5}),
]


def test_the_best_is_the_fastest_rival_of_that_shape():
    assert [report.best_rival(h) for h in HEATS] == ["onednn", "numpy"]
    (row,) = report.summary(HEATS)
    assert row["mean"] == pytest.approx(1.0) and row["mean_vectors"] == pytest.approx(1.0)  # an f32 product needs no tiles
    assert row["won"] == 1 and row["below_0.9"] == 1 and row["worst"] == 0.5
    in_bf16 = {**HEATS[0], "problem": {**HEATS[0]["problem"], "dtype": "bf16"}}
    assert report.best_rival(in_bf16) == "onednn" and report.best_rival(in_bf16, with_tiles=False) == "numpy"
    assert report.share(HEATS[0]) == pytest.approx(2 * 64**3 / 2.0 / (1e6 / 5.0))


def test_losses_are_in_the_report(tmp_path):
    found = {"heats": HEATS, "machine_lines": ["a machine"], "load": [0.1, 0.2], "finished": "now", "rounds": 3, "quick": False, "entries": {"blis": {"why_not": "no apt"}}}
    text = report.markdown(found, {"squares": "f32 squares"})
    assert "**0.50**" in text and "no apt" in text and "## f32 squares, 1 thread" in text
    report.plot(HEATS, tmp_path / "race.png")
    assert (tmp_path / "race.png").stat().st_size > 1000


def test_programs_that_change_are_told(tmp_path):
    path = tmp_path / "1t" / "p.txt"
    assert not programs.keep(path, "a") and not programs.keep(path, "a")
    assert programs.keep(path, "b") and path.read_text() == "b"


def test_a_program_is_made_and_kept(tmp_path):
    wanted = [{"name": "t/small", "spec": "matmul(f32[4,4], f32[4,4])"}]
    (made,) = programs.make(wanted, 1, str(tmp_path), "portable")
    assert (tmp_path / "t" / "small" / "kernel.json").exists() and made["cost"] > 0
    assert "matmul" in programs.text_of(wanted[0]["spec"], 1, made)
    json.dumps(made)

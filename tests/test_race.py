"""The race's own machinery: its problems, its statistics, its turns. No rival is installed and nothing is timed for its
speed."""

import importlib
import json
import math
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import griotte as gt
import ml_dtypes
import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.append(str(BENCHMARKS))

import race  # noqa: E402
from racing import (  # noqa: E402
    anew,
    calls,
    contestant,
    data,
    entries,
    exact,
    graphs,
    heats,
    kept,
    plot,
    problems,
    programs,
    report,
    stats,
    turns,
)
from racing.problems import Problem  # noqa: E402
from racing.stated import Stated  # noqa: E402
from racing.stats import Turn  # noqa: E402
from row import Result, Row  # noqa: E402

pytestmark = pytest.mark.long  # of what measures griotte, not of griotte

GRAPHS = set("epilogue mlp quantised softmax norm convolution chain weights attention block".split())

# Problems ------------------------------------------------------------------------------------------------------------


def test_problems_are_well_formed():
    sets = problems.load()
    everything = [p for each in sets.values() for p in each]
    assert set(sets) == {"squares", "random", "bf16", "u8s8", "matvec", "thin", "batch", "small"} | GRAPHS
    assert len({p.name for p in everything}) == len(everything)
    assert {p.set for p in everything if isinstance(p, Stated)} == GRAPHS
    for problem in everything:
        spec = gt.parse(problem.spec)
        assert problem.shape == spec.output.shape, problem.name
        if isinstance(problem, Stated):
            assert [(x.dtype, x.shape, x.const) for x in problem.inputs] == [
                (t.dtype, t.shape, t.constant) for t in spec.inputs
            ]
            assert (
                problem.bytes == spec.bytes - sum(t.bytes // 2 for t in spec.inputs if t.dtype == "s4")
                and json.loads(json.dumps(problem.as_json()))["call"] == problem.parsed[0]
            )
        else:
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
    assert [p.name for p in problems.chosen(["squares/f32-16x16x16"])] == [
        "squares/f32-16x16x16",
        "squares/f32-16x16x16-const",
    ]
    assert {p.set for p in problems.chosen(["graphs"])} == GRAPHS
    assert next(p.name for p in problems.chosen(["graphs", "small/f32-8x8x8"])) == "small/f32-8x8x8"
    with pytest.raises(ValueError, match="nosuch"):
        problems.chosen(["nosuch"])


# Calls ---------------------------------------------------------------------------------------------------------------

CALLS = [
    *(f"{name}(f32[3,5])" for name in "neg abs exp tanh sigmoid relu gelu silu".split()),
    *(f"{name}(exp(f32[3,5]))" for name in "log sqrt rsqrt".split()),
    *(f"{name}(f32[3,5], exp(f32[5]))" for name in "add sub mul div maximum minimum".split()),
    *(f"{name}(f32[3,5], axis={axis})" for name, axis in zip("sum max min mean".split(), (0, 1, 0, 1))),
    "gelu(f32[3,5], approximate=tanh)",
    "mean(f32[3,5], axis=1, keepdims=true)",
    "softmax(f32[3,5], axis=0)",
    "layer_norm(f32[3,5], f32[5], f32[5], epsilon=1e-3)",
    "rms_norm(f32[3,5], f32[5])",
    "log_softmax(f32[3,5], axis=-1)",
    "group_norm(f32[2,6,3,4], 2, f32[6], f32[6])",
    *(f"{name}_pool2d(f32[2,3,8,7], window=3, stride=2)" for name in ("max", "avg")),
    "attention(f32[4,3,8], f32[2,5,8], f32[2,5,6], scale=0.5)",
    "add(matmul(f32[3,5], const f32[5,4]), const f32[4])",
    "mul(%x: f32[3,5], exp(%x))",
    "add(%h: exp(reshape(transpose(f32[2,3,4], perm=(1,0,2))) -> f32[3,8]), softmax(%h))",
]


@pytest.mark.parametrize("text", CALLS)
def test_calls_mean_what_griotte_says(text):
    """The race's own arithmetic, by which all contestants are judged, and its own shapes."""
    spec, problem = gt.parse(text), Stated("t", "x", text)
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal(x.shape).astype(np.float32) for x in problem.inputs]
    found = calls.function(problem.parsed[0], exact.FORMS)(*(x.astype(np.float64) for x in arrays))
    assert found.shape == problem.shape
    np.testing.assert_allclose(found, gt.interpret(spec, *arrays), rtol=2e-6, atol=1e-6)


def test_rows_are_taken_by_number():
    problem = Stated("t", "x", "take(f32[5,3], s32[2,4])")
    x, i = np.random.default_rng(1).standard_normal((5, 3)), np.array([[0, 4, 4, 1], [2, 3, 0, 1]])
    found = calls.function(problem.parsed[0], exact.FORMS)(x, i.astype(np.float64))
    assert found.shape == problem.shape == (2, 4, 3) and np.array_equal(found, x[i])


def test_a_bias_of_channels_goes_with_its_convolution():
    call, inputs = calls.parse("relu(add(conv2d(f32[1,2,5,5], f32[3,2,3,3], padding=1), f32[3,1,1]))")
    assert calls.expression(calls.with_biases(call, inputs)) == "relu(conv2d(x0, x1, x2, padding=1))"
    rows, inputs = calls.parse("add(conv2d(f32[1,2,5,5], f32[3,2,3,3]), f32[3,3,3])")
    assert calls.with_biases(rows, inputs) == rows


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_drawn_graphs_are_what_griotte_reads(seed):
    drawn = graphs.drawn(len(graphs.KINDS), seed)
    assert [p.spec for p in drawn] == [p.spec for p in graphs.drawn(len(graphs.KINDS), seed)]
    assert {p.spec for p in drawn}.isdisjoint(
        p.spec for p in graphs.drawn(len(graphs.KINDS), seed + 1) if p != drawn[0]
    )
    for problem in drawn:
        spec = gt.parse(problem.spec)
        assert problem.shape == spec.output.shape, problem.name
        given = [(t.dtype, t.shape, t.constant) for t in spec.inputs]
        assert [(x.dtype, x.shape, x.const) for x in problem.inputs] == given, problem.name


def test_all_ways_of_many_problems_are_held(graph_arrays):
    def ways(problem, arrays, threads):
        c = contestant.output(problem)
        exactly = calls.function(problem.call, exact.FORMS)
        for name in ("one", "other", "left out"):
            yield contestant.Way(name, lambda: c.__setitem__(..., exactly(*arrays)), lambda: c)
        yield contestant.Way("wrong", lambda: c.fill(0), lambda: c)

    runner, asked = contestant.Runner(SimpleNamespace(graphs=ways), 1), graph_arrays(GRAPH)
    again = {**asked, "problem": {**asked["problem"], "name": "again"}}
    for each in (asked, again):
        held = runner.hold(each["problem"], each["data"], without="left out")
        assert held["ways"] == ["one", "other"] and "expected" in held["wrong"][0]
    assert all(runner.held_turn(e["problem"]["name"], "other", 0.0, 0.0)["us"] > 0 for e in (asked, again))


def test_causal_attention_sees_what_came_before():
    q, k, v = (np.random.default_rng(2).standard_normal((1, n, 4)) for n in (2, 3, 3))
    found = exact.attention(q, k, v, causal=True)
    assert np.allclose(found[:, :1], exact.attention(q[:, :1], k[:, :2], v[:, :2])) and np.allclose(
        found[:, 1:], exact.attention(q[:, 1:], k, v)
    )


@pytest.mark.parametrize("activations", ["", ", activations=s8"])
def test_products_by_weights_of_four_bits_mean_what_griotte_says(activations):
    text = f"group_matmul(f32[2,48], const s4[5,3,16], const f32[5,3]{activations})"
    problem, rng = Stated("t", "x", text), np.random.default_rng(3)
    x, w, scales = (
        rng.standard_normal((2, 48)).astype(np.float32),
        rng.integers(-8, 8, (5, 3, 16), np.int8),
        rng.standard_normal((5, 3)).astype(np.float32),
    )
    found = calls.function(problem.parsed[0], exact.FORMS)(*(a.astype(np.float64) for a in (x, w, scales)))
    np.testing.assert_allclose(
        found, gt.interpret(gt.parse(text), x, w.astype(ml_dtypes.int4), scales), rtol=1e-5, atol=1e-5
    )
    assert found.shape == problem.shape == (2, 5) and problem.flops == 2 * 2 * 48 * 5 and problem.inputs[1].bytes == 120


def test_flops_are_those_of_products():
    assert Stated("t", "x", "softmax(matmul(f32[2,3], f32[3,5]))").flops == 2 * 2 * 3 * 5
    assert Stated("t", "x", "attention(f32[4,3,8], f32[2,5,8], f32[2,5,6])").flops == 2 * 4 * 3 * 5 * (8 + 6)
    few, many = (
        Stated("t", "x", "attention(f32[12,1,64], f32[12,99,64], f32[12,99,64])"),
        Stated("t", "x", "attention(f32[12,99,64], f32[12,99,64], f32[12,99,64])"),
    )
    assert few.is_read and not many.is_read and Stated("t", "x", "exp(f32[8])").is_read


def test_a_bias_goes_with_its_product():
    call, inputs = calls.parse("gelu(add(matmul(f32[2,3], f32[3,4]), f32[4]))")
    assert calls.expression(calls.with_linear(call, inputs)) == "gelu(linear(x0, x1, x2))"
    rows, inputs = calls.parse("add(matmul(f32[2,3], f32[3,4]), f32[2,4])")
    assert calls.with_linear(rows, inputs) == rows


def test_a_call_without_a_form_is_told():
    with pytest.raises(calls.NoForm, match="it has no gelu"):
        calls.function(calls.parse("gelu(f32[4])")[0], exact.NUMPY)


@pytest.mark.parametrize("text", ["exp(f32[4]", "exp(f32[4]) f32[4]", "exp(f32[4]; 3)", ""])
def test_texts_that_are_no_calls_are_refused(text):
    with pytest.raises(ValueError):
        calls.parse(text)


def test_every_entry_has_its_module():
    for entry in entries.ENTRIES:
        assert (BENCHMARKS / "racing" / "rivals" / f"{entry.module.partition(':')[0]}.py").exists()
        assert entry.kind in ("ours", "rival", "probe")
    assert len({e.name for e in entries.ENTRIES}) == len(entries.ENTRIES)
    shared = {}
    for entry in entries.ENTRIES:
        if entry.packages:
            assert shared.setdefault(entry.root, (entry.packages, entry.debs)) == (entry.packages, entry.debs)


def test_what_is_hidden_from_griotte_is_hidden_from_rivals(monkeypatch):
    onednn = next(e for e in entries.ENTRIES if e.name == "onednn")
    assert "ONEDNN_MAX_CPU_ISA" not in entries.environment(onednn, 1, {})
    monkeypatch.setenv("GRIOTTE_CPU", "avx2")
    assert entries.environment(onednn, 1, {})["ONEDNN_MAX_CPU_ISA"] == "AVX2"
    assert not any(flag.startswith("avx512") for flag in entries.cpu_flags())
    with pytest.raises(entries.NotInstalled):
        entries.python(next(e for e in entries.ENTRIES if e.name == "numpy-avx512"))


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
        made.append(
            turns.Contestant(name, [sys.executable, "-S", str(script), name, str(log), str(dies_at)], {}, **more)
        )
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
    assert all(
        lines[i].split()[0] == lines[i + 1].split()[0] for i in range(0, len(lines), 2)
    )  # begins, ends: nobody in between
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
    def write(problem, begin="line"):
        data.write(problem, tmp_path)
        return {"problem": problem.as_json(), "data": str(tmp_path), "begin": begin}

    return write


def rival(make_ways):
    return SimpleNamespace(ways=make_ways, versions=dict)


@pytest.mark.parametrize("dtype", ["f32", "bf16", "u8s8"])
@pytest.mark.parametrize("layout", ["row", "col"])
@pytest.mark.parametrize("batch", [1, 2])
def test_a_right_way_is_taken(dtype, layout, batch, arrays):
    def ways(problem, a, b, threads):
        x, y = (contestant.as_bf16(v) if v.dtype == np.uint16 else v.astype(np.float32) for v in (a, b))
        c = contestant.output(problem, np.float32)
        assert (b.swapaxes(-1, -2) if problem.layout == "col" else b).flags.c_contiguous
        yield contestant.Way("numpy", lambda: np.matmul(x, y, out=c), lambda: c)

    runner = contestant.Runner(rival(ways), 1)
    assert runner.prepare(**arrays(Problem("t", batch, 3, 5, 7, dtype, layout)))["way"] == "numpy"
    assert runner.turn(0.0, 0.0)["us"] > 0


GRAPH = Stated("t", "graph", "add(matmul(f32[6,5], const f32[5,4]), const f32[4])")


@pytest.fixture
def graph_arrays(tmp_path):
    def write(problem, begin="line"):
        data.write_json(problem.as_json(), str(tmp_path / problem.name))
        return {
            "problem": json.loads(json.dumps(problem.as_json())),
            "data": str(tmp_path / problem.name),
            "begin": begin,
        }

    return write


@pytest.mark.parametrize("begin, offset", [("line", 0), ("numpy", 16)])
def test_a_graph_is_computed_by_ourselves_and_by_numpy(begin, offset, graph_arrays, tmp_path, monkeypatch):
    list(programs.make([{"name": GRAPH.name, "spec": GRAPH.spec}], 1, str(tmp_path / "kernels"), "portable"))
    monkeypatch.setenv("RACE_KERNELS", str(tmp_path / "kernels"))
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    for module in ("griotte_kernel", "numpy_blas"):
        runner = contestant.Runner(importlib.import_module(f"racing.rivals.{module}"), 1)
        found = runner.prepare(**graph_arrays(GRAPH, begin))
        assert not found["wrong"] and runner.way.result().ctypes.data % 64 == offset, (module, found)
        assert runner.turn(0.0, 0.0)["us"] > 0


FOUR_BITS = "group_matmul(f32[1,64], const s4[32,4,16], const f32[32,4]{})"


def test_weights_of_four_bits_reach_the_kernel(graph_arrays, tmp_path, monkeypatch):
    problem = Stated("t", "weights", FOUR_BITS.format(""))
    list(programs.make([{"name": problem.name, "spec": problem.spec}], 1, str(tmp_path / "kernels"), "portable"))
    monkeypatch.setenv("RACE_KERNELS", str(tmp_path / "kernels"))
    found = contestant.Runner(importlib.import_module("racing.rivals.griotte_kernel"), 1).prepare(
        **graph_arrays(problem)
    )
    assert found["way"] == "bind" and not found["wrong"]


@pytest.mark.parametrize("rounds", [True, False])
def test_activations_that_were_to_be_rounded_and_are_not_are_wrong(rounds, graph_arrays):
    def graphs(problem, arrays, threads):
        c = contestant.output(problem)
        x, w, scales = (a.astype(np.float64) for a in arrays)
        yield contestant.Way(
            "numpy", lambda: np.copyto(c, exact.group_matmul(x, w, scales, "s8" if rounds else "")), lambda: c
        )

    found = contestant.Runner(SimpleNamespace(graphs=graphs), 1).prepare(
        **graph_arrays(Stated("t", "rounded", FOUR_BITS.format(", activations=s8")))
    )
    assert ("are wrong" in found.get("skip", "")) != rounds


def test_a_graph_that_leaves_something_out_is_wrong(graph_arrays):
    def graphs(problem, arrays, threads):
        c = contestant.output(problem)
        yield contestant.Way("without bias", lambda: np.matmul(arrays[0], arrays[1], out=c), lambda: c)

    found = contestant.Runner(SimpleNamespace(graphs=graphs), 1).prepare(**graph_arrays(GRAPH))
    assert "without bias: expected" in found["skip"]


def test_rivals_of_products_alone_say_so(graph_arrays):
    assert contestant.Runner(rival(None), 1).prepare(**graph_arrays(GRAPH)) == {"skip": "products alone"}


def test_a_wrong_way_is_told_and_a_slow_one_released(arrays):
    released = []

    def ways(problem, a, b, threads):
        def way(name, factor, pause):
            c = contestant.output(problem)

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
        c = contestant.output(problem)
        yield contestant.Way("python", lambda: np.matmul(a, b, out=c), lambda: c)

    runner = contestant.Runner(rival(ways), 1)
    assert runner.prepare(**arrays(Problem("t", 1, 8, 8, 8, door="c")))["skip"] == "no way in from C"


# Where arrays begin --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("begin, offset", [("line", 0), ("numpy", 16)])
@pytest.mark.parametrize("dtype", ["f32", "bf16", "u8s8"])
@pytest.mark.parametrize("layout", ["row", "col"])
def test_inputs_and_outputs_begin_where_the_heat_says(begin, offset, dtype, layout, arrays):
    seen = []

    def ways(problem, a, b, threads):
        x, y = (contestant.as_bf16(v) if v.dtype == np.uint16 else v.astype(np.float32) for v in (a, b))
        c = contestant.output(problem, np.float32)
        seen.extend(v.ctypes.data % 64 for v in (a, b, c, contestant.output(problem), contestant.placed(x, begin)))
        yield contestant.Way("numpy", lambda: np.matmul(x, y, out=c), lambda: c)

    contestant.Runner(rival(ways), 1).prepare(**arrays(Problem("t", 2, 3, 5, 7, dtype, layout), begin))
    assert seen == [offset] * 5


def test_one_whose_result_begins_elsewhere_takes_no_part(arrays):
    def ways(problem, a, b, threads):
        for name, begin, allocates in (("elsewhere", "line", False), ("its own", "line", True)):
            c = contestant.aligned((problem.m, problem.n), np.float32, begin)
            yield contestant.Way(name, lambda c=c: np.matmul(a, b, out=c), lambda c=c: c, allocates=allocates)

    found = contestant.Runner(rival(ways), 1).prepare(**arrays(Problem("t", 1, 8, 8, 8), "numpy"))
    assert found["way"] == "its own" and found["allocates"] and set(found["tried"]) == {"its own"}
    assert found["wrong"] == ["elsewhere: expected its result to begin 16 bytes into a line, found 0"]


def test_contestants_compute_where_the_heat_says(arrays, tmp_path, monkeypatch):
    """Ourselves and NumPy, as they are in the race."""
    problem = Problem("t", 1, 4, 4, 4)
    list(programs.make([{"name": problem.name, "spec": problem.spec}], 1, str(tmp_path / "kernels"), "portable"))
    monkeypatch.setenv("RACE_KERNELS", str(tmp_path / "kernels"))
    for module in ("griotte_kernel", "numpy_blas"):
        runner = contestant.Runner(importlib.import_module(f"racing.rivals.{module}"), 1)
        for begin, offset in contestant.BEGINS.items():
            found = runner.prepare(**arrays(problem, begin))
            assert not found["wrong"] and not found["allocates"] and runner.way.result().ctypes.data % 64 == offset, (
                module
            )


def test_rivals_take_their_outputs_from_one_place():
    """What a rival computes into comes from `output`, which knows where a heat's arrays begin."""
    for path in sorted((BENCHMARKS / "racing" / "rivals").glob("*.py")):
        assert not re.search(r"\b(np|numpy|torch)\.(empty|zeros)\b|\baligned\(", path.read_text()), path.name


# Heats: run, run anew, gone on with ----------------------------------------------------------------------------------

SMALL, LARGE = Problem("squares", 1, 64, 64, 64), Problem("squares", 1, 128, 128, 128)


def one_run(us, disturbed=(), work=None, **more):
    """A run in which each took as many us in all its rounds as `us` says: {name: us, or [us of a round, ...]}."""
    taken = {name: each if isinstance(each, list) else [each] * 5 for name, each in us.items()}
    return {
        "turns": taken,
        "disturbed": {name: list(disturbed) for name in taken},
        "absent": {},
        "ways": {name: {"way": "it"} for name in taken},
        "work": work or {},
        "foreign": 0.0,
        **more,
    }


def heat_of(problem, *runs, threads=1, begin="line", why=()):
    return {"problem": problem.as_json(), "threads": threads, "begin": begin, "anew": list(why), "runs": list(runs)}


def square(n, ratio, begin="line", spread=0.0, foreign=0.0):
    """First figures of a square against one rival."""
    rounds = [10 * ratio * (1 + x * spread) for x in (-1, -0.5, 0, 0.5, 1)]
    return heats.first(
        heat_of(
            Problem("squares", 1, n, n, n), one_run({"griotte": 10.0, "numpy": rounds}, foreign=foreign), begin=begin
        )
    )


def test_low_and_high_are_named_by_one_rule():
    rows = [
        square(8, 1.2),
        square(16, 1.2),
        square(32, 1.2),
        square(64, 0.94),
        square(128, 0.96),
        square(256, 1.9),
        square(512, 0.7),
        square(1024, 1.75),
    ]
    assert anew.reasons(rows) == [
        [],
        [],
        [],
        ["low"],
        [],
        ["far above its like"],
        ["low", "far below its like"],
        [],
    ]  # 1.2 * 1.5 = 1.8; 1.2 / 1.5 = 0.8


def test_rounds_apart_and_a_busy_machine_are_named():
    assert anew.reasons(
        [square(8, 1.2), square(16, 1.2, spread=0.1), square(32, 1.2, spread=0.3), square(64, 1.2, foreign=0.3)]
    ) == [[], [], ["rounds apart"], ["busy machine"]]


def test_heats_are_held_against_their_like():
    """The other beginning, or another set, has a median of its own."""
    assert (
        anew.reasons([square(8, 1.0), square(16, 1.0), square(8, 2.0, "numpy"), square(16, 2.0, "numpy")]) == [[]] * 4
    )
    assert anew.reasons([square(8, 1.0), square(16, 1.0), square(32, 2.0)])[2] == ["far above its like"]


def test_the_rule_is_data():
    assert anew.reasons([square(8, 1.2)], anew.Rule(low=1.3)) == [["low"]]


def test_one_without_figures_is_not_named():
    absent = heats.first(heat_of(SMALL, one_run({"numpy": 3.0}, absent={"griotte": "no kernel"})))
    assert anew.reasons([absent, square(8, 0.5)]) == [[], ["low"]]


def test_rounds_of_all_runs_count():
    first, second = (
        one_run({"griotte": [10.0] * 5, "numpy": [9.0] * 5}),
        one_run({"griotte": [10.0] * 5, "numpy": [13.0] * 5}),
    )
    for runs in ((first, second), (second, first)):  # neither is preferred
        found = heats.figures(heat_of(SMALL, *runs, why=["low"]))
        assert found["ratio"]["numpy"] == {"median": 1.1, "low": 0.9, "high": 1.3, "rounds": 10}
        assert found["us"] == {"griotte": 10.0, "numpy": 11.0} and found["rounds"] == 10
        assert found["first"] == {"numpy": runs[0]["turns"]["numpy"][0] / 10}


def test_one_that_died_in_one_run_keeps_the_rounds_of_the_other():
    runs = (
        one_run({"griotte": 10.0, "numpy": 5.0, "torch": 20.0}),
        one_run({"griotte": 20.0, "torch": 40.0}, absent={"numpy": "ended"}),
    )
    found = heats.figures(heat_of(SMALL, *runs))
    assert found["ratio"]["numpy"]["median"] == 0.5 and found["ratio"]["numpy"]["rounds"] == 5
    assert report.best_rival(found) == "numpy" and not found["absent"]


def test_probes_give_rates():
    """Though a probe may take another way, of other work, in the second run."""
    runs = (
        one_run({"griotte": 10.0, "peak": 5.0}, work={"peak": 1e6}),
        one_run({"griotte": 10.0, "peak": 10.0}, work={"peak": 2e6}),
    )
    found = heats.figures(heat_of(SMALL, *runs))
    assert found["rates"] == {"peak": 2e5} and "peak" not in found["us"] and "peak" not in found["ratio"]
    assert report.share(found) == pytest.approx(2 * 64**3 / 10 / 2e5)


def test_disturbed_rounds_are_counted_and_left_out():
    run = one_run({"griotte": [10.0] * 6, "numpy": [20.0] * 5 + [900.0]}, disturbed=[5])
    found = heats.figures(heat_of(SMALL, run))
    assert found["us"]["numpy"] == 20.0 and found["disturbed"] == {"griotte": 1, "numpy": 1}


@pytest.fixture
def measured():
    """Made-up runs, asked for in this order; the ratio of a problem by its first and second run."""

    def make(ratios, stops_at=None):
        asked = []

        def measure(heat):
            if len(asked) == stops_at:
                raise KeyboardInterrupt
            asked.append((heat["problem"]["name"].partition("-")[2], heat["begin"]))
            return one_run({"griotte": 10.0, "numpy": 10.0 * ratios[heat["problem"]["m"]][len(heat["runs"])]})

        return measure, asked

    return make


RATIOS = {64: (0.5, 0.7), 128: (1.2, None), 256: (2.4, 2.0), 512: (1.2, None)}
FOUR = [Problem("squares", 1, n, n, n) for n in RATIOS]


def test_low_and_high_are_run_anew_and_no_other(measured):
    found, saved = [], []
    measure, asked = measured(RATIOS)
    heats.first_runs(found, FOUR, ["line"], 1, measure, lambda heat: saved.append(heats.key(heat)))
    assert [len(h["runs"]) for h in found] == [1] * 4
    heats.again(found, 1, measure, lambda heat: saved.append(heats.key(heat)))
    assert [len(h["runs"]) for h in found] == [2, 1, 2, 1]
    assert asked[4:] == [("64x64x64", "line"), ("256x256x256", "line")] and len(saved) == 6
    assert [heats.figures(h)["ratio"]["numpy"]["median"] for h in found] == [0.6, 1.2, 2.2, 1.2]
    heats.again(found, 1, measure, saved.append)
    assert len(asked) == 6  # once


def test_beginnings_follow_each_other(measured):
    measure, asked = measured(RATIOS)
    heats.first_runs([], FOUR[:2], ["line", "numpy"], 1, measure, lambda heat: None)
    assert asked == [("64x64x64", "line"), ("64x64x64", "numpy"), ("128x128x128", "line"), ("128x128x128", "numpy")]


@pytest.mark.parametrize("stops_at", range(6))
def test_one_that_was_stopped_goes_on(measured, stops_at, tmp_path):
    path, found = tmp_path / "race.json", whole_run([])
    save = lambda heat: kept.write(path, kept.dumps(found))
    save(None)

    def course(found, measure):
        heats.first_runs(found["heats"], FOUR, ["line"], 1, measure, save)
        heats.again(found["heats"], 1, measure, save)

    with pytest.raises(KeyboardInterrupt):
        course(found, measured(RATIOS, stops_at)[0])
    found = kept.resumed(path, whole_run([]))
    assert found["partial"] and sum(len(h["runs"]) for h in found["heats"]) == stops_at  # all that was run is there
    measure, asked = measured(RATIOS)
    course(found, measure)
    assert len(asked) == 6 - stops_at
    unbroken = []
    heats.first_runs(unbroken, FOUR, ["line"], 1, measured(RATIOS)[0], save)
    heats.again(unbroken, 1, measured(RATIOS)[0], save)
    assert found["heats"] == unbroken


def test_rows_are_measured_once(monkeypatch):
    bench = [Row(name, "it", "none", lambda run: Result("1.0", None, {"size": 8})) for name in ("one", "two")]
    monkeypatch.setattr(race.run, "chosen", lambda only: bench)
    found, saved = {"rows": [{"name": "one"}], "asked": {"quick": True}}, []
    race._measure_rows(found, lambda: saved.append(len(found["rows"])))
    assert (
        saved == [2]
        and found["rows"][1].items() >= {"name": "two", "measured": "1.0", "verdict": "-", "size": 8}.items()
    )


def test_a_race_among_fakes(fakes, tmp_path):
    """From contestants' processes to figures."""
    runners = [fakes.make("griotte"), fakes.make("numpy"), fakes.make("torch", dies_at=2)]
    found = []
    heats.first_runs(
        found,
        [SMALL],
        ["line", "numpy"],
        2,
        lambda heat: heats.run("easy", heat["begin"], runners, 3, 0.0, tmp_path),
        lambda heat: None,
    )
    figures = [heats.figures(h) for h in found]
    assert [f["begin"] for f in figures] == ["line", "numpy"] and figures[0]["us"] == {"griotte": 2.0, "numpy": 2.0}
    assert "enough" in figures[0]["absent"]["torch"] and figures[0]["ratio"]["numpy"]["rounds"] == 3
    assert found[0]["runs"][0]["ways"]["numpy"] == {"way": "the only"}


# Files and tables ----------------------------------------------------------------------------------------------------

MACHINE = {"cpu": "Some CPU", "cores": 2, "caches": {"1": 32 << 10, "2": 1 << 20}, "flags": []}


def whole_run(found, partial=True):
    """A run's file, with these heats."""
    asked = {
        "only": [],
        "rivals": None,
        "threads": [1],
        "begins": ["line", "numpy"],
        "rounds": 5,
        "quick": False,
        "target": "native",
        "publish": True,
    }
    field = {
        "griotte": {"setting": "ours"},
        "onednn": {"setting": "theirs", "tiles": True, "versions": {"oneDNN": "3.2"}},
        "blis": {"setting": "theirs", "why_not": "no apt | at " + str(BENCHMARKS.parent)},
    }
    rows = [
        {
            "name": "peak-256",
            "what": "f32",
            "bar": ">= 0.75",
            "measured": "0.70",
            "verdict": "missed",
            "took_s": 1.0,
            "size": 256,
        }
    ]
    machine = {
        "format": kept.FORMAT,
        "slug": kept.slug(MACHINE),
        "commit": "abc",
        "machine": MACHINE,
        "machine_lines": ["a machine"],
        "load": [0.1, 0.2],
    }
    return {
        **machine,
        "asked": asked,
        "partial": partial,
        "rule": vars(anew.RULE),
        "begun": ["then"],
        "took_s": 90.0,
        "finished": "2026-11-23T00:00:00Z",
        "titles": {"squares": "f32 squares"},
        "entries": field,
        "rows": rows,
        "heats": found,
        "programs": [],
    }


FOUND = [
    heat_of(
        SMALL,
        one_run({"griotte": 2.0, "numpy": 4.0, "onednn": 1.0, "peak": 5.0}, work={"peak": 1e6}),
        one_run({"griotte": 2.0, "numpy": 4.0, "onednn": 1.0}),
        why=["low"],
    ),
    heat_of(SMALL, one_run({"griotte": 2.0, "numpy": 5.0}), begin="numpy"),
    heat_of(LARGE, one_run({"griotte": 10.0, "numpy": 20.0})),
    heat_of(LARGE, one_run({"griotte": 10.0, "numpy": 15.0}), begin="numpy"),
]


def test_the_best_is_the_fastest_rival_of_that_shape():
    figures = [heats.figures(h) for h in FOUND]
    assert [report.best_rival(f) for f in figures] == ["onednn", "numpy", "numpy", "numpy"]
    line, numpy = report.summary(figures, {"onednn": {"tiles": True}})
    assert (line["begin"], numpy["begin"]) == ("line", "numpy")
    assert line["mean"] == pytest.approx(1.0) and line["mean_vectors"] == pytest.approx(
        1.0
    )  # an f32 product needs no tiles
    assert line["won"] == 1 and line["low"] == 1 and line["worst"] == 0.5 and line["anew"] == 1
    assert numpy["mean"] == pytest.approx((2.5 * 1.5) ** 0.5) and numpy["anew"] == 0
    in_bf16 = {**figures[0], "problem": {**figures[0]["problem"], "dtype": "bf16"}}
    assert report.summary([in_bf16], {"onednn": {"tiles": True}})[0]["mean_vectors"] == 2.0
    assert report.share(figures[0]) == pytest.approx(2 * 64**3 / 2.0 / (1e6 / 5.0))


def test_losses_and_both_beginnings_are_in_the_page(tmp_path):
    text = report.markdown(kept.condensed(whole_run(FOUND, partial=False)))
    assert "| squares | 1 | 2 / 2 | 1 / 1.94 |" in text
    assert "| onednn | **0.50** | 0.50 to 0.50 | numpy | 2.50 |" in text and "### f32 squares, 1 thread" in text
    assert (
        "| squares/f32-64x64x64 | 1 | on a line | low | 0.50 onednn | 0.50 onednn |" in text
    )  # run anew, and what came of it
    assert "| peak-256 | f32 | >= 0.75 | 0.70 | missed |" in text
    assert "no apt \\| at ." in text and str(BENCHMARKS.parent) not in text  # no paths of this machine
    plot.plot([heats.figures(h) for h in FOUND], tmp_path / "race.png")
    assert (tmp_path / "race.png").stat().st_size > 1000


def test_a_machine_has_a_name():
    assert kept.slug(MACHINE) == "some-cpu-32k-1m-2-cores"
    assert (
        kept.slug({"cpu": "Intel(R) Xeon(R) @ 2.1GHz", "cores": 4, "caches": {"3": 33 << 20, "1": 48 << 10}})
        == "intel-r-xeon-r-2-1ghz-48k-33m-4-cores"
    )


def test_a_file_is_read_as_it_was_written(tmp_path):
    path, found = tmp_path / "race.json", whole_run(FOUND)
    kept.write(path, kept.dumps(found))
    assert kept.read(path) == found == json.loads(json.dumps(found))
    assert sum(line.startswith('{"problem"') for line in path.read_text().splitlines()) == len(FOUND)  # a line a heat
    assert [p.name for p in tmp_path.iterdir()] == ["race.json"]


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "race.json"
    kept.write(path, "before")
    monkeypatch.setattr(Path, "write_text", lambda self, text: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError):
        kept.write(path, "after")
    assert path.read_text() == "before"


@pytest.mark.parametrize(
    "change, complaint",
    [
        ({"commit": "xyz"}, "expected a run with commit xyz"),
        ({"slug": "other"}, "slug other"),
        ({"asked": {}}, "asked {}"),
    ],
)
def test_another_run_is_not_gone_on_with(change, complaint, tmp_path):
    path = tmp_path / "race.json"
    kept.write(path, kept.dumps(whole_run([])))
    with pytest.raises(kept.NotKept, match=complaint):
        kept.resumed(path, {**whole_run([]), **change})


@pytest.mark.parametrize(
    "text, complaint",
    [(None, "found none"), ("{", "expected JSON"), ("[]", "found list"), ('{"format": 0}', "found 0")],
)
def test_files_that_are_none_are_refused(text, complaint, tmp_path):
    path = tmp_path / "race.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(kept.NotKept, match=complaint):
        kept.resumed(path, whole_run([]))


def test_a_run_is_published(tmp_path):
    path = kept.publish(whole_run(FOUND, partial=False), tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {path.name, path.with_suffix(".md").name, "README.md"}
    found = kept.read(path)
    assert "turns" not in path.read_text() and "size" not in found["rows"][0]  # medians and spreads, no single rounds
    assert found["heats"][0]["ratio"]["onednn"] == {"median": 0.5, "low": 0.5, "high": 0.5, "rounds": 10}
    assert (
        "[Some CPU, 2 cores, L1 32 KiB, L2 1024 KiB](some-cpu-32k-1m-2-cores.md) | abc | 2026-11-23 | squares 1t 1 /"
        " 1.94 |" in (tmp_path / "README.md").read_text()
    )
    assert kept.stale(tmp_path) == []


def test_a_run_that_was_stopped_is_not_published(tmp_path):
    with pytest.raises(kept.NotKept, match="--resume"):
        kept.publish(whole_run(FOUND), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_table_edited_by_hand_is_noticed(tmp_path):
    page = kept.publish(whole_run(FOUND, partial=False), tmp_path).with_suffix(".md")
    page.write_text(page.read_text().replace("**0.50**", "1.50"))
    (tmp_path / "other.md").write_text("no JSON has it")
    assert kept.stale(tmp_path) == ["other.md", page.name]
    kept.make_tables(tmp_path)
    assert kept.stale(tmp_path) == ["other.md"]


def test_tables_in_the_repository_are_what_the_json_gives():
    assert kept.stale(kept.RESULTS) == [], "make them anew: benchmarks/race.py --tables"
    for path in kept.RESULTS.glob("*.json"):
        found = kept.read(path)
        assert path.stem == found["slug"] and not found["partial"]


def test_ctrl_c_leaves_what_was_run(tmp_path, monkeypatch, capsys):
    """Marked partial, and not published; --resume goes on and publishes."""
    ratios = {8: (1.2, None), 16: (1.2, None)}
    stops = iter([1, None])

    def race_of(chosen, field, threads, found, wait_s, save):
        stop, asked = next(stops), []

        def measure(heat):
            asked.append(heat)
            if len(asked) - 1 == stop:
                raise KeyboardInterrupt
            return one_run({"griotte": 10.0, "numpy": 10.0 * ratios[heat["problem"]["m"]][0]})

        heats.first_runs(found["heats"], chosen, found["asked"]["begins"], threads, measure, lambda heat: save())

    monkeypatch.setattr(race, "_race", race_of)
    monkeypatch.setattr(race, "SCRATCH", tmp_path / "scratch")
    monkeypatch.setattr(kept, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(kept, "HERE", tmp_path / "x")
    monkeypatch.setattr(
        race.machine, "describe", lambda: {**MACHINE, "commit": "abc", "load_at_start": [0.0, 0.0, 0.0]}
    )
    monkeypatch.setattr(race.machine, "lines", lambda machine: ["a machine"])
    monkeypatch.setattr(race.signal, "signal", lambda *_: None)
    command = "race.py --publish --threads 1 --begin line --only small/f32-8x8x8 --only small/f32-16x16x16".split()
    monkeypatch.setattr(sys, "argv", command)
    assert race.main() == 130 and "--resume goes on" in capsys.readouterr().err
    found = kept.read(tmp_path / "scratch" / "race-publish.json")
    assert found["partial"] and len(found["heats"]) == 1 and not (tmp_path / "results").exists()
    monkeypatch.setattr(sys, "argv", [*command, "--resume"])
    assert race.main() == 0
    found = kept.read(tmp_path / "results" / "some-cpu-32k-1m-2-cores.json")
    assert not found["partial"] and len(found["heats"]) == 4 and len(found["begun"]) == 2


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

"""The verbs on whole models: what each prints of a graph's text and of an ONNX file, its JSON, its refusals, and what
is left where a person stops one."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import griotte as gt
import numpy as np
import pytest
from griotte.models.text import parse_graph
from griotte.runtime import load
from griotte.tools.cli import main
from verbs import refused, run, run_json

TEXT = """model(
  %x: f32[4,8],
  %w: const f32[8] = (1, 2, 3, 1, 2, 3, 1, 2),
) {
  %scaled = mul(%x, %w) -> f32[4,8]   # scale
  %act = relu(%scaled) -> f32[4,8]   # act
  %y = sum(%act, axis=1) -> f32[4]   # total
  return y=%y
}
"""
PORTABLE = ("--target", "portable")
KEYS = {"spec", "target", "threads", "cost", "cost_bound", "gap", "synthesis_s", "parts", "parts_solved"}
KEYS |= {"parts_from_table", "parts_possible", "parts_tried", "specs_solved", "peak_rss_mb"}
BUILT = KEYS | {"workspace_bytes", "live_bytes", "intermediates_bytes", "constants_bytes", "compile_s"}


@pytest.fixture(scope="module")
def cache_of_models(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(autouse=True)
def environment(cache_of_models, monkeypatch):
    monkeypatch.setenv("GRIOTTE_CACHE", str(cache_of_models))


@pytest.fixture(scope="module")
def word(tmp_path_factory):
    """A model's text, as a word of the command line."""
    path = tmp_path_factory.mktemp("text") / "model.txt"
    path.write_text(TEXT)
    return f"@{path}"


def expected(x):
    return np.maximum(x * np.array([1, 2, 3, 1, 2, 3, 1, 2], np.float32), 0).sum(1)


# A graph's text ------------------------------------------------------------------------------------------------------


def test_compile_tells_the_parts_and_what_is_held(word):
    text = run("compile", word, *PORTABLE)
    assert re.match(r"@.*model\.txt: \d parts?, 1 thread, portable   cost .* cycles\n", text)
    assert "\ncut: of " in text and "\nholds: " in text and "\ncompiled in " in text


STABLEHLO = """func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %w = stablehlo.constant dense<[1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0]> : tensor<8xf32>
  %0 = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4x8xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %3 = stablehlo.maximum %1, %2 : tensor<4x8xf32>
  %4 = stablehlo.reduce(%3 init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
"""


def test_a_file_of_stablehlo_is_a_model(tmp_path):
    path = tmp_path / "f.mlir"
    path.write_text(STABLEHLO)
    assert run_json("check", str(path), *PORTABLE)["ok"]
    run("compile", str(path), *PORTABLE, "-o", str(tmp_path / "out"))
    x = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
    assert np.allclose(load(tmp_path / "out")(x), expected(x), rtol=1e-5)
    told = refused("compile", str(path), "--shape", "x=4,8")
    assert "expected an .onnx file beside --shape" in told
    path.write_text(STABLEHLO.replace("stablehlo.multiply %x", "stablehlo.multiply %z"))
    assert "expected a value that is given before, found %z, at line 4 of StableHLO" in refused("compile", str(path))
    path.write_bytes(b"\xff\xfe")
    assert "expected StableHLO as text, found other bytes" in refused("compile", str(path))


def test_compile_writes_a_package_of_a_model(word, tmp_path):
    words = ("compile", word, *PORTABLE, "-o", str(tmp_path), "--pkgconfig", "--name", "net", "--weights", "inside")
    found = {os.path.basename(name) for name in run_json(*words)["files"]}
    assert {"libnet.a", "net.h", "net.hpp", "net.pc", "model.bin"} < found == {p.name for p in tmp_path.iterdir()}


def test_compile_saves_what_load_reads(word, tmp_path):
    found = run_json("compile", word, *PORTABLE, "-o", str(tmp_path))
    names = {"kernel.c", "kernel.h", "kernel.so", "kernel.json", "model.bin"}
    assert {os.path.basename(name) for name in found["files"]} == names == {p.name for p in tmp_path.iterdir()}
    assert BUILT | {"files"} <= found.keys()
    x = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
    kernel = load(tmp_path)
    assert np.allclose(kernel(x), expected(x), rtol=1e-5)
    out = np.empty(4, np.float32)
    call = kernel.bind(x, out=out)
    x *= 2
    assert call() is out and np.allclose(out, expected(x), rtol=1e-5)


def test_a_saved_model_without_its_constants_is_refused(word, tmp_path):
    run("compile", word, *PORTABLE, "-o", str(tmp_path))
    (tmp_path / "model.bin").write_bytes(b"short")
    with pytest.raises(gt.ToolchainError, match=r"bytes of constants, found 5, in .*model\.bin; save it again"):
        load(tmp_path)
    (tmp_path / "model.bin").unlink()
    with pytest.raises(gt.ToolchainError, match="found No such file"):
        load(tmp_path)


def test_what_is_emitted(word, tmp_path):
    assert run("compile", word, *PORTABLE, "--emit", "c").startswith("/*")
    assert "part 1, " in run("compile", word, *PORTABLE, "--emit", "program")
    for emit, name in (("c", "kernel.c"), ("program", "program.txt"), ("so", "kernel.so"), ("html", "kernel.html")):
        found = run_json("compile", word, *PORTABLE, "--emit", emit, "-o", str(tmp_path))
        assert found["files"] == [str(tmp_path / name)] and (tmp_path / name).stat().st_size and KEYS <= found.keys()
    assert "void griotte_model_" in run_json("compile", word, *PORTABLE, "--emit", "c")["c"]


def test_c_for_another_machine_needs_none(word):
    assert "avx512" in run("compile", word, "--target", "avx512", "--emit", "c", "--effort", "1").lower()


def test_check_compares_with_the_reference(word):
    assert re.match(r"ok     @.*model\.txt   apart from griotte \S+; within 0.0001; ", run("check", word, *PORTABLE))
    found = run_json("check", word, *PORTABLE)
    assert found["ok"] and found["max_rel_err"] <= found["tolerance"] == 1e-4
    assert found["references"].keys() == {"griotte"} and BUILT | {"total_s"} <= found.keys()


def test_models_and_specs_are_checked_together(word):
    found = run_json("check", word, "exp(f32[9])", *PORTABLE)["results"]
    assert [each["ok"] for each in found] == [True, True]


def test_a_wrong_result_is_told(word, monkeypatch):
    from griotte.tools.commands.references import REFERENCES

    monkeypatch.setitem(REFERENCES, "griotte", lambda file, arrays: [np.ones(4, np.float32)])
    assert "WRONG  " in run("check", word, *PORTABLE, status=1)
    found = run_json("check", word, *PORTABLE, status=1)
    assert not found["ok"] and found["error"].startswith("random data: expected y within 0.0001 of griotte's, found it")


def test_a_small_element_is_judged_by_its_own_terms(tmp_path):
    """Beside one of a million; it is off by a thousandth."""

    from griotte.tools.commands.references import Verdict, own, tolerance

    x = np.array([1e6, 1.0, 1e-3, 1e-6], np.float32)
    graph = gt.graph(lambda x: x * 2 + x, gt.tensor((4,), "f32", name="x"))
    file = SimpleNamespace(graph=graph, path=None)
    right = own(file, [x])[0]
    for factor, is_right in (([1, 1, 1, 1], True), ([1, 1, 1.001, 1], False), ([1, 1, 1, 0.99], False)):
        told = Verdict(file, ["griotte"], tolerance(file))
        told.compare("some data", [x], (right * np.array(factor, np.float32),))
        found = told.keys()
        assert found["ok"] == is_right and (found["bound_share"] <= 1) == is_right
        assert is_right or "by what its calls add up, found it" in found["error"]


def test_explain_tells_each_part(word, tmp_path):
    text = run("explain", word, *PORTABLE, "--effort", "3", "--part", "1", "--html", str(tmp_path / "m.html"))
    assert "model.txt: 3 calls in " in text and "part    cycles   share   apart" in text and "mul, relu, sum" in text
    assert "\ncut: " in text and "\nin all: " in text and "\npart 1, " in text and "roofline: " in text
    page = (tmp_path / "m.html").read_text()
    assert "<svg" in page and 'id="part-1"' in page and "<h2>C</h2>" in page and "http://www.w3.org" in page
    found = run_json("explain", word, *PORTABLE)
    parts = found["parts_in_order"]
    assert sum(part["share"] for part in parts) == pytest.approx(1)
    assert [name for part in parts for name in part["calls"]] == ["mul", "relu", "sum"]
    assert KEYS <= found.keys() and parts[0]["binding"] in ("arithmetic", "memory")


def test_parts_are_timed_within_the_model(word):
    found = run_json("explain", word, *PORTABLE, "--measure")
    assert found["median_us"] > 0 and 0.1 < found["ghz"] < 10
    assert all(part["us"] >= 0 for part in found["parts_in_order"])
    assert "measured: " in found["explanation"] and " us " in found["explanation"].splitlines()[2]


def test_bench_without_contestants(word):
    found = run_json("bench", word, *PORTABLE, "--against", "none", "--seconds", "0.05")
    assert found["ok"] and found["median_us"] >= found["min_us"] > 0 and found["against"] == {}


def test_a_models_parts_are_solved_ahead(word, tmp_path):
    table = str(tmp_path / "t.griotte")
    first = run_json("table", "precompute", table, word, *PORTABLE)
    assert first["parts_solved"] > 0 and first["table_bytes"] > 0 and first["table"] == table
    assert run_json("check", word, *PORTABLE, "--table", table)["parts_solved"] == 0
    assert re.search(r": 0 parts solved, \d+ known; 0 points in ", run("table", "precompute", table, word, *PORTABLE))


def test_on_a_cluster(word, tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        table, address = str(tmp_path / "t.griotte"), client.scheduler.address
        found = run_json("table", "precompute", table, word, *PORTABLE, "--scheduler", address)
    assert found["parts_solved"] > 0 and found["workers"] == 1


@pytest.mark.parametrize(
    "words, parts",
    [
        ("compile {} --threads-by openmp", ["expected no --threads-by for a model, found 'openmp'"]),
        ("compile {} --tune 3 --ort-custom-op", ["expected no --tune for a model for onnxruntime, found 3"]),
        ("bench {} --against none --tune 3 --host numpy", ["expected no --tune for a model with a host, found 3"]),
        ("compile {} --shape x=4,8", ["expected an .onnx file beside --shape", "has its own sizes"]),
        ("check {} --memory 1GiB", ["expected no --memory for a model"]),
        ("explain {} --alternatives 3", ["expected no --alternatives for a model"]),
        ("explain {} --picture m.svg", ["expected no --picture for a model"]),
        ("explain {} --part 99", ["expected a part from 1 to ", "found 99"]),
        ("explain exp(f32[8]) --measure", ["expected no --measure for a Spec"]),
        ("bench {} --size 3", ["expected a model with a dynamic size beside --size"]),
        ("bench {}", ["expected an .onnx file to bench against onnxruntime", "write --against none"]),
        ("bench {} --against numpy", ["expected onnxruntime, openvino or none after --against of a model"]),
        ("bench exp(f32[8]) --host numpy", ["expected no --host for a Spec"]),
        ("check no-such.onnx --shape x=1", ["expected an ONNX model, found no such file: no-such.onnx"]),
        ("check no-such.mlir", ["expected a file of StableHLO's text, found No such file or directory: no-such.mlir"]),
        ("table precompute t.griotte small --shape x=1", ["expected no --shape for a list of Specs"]),
        ("table precompute t.griotte {} --scheduler 127.0.0.1:1 --workers 1", ["scheduler"]),
    ],
)
def test_what_does_not_fit_is_refused(words, parts, word, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "--scheduler" in words:
        pytest.importorskip("distributed")
        monkeypatch.setattr("griotte.tools.scale.cluster.CONNECT_S", 0.2)
    line = refused(*words.replace("{}", word).split(" "), *(() if "explain exp" in words else PORTABLE))
    assert all(part in line for part in parts), line


@pytest.mark.parametrize(
    "option, part",
    [
        ("--shape=x", "write x=1,3,48,192"),
        ("--shape=x=1,a", "write x=1,3,48,192"),
        ("--shape=x=0,3", "write x=1,3,48,192"),
        ("--shape=x=<=,3", "or 'x=<=8,3,48,192'"),
        ("--constant=axes", "write axes=axes.npy"),
        ("--constant=axes=none.npy", "found No such file"),
        ("--constant=axes=m.onnx", "expected an array for --constant axes"),
    ],
)
def test_sizes_and_data_of_inputs_are_read(option, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.onnx").write_bytes(b"no model")
    assert part in refused("check", "m.onnx", option)


# Stopped -------------------------------------------------------------------------------------------------------------


def long_model():
    """A model whose parts take a while."""
    sizes = (96, 104, 88, 120, 136, 72, 152, 112, 64, 168)
    heads = "".join(f"  %w{n}: const f32[{n},{m}],\n" for n, m in pairwise(sizes))
    calls, value = "", "x"
    for n, m in pairwise(sizes):
        calls += f"  %a{n} = matmul(%{value}, %w{n}) -> f32[512,{m}]\n"
        calls += f"  %b{n} = relu(%a{n}) -> f32[512,{m}]\n"
        value = f"b{n}"
    return f"model(\n  %x: f32[512,96],\n{heads}) {{\n{calls}  return y=%{value}\n}}\n"


def test_stopped_it_says_what_is_kept_and_workers_end(tmp_path):
    (tmp_path / "m.txt").write_text(long_model())
    table = tmp_path / "t.griotte"
    words = ["explain", f"@{tmp_path / 'm.txt'}", "--target", "avx512", "--table", str(table), "--effort", "3"]
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell's jobs may ignore it
    program = f"{heard}; from griotte.tools.cli import main; main()"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while not table.exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, told = process.communicate(timeout=120)
    assert process.returncode == 130 and out == ""
    assert re.fullmatch(r"griotte: stopped at \d+ of \d+ parts; what is solved is in the table: .*\n", told), told
    assert not processes_of(process.pid)
    assert gt.synthesize("exp(f32[8])", target="avx512", table=table).cost > 0


def processes_of(group):
    """The processes of a session that still run."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            state, _, _, session = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(session) == group and state != "Z":
            found.append(name)
    return found


def test_progress_says_how_far_it_is():
    from griotte.models.watching import Progress
    from griotte.tools.commands.progress import progress_line, stopped

    assert progress_line(Progress(1, 9), 3.0).startswith("1 of 9 parts") and "left" not in progress_line(
        Progress(1, 9), 3.0
    )
    line = progress_line(Progress(4, 12, ("conv2d (Conv_0)", "exp")), 2.0)
    assert line.startswith("4 of 12 parts, 4 s left") and line.endswith(": conv2d (Conv_0)")
    assert "nothing is kept" in stopped(Progress(1, 2), "none")
    told = Progress(4, 12, left=30.0)
    assert progress_line(told, 2.0).startswith("4 of 12 parts, 30 s left")
    assert progress_line(told, 2.0, since=12.0).startswith("4 of 12 parts, 18 s left")  # it counts down
    assert "left" not in progress_line(told, 2.0, since=31.0) and "left" not in progress_line(Progress(1, 9, left=9), 3)


def test_a_line_says_what_it_is_at_each_moment(capsys, monkeypatch):
    from griotte.tools.commands.terminal import line

    monkeypatch.setenv("FORCE_COLOR", "1")
    said = iter(range(1000))
    with line("reading") as say:
        say(lambda: f"[{next(said)}] of 53")
        say(lambda: f"[{next(said)}] of 54")
    shown = capsys.readouterr().err
    assert "reading" in shown and "[0] of 53" in shown and "of 54" in shown


def test_an_observer_is_told_of_all_parts():
    from griotte.compiler.session import session_of
    from griotte.models.pool import Pool
    from griotte.models.solving import solve

    seen = []
    solve(parse_graph(TEXT), Pool(session_of(target="portable", table="none", effort=1), 1), seen.append)
    assert seen[-1].done == seen[-1].known > 0 and not seen[-1].working
    assert any("mul, relu" in each.working[0] for each in seen if each.working)
    assert all(each.left is not None and 0 <= each.left < 60 for each in seen)


# ONNX files ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def onnx():
    return pytest.importorskip("onnx", reason="the package onnx is not installed")


def saved(onnx, path, nodes, inputs, outputs, arrays):
    helper, kinds = onnx.helper, {np.dtype("f4"): 1, np.dtype("i8"): 7}
    graph = helper.make_graph(
        [helper.make_node(op, reads, gives, name=name, **more) for op, reads, gives, name, more in nodes],
        "tiny",
        [helper.make_tensor_value_info(name, kinds[np.dtype(kind)], shape) for name, kind, shape in inputs],
        [helper.make_empty_tensor_value_info(name) for name in outputs],
        [onnx.numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, str(path))
    return str(path)


@pytest.fixture(scope="module")
def perceptron(onnx, tmp_path_factory):
    """A model of one layer, the number of its rows open."""
    rng = np.random.default_rng(0)
    nodes = [
        ("MatMul", ["x", "w"], ["a"], "first", {}),
        ("Add", ["a", "b"], ["s"], "bias", {}),
        ("Relu", ["s"], ["y"], "act", {}),
    ]
    arrays = {"w": rng.standard_normal((8, 6)).astype("f4"), "b": rng.standard_normal(6).astype("f4")}
    path = tmp_path_factory.mktemp("onnx") / "perceptron.onnx"
    return saved(onnx, path, nodes, [("x", "f4", ["n", 8])], ["y"], arrays)


@pytest.fixture(scope="module")
def determinant(onnx, tmp_path_factory):
    """A model with a node that griotte lacks, in the middle."""
    nodes = [
        ("Exp", ["x"], ["e"], "before", {}),
        ("Det", ["e"], ["d"], "det", {}),
        ("Tanh", ["x"], ["t"], "beside", {}),
        ("Add", ["t", "d"], ["y"], "after", {}),
    ]
    return saved(onnx, tmp_path_factory.mktemp("onnx") / "det.onnx", nodes, [("x", "f4", [3, 3])], ["y", "d"], {})


def test_an_onnx_file_is_checked_against_all_that_are_there(perceptron):
    found = run_json("check", perceptron, "--shape", "x=4,8", *PORTABLE)
    assert found["ok"] and {"griotte", "onnx"} <= found["references"].keys() and found["spec"] == perceptron
    line = refused("check", perceptron, *PORTABLE)
    assert "expected the sizes of all inputs, found 'x' of [?,8]" in line and "--shape x=1,8" in line


def test_a_size_may_be_a_bound(perceptron, tmp_path):
    known = (perceptron, "--shape", "x=<=5,8", *PORTABLE)
    found = run_json("check", *known)
    assert found["ok"] and found["bound"] == 5 and {"griotte", "onnx"} <= found["references"].keys()
    assert "at size 5, the bound\n" in run("compile", *known, "-o", str(tmp_path))
    assert load(tmp_path)(np.zeros((3, 8), np.float32)).shape == (3, 6)
    found = run_json("explain", *known, "--measure")
    assert "at size 5, the bound\n" in found["explanation"] and found["median_us"] > 0
    for size in (3, 5):
        found = run_json("bench", *known, "--against", "none", "--seconds", "0.05", "--size", str(size))
        assert found["ok"] and found["size"] == size
    assert "expected one up to 5 beside --size, found 6" in refused("bench", *known, "--against", "none", "--size", "6")


def test_a_reference_that_differs_from_all_others_is_none(perceptron, monkeypatch):
    pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")
    from griotte.tools.commands.references import REFERENCES

    monkeypatch.setitem(REFERENCES, "onnx", lambda file, arrays: [np.zeros((4, 6), np.float32)])
    found = run_json("check", perceptron, "--shape", "x=4,8", *PORTABLE)
    assert found["ok"] and found["not_compared"] == {"onnx": "its results are not those of any other reference"}


def test_bench_beside_onnxruntime(perceptron):
    pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")
    found = run_json("bench", perceptron, "--shape", "x=4,8", *PORTABLE, "--seconds", "0.05")
    other = found["against"]["onnxruntime"]
    assert found["ok"] and other["ratio"] == other["median_us"] / found["median_us"] and other["settings"]
    assert "x griotte's time" in run("bench", perceptron, "--shape", "x=4,8", *PORTABLE, "--seconds", "0.05")


def test_bench_beside_openvino(perceptron):
    pytest.importorskip("openvino", reason="the package openvino is not installed")
    words = ("--shape", "x=4,8", *PORTABLE, "--seconds", "0.05", "--against", "openvino")
    found = run_json("bench", perceptron, *words)
    assert found["ok"] and found["against"]["openvino"]["median_us"] > 0


def test_what_is_not_installed_is_told(perceptron, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    found = run_json("bench", perceptron, "--shape", "x=4,8", *PORTABLE, "--seconds", "0.05", "--against", "openvino")
    assert found["ok"] and found["not_measured"] == {"openvino": "not installed"} and not found["against"]


def test_constants_of_inputs(onnx, tmp_path):
    nodes = [("Reshape", ["x", "shape"], ["y"], "fold", {})]
    path = saved(onnx, tmp_path / "m.onnx", nodes, [("x", "f4", [4, 6]), ("shape", "i8", [2])], ["y"], {})
    np.save(tmp_path / "shape.npy", np.array([8, 3]))
    assert "the shape" in refused("check", path, *PORTABLE) or "Reshape fold" in refused("check", path, *PORTABLE)
    assert run_json("check", path, "--constant", f"shape={tmp_path / 'shape.npy'}", *PORTABLE)["ok"]


def test_all_nodes_that_are_lacked_are_named_at_once(determinant, onnx):
    line = refused("compile", determinant, *PORTABLE)
    assert "found 1 node of others: Det det: no such operator here" in line and "--host onnxruntime" in line
    with pytest.raises(gt.SpecError, match="Det det"):
        gt.synthesize(gt.from_onnx(determinant), target="portable")


def test_a_host_runs_what_is_lacked(determinant, onnx):
    graph = gt.from_onnx(determinant)
    kernel = gt.compile(graph, target="portable", host="numpy")
    x = np.random.default_rng(0).standard_normal((3, 3)).astype(np.float32)
    y, d = kernel(x)
    assert np.allclose(d, np.linalg.det(np.exp(x)), rtol=1e-4) and np.allclose(y, np.tanh(x) + d, rtol=1e-4)
    out = np.empty((3, 3), np.float32), np.empty((), np.float32)
    assert kernel(x=x, out=out) is not None and np.allclose(out[0], y)
    assert kernel.stats["hosted"] == ["det"] and kernel.stats["parts"] > 0
    with pytest.raises(gt.SpecError, match="expected the inputs 'x', found 0 by order"):
        kernel()
    with pytest.raises(gt.SpecError, match="of which a host runs det"):
        kernel.save("out")
    with pytest.raises(gt.SpecError, match="expected onnxruntime or numpy as host, found 'mine'"):
        gt.compile(graph, target="portable", host="mine")
    found = run_json("check", determinant, *PORTABLE, "--host", "numpy")
    assert found["ok"] and "griotte" not in found["references"]


def test_a_graph_with_steps_of_a_host_pickles(determinant, onnx):
    import pickle

    graph = pickle.loads(pickle.dumps(gt.from_onnx(determinant)))
    (step,) = graph.steps
    assert step.gives[0] in graph.values and step.reads[0] in graph.values and graph.unsupported()[0].name == "det"
    assert gt.compile(graph, target="portable", host="numpy").stats["hosted"] == ["det"]


def test_a_host_cannot_run_what_has_no_sizes(onnx, tmp_path):
    nodes = [("NonZero", ["x"], ["y"], "where", {})]
    graph = gt.from_onnx(saved(onnx, tmp_path / "m.onnx", nodes, [("x", "f4", [3, 3])], ["y"], {}))
    with pytest.raises(gt.SpecError, match="types that are known before the call, found NonZero where"):
        gt.compile(graph, target="portable", host="numpy")


def test_no_host_for_a_spec():
    with pytest.raises(gt.SpecError, match="expected no host for a Spec"):
        gt.compile("exp(f32[8])", target="portable", host="numpy")


def test_the_command_line_is_one_object(word, capsys):
    with pytest.raises(SystemExit):
        main(["explain", word, *PORTABLE, "--json"])
    json.loads(capsys.readouterr().out)


def test_a_contestant_with_other_results_is_told(perceptron, monkeypatch):
    import griotte_peers
    from griotte_peers.models import Contestant

    wrong = {"its only": Contestant(lambda: None, lambda: [np.ones((4, 6), np.float32)])}
    monkeypatch.setitem(griotte_peers.MODEL_CONTESTANTS, "openvino", lambda *_: wrong)
    words = ("--shape", "x=4,8", *PORTABLE, "--seconds", "0.05", "--against", "openvino")
    found = run_json("bench", perceptron, *words)
    assert found["ok"] and found["apart"]["openvino"] > 0.1 and found["against"]["openvino"]["settings"] == "its only"
    assert re.search(r"openvino +gives other results: ", run("bench", perceptron, *words))

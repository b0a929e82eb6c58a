"""`first="fast"`: a right kernel at once, the search behind it in processes that end with it."""

import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import griotte as gt
import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.solved import Solved
from griotte.lang.nests.family import LINE
from griotte.models import behind
from griotte.models.solving import Solving
from griotte.models.text import parse_graph
from griotte.runtime import toolchain
from griotte.runtime.leaves import resolved

W = np.random.default_rng(0).standard_normal((16, 24)).astype(np.float32)
X = np.random.default_rng(1).standard_normal((3, 16)).astype(np.float32)


def net(x):
    h = np.maximum(x @ W, 0)
    return h, np.exp(h - h.max(-1, keepdims=True))


def model():
    return gt.graph(net, "f32[3,16]")


def is_right(found, x=X):
    return all(np.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in zip(found, net(x)))


@pytest.fixture(autouse=True)
def none_is_left():
    """A search that a test leaves behind is its own fault."""
    yield
    assert not list(behind._running)


@pytest.mark.parametrize("table", ["t.griotte", None])
def test_a_model_runs_at_once_and_then_by_the_whole_search(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "cache")) if table is None else None
    kernel = gt.compile(model(), "portable", table=table, first="fast")
    assert is_right(kernel(X)) and isinstance(kernel.stats["first"], bool)
    assert kernel.wait(300) and kernel.stats["first"] is False and is_right(kernel(X))
    whole = gt.compile(model(), "portable", table=table)
    assert kernel.source == whole.source and np.array_equal(kernel(X)[0], whole(X)[0])
    again = gt.compile(model(), "portable", table=table, first="fast")
    assert is_right(again(X)) and again.stats["first"] is (table is not None), "the cache has the model with its table"
    assert again.wait(300)


@pytest.mark.parametrize("text", ["softmax(matmul(f32[8,16], f32[16,8]))", "sum(f32[<=6,8], axis=1)"])
def test_a_spec_runs_at_once_and_then_by_the_whole_search(text, tmp_path):
    spec, table = gt.parse(text), tmp_path / "t.griotte"
    arrays = [np.random.default_rng(2).standard_normal(t.shape).astype(np.float32) for t in spec.inputs]
    meaning = gt.interpret(spec, *arrays)
    kernel = gt.compile(text, "portable", table=table, first="fast")
    assert np.allclose(kernel(*arrays), meaning, rtol=1e-4, atol=1e-6)
    assert kernel.wait(300) and np.allclose(kernel(*arrays), meaning, rtol=1e-4, atol=1e-6)
    assert kernel.source == gt.compile(text, "portable", table=table).source
    again = gt.compile(text, "portable", table=table, first="fast")
    assert again.stats["first"] is False, "the table knows it"


def test_two_at_once_and_calls_meanwhile():
    kernels = [gt.compile(model(), "portable", table="none", first="fast") for _ in range(2)]
    found, end = [], threading.Event()

    def run():
        while not end.is_set():
            found.append(all(is_right(kernel(X)) for kernel in kernels))
            time.sleep(0.001)

    thread = threading.Thread(target=run)
    thread.start()
    assert all(kernel.wait(300) for kernel in kernels)
    seen = len(found)
    while len(found) < seen + 2:
        time.sleep(0.001)
    end.set()
    thread.join()
    assert all(found)


def test_what_is_wrong_is_told_at_once():
    with pytest.raises(gt.SpecError, match=r'expected "fast" or None as first, found 3'):
        gt.compile(model(), first=3)
    with pytest.raises(gt.SpecError, match='expected no host for first="fast"'):
        gt.compile(model(), first="fast", host="numpy")
    with pytest.raises(gt.SpecError, match="expected no memory for a model"):
        gt.compile(model(), first="fast", memory="1GiB")
    with pytest.raises(gt.SpecError, match='expected a Spec or a model for first="fast"'):
        gt.compile(gt.synthesize("exp(f32[8])", "portable", table="none"), first="fast")
    with pytest.raises(gt.SpecError, match="equal inner sizes"):
        gt.compile("matmul(f32[8,8], f32[9,8])", first="fast")
    with pytest.raises(gt.GriotteError, match="number of threads"):
        gt.compile("exp(f32[8])", threads=0, first="fast")


def test_a_search_that_ends_early_is_told_once(monkeypatch):
    monkeypatch.setattr(behind, "_started", lambda: _process("import sys; sys.stdin.buffer.read(1)"))
    with pytest.warns(RuntimeWarning, match="its process ended .* first kernel goes on") as told:
        kernel = gt.compile(model(), "portable", table="none", first="fast")
        assert kernel.wait(60) is False and kernel.wait() is False
    assert sum("goes on" in str(each.message) for each in told) == 1
    assert kernel.stats["first"] is True and is_right(kernel(X))


def test_a_search_that_fails_is_told_as_it_fails(monkeypatch):
    answer = "import pickle, sys; from griotte import NoProgramError; pickle.load(sys.stdin.buffer);"
    answer += "pickle.dump(NoProgramError('expected this'), sys.stdout.buffer)"
    monkeypatch.setattr(behind, "_started", lambda: _process(answer))
    with pytest.warns(RuntimeWarning, match="expected this; the first kernel goes on"):
        kernel = gt.compile("exp(f32[8])", "portable", table="none", first="fast")
        assert kernel.wait(60) is False
    assert np.allclose(kernel(np.zeros(8, np.float32)), 1)


def test_where_warnings_are_errors_waiting_ends_too(monkeypatch):
    monkeypatch.setattr(behind, "_started", lambda: _process("pass"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel = gt.compile("exp(f32[8])", "portable", table="none", first="fast")
        assert kernel.wait(60) is False


def _process(code):
    return subprocess.Popen(
        [sys.executable, "-c", code],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=behind.environment(),
        process_group=0,
    )


BIG = "matmul(f32[1000,777], f32[777,513])"
LEAVING = f"""
import os, sys, time, numpy as np, griotte as gt
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.solved import Solved
from griotte.lang.nests.family import LINE
from griotte.models import behind
from griotte.models.solving import Solving
kernel = gt.compile("{BIG}", "portable", table="none", first="fast")
while not (running := list(behind._running)) or running[0]._process is None:
    time.sleep(0.001)
print(running[0]._process.pid, flush=True)
"""


def _is_there(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("end", ["", "del kernel; print(1, flush=True); time.sleep(60)", "time.sleep(60)"])
def test_the_search_ends_with_the_kernel_and_with_the_process(end):
    command = [sys.executable, "-c", LEAVING + end]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=behind.environment())
    try:
        group = int(process.stdout.readline())
        if end.startswith("del"):
            process.stdout.readline()
        elif end:
            process.send_signal(signal.SIGKILL)
        else:
            assert process.wait(120) == 0
        until = time.monotonic() + 120
        while _is_there(group) and time.monotonic() < until:
            time.sleep(0.02)
        assert not _is_there(group)
    finally:
        process.kill()
        process.wait()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")
def test_a_child_of_a_fork_calls_and_searches_by_itself():
    kernel = gt.compile(model(), "portable", table="none", first="fast")
    if (child := os.fork()) == 0:
        signal.alarm(300)
        os._exit(0 if is_right(kernel(X)) and kernel.wait() and is_right(kernel(X)) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert kernel.wait(300) and is_right(kernel(X))


NARROW = (
    "matmul(f32[7,33], const f32[33,19])",
    "conv2d(f32[1,3,9,11], const f32[5,3,3,3], padding=1, stride=2)",
    "conv2d(f32[1,6,9,9], const f32[6,1,5,5], padding=2, groups=6)",
    "conv2d(f32[1,3,23,37], const f32[5,3,5,3], padding=(2,1), dilation=(2,1))",
    "softmax(f32[5,37])",
    "layer_norm(f32[3,41], const f32[41], const f32[41])",
    "max_pool2d(f32[1,4,13,13], window=3, stride=2)",
    "attention(f32[1,2,9,8], f32[1,2,9,8], f32[1,2,9,8], causal=true)",
    "argmax(f32[6,29], axis=0)",
    "matmul(s8[5,40], const s8[40,9]) -> s32[5,9]",
    "transpose(bf16[9,13], perm=(1,0))",
    "cumsum(f32[4,10], axis=1)",
    "matmul(f32[<=9,16], const f32[16,16])",
)


@pytest.mark.parametrize("target", ["portable", "native"])
@pytest.mark.parametrize("text", NARROW)
def test_the_small_space_has_right_programs(text, target):
    from griotte.lang.meaning.agreement import compare
    from griotte.lang.meaning.samples import random_arrays

    spec = gt.parse(text)
    arrays = random_arrays(spec, np.random.default_rng(3))
    program = gt.synthesize(spec, target, table="none", effort=0)
    for kernel in (program.compile(), program._compile_soon("keep")):
        error, is_right, why = compare(spec, arrays, kernel(*arrays))
        assert is_right, (error, why)


def test_the_small_space_is_small_and_no_better():
    for text in ("matmul(f32[200,300], f32[300,400])", "softmax(f32[128,128])"):
        small, whole = (gt.synthesize(text, "avx2", table="none", effort=effort) for effort in (0, 2))
        assert 8 * small.stats["families"] <= whole.stats["families"]
        assert whole.cost <= small.cost <= 2.5 * whole.cost


def test_of_small_arrays_the_space_is_smaller_still_and_no_worse_by_much():
    """Arrays that a near cache holds have no sums in tiles; larger ones do."""
    target = resolved("avx2", None)
    texts = "relu(matmul(f32[40,96], f32[96,48]))", "relu(matmul(f32[200,900], f32[900,900]))"
    for text, is_small in zip(texts, (True, False)):
        spec = canonical_form(gt.parse(text))
        lines = sum(t.bytes for t in spec.tensors) / LINE
        assert target.narrowed_for(lines) is (target.narrowest if is_small else target.narrowed)
        most, least = (Solved(spec, each).best.cost for each in (target.narrowed, target.narrowest))
        assert most <= least and (not is_small or least <= 1.2 * most)
    families = [Solved(spec, each) for each in (target.narrowed, target.narrowest)]
    most, least = (each.statistics.families for each in families if each.best)
    assert 2 * least <= most


def test_what_the_table_knows_is_taken_at_effort_0(tmp_path):
    text, table = "matmul(f32[64,96], f32[96,80])", tmp_path / "t.griotte"
    assert gt.synthesize(text, "avx2", table=table, effort=0).stats["specs_solved"] > 0
    whole = gt.synthesize(text, "avx2", table=table)
    assert whole.stats["specs_solved"] > 0, "a small space is not kept"
    found = gt.synthesize(text, "avx2", table=table, effort=0)
    assert found.stats["specs_solved"] == 0 and str(found) == str(whole)


def test_a_spec_that_only_the_small_space_has_is_searched_for_anew(tmp_path):
    text, table = "exp(f32[7,9])", tmp_path / "t.griotte"
    assert gt.synthesize(text, "portable", table=table, effort=0).stats["specs_solved"] > 0
    kernel = gt.compile(text, "portable", table=table, first="fast")
    assert kernel.wait(300) and kernel._search is not None
    assert gt.compile(text, "portable", table=table, first="fast")._search is None, "the table knows it"


def test_the_c_of_windows_is_shorter_where_the_compiler_is_to_be_quick():
    text = "conv2d(f32[1,8,40,40], f32[8,8,5,5], padding=2)"
    program = gt.synthesize(text, "avx2", table="none", effort=0)
    assert len(program._compile_soon("keep").source) < 0.8 * len(program.to_c())


def test_a_model_with_a_loop_runs_at_once():
    graph = parse_graph("""
model(
  %h: f32[1,8],
  %xs: f32[5,1,8],
) {
  %last, %ys = scan(trips=5,
    carry %c: f32[1,8] = %h,
    each %s: f32[1,8] = %xs,
  ) {
    %v = tanh(add(%c, %s)) -> f32[1,8]
    next %v
    rows %v
  }
  %b = bits(%ys, dtype=s32) -> s32[5,1,8]
  return last=%last, b=%b
}
""")
    h, xs = np.zeros((1, 8), np.float32), np.random.default_rng(4).standard_normal((5, 1, 8)).astype(np.float32)
    rows = [h]
    for x in xs:
        rows.append(np.tanh(rows[-1] + x))
    kernel = gt.compile(graph, "portable", table="none", first="fast")
    for _ in range(2):
        last, bits = kernel(h, xs)
        assert np.allclose(last, rows[-1], rtol=1e-5) and np.allclose(bits.view(np.float32), rows[1:], rtol=1e-5)
        assert kernel.wait(300)


@pytest.mark.parametrize("cpus", [1, 2])
def test_compilers_begin_while_other_parts_are_searched(cpus, monkeypatch, tmp_path):
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    monkeypatch.setattr("griotte.compiler.programs.begun.usable", lambda: cpus)
    monkeypatch.setattr("griotte.compiler.programs.begun.LEAST", 100)
    begun, solved = [], []
    begin, program = toolchain.ObjectFiles.begin, Solving.program
    monkeypatch.setattr(
        toolchain.ObjectFiles, "begin", lambda objects, text: (begun.append(text), begin(objects, text))
    )
    monkeypatch.setattr(Solving, "program", lambda *given: (program(*given), solved.append(len(begun)))[0])
    kernel = gt.compile(model(), "portable", table="none", first="fast")
    assert is_right(kernel(X)) and (solved[0] > 0) == (cpus > 1) and (len(begun) > solved[0]) == (cpus > 1)
    assert kernel.wait(300) and is_right(kernel(X))

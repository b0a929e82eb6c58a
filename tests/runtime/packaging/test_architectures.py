"""Packages for several architectures: one tree of sources, each target's C for its machine alone, compiled for this
machine and for Arm, which an emulator runs."""

import platform
import shutil
import subprocess

import griotte as gt
import numpy as np
import pytest
from c_programs import EACH_TARGET, STRICT
from features import compiled_here
from griotte.machine import named, runs_here
from griotte.models.text import parse_graph
from griotte.runtime.compilers import find_compiler
from griotte.runtime.packaging.package import PackageOptions
from griotte.support.errors import SpecError
from object_files import members, object_file

SPEC = "softmax(matmul(f32[4,8], const f32[8,300]))"
CROSS, EMULATOR = "aarch64-linux-gnu-gcc", ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
CHECKED = f"FLAGS=-O1 -std=gnu11 -pthread {' '.join(STRICT)}"
CMAKE = """
cmake_minimum_required(VERSION 3.16)
project(main LANGUAGES CXX)
find_package(mv 1 CONFIG REQUIRED)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE mv::mv)
"""


@pytest.fixture(autouse=True)
def all_features(monkeypatch):
    """What GRIOTTE_CPU hides from Python is there for C."""
    monkeypatch.delenv("GRIOTTE_CPU", raising=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if platform.machine() != "x86_64" or find_compiler().machine != "x86_64":
        pytest.skip("expected an x86 and a compiler for it, found another machine")
    program = gt.synthesize(SPEC, "portable", threads=2, table="none")
    targets = [*compiled_here(), "neon"]
    return program.save(tmp_path_factory.mktemp("each"), name="mv", cmake=True, pkgconfig=True, targets=targets)


def results(said: str) -> tuple[str, dict[str, list[float]], set[str]]:
    """The target that runs, what each gives that runs, and those that do not."""
    words, found, others = said.split(), {}, set()
    best = words.pop(0)
    while words:
        name, status = words.pop(0), words.pop(0)
        if status == "0":
            found[name] = [float(word) for word in words[:1200]]
            del words[:1200]
        else:
            others.add(name)
    return best, found, others


def agree(found):
    x = ((np.arange(32) % 5) / 4).astype(np.float32).reshape(4, 8)
    w = ((np.arange(2400) % 7) / 8).astype(np.float32).reshape(8, 300)
    expected = gt.interpret(gt.parse(SPEC), x, w).ravel()
    return all(np.allclose(each, expected, rtol=1e-4) for each in found.values())


def test_the_library_that_comes_with_it_is_for_the_machine_of_the_compiler(folder):
    assert not (folder / "libmv.a").exists()
    found = [object_file(content) for content in members((folder / "x86_64" / "libmv.a").read_bytes())]
    assert {each.machine for each in found} == {"x86_64"}
    names = frozenset().union(*(each.symbols for each in found))
    assert {"mv", "mv_pack_x1"} <= names and "mv_neon" not in names


@pytest.mark.parametrize("compiler", [(), (CROSS,)], ids=["here", "arm"])
def test_each_target_of_a_machine_gives_the_result_and_those_of_others_are_refused(compiler, folder, tmp_path):
    tree = tmp_path / "tree"
    shutil.copytree(folder, tree)
    shutil.rmtree(tree / "x86_64")
    command, emulator = compiler or find_compiler().command, EMULATOR if compiler else ()
    for needed in ("make", "pkg-config", command[0], *emulator[:1]):
        if shutil.which(needed) is None:
            pytest.skip(f"expected {needed}, found none on PATH; `make test-arm` installs what Arm's tests need")
    machine = "aarch64" if compiler else "x86_64"
    run = lambda *words: subprocess.run(words, cwd=tree, capture_output=True, text=True, timeout=300)
    made = run("make", "-f", "mv.mk", f"CC={' '.join(command)}", CHECKED)
    assert made.returncode == 0, made.stderr
    asked = run("pkg-config", f"--define-variable=machine={machine}", "--cflags", "--libs", str(tree / "mv.pc"))
    (tree / "main.c").write_text(EACH_TARGET)
    linked = run(*command, "-std=c99", *STRICT, "main.c", *asked.stdout.split(), "-o", "main")
    assert linked.returncode == 0, linked.stderr
    done = run(*emulator, str(tree / "main"))
    best, found, others = results(done.stdout)
    assert done.returncode == 0 and agree(found), done.stderr
    if compiler:
        assert (best, {*found}, others) == ("neon", {"neon", "portable"}, {*compiled_here()} - {"portable"})
    else:
        run_here = {name for name in compiled_here() if runs_here(named(name))}
        assert {*found} == run_here and "neon" in others and best == next(iter(found))


def test_cmake_compiles_it_with_a_program_of_cpp(folder, tmp_path):
    for needed in ("cmake", "make", "c++"):
        if shutil.which(needed) is None:
            pytest.skip(f"expected {needed}, found none on PATH")
    (tmp_path / "main.cpp").write_text(EACH_TARGET)
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    run = lambda *words: subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    for words in (("-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={folder}"), ("--build", "build")):
        done = run("cmake", *words)
        assert done.returncode == 0, done.stderr + done.stdout
    assert agree(results(run("build/main").stdout)[1])


def test_files_are_told_and_constants_within_are_refused(folder, tmp_path):
    saved = {path.rsplit("/", 1)[1] for path in PackageOptions("mv").saved(folder, "mv")}
    assert {"mv.c", "mv.mk", "mv_neon.c", "mv_portable.c", "libmv.a"} <= saved
    graph = parse_graph("""model(%x: f32[4,8], %w: const f32[8] = (1, 2, 3, 1, 2, 3, 1, 2)) {
  %y = mul(%x, %w) -> f32[4,8]
  return y=%y
}""")
    kernel = gt.compile(graph, "portable", table="none")
    with pytest.raises(SpecError, match="expected constants in files beside a library for several architectures"):
        kernel.save(tmp_path, name="net", targets=["avx2", "neon"], weights="inside")
    kernel.save(tmp_path, name="net", targets=["avx2", "neon", "portable"])
    assert {"net-avx2.bin", "net-neon.bin", "model.bin", "net_neon.c"} <= {path.name for path in tmp_path.iterdir()}


MODEL = """model(%x: f32[4,8], %w: const f32[8,24] = (WORDS)) {
  %h = matmul(%x, %w) -> f32[4,24]
  %y = softmax(%h, axis=-1) -> f32[4,24]
  return y=%y
}"""
OF_MODEL = """
#include <stdio.h>
#include <stdlib.h>
#include "net.h"
static float x[4 * 8], y[4 * 24];
int main(void)
{
    for (int i = 0; i < 4 * 8; i++) x[i] = (float)(i % 5) / 4;
    char *const room = malloc(net_weights_bytes() + 256);
    FILE *const file = fopen(net_weights_file(), "rb");
    if (!room || !file) return 1;
    char *const weights = room + (256 - (size_t)room % 256) % 256;
    if (fread(weights, 1, net_weights_bytes(), file) != net_weights_bytes() || net(weights, x, y)) return 2;
    for (int i = 0; i < 4 * 24; i++) printf("%.9g\\n", y[i]);
    free(room);
    return fclose(file);
}
"""


def test_constants_that_are_packed_here_are_right_on_arm(tmp_path):
    for needed in ("make", CROSS, EMULATOR[0]):
        if shutil.which(needed) is None:
            pytest.skip(f"expected {needed}, found none on PATH; `make test-arm` installs it")
    if find_compiler().machine != "x86_64":
        pytest.skip("expected a compiler for x86, found another")
    w = (np.arange(192) % 7 / 8).astype(np.float32)
    graph = parse_graph(MODEL.replace("WORDS", ", ".join(map(str, w))))
    gt.compile(graph, "portable", table="none").save(tmp_path, name="net", targets=["avx2", "neon"])
    (tmp_path / "main.c").write_text(OF_MODEL)
    run = lambda *words: subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    for words in (
        ("make", "-f", "net.mk", f"CC={CROSS}"),
        (CROSS, "-std=c99", *STRICT, "main.c", "aarch64/libnet.a", "-pthread", "-lm", "-o", "main"),
    ):
        done = run(*words)
        assert done.returncode == 0, done.stderr
    done = run(*EMULATOR, "./main")
    assert done.returncode == 0, done.returncode
    h = ((np.arange(32) % 5) / 4).reshape(4, 8) @ w.reshape(8, 24)
    expected = np.exp(h) / np.exp(h).sum(axis=-1, keepdims=True)
    assert np.allclose(np.array(done.stdout.split(), float).reshape(4, 24), expected, rtol=1e-4)

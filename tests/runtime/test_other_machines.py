"""What is made here for other machines and systems: by the compiler of a wheel, without one of this system."""

import importlib.util
import subprocess
import sys
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from features import everything, skip_without
from griotte.models.text import parse_graph
from griotte.runtime.compilers import find_compiler
from griotte.runtime.loaded import opened
from griotte.runtime.model import packed
from griotte.support.errors import ToolchainError
from object_files import members, object_file

MACHINES = {"x86_64-linux-gnu": "avx2", "aarch64-linux-gnu": "neon", "x86_64-macos": "avx2", "aarch64-macos": "neon"}
WHEEL = f"{sys.executable} -m ziglang cc"
CALLS = """
#include "mv.hpp"
int main()
{
    static float x[64 * 32], w[32 * 96], y[64 * 96];
    const griotte::mv::packed_x1 packed(w);
    griotte::mv::run(x, packed, y);
    return griotte::mv::belongs() ? 0 : 1;
}
"""


@pytest.fixture(params=MACHINES)
def machine(request, monkeypatch):
    """The machine that the compiler compiles for."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("expected the wheel ziglang, found none; pip install 'griotte[zig]'")
    monkeypatch.setenv("CC", f"{WHEEL} -target {request.param}")
    monkeypatch.setenv("PATH", "/none")
    monkeypatch.delenv("AR", raising=False)
    return request.param


def is_for(machine):
    return machine.removesuffix("-gnu")


@pytest.mark.long
def test_a_lone_kernel(machine, tmp_path):
    program = gt.synthesize("softmax(f32[16,100])", MACHINES[machine], table="none")
    found = object_file((program.save(tmp_path) / "kernel.so").read_bytes())
    assert (found.is_for, found.kind) == (is_for(machine), "library")
    assert {program.function, f"{program.function}_check"} <= found.symbols
    assert "griotte_share_out" not in found.symbols


@pytest.mark.long
def test_a_package_with_the_team_of_threads_and_a_program_in_cpp(machine, tmp_path):
    spec = "matmul(f32[64,32], const f32[32,96])"
    program = gt.synthesize(spec, MACHINES[machine], threads=2, table="none")
    assert "griotte_share_out(2" in program.to_c()
    program.save(tmp_path, name="mv", cmake=True, pkgconfig=True)
    found = [object_file(content) for content in members((tmp_path / "libmv.a").read_bytes())]
    assert {each.is_for for each in found} == {is_for(machine)} and len(found) == 3
    assert {"mv", "mv_pack_x1", "griotte_share_out"} <= frozenset().union(*(each.symbols for each in found))
    (tmp_path / "main.cpp").write_text(CALLS)
    words = [sys.executable, "-m", "ziglang", "c++", "-target", machine, "-std=c++20", "-Wall", "-Wextra", "-Werror"]
    done = subprocess.run([*words, "-c", "main.cpp"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert object_file((tmp_path / "main.o").read_bytes()).is_for == is_for(machine)


def model():
    """Two products by constants."""
    rng = np.random.default_rng(0)
    numbers = lambda count: ", ".join(f"{n:.3g}" for n in rng.standard_normal(count))
    constants = [("w", 40, 50), ("v", 50, 30)]
    inputs = ["%x: f32[8,40]", *(f"%{n}: const f32[{k},{m}] = ({numbers(k * m)})" for n, k, m in constants)]
    lines = ["%h = matmul(%x, %w) -> f32[8,50]", "%r = relu(%h) -> f32[8,50]", "%y = matmul(%r, %v) -> f32[8,30]"]
    return parse_graph(
        f"model({', '.join(inputs)}) {{\n" + "".join(f"  {line}\n" for line in lines) + "  return y=%y\n}"
    )


@pytest.mark.long
def test_a_model_and_its_packed_constants(machine, tmp_path):
    """Packed here, by C that this machine runs; of a package within its library, too."""
    program = gt.synthesize(model(), MACHINES[machine], table="none")
    folder = program.save(tmp_path, name="mlp", weights="inside")
    found = object_file((folder / "kernel.so").read_bytes())
    assert (found.is_for, found.kind) == (is_for(machine), "library")
    content = (folder / "model.bin").read_bytes()
    assert len(content) == program.build().weights and len(np.unique(np.frombuffer(content, np.uint8))) > 200
    assert any(content in each for each in members((folder / "libmlp.a").read_bytes()))


@pytest.mark.parametrize("target", ["avx2", "avx512"])
def test_constants_are_packed_alike_by_the_code_of_a_target_and_by_that_for_any_cpu(target, monkeypatch):
    skip_without(everything(target).features)
    program = gt.synthesize(model(), target, table="none")
    library = program.build()
    own = bytes(packed(library, program.arrays()))
    monkeypatch.setattr(sys.modules[packed.__module__], "missing", lambda features: "all")
    assert bytes(packed(library, program.arrays())) == own


# The wrong compiler -----------------------------------------------------------------------


def answering(folder, monkeypatch, machine):
    """$CC says that it compiles for a machine, and does nothing."""
    compiler = folder / "compiler"
    compiler.write_text(f"#!/bin/sh\n[ $1 = -dumpmachine ] && echo {machine} || echo 'gcc 12'\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    return find_compiler()


@pytest.mark.parametrize(
    "target, compiles_for, asked",
    [
        ("neon", "x86_64-linux-gnu", "aarch64"),
        ("avx2", "aarch64-linux-gnu", "x86_64"),
        ("avx512", "arm64-apple-darwin23.1.0", "x86_64"),
    ],
)
def test_a_compiler_for_another_architecture_is_told(target, compiles_for, asked, monkeypatch, tmp_path):
    compiler = answering(tmp_path, monkeypatch, compiles_for)
    program = gt.synthesize("exp(f32[8])", target, table="none")
    found = compiles_for.split("-")[0]
    told = (
        rf"expected a compiler for {asked}, found .*/compiler for {found} \(gcc 12\); set CC, e.g. CC={asked}-linux-gnu"
    )
    for make in (program.build, lambda: program.save(tmp_path / "saved")):
        with pytest.raises(ToolchainError, match=told):
            make()
    assert not (tmp_path / "saved").exists() and compiler.machine == found


def test_what_does_not_say_what_it_compiles_for_is_believed(monkeypatch, tmp_path):
    compiler = answering(tmp_path, monkeypatch, "")
    assert (compiler.system, compiler.machine, compiler.is_for_here) == ("", "", True)


@pytest.mark.parametrize(
    "machine, system, compiles_for, is_here",
    [
        ("x86_64", "linux", "x86_64-linux-gnu", True),
        ("x86_64", "linux", "aarch64-linux-gnu", False),
        ("x86_64", "linux", "x86_64-apple-macosx15.0.0-unknown", False),
        ("arm64", "darwin", "aarch64-unknown-macos", True),
        ("arm64", "darwin", "arm64-apple-darwin23.1.0", True),
        ("aarch64", "linux", "aarch64-unknown-linux5.10.0-gnu2.31.0", True),
        ("AMD64", "win32", "x86_64-w64-mingw32", True),
    ],
)
def test_whether_a_compiler_is_for_this_machine(machine, system, compiles_for, is_here, monkeypatch, tmp_path):
    compiler = answering(tmp_path, monkeypatch, compiles_for)
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr("sys.platform", system)
    assert compiler.is_for_here == is_here


def test_code_of_another_machine_is_not_loaded(monkeypatch, tmp_path):
    library = tmp_path / "kernel.so"
    program = gt.synthesize("exp(f32[8])", "portable", table="none")
    built = program.build()
    library.write_bytes(b"\x7fELF of another machine")
    answering(tmp_path, monkeypatch, "pdp11-unknown-linux")
    with pytest.raises(ToolchainError, match="expected a compiler for .* found one for pdp11-unknown-linux; unset CC"):
        opened(replace(built, path=library))

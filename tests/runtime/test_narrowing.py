"""Headers of intrinsics are read in part, and code is the same to the byte."""

import subprocess

import griotte as gt
import pytest
from features import having
from griotte.machine.architectures import ARCHITECTURES
from griotte.runtime import narrowing, toolchain
from griotte.runtime.compilers import Compiler, find_compiler
from griotte.runtime.narrowing import narrowed
from machines import machine

PARTS = next(each.compiled.parts for each in ARCHITECTURES if each.compiled.parts)
LINE = f"#include <{PARTS.header}>\n"
AVX2 = tuple(sorted(PARTS.flags))
TEXTS = (
    "matmul(f32[8,24], f32[24,32])",
    "matmul(bf16[6,19], const bf16[19,40]{0,1}) -> f32[6,40]",
    "matmul(u8[9,66], s8[66,40])",
    "softmax(f16[5,37])",
    "take(f32[7,37], s32[5])",
)


def gcc() -> Compiler:
    if find_compiler().kind != "gcc" or find_compiler().machine != "x86_64":
        pytest.skip("the compiler is no gcc for x86-64")
    return find_compiler()


@pytest.fixture
def whole(monkeypatch):
    """A function: the library of a source by the compiler's own header."""

    def built(source: str, flags: tuple[str, ...]) -> bytes:
        with monkeypatch.context() as patch:
            patch.setattr(toolchain, "narrowed", lambda *_: ())
            return toolchain._build({"kernel.c": source.encode()}, flags, gcc())

    return built


@pytest.mark.parametrize("text", TEXTS)
def test_code_is_the_same_to_the_byte(text, whole):
    program = gt.synthesize(text, machine("avx2"), table="none")
    source, flags = program.to_c(), gcc().flags(program.target.flags)
    assert LINE in source
    assert toolchain._build({"kernel.c": source.encode()}, flags, gcc()) == whole(source, flags)


def test_nine_tenths_of_the_lines_are_not_read(tmp_path):
    lines = []
    for more in ((), narrowed(gcc(), AVX2, LINE, tmp_path)):
        command = [*gcc().command, *AVX2, *more, "-E", "-P", "-x", "c", "-"]
        done = subprocess.run(command, input=LINE, cwd=tmp_path, capture_output=True, text=True, check=True)
        lines.append(done.stdout.count("\n"))
    assert lines[1] < lines[0] / 5


def test_compilers_read_their_own_where_code_may_need_its_other_parts(tmp_path):
    wide = having("avx512", frozenset()).flags
    assert not narrowed(gcc(), wide, LINE, tmp_path)
    assert not narrowed(gcc(), (*AVX2, "-march=native"), LINE, tmp_path)
    assert not narrowed(gcc(), AVX2, "#include <stdint.h>\n", tmp_path)
    assert not narrowed(Compiler(("clang",), "clang", "clang 14"), AVX2, LINE, tmp_path)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("found", ["", "#include <mmintrin.h>\n"], ids=["no header", "a header of other parts"])
def test_so_they_do_where_the_header_is_another(found, tmp_path):
    (tmp_path / "header.h").write_text(found)
    told = tmp_path / "header.h" if found else "none"
    (tmp_path / "other").write_text(f"#!/bin/sh\necho {told}\n")
    (tmp_path / "other").chmod(0o755)
    other = Compiler((str(tmp_path / "other"),), "gcc", "gcc 99")
    assert not narrowed(other, AVX2, LINE, tmp_path) and not (tmp_path / PARTS.header).exists()


def test_the_compiler_is_asked_once(monkeypatch, tmp_path):
    narrowed(gcc(), AVX2, LINE, tmp_path)
    monkeypatch.setattr(narrowing, "subprocess", None)
    assert narrowed(gcc(), AVX2, LINE, tmp_path) == ("-I.",)


def test_so_they_do_where_a_part_builds_on_one_that_is_left_out(monkeypatch, tmp_path):
    short = narrowing._without(gcc().command, PARTS.header, PARTS.names)
    monkeypatch.setattr(narrowing, "_without", lambda *_: short + "\n__m1024 wider;\n")
    assert not narrowed(gcc(), AVX2, LINE, tmp_path) and not [*tmp_path.iterdir()]

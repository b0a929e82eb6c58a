"""C for no CPU in particular is taken by compilers that warn of all that is no C, and of what differs from machine to
machine."""

import re
import shutil
import subprocess

import griotte as gt
import pytest
from griotte.codegen.teams import team_text
from machines import machine

STRICT = "-std=gnu11 -Wall -Wextra -pedantic -Werror -fsyntax-only".split()
SPECS = [
    "matmul(f32[33,37], const f32[37,41])",
    "softmax(f32[9,1000])",
    "exp(bf16[77])",
    "matmul(u8[16,64], s8[64,32])",
    "sum(f16[33,45])",
    "transpose(s64[33,45])",
]


def strictly(source: str, compiler: str, *flags: str) -> str:
    """What a compiler says of C; skips where there is no such compiler."""
    if shutil.which(compiler) is None:
        pytest.skip(f"expected {compiler}, found none on PATH")
    words = [compiler, *STRICT, *flags, "-x", "c", "-"]
    return subprocess.run(words, input=source, capture_output=True, text=True, timeout=300).stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang", "aarch64-linux-gnu-gcc"])
def test_programs_are_taken_without_a_warning(compiler):
    """On two threads, so with the team."""
    for text in SPECS:
        source = gt.synthesize(text, machine("portable"), threads=2, table="none", effort=1).to_c()
        assert strictly(source, compiler) == "", text


@pytest.mark.parametrize("compiler", ["gcc", "clang", "aarch64-linux-gnu-gcc"])
@pytest.mark.parametrize("system", [(), ("-U__linux__",)], ids=["linux", "others"])
def test_the_team_of_threads_is_taken_without_a_warning(compiler, system):
    assert strictly(team_text(), compiler, *system) == ""


def test_no_number_is_a_long_and_no_length_is_known_only_when_it_runs():
    """A long has 4 bytes on Windows; a mask of CPUs, which Linux alone has, is of such."""
    for text in SPECS:
        source = gt.synthesize(text, machine("portable"), table="none", effort=1).to_c()
        assert not re.search(r"\b(long|alloca|typeof|__auto_type)\b", re.sub(r"/\*.*?\*/", "", source, flags=re.S)), (
            text
        )
        assert not re.search(r"\(\{", source)
        assert not re.search(r"^\s+(?:float|double|char|u?int\d+_t) \w+\[[a-z]\w*\];", source, re.M), text

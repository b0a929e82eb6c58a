"""What this machine is taken to be: its features, and those that GRIOTTE_CPU hides; no code runs where a feature is
missing."""

import subprocess

import griotte as gt
import numpy as np
import pytest
from features import everything, skip_unless_compiled
from griotte.machine import BUILT_IN, NAMES, detect, known_features, named, runs_here
from griotte.machine.arm import hwcap
from griotte.machine.detect import described
from griotte.machine.x86 import amx, cpuid
from griotte.runtime.compilers import find_compiler
from griotte.runtime.model import load
from griotte.support.errors import TargetError

SPEC = "add(f32[5,19], f32[5,19])"
CHECK = (
    '#include <stdio.h>\n#include "kernel.h"\nint main(void) {{ const char *lacks = {function}_check(); puts(lacks ?'
    ' lacks : "runs"); return 0; }}\n'
)


@pytest.fixture
def only(monkeypatch):
    return lambda words: monkeypatch.setenv("GRIOTTE_CPU", words)


def test_every_feature_that_code_uses_can_be_asked_for():
    assert known_features() == {*cpuid.BITS, *hwcap.FEATURES}


def test_nothing_is_hidden_by_itself(only):
    only("")
    assert not detect().hidden


@pytest.mark.parametrize("words", ("portable", "avx2", "avx512", "avx512,avx512_vnni", "avx avx2"))
def test_the_features_beyond_those_named_are_hidden(only, words):
    only("")
    whole = detect()
    only(words)
    machine = detect()
    left = set().union(
        *(
            {
                "portable": set(),
                "avx2": BUILT_IN["avx2"].features,
                "avx512": (
                    named("avx512").features - {"avx512_vnni", "avx512_bf16", "amx_tile", "amx_bf16", "amx_int8"}
                ),
            }.get(w, {w})
            for w in words.replace(",", " ").split()
        )
    )
    assert machine.flags == whole.flags - (set(cpuid.BITS) - left)
    assert machine.hidden == whole.flags - machine.flags


@pytest.mark.parametrize("words", ("avx3", "avx2,amx"))
def test_an_unknown_word_says_what_may_be_written(only, words):
    only(words)
    with pytest.raises(
        TargetError,
        match=(
            "expected a target .portable, avx2, avx512, neon. or CPU features in GRIOTTE_CPU, found '(avx3|amx)';"
            " unset it"
        ),
    ):
        detect()


@pytest.mark.parametrize("name", ("portable", "avx2"))
def test_native_is_what_is_left(only, name):
    only("")
    if not runs_here(named(name)):
        pytest.skip(f"this CPU lacks {' '.join(sorted(named(name).features - detect().flags))}")
    only(name)
    assert named("native").features == named(name).features and named("native").flags == named(name).flags


@pytest.fixture
def foreign(only):
    """A target whose features are hidden here."""
    only("portable")
    return named("avx2")


def test_code_for_another_cpu_is_made_and_saved_but_not_run(foreign, tmp_path):
    program = gt.synthesize(SPEC, foreign)
    assert "_check(void)" in program.to_c()
    folder = program.save(tmp_path / "saved")
    for run in (
        program.compile,
        lambda: gt.compile(SPEC, foreign),
        lambda: gt.synthesize("matmul(f32[9,9], f32[9,9])", foreign, tune=3),
    ):
        with pytest.raises(
            TargetError,
            match=(
                "expected a CPU with the features of target avx2, found one without .*avx2.*; use target native or"
                " portable, or write the files"
            ),
        ):
            run()
    with pytest.raises(
        TargetError, match="expected a CPU with the features that griotte_add_.* needs, found one without .*avx2"
    ):
        load(folder)


def test_the_message_says_what_hides_a_feature(only):
    only("")
    if not runs_here(named("avx2")):
        pytest.skip(f"this CPU lacks {' '.join(sorted(named('avx2').features - detect().flags))}")
    only("portable")
    with pytest.raises(TargetError, match="GRIOTTE_CPU=portable hides avx avx2 f16c fma"):
        gt.compile(SPEC, "avx2")


def test_a_saved_kernel_runs_where_it_may(tmp_path):
    x, y = np.random.default_rng(0).random((2, 5, 19), np.float32)
    folder = gt.synthesize(SPEC).save(tmp_path)
    assert np.array_equal(load(folder)(x, y), x + y)


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_c_program_can_ask_whether_the_code_runs(only, name, tmp_path):
    """It is told the truth of this CPU, which GRIOTTE_CPU does not change; on a CPU that lacks the features, too."""
    only("")
    skip_unless_compiled(name)
    program = gt.synthesize(SPEC, everything(name))
    folder = program.save(tmp_path)
    (folder / "main.c").write_text(CHECK.format(function=program.function))
    words = [*find_compiler().command, "main.c", "./kernel.so", "-o", "main", "-lm"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    said = subprocess.run(["./main"], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
    lacking = everything(name).features - detect().flags
    assert said in lacking if lacking else said == "runs"


@pytest.mark.parametrize("name", ("avx2", "avx512"))
def test_the_question_itself_needs_no_feature(name, tmp_path):
    """No vector register is touched between its first and its last instruction, though the rest is compiled for
    vectors."""
    program = gt.synthesize(SPEC, everything(name))
    (tmp_path / "kernel.c").write_text(program.to_c())
    subprocess.run(
        [*find_compiler().command, "-O3", *program.target.flags, "-S", "kernel.c", "-o", "kernel.s"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    text = (tmp_path / "kernel.s").read_text()
    asking = text.partition(f"\n{program.function}_check:")[2].partition(f"{program.function}_check,")[0]
    assert "cpuid" in asking and "mm" not in asking
    assert "mm" in text.partition(f"\n{program.function}:")[2]


ELSEWHERE = """vendor_id\t: GenuineIntel
cpu family\t: 6
model\t\t: 207
model name\t: Intel(R) Xeon(R) Processor
cpu MHz\t\t: 2100.000
flags\t\t: fpu avx avx2 fma f16c avx512f amx_tile amx_int8
"""


def test_a_machine_that_is_elsewhere_is_read_from_what_it_says(monkeypatch):
    monkeypatch.delenv("GRIOTTE_CPU", raising=False)
    machine = described(ELSEWHERE, {1: 48 << 10, 2: 2 << 20})
    assert (machine.cpu, machine.clock) == (("GenuineIntel", 6, 207), 2.1)
    assert machine.caches[1] == 48 << 10 and machine.caches[3] > machine.caches[2] and "amx_tile" in machine.flags
    assert described(ELSEWHERE, {}, withheld=frozenset(amx.FLAGS)).flags == machine.flags - {"amx_tile", "amx_int8"}

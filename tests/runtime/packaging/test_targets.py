"""Packages for several targets: the code of each gives what it should, the best that the CPU runs is taken, none where
it runs none."""

import subprocess
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from c_programs import EACH_TARGET, built, said
from features import compiled_here, everything
from griotte.machine import named, runs_here
from griotte.runtime import load
from griotte.support.errors import SpecError, TargetError

SPEC = "softmax(matmul(f32[4,8], const f32[8,300]))"


@pytest.fixture(autouse=True)
def all_features(monkeypatch):
    """What GRIOTTE_CPU hides from Python is there for C."""
    monkeypatch.delenv("GRIOTTE_CPU", raising=False)


@pytest.fixture(scope="module")
def program():
    return gt.synthesize(SPEC, "portable", table="none")


@pytest.fixture(scope="module")
def folder(program, tmp_path_factory):
    return program.save(tmp_path_factory.mktemp("each"), name="mv", targets=compiled_here())


def test_each_target_gives_the_result(folder):
    spec, words = gt.parse(SPEC), said(built(folder, "mv", EACH_TARGET))
    x = ((np.arange(32) % 5) / 4).astype(np.float32).reshape(4, 8)
    w = ((np.arange(2400) % 7) / 8).astype(np.float32).reshape(8, 300)
    expected, best = gt.interpret(spec, x, w), words.pop(0)
    seen = []
    while words:
        name, status = words.pop(0), int(words.pop(0))
        assert status == (0 if runs_here(named(name)) else 1)
        if status == 0:
            seen.append(name)
            assert np.allclose(np.array(words[:1200], np.float32).reshape(4, 300), expected, rtol=1e-4), name
            del words[:1200]
    assert best == seen[0] and seen[-1] == "portable"
    assert seen == [name for name in ("avx512", "avx2", "portable") if runs_here(named(name))]


REFUSED = """
#include <stdio.h>
#include <string.h>
#include "mv.h"
static float x[4 * 8], w[8 * 300], y[4 * 300];
static char packed[MV_X1_PACKED_BYTES];
int main(void)
{
    y[7] = 42;
    printf("%d %d ", mv_choose("pdp11"), mv_choose("portable"));
    printf("%d %d ", mv(x, NULL, y), mv(x, packed, y)); /* nothing, and what nobody packed */
    printf("%d ", mv_pack_x1(w, packed));
    if (mv_choose(NULL) == MV_OK && strcmp(mv_target(), "portable")) printf("%d ", mv(x, packed, y));
    printf("%g", y[7]);
    if (mv_choose("portable") || mv(x, packed, y) || y[7] == 42) return 1;
    for (int i = 0; i < 6; i++)
        if (!strlen(mv_message(i))) return 2;
    return 0;
}
"""


def test_what_was_packed_for_another_target_is_refused(folder):
    others = ["4"] if runs_here(named("avx2")) else []
    assert said(built(folder, "mv", REFUSED)) == ["2", "0", "4", "4", "0", *others, "42"]


NONE = """
#include <stdio.h>
#include "mv.h"
int main(void)
{
    static float x[100], y[100];
    y[0] = 42;
    printf("%s %d %d ", mv_target() ? mv_target() : "none", mv(x, y), mv_choose(NULL));
    printf("%g\\n", y[0]);
    return 0;
}
"""


def test_where_no_target_runs_a_call_does_nothing(program, tmp_path):
    foreign = next((each for each in map(everything, ("avx512", "avx2")) if not runs_here(each)), None)
    if foreign is None:
        pytest.skip("this CPU has every feature that a target may use")
    program = gt.synthesize("exp(f32[100])", "portable", table="none")
    folder = program.save(tmp_path, name="mv", targets=[foreign])
    assert said(built(folder, "mv", NONE)) == ["none", "1", "1", "42"]
    folder = program.save(tmp_path, name="mv", targets=[foreign, "portable"])
    assert said(built(folder, "mv", NONE)) == ["portable", "0", "0", "1"]


def test_what_chooses_needs_no_cpu_feature_and_allocates_nothing(folder, tmp_path):
    """Its object calls the code of targets and two functions of C, and touches no vector register but the first halves
    of those that every x86-64 has."""
    subprocess.run(["ar", "x", str(folder / "libmv.a"), "mv.o"], cwd=tmp_path, check=True)
    asked = subprocess.run(["nm", "-u", "mv.o"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert {name for name in asked.split() if name != "U"} <= {
        *("memcpy", "strcmp"),
        *(f"mv_{target}{what}" for target in compiled_here() for what in ("", "_check", "_pack_x1")),
    }
    code = subprocess.run(["objdump", "-d", "mv.o"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert "ymm" not in code and "zmm" not in code and "\tv" not in code


RACE = """
#include <pthread.h>
#include <stdio.h>
#include "mv.h"
static float x[4 * 8], w[8 * 300], y[8][4 * 300];
static char packed[8][MV_X1_PACKED_BYTES];
static void *one(void *place)
{
    const long i = (long)place;
    return (void *)(long)(mv_pack_x1(w, packed[i]) | mv(x, packed[i], y[i]));
}
int main(void)
{
    pthread_t threads[8];
    void *status;
    for (long i = 0; i < 8; i++) pthread_create(&threads[i], NULL, one, (void *)i);
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], &status);
        if (status) return 1;
    }
    puts(mv_target());
    return 0;
}
"""


def test_first_calls_at_once(folder):
    (best,) = said(built(folder, "mv", RACE))
    assert best == next(name for name in ("avx512", "avx2", "portable") if runs_here(named(name)))


DYNAMIC = """
#include <stdio.h>
#include "mv.h"
int main(void)
{
    static float x[9 * 8], y[9 * 8];
    for (int i = 0; i < 9 * 8; i++) y[i] = 42;
    for (int m = -1; m <= MV_M + 1; m += MV_M / 2) printf("%d ", mv(m, x, y));
    for (int i = 0; i < 9 * 8; i += 8) printf("%g ", y[i]);
    return 0;
}
"""


def test_a_size_out_of_range_is_refused(tmp_path):
    program = gt.synthesize("neg(f32[<=8,8])", "portable", table="none")
    folder = program.save(tmp_path, name="mv", targets=["portable", "avx2"])
    values = said(built(folder, "mv", DYNAMIC))
    assert values == ["3", "0", "0", *["-0"] * 7, "42", "42"]


def test_a_target_without_a_program_of_its_own(program, tmp_path):
    """What a person scheduled, and what was read for one size, are for their own target alone."""
    one = gt.synthesize("neg(f32[<=8,8])", "portable", table="none").at(3)
    one.save(tmp_path / "own", name="mv")
    with pytest.raises(SpecError, match="expected a kernel that this process compiled"):
        one.save(tmp_path / "avx2", name="mv", targets=["avx2"])
    with pytest.raises(SpecError, match="expected a program that a search found, to be found for target avx2"):
        one.retarget("avx2")
    assert program.retarget("portable") is program
    with pytest.raises(TargetError, match="expected a target"):
        program.save(tmp_path / "pdp11", name="mv", targets=["pdp11"])


def test_targets_of_one_name_in_c_are_refused(program, tmp_path):
    mine = [replace(named("portable"), name=name) for name in ("a b", "a-b")]
    with pytest.raises(SpecError, match="expected targets of different names, found a_b, a_b"):
        program.save(tmp_path, name="mv", targets=mine)


def test_denormals_and_threads_go_to_all_targets(tmp_path):
    program = gt.synthesize("exp(f32[512,512])", "portable", threads=2, table="none")
    folder = program.save(tmp_path, denormals="flush", name="mv", targets=["portable", "avx2"])
    header = (folder / "mv.h").read_text()
    assert "A call runs on 2 threads at most" in header
    done = subprocess.run(["nm", str(folder / "libmv.a")], capture_output=True, text=True, check=True)
    assert done.stdout.count("t griotte_flushed") in (0, 2) and done.stdout.count("W griotte_share_out") == 1


def test_python_reads_the_kernel_beside_it(folder, program):
    x, w = np.ones((4, 8), np.float32), np.ones((8, 300), np.float32)
    assert np.allclose(load(folder)(x, w), gt.interpret(program.spec, x, w))


def test_griotte_cpu_is_for_python_alone(folder, monkeypatch):
    program = built(folder, "mv", EACH_TARGET)
    before = said(program)[0]
    monkeypatch.setenv("GRIOTTE_CPU", "portable")
    assert said(program)[0] == before

"""The team of threads: its C by itself, programs that run on it, and those that run on other threads."""

import os
import re
import subprocess
from pathlib import Path

import griotte as gt
import launched
import numpy as np
import pytest
from features import skip_without
from griotte import synthesize
from griotte.codegen.teams import team_text
from griotte.runtime.compilers import OPENMP, find_compiler
from machines import machine, with_prices

HERE = Path(__file__).parent
SANITIZED = ("-O1", "-g", "-fsanitize=thread")
SHARED = "matmul(softmax(matmul(f32[40,50], f32[50,60])), f32[60,30])"


def built(folder: Path, flags: tuple[str, ...], *sources: str) -> Path:
    """An executable of C sources; skips where the compiler cannot build it."""
    compiler = find_compiler()
    command = [*compiler.command, "-std=gnu11", "-pthread", *flags, *sources, "-o", "run", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode and {*SANITIZED, OPENMP} & set(flags):
        pytest.skip(f"expected a compiler with {' '.join(flags)}, found {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.fixture(scope="module")
def harness(tmp_path_factory):
    """run("many") with the team's C: its exit status and messages."""
    folder = tmp_path_factory.mktemp("team")
    (folder / "team.c").write_text(team_text())
    (folder / "harness.c").write_text((HERE / "team_harness.c").read_text())

    def run(*words: str, flags: tuple[str, ...] = ("-O2", "-Wall", "-Wextra", "-Werror"), before: tuple = ()):
        place = folder / "_".join(flag.strip("-=") for flag in flags)
        if not (place / "run").exists():
            place.mkdir(exist_ok=True)
            built(place, flags, "../harness.c")
        done = subprocess.run(
            [*before, *launched.BEFORE, place / "run", *words], capture_output=True, text=True, timeout=300
        )
        if "FATAL: ThreadSanitizer" in done.stderr:
            pytest.skip(f"expected a sanitizer that runs here, found {done.stderr.splitlines()[0]}")
        return done.returncode, done.stderr[-3000:]

    return run


WORDS = ["many", "absent", "at once", "second", "fork", "fork within", "limit", "unmade", "ended"]


@pytest.mark.parametrize("words", WORDS)
def test_all_shares_are_run_once(words, harness):
    """By 1 to 64 threads, also by a call whose helpers never have a turn; by calls of three threads at once, while
    limits change; by a call while a share of another lasts; by a child of a fork, also while another thread is within a
    call; by no more than a limit, that a child has too, and than those who call leave; where no thread can be made;
    where a thread ended within a call."""
    assert harness(words) == (0, "")


ELSEWHERE = ("-O2", "-U__linux__", "-Wall", "-Wextra", "-pedantic", "-Werror")


@pytest.mark.parametrize("words", WORDS)
def test_all_shares_are_run_once_where_threads_wait_as_on_other_systems(words, harness):
    """On macOS threads wait on a condition variable, and nobody says which CPU they run on."""
    assert harness(words, flags=ELSEWHERE) == (0, "")


@pytest.mark.parametrize("words", ["many", "at once", "second"])
@pytest.mark.parametrize("system", [(), ("-U__linux__",)], ids=["here", "elsewhere"])
def test_the_sanitizer_of_threads_has_no_complaint(words, system, harness):
    assert harness(words, flags=(*SANITIZED, *system)) == (0, "")


def test_there_is_a_thread_for_each_cpu_and_no_more(harness):
    cpus = len(os.sched_getaffinity(0))
    if harness("quota") < (cpus, ""):
        pytest.skip("expected all CPUs, found a quota")
    assert harness("threads") == (cpus, "")
    assert harness("threads", before=("taskset", "-c", str(min(os.sched_getaffinity(0))))) == (1, "")


QUOTAS = {
    "none": ("0::/\n", {}, 64),
    "max": ("0::/\n", {"cpu.max": "max 100000\n"}, 64),
    "whole CPUs": ("0::/a\n", {"a/cpu.max": "350000 100000\n"}, 3),
    "less than one": ("0::/a\n", {"a/cpu.max": "50000 100000\n"}, 1),
    "around it": ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "200000 100000\n"}, 2),
    "in a container": ("0::/gone/b\n", {"cpu.max": "500000 100000\n"}, 5),
    "version 1": (
        "9:cpuset:/\n5:cpuacct,cpu:/a\n0::/\n",
        {"cpu/a/cpu.cfs_quota_us": "400000\n", "cpu/a/cpu.cfs_period_us": "100000\n", "cpu.max": "max 100000\n"},
        4,
    ),
    "version 1 without": ("1:cpu:/\n", {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 64),
}


@pytest.mark.parametrize("groups, files, cpus", QUOTAS.values(), ids=QUOTAS)
def test_quotas_of_control_groups_are_read(groups, files, cpus, harness, tmp_path):
    for name, text in {"proc/self/cgroup": groups, **{f"sys/fs/cgroup/{n}": t for n, t in files.items()}}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert harness("quota", str(tmp_path)) == (cpus, "")


MAIN = """
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "kernel.h"
static float in[3][3000], expected[40 * 30], found[3][40 * 30];
static void *call(void *to)
{
    for (int n = 0; n < 20; n++) NAME(in[0], in[1], in[2], to);
    return 0;
}
static int turns;
static void backwards(void *host, int64_t shares, void (*run)(void *, int64_t), void *context)
{
    ++*(int *)host;
    while (shares--) run(context, shares);
}
int main(void)
{
    for (int i = 0; i < 9000; i++) in[i / 3000][i % 3000] = (float)(i * 37 % 101) / 101 - 0.5f;
    pthread_t threads[3];
    NAME(in[0], in[1], in[2], expected);
    GIVE;
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, call, found[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    for (int i = 0; i < 3; i++) if (memcmp(found[i], expected, sizeof expected)) return 1;
    for (int i = 0; i < 40 * 30; i++) printf("%.9g\\n", expected[i]);
    return turns == 0 && HOST;
}
"""


@pytest.fixture(scope="module")
def program():
    skip_without(machine("avx2").features)
    return synthesize(SHARED, machine("avx2"), threads=2, table="none")


@pytest.mark.parametrize("threads_by, flags", [("team", SANITIZED), ("openmp", ("-O1", OPENMP)), ("host", ("-O1",))])
def test_a_program_runs_on_any_threads(threads_by, flags, program, tmp_path):
    """Three callers at once, each of two threads; those of the team under the sanitizer."""
    unit = program._emitted(threads_by)
    assert "    griotte_share_out(2, 2, " in unit.source
    host = threads_by == "host"
    give = f"{program.function}_share_by(backwards, &turns)" if host else "(void)backwards"
    text = MAIN.replace("NAME", program.function).replace("GIVE", give).replace("HOST", str(int(host)))
    (tmp_path / "kernel.c").write_text(program.to_c(threads_by))
    (tmp_path / "kernel.h").write_text(unit.header)
    (tmp_path / "main.c").write_text(text)
    run = built(tmp_path, (*flags, *program.target.flags), "kernel.c", "main.c")
    done = subprocess.run([run], capture_output=True, text=True, timeout=300)
    if "FATAL: ThreadSanitizer" in done.stderr:
        pytest.skip(f"expected a sanitizer that runs here, found {done.stderr.splitlines()[0]}")
    assert (done.returncode, done.stderr) == (0, "")
    numbers = (np.arange(9000) * 37 % 101).astype(np.float32) / np.float32(101) - np.float32(0.5)
    shapes = ((40, 50), (50, 60), (60, 30))
    arrays = [a[: i * j].reshape(i, j) for a, (i, j) in zip(numbers.reshape(3, 3000), shapes)]
    result = np.array(done.stdout.split(), np.float32).reshape(40, 30)
    assert np.allclose(result, gt.interpret(program.spec, *arrays), rtol=1e-5, atol=1e-6)


def test_a_share_may_write_what_it_reads_in_place():
    """Of long rows of a softmax exponentials are kept in the output, and divided there by all threads."""
    target = machine("plain")
    cheap = with_prices(target, fork=1.0)
    text = synthesize("softmax(f32[1,9000])", cheap, 3, table="none").to_c()
    given = [body for body in re.findall(r"^struct run_\w+ {(.*?)^};", text, re.M | re.S) if "buffer" in body]
    assert "const float *x0;" in given[0] and "    float *y;" in given[0]
    assert "x0" not in given[-1] and "    float *y;" in given[-1]


def test_the_word_is_checked():
    with pytest.raises(gt.SpecError, match="expected team or openmp or host for threads_by, found 'tbb'"):
        synthesize("exp(f32[8])", machine("portable"), table="none").to_c("tbb")

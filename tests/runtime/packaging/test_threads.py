"""Threads of packages: griotte's team, OpenMP's, those of the program that calls."""

import os
import shutil
import subprocess

import griotte as gt
import numpy as np
import pytest
from c_programs import built, said
from griotte.runtime.compilers import OPENMP

MAIN = """
#include <math.h>
#include <stdio.h>
#include "mv.h"
#include "second.h"
static float x[256 * 512], y[256 * 512], z[256 * 512];
static int calls, shares;
/* The last first: any order will do. */
static void parallel_for(void *host, int64_t count, void (*run)(void *context, int64_t share), void *context)
{
    calls += host == &calls;
    for (int64_t i = count - 1; i >= 0; i--, shares++) run(context, i);
}
int main(void)
{
    for (int i = 0; i < 256 * 512; i++) x[i] = (float)(i % 64) / 16;
    (void)parallel_for;
    GIVEN
    for (int n = 0; n < 3; n++)
        if (mv(x, y) || second(x, z)) return 1;
    for (int i = 0; i < 256 * 512; i++)
        if (fabsf(y[i] - expf(x[i])) > 1e-4f * y[i] || z[i] != sqrtf(x[i])) return 2;
    printf("%d %d\\n", calls, shares);
    return 0;
}
"""


@pytest.fixture(scope="module")
def programs():
    found = [gt.synthesize(f"{f}(f32[256,512])", "portable", threads=2, table="none") for f in ("exp", "sqrt")]
    assert all("parallel" in str(program) for program in found)
    return found


@pytest.mark.parametrize("threads_by", ["team", "openmp", "host"])
def test_calls_of_two_packages_run_on_threads(programs, threads_by, tmp_path):
    for program, name in zip(programs, ("mv", "second")):
        program.save(tmp_path, threads_by, name=name, pkgconfig=True, cmake=True, targets=["portable", "avx2"])
    given = "mv_share_by(parallel_for, &calls); second_share_by(parallel_for, &calls);" * (threads_by == "host")
    openmp = (OPENMP,) * (threads_by == "openmp")
    program = built(tmp_path, "mv", MAIN.replace("GIVEN", given), *openmp, more=("-lsecond", *openmp))
    assert said(program) == (["6", "12"] if threads_by == "host" else ["0", "0"])
    assert (OPENMP in (tmp_path / "mv.pc").read_text()) == (threads_by == "openmp")
    assert ("-pthread" in (tmp_path / "mv.pc").read_text()) == (threads_by == "team")


CMAKE = """
cmake_minimum_required(VERSION 3.16)
project(found LANGUAGES CXX)
find_package(mv 1.0 CONFIG REQUIRED)
find_package(mv CONFIG REQUIRED)
find_package(mv 2 CONFIG QUIET)
if(mv_FOUND)
  message(FATAL_ERROR "expected no version 2, found one")
endif()
add_executable(found main.cpp)
target_compile_features(found PRIVATE cxx_std_20)
target_link_libraries(found PRIVATE mv::mv)
"""
FOUND = """
#include <vector>
#include "mv.hpp"
int main()
{
    std::vector<float> x(256 * 512), y(256 * 512);
    griotte::mv::run(std::span<const float, 256 * 512>(x), std::span<float, 256 * 512>(y));
    return y[4711] == 1 ? 0 : 1;
}
"""


@pytest.mark.parametrize("threads_by", ["team", "openmp"])
def test_cmake_links_what_threads_need(programs, threads_by, tmp_path):
    """Also in a project without C, wherever the package is."""
    if not shutil.which("cmake"):
        pytest.skip("expected cmake, found none on PATH")
    programs[0].save(tmp_path / "before", threads_by, name="mv", cmake=True)
    (tmp_path / "before").rename(tmp_path / "a package")
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "main.cpp").write_text(FOUND)
    for words in (
        ["-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={tmp_path / 'a package'}"],
        ["--build", "build"],
    ):
        done = subprocess.run(["cmake", *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert said(tmp_path / "build/found") == []


def test_without_threads_of_the_host_one_runs_all(programs, tmp_path):
    for program, name in zip(programs, ("mv", "second")):
        program.save(tmp_path, "host", name=name)
    assert said(built(tmp_path, "mv", MAIN.replace("GIVEN", ""), more=("-lsecond",))) == ["0", "0"]


def test_a_kernel_gives_its_package_other_threads(programs, tmp_path):
    """What it was compiled for itself is for Python's calls."""
    kernel = programs[0].compile()
    folder = kernel.save(tmp_path, name="mv", threads_by="host")
    assert "mv_share_by(" in (folder / "mv.h").read_text()
    assert "share_by(" not in (folder / "kernel.h").read_text()
    x = np.ones((256, 512), np.float32)
    assert np.allclose(kernel(x), np.e)


COUNTED = """
#include <dirent.h>
#include <stdio.h>
#include "mv.h"
#include "second.h"
static float x[256 * 512], y[256 * 512];
static int threads(void)
{
    int count = -2;
    DIR *const tasks = opendir("/proc/self/task");
    while (readdir(tasks)) count++;
    closedir(tasks);
    return count;
}
int main(void)
{
    const int before = threads();
    const int status = mv(x, y) | second(x, y);
    printf("%d %d\\n", status, threads() - before);
    return 0;
}
"""


def test_packages_of_a_program_have_one_team(programs, tmp_path):
    if not os.path.exists("/proc/self/task") or len(os.sched_getaffinity(0)) < 2:
        pytest.skip("expected /proc and two CPUs, found less")
    for program, name in zip(programs, ("mv", "second")):
        program.save(tmp_path, name=name)
    assert said(built(tmp_path, "mv", COUNTED, "-D_GNU_SOURCE", more=("-lsecond",))) == ["0", "1"]

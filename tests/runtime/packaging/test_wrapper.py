"""Headers of packages: C and C++ take them without a warning; the C++ wrapper gives what C does, and throws."""

import os
import re
import subprocess

import griotte as gt
import numpy as np
import pytest
from c_programs import STANDARDS, built, said, taken
from griotte.runtime.compilers import find_compiler

PACKED = "matmul(f32[4,8], const f32[8,300])"
SPECS = {
    PACKED: 1,
    "matmul(bf16[<=12,100], const bf16[100,30]) -> f32[<=12,30]": 1,
    "outputs(%h: add(f32[6], f32[]), neg(%h))": 1,
    "exp(f32[512,512])": 2,
    "transpose(f32[<=9,7])": 1,
}
"""Packed constants, dynamic sizes, several outputs, scalars, threads, arrays that lie as those of the bound."""


@pytest.fixture(scope="module", params=SPECS)
def folder(request, tmp_path_factory):
    program = gt.synthesize(request.param, "portable", threads=SPECS[request.param], table="none")
    return program.save(tmp_path_factory.mktemp("headers"), "host", name="mv", targets=["portable"])


@pytest.mark.parametrize("standard", ["c99", "c++11", "c++20"])
def test_compilers_take_the_header(folder, standard):
    taken(folder, "mv.h", standard)


def test_compilers_take_the_wrapper(folder):
    taken(folder, "mv.hpp", "c++20")


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    program = gt.synthesize(PACKED, "portable", table="none")
    return program.save(tmp_path_factory.mktemp("packed"), name="mv", targets=["portable"])


RUN = """
#include <array>
#include <cstdio>
#include <utility>
#include <vector>
#include "mv.hpp"
int main()
{
    std::array<float, 4 * 8> x;
    std::vector<float> w(8 * 300), y(4 * 300);
    for (int i = 0; i < 4 * 8; i++) x[i] = static_cast<float>(i % 5);
    for (int i = 0; i < 8 * 300; i++) w[i] = static_cast<float>(i % 7);
    griotte::mv::packed_x1 first(std::span<const float, 2400>{w}), constants(std::move(first));
    w.assign(w.size(), 0);
    griotte::mv::run(x, constants, std::span<float, 1200>{y});
    for (float value : y) std::printf("%g\\n", value);
    try {
        griotte::mv::run(x, first, std::span<float, 1200>{y});
        return 1;
    } catch (const griotte::failure &error) {
        if (error.status != MV_NOT_PACKED) return 2;
    }
    try {
        griotte::mv::choose("pdp11");
        return 3;
    } catch (const std::runtime_error &error) {
        std::puts(error.what());
    }
    griotte::mv::choose();
    return griotte::mv::belongs() && griotte::mv::target() == mv_targets(0) ? 0 : 4;
}
"""


def test_the_wrapper_runs_packs_and_throws(packed):
    words = said(built(packed, "mv", RUN, language="c++"))
    values, told = words[:1200], " ".join(words[1200:])
    assert told == "mv: expected a target of portable, found another"
    x, w = (np.arange(32) % 5).reshape(4, 8), (np.arange(2400) % 7).reshape(8, 300)
    assert np.array_equal(np.array(values[:1200], float).reshape(4, 300), x @ w)


UNFIT = (
    "std::array<float, 31> short_x{}; griotte::mv::run(short_x, constants, y);",
    "const std::array<float, 1200> fixed{}; griotte::mv::run(x, constants, fixed);",
    "griotte::mv::packed_x1 again(constants); griotte::mv::run(x, again, y);",
    "griotte::mv::run(x, w, y);",
    "std::array<std::uint16_t, 32> narrow{}; griotte::mv::run(narrow, constants, y);",
)
FIT = "griotte::mv::run(x, constants, y);"
BEFORE = """#include <array>
#include "mv.hpp"
static std::array<float, 32> x; static std::array<float, 2400> w; static std::array<float, 1200> y;
static const griotte::mv::packed_x1 constants(w);
"""


@pytest.fixture(scope="module")
def refused(packed):
    """Which of some calls a compiler refuses, by what it says of their lines: the first, which is right, and those that
    do not fit."""
    path, calls = packed / "call.cpp", (FIT, *UNFIT)
    compiler = [*find_compiler().command, STANDARDS["c++"], "-x", "c++", "-fsyntax-only", str(path)]
    path.write_text(f"{BEFORE}void right() {{ {FIT} }}\n")
    done = subprocess.run(compiler, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"expected a compiler of C++20, found {done.stderr[-200:]}")
    path.write_text(BEFORE + "".join(f"void f{i}() {{ {call} }}\n" for i, call in enumerate(calls)))
    done = subprocess.run(compiler, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    lines = {int(line) for line in re.findall(r"call\.cpp:(\d+):\d+: error", done.stderr)}
    return {call for i, call in enumerate(calls, BEFORE.count("\n") + 1) if i in lines}


@pytest.mark.parametrize("call", UNFIT)
def test_what_does_not_fit_does_not_compile(refused, call):
    assert call in refused and FIT not in refused


DYNAMIC = """
#include <array>
#include <cstdio>
#include "mv.hpp"
int main()
{
    std::array<float, 9 * 7> x{}, y{};
    for (int i = 0; i < 9 * 7; i++) x[i] = static_cast<float>(i);
    griotte::mv::run(3, std::span(x).first(3 * 7), y);
    for (int i = 0; i < 7; i++) std::printf("%g %g %g %g\\n", y[i * 9], y[i * 9 + 1], y[i * 9 + 2], y[i * 9 + 3]);
    const std::array<int, 3> wrong[] = {{3, 20, 63}, {3, 21, 62}, {10, 63, 63}, {0, 63, 63}};
    for (auto [m, given, room] : wrong)
        try {
            griotte::mv::run(m, std::span<float>(x).first(given), std::span<float>(y).first(room));
            return 1;
        } catch (const griotte::failure &error) {
            if (error.status != MV_BAD_SIZE) return 2;
        }
    return 0;
}
"""


def test_spans_of_a_dynamic_size_are_measured(tmp_path):
    """x has the rows of a call, y lies as that of the bound does."""
    program = gt.synthesize("transpose(f32[<=9,7])", "portable", table="none")
    folder = program.save(tmp_path, name="mv")
    values = np.array(said(built(folder, "mv", DYNAMIC, language="c++")), float).reshape(7, 4)
    assert np.array_equal(values[:, :3], np.arange(21).reshape(3, 7).T) and not values[:, 3].any()

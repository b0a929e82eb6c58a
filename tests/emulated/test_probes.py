"""The probes of `griotte calibrate` on another architecture: each compiled, run in an emulator to its end, and its
number a number. What they say there is of the emulator, so no figure is looked at."""

from __future__ import annotations

import importlib.util
import math
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from features import having
from griotte.codegen.nests import LeafNest
from griotte.codegen.teams import team_text
from griotte.machine.core import Level
from griotte.machine.target import Target
from griotte.runtime.calibrate import leaves, probes
from griotte.runtime.calibrate.source import source, text

from .emulator import COMPILERS, QEMU

pytestmark = pytest.mark.long
FLAGS = ("-O3", "-std=gnu11", "-pthread", "-ffp-contract=fast", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror")
SYSTEMS = ("x86_64-linux-gnu", "aarch64-linux-gnu", "x86_64-macos", "aarch64-macos")
THREADS = 2
OWN = "#define read probe_read\n"  # in one program with the team, which calls the system's


def target(name: str = "neon") -> Target:
    """With small caches, so that little is read over and over."""
    found = having(name, frozenset())
    sizes = {"L1": 8 << 10, "L2": 64 << 10, "L3": 256 << 10, "memory": None}
    levels = tuple(Level(level, size, 0.5 if level != "L3" else 0.0) for level, size in sizes.items())
    return replace(found, levels=(found.levels[0], *levels), largest_cache=sizes["L3"])


def program(asked: list[probes.Probe], room: int) -> str:
    """C that runs them one after the other, and prints what each gives."""
    calls = "\n".join(
        f'    printf("{each.name} %.9g\\n", {each.function}(room, {each.first}, {each.second}));' for each in asked
    )
    return f"""
#include <stdio.h>
#include <stdlib.h>
int main(void)
{{
    char *const room = aligned_alloc(SYSTEM_PAGE, {-(-room // (1 << 16)) << 16});
    if (room == NULL)
        return 1;
    warmth(room, {room}, 0);
{calls}
    return 0;
}}
"""


@pytest.fixture
def cross():
    """The cross compiler and the emulator, as words."""
    (compiler,) = COMPILERS["gcc"]
    for needed in (compiler, QEMU[0]):
        if shutil.which(needed) is None:
            pytest.skip(f"expected {needed}, found none on PATH; `make test-arm` installs it")
    return compiler, QEMU


def built(compiler: str, folder: Path, *files: str) -> Path:
    for number, content in enumerate(files):
        (folder / f"{number}.c").write_text(content)
    words = [compiler, *FLAGS, *(f"{number}.c" for number in range(len(files))), "-o", "run", "-lm"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "run"


def test_every_probe_runs_to_its_end(cross, tmp_path):
    compiler, emulator = cross
    there = target()
    asked = [*probes.probes(there, THREADS), *probes.capacity_probes(there)]
    # the pages that are asked for lie a page of the system apart
    room = max(probes.room(there), 512 << 16)
    path = built(compiler, tmp_path, OWN + source(there, THREADS) + program(asked, room), team_text())
    done = subprocess.run([*emulator, str(path)], capture_output=True, text=True, timeout=500, check=True)
    found = dict(line.split(" ") for line in done.stdout.splitlines())
    assert list(found) == [each.name for each in asked]
    # NaN where the clock did not agree with itself, as on a busy machine
    assert all(float(cycles) > 0 or math.isnan(float(cycles)) or name == "fork" for name, cycles in found.items())


def test_tiles_of_registers_run_to_their_end(cross, tmp_path):
    compiler, emulator = cross
    there = target()
    kernels = [kernel for kernel in there.kernels if kernel.name in ("multiply_add", "multiply_add_lane_f32")]
    asked = [
        LeafNest(kernel, ("f32", "f32"), "f32", lies, 4, 2, 16) for kernel in kernels for lies in ("rows", "columns")
    ]
    asked = [nest for nest in asked if nest.fits(there)]
    assert asked
    calls = "\n".join(f'    printf("%.9g\\n", leaf({i}, room, 3, 1, 64, 0));' for i in range(len(asked)))
    main = f"""
#include <stdio.h>
static char room[1 << 20];
int main(void) {{
    for (unsigned i = 0; i < sizeof room / sizeof(float); i++) ((float *)room)[i] = 1;
{calls}
    return 0;
}}
"""
    path = built(compiler, tmp_path, leaves._source(asked, there) + main)
    done = subprocess.run([*emulator, str(path)], capture_output=True, text=True, timeout=300, check=True)
    found = [float(line) for line in done.stdout.split()]
    assert len(found) == len(asked) and all(cycles > 0 or math.isnan(cycles) for cycles in found)


@pytest.mark.parametrize("system", SYSTEMS)
def test_they_are_made_for_other_systems(system, tmp_path):
    """By the wheel's compiler, without one of that system; run they are not."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("expected the wheel ziglang, found none; pip install 'griotte[zig]'")
    there = target("neon" if "aarch64" in system else "avx2")
    for name, content in (
        ("probes", source(there, THREADS)),
        ("stopwatch", text("now.c") + text("stopwatch.c")),
        ("team", team_text()),
    ):
        (tmp_path / f"{name}.c").write_text(content)
        words = [sys.executable, "-m", "ziglang", "cc", "-target", system, *FLAGS, *there.flags]
        done = subprocess.run([*words, "-c", f"{name}.c"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

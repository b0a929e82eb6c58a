"""What the compiler makes of a product's inner loop for NEON."""

from __future__ import annotations

import re
import subprocess

import griotte as gt
import pytest

pytestmark = pytest.mark.long
COMPILER = "aarch64-linux-gnu-gcc"


def loops(assembly: str) -> list[list[str]]:
    """The instructions of each loop that no other is in."""
    found, label, lines = [], "", list[str]()
    for line in assembly.splitlines():
        if begun := re.match(r"(\.L\d+):", line):
            label, lines = begun[1], []
        elif line.startswith("\t") and not line.startswith("\t."):
            lines.append(line.strip())
            if re.match(rf"b\.?\w+\s+{re.escape(label)}$|cbn?z\s.*{re.escape(label)}$", line.strip()):
                found.append(lines)
                lines = []
    return found


def test_most_of_a_products_loop_are_multiply_adds_by_lane_and_nothing_is_spilled(arm, tmp_path):
    source = tmp_path / "kernel.c"
    source.write_text(gt.synthesize("matmul(f32[512,512], f32[512,512])", "neon", table="none").to_c())
    words = [COMPILER, "-O3", "-ffp-contract=fast", "-S", str(source), "-o", str(tmp_path / "kernel.s")]
    subprocess.run(words, check=True)
    by_lane = lambda lines: sum(bool(re.match(r"fmla\s+v\d+\.4s, v\d+\.4s, v\d+\.s\[\d\]", line)) for line in lines)
    sums = lambda lines: len({line.split()[1] for line in lines if line.startswith("fmla")})
    inner = max(loops((tmp_path / "kernel.s").read_text()), key=sums)
    assert by_lane(inner) / len(inner) >= 0.8, inner
    assert not any("[sp" in line for line in inner)

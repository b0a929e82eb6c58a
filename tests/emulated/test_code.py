"""What the compiler makes of a product's inner loop for NEON."""

from __future__ import annotations

import re
import subprocess

import griotte as gt
import pytest
from features import having

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


PRODUCTS = (
    ("matmul(f32[512,512], f32[512,512])", "", r"fmla\s+v\d+\.4s, v\d+\.4s, v\d+\.s\[\d\]", 0.8),
    ("matmul(f16[256,256], f16[256,256]) -> f32[256,256]", "asimdfhm", r"fmlal\s.*\.h\[\d\]", 0.8),
    ("matmul(s8[256,256], s8[256,256]) -> s32[256,256]", "asimddp", r"sdot\s.*\.4b\[\d\]", 0.75),
    ("matmul(s8[256,256], s8[256,256]) -> s32[256,256]", "i8mm asimddp", r"smmla\s", 0.65),
    ("matmul(u8[256,256], s8[256,256]) -> s32[256,256]", "i8mm", r"usmmla\s", 0.65),
    ("matmul(bf16[256,256], bf16[256,256]) -> f32[256,256]", "bf16", r"bfmmla\s", 0.65),
)


@pytest.mark.parametrize(("spec", "features", "instruction", "share"), PRODUCTS, ids=lambda word: str(word)[:20])
def test_most_of_a_products_loop_are_products_and_nothing_is_spilled(arm, tmp_path, spec, features, instruction, share):
    source, target = tmp_path / "kernel.c", having("neon", frozenset(features.split()))
    source.write_text(gt.synthesize(spec, target, table="none").to_c())
    words = [COMPILER, "-O3", "-ffp-contract=fast", *target.flags, "-S", str(source), "-o", str(tmp_path / "kernel.s")]
    subprocess.run(words, check=True)
    products = lambda lines: [line for line in lines if re.match(instruction, line)]
    sums = lambda lines: len({line.split()[1] for line in products(lines)})
    inner = max(loops((tmp_path / "kernel.s").read_text()), key=sums)
    assert len(products(inner)) / len(inner) >= share, inner
    assert not any("[sp" in line for line in inner)

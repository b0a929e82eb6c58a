"""Products of integers that s16 holds, added in s32 by one instruction: the same whole numbers, at their ends too."""

import re
import subprocess

import griotte as gt
import numpy as np
import pytest
from features import having, skip_without
from griotte.lang.types.dtypes import dtype, limits
from machines import machine

TARGETS = {
    "vnni": lambda: having("avx512", frozenset({"avx512_vnni"})),
    "avx512": lambda: having("avx512", frozenset()),
    "avx2": lambda: machine("avx2"),
    "portable": lambda: machine("portable"),
}
WORDS = {"vnni": "dpwssd", "avx512": "madd_epi16", "avx2": "madd_epi16"}
PAIRS = (("u8", "s8"), ("s8", "s8"), ("s8", "u8"), ("u8", "u8"), ("u8", "s16"), ("s16", "s16"), ("s8", "s32"))


def windows(x: str, w: str) -> str:
    """Windows over 19 channels, each by itself: a vector of 16 lanes and 3 of another."""
    return f"conv2d({x}[1,19,7,9]{{1,3,2,0}}, {w}[19,1,3,3], padding=1, groups=19) -> s32[1,19,7,9]{{1,3,2,0}}"


def ends(name: str, shape: tuple[int, ...], rng) -> np.ndarray:
    """The ends of a dtype's range; of s32 what sums of a few products with bytes do not go beyond."""
    least, most = limits(name) if name != "s32" else (-(1 << 20), 1 << 20)
    return rng.choice([least, least + 1, -1 if least else 1, 0, most], shape).astype(dtype(name).numpy)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("x, w", PAIRS)
def test_sums_are_exact(name, x, w):
    target, rng = TARGETS[name](), np.random.default_rng(5)
    skip_without(target.features)
    spec = gt.parse(windows(x, w))
    program = gt.synthesize(spec, target, table="none")
    given, weights = ends(x, (1, 7, 9, 19), rng).transpose(0, 3, 1, 2), ends(w, (19, 1, 3, 3), rng)
    assert np.array_equal(program.compile()(given, weights), gt.interpret(spec, given, weights))
    if {x, w} <= {"u8", "s8"} and name in WORDS:
        assert "add_product_s32" in program.to_c() and WORDS[name] in program.to_c()
    if name == "portable" or "s32" in (x, w):
        assert "add_product" not in program.to_c()


@pytest.mark.parametrize("x, w", [("u16", "s8"), ("u8", "u16")])
def test_words_without_a_sign_are_no_factors(x, w):
    """As words they would be negative."""
    program = gt.synthesize(gt.parse(windows(x, w)), machine("avx512"), table="none")
    assert "add_product" not in program.to_c()


def test_a_product_whose_weights_lie_as_they_are_given():
    """One element of a factor is spread over the lanes."""
    target, rng = TARGETS["vnni"](), np.random.default_rng(7)
    skip_without(target.features)
    spec = gt.parse("matmul(s16[3,5], s16[5,37]) -> s32[3,37]")
    program = gt.synthesize(spec, target, table="none")
    a, b = ends("s16", (3, 5), rng), ends("s16", (5, 37), rng)
    assert np.array_equal(program.compile()(a, b), gt.interpret(spec, a, b))


def test_factors_are_not_all_read_before_they_are_added(tmp_path):
    """Compilers took products and sums apart and kept factors in memory: one and a half times the time."""
    target = TARGETS["vnni"]()
    text = "conv2d(u8[1,16,28,28]{1,3,2,0}, s8[16,1,5,5], padding=2, groups=16) -> s32[1,16,28,28]{1,3,2,0}"
    (tmp_path / "kernel.c").write_text(gt.synthesize(gt.parse(text), target, table="none").to_c())
    subprocess.run(["gcc", "-O3", *target.flags, "-S", "-o", tmp_path / "kernel.s", tmp_path / "kernel.c"], check=True)
    written = (tmp_path / "kernel.s").read_text()
    adds, spilled = written.count("vpdpwssd"), len(re.findall(r"vmovdqa\w*\t%zmm\d+, -?\d*\(%[re][sb]p\)", written))
    assert adds > 100 and "vpmulld" not in written and spilled < adds / 8

"""Outputs written past the caches: from any alignment, in every dtype, and with a fence at the end of each thread."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from generated_harness import Case, assert_right, both_kinds
from griotte import synthesize
from griotte.engine.program.nodes import KernelCall, walk
from griotte.lang.meaning.samples import random_arrays
from machines import machine

LENGTHS = (1, 3, 15, 16, 17, 31, 63, 64, 100, 257)
SPECS = (
    *(f"relu(f32[{n}])" for n in LENGTHS),
    *(f"cast(f32[{n}]) -> bf16[{n}]" for n in (5, 40, 101)),
    *(f"cast(bf16[{n}]) -> f32[{n}]" for n in (9, 90)),
    *(f"cast(f32[{n}]) -> u8[{n}]" for n in (60, 150)),
    "cast(f64[200]) -> s8[200]",
    "neg(s8[300])",
    "add(f64[7,37], f64[37])",
    "where(pred[5,60], s16[5,60], s16[60])",
    "transpose(f32[21,34,50], perm=(1,0,2))",
)


def only(name: str):
    """A machine of nothing but memory, whose maps all go past the caches."""
    whole = machine(name)
    return replace(
        whole, levels=(whole.levels[0], whole.levels[-1]), kernels=tuple(k for k in whole.kernels if k.nontemporal)
    )


@pytest.mark.parametrize("name", ["avx512", "avx2"])
def test_the_c_is_right_at_any_alignment(name, tmp_path):
    target, cases = only(name), []
    for seed, text in enumerate(SPECS):
        spec = gt.parse(text)
        program = synthesize(spec, target, table="none")
        cases += both_kinds(program, seed)
    assert_right(cases, target, tmp_path)


def test_a_dynamic_size_is_right(tmp_path):
    spec, target = gt.parse("relu(f32[<=70,3])"), only("avx512")
    program = synthesize(spec, target, table="none")
    cases = [
        Case(program.root, spec, tuple(random_arrays(spec.at(m), np.random.default_rng(m))), m)
        for m in (1, 5, 6, 37, 70)
    ]
    assert_right(cases, target, tmp_path)


def kernels(text: str) -> set[str]:
    return {n.kernel for n in walk(synthesize(text, machine("avx512"), table="none").root) if isinstance(n, KernelCall)}


def test_what_fits_the_caches_stays_in_them():
    assert kernels("relu(f32[4096,4096])") == {"map_nontemporal"}
    assert kernels("relu(f32[512,512])") == kernels("relu(f32[1500,1500])") == {"map"}
    assert kernels("relu(add(f32[400000,20]{0,1}, f32[400000,20]))") == {
        "map"
    }  # rows of one line and a part are hardly whole lines


def test_each_thread_fences():
    source = synthesize("relu(f32[4096,4096])", machine("avx512"), threads=2, table="none").to_c()
    inside = source[source.index("static void run_") :]
    assert "_mm_sfence();" in inside[: inside.index("\n}\n")] and source.count("_mm_sfence();") == 1


def test_where_it_does_not_apply():
    target = machine("avx512")
    with pytest.raises(
        gt.NoProgramError, match="map_nontemporal expects its output at a level with a price nontemporal.<level>"
    ):
        gt.schedule("relu(f32[30])", target).select("map_nontemporal")
    with pytest.raises(gt.NoProgramError, match="expected more than the 524288 lines that caches hold"):
        # 35 MB in all
        gt.schedule("relu(f32[2100,2100])", target).tile("i0", 2100 * 1050, parallel=2).select("map_nontemporal")
    with pytest.raises(gt.NoProgramError, match="expects an array of the call, not a copy that is read soon"):
        gt.schedule("matmul(f32[3000,3000], f32[3000,3000])", target).move(0, "memory", compact=True).at(0).tile(
            "m", 1
        ).select("map_nontemporal")

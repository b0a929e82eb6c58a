"""Programs and costs of 200 Specs of one nest and of graphs of a few, kept beside the tests bit for bit: what only
moves code must not move them.

The machines are TOML descriptions, so nothing depends on the CPU. After a change of the space or of a price that is
meant, write them anew:

    pytest tests/engine/search/test_kept_programs.py --refresh-golden
"""

import difflib
import json
from pathlib import Path

import pytest
from griotte import synthesize
from griotte.support.errors import NoProgramError
from machines import DESCRIPTIONS, machine

KEPT = Path(__file__).parent / "golden" / "programs.json"

CONTRACTIONS = (
    "matmul(f32[3,4], f32[4,5])",
    "matmul(f32[9,17], f32[17,33])",
    "matmul(f32[26,30], f32[30,40])",
    "matmul(f32[21,30]{0,1}, f32[30,25])",
    "matmul(f32[12,40], f32[40,20]{0,1})",
    "matmul(f32[8,9], f32[9,7]) -> f32[8,7]{0,1}",
    "matmul(f32[1,64], f32[64,48])",
    "matmul(f32[48,64], f32[64,1])",
    "matmul(f64[10,12], f64[12,9])",
    "matmul(f16[6,20], f16[20,10]) -> f16[6,10]",
    "matmul(bf16[12,30], bf16[30,20]) -> f32[12,20]",
    "matmul(bf16[5,16], bf16[16,9]{0,1}) -> bf16[5,9]",
    "matmul(bf16[4,16], f32[16,12])",
    "matmul(u8[10,24], s8[24,18])",
    "matmul(u8[7,12], s8[12,9]{0,1}) -> s16[7,9]",
    "matmul(s8[9,16], s8[16,12])",
    "matmul(s16[5,8], s16[8,6]) -> s32[5,6]",
    "matmul(s32[5,8], s32[8,6])",
    "matmul(f32[2,5,6], f32[2,6,7])",
    "matmul(f32[2,3,4,5], f32[3,5,6])",
    "matmul(bf16[3,4,8], bf16[3,8,6]) -> f32[3,4,6]",
    "matmul(f32[4,6], f32[3,6,8])",
)
CONSTANTS = (
    "matmul(f32[6,20], const f32[20,30])",
    "matmul(f32[1,40], const f32[40,50]{0,1})",
    "matmul(const bf16[5,8], const bf16[8,9]{0,1}) -> f32[5,9]",
    "matmul(u8[6,16], const s8[16,12])",
    "matmul(f32[2,3,4], const f32[2,4,5])",
)
DYNAMIC = (
    "matmul(f32[<=9,6], f32[6,7])",
    "matmul(f32[<=12,8], const f32[8,10])",
    "sum(f32[<=9,20], axis=1)",
    "add(f32[<=9,13], f32[13])",
    "gelu(f32[<=12,24])",
)
OTHERS = (
    "sum(f32[19,45], axis=1)",
    "sum(f32[19,45], axis=0)",
    "sum(bf16[300])",
    "max(bf16[17,43], axis=1)",
    "min(s64[5,6], axis=1)",
    "min(u8[3,4,5], axis=(0,2))",
    "sum(f64[2,31], axis=1)",
    "sum(s8[6,11], axis=0) -> s32[11]",
    "exp(f32[3,20])",
    "gelu(bf16[77])",
    "neg(s8[5,13]{0,1})",
    "add(f32[9,33], f32[33])",
    "mul(bf16[5,7], bf16[5,7]{0,1})",
    "where(pred[4,6], f32[4,6], f32[6])",
    "relu(add(f32[5,6], f32[6])) -> bf16[5,6]",
    "cast(f32[6,10]) -> bf16[6,10]",
    "transpose(f32[21,34])",
    "transpose(bf16[3,4,5], perm=(1,2,0))",
    "copy(f32[5,9]) -> f32[5,9]{0,1}",
    "copy(f64[8,20])",
)
LARGER = (
    ("avx512", 1, "matmul(f32[200,200], f32[200,200])"),
    ("avx512", 2, "matmul(f32[130,200], f32[200,170])"),
    ("avx2", 3, "matmul(f32[100,90], const f32[90,110])"),
    ("tiles", 1, "matmul(bf16[70,90], bf16[90,110]) -> f32[70,110]"),
    ("portable", 2, "matmul(f32[2,60,50], f32[2,50,40])"),
    ("narrow", 1, "matmul(f32[15,20], f32[20,24])"),
    ("avx2", 2, "sum(f32[3,200000], axis=1)"),
    ("avx512", 3, "sum(f32[3000,500], axis=0)"),
    ("avx512", 2, "gelu(f32[<=12,1024])"),
    ("avx2", 1, "transpose(f32[3000,500])"),
)
GRAPHS = (
    ("avx512", 1, "softmax(f32[9,40])"),
    ("plain", 1, "softmax(f32[3,12])"),
    ("avx2", 2, "attention(f32[2,12,16], f32[2,20,16], f32[2,20,16])"),
    ("avx512", 1, "layer_norm(f32[6,48], f32[48], f32[48])"),
    ("avx512", 2, "add(matmul(gelu(add(matmul(f32[6,24], const f32[24,32]), f32[32])), const f32[32,16]), f32[16])"),
    ("avx2", 1, "relu(add(conv2d(f32[1,3,8,8], const f32[8,3,3,3], padding=1), f32[8,1,1]))"),
    ("portable", 1, "matmul(rms_norm(f32[4,32], f32[32]), f32[32,24])"),
    ("avx512", 1, "group_matmul(f32[1,64], const s4[40,2,32], const f32[40,2])"),
    ("avx2", 1, "group_matmul(f32[2,64], const s4[24,2,32], const f32[24,2], activations=s8)"),
    ("avx512", 1, "requantize(matmul(u8[8,24], s8[24,20]), f32[20], u8[])"),
    ("portable", 2, "outputs(%t: exp(matmul(f32[5,12], f32[12,20])), sum(%t, axis=1))"),
)
PLACES = tuple((name, threads) for threads in (1, 2, 1, 3) for name in DESCRIPTIONS)


def spread(texts: tuple[str, ...], times: int, start: int) -> list[tuple[str, int, str]]:
    """Each text on `times` machines, in series or over threads, all in turns."""
    return [
        (*PLACES[(start + 7 * i + 13 * k) % len(PLACES)], text) for i, text in enumerate(texts) for k in range(times)
    ]


CASES = (
    *spread(CONTRACTIONS, 3, 0),
    *spread(CONSTANTS, 4, 5),
    *spread(DYNAMIC, 4, 3),
    *spread(OTHERS, 4, 1),
    *spread(OTHERS[:4], 1, 6),
    *LARGER,
    *GRAPHS,
)


def found(name: str, threads: int, text: str) -> dict:
    """The program as printed and its cost to the last bit, of a dynamic size those of each group; or that there is
    none."""
    try:
        program = synthesize(text, machine(name), threads, table="none")
    except NoProgramError as why:
        return {"costs": [], "program": [str(why)]}
    parts = [program] if program.largest is program else [one for _, one in program.groups]
    return {"costs": [repr(float(one.cost)) for one in parts], "program": str(program).splitlines()}


LONG = ("tiles", "narrow", "wide", "paired")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in DESCRIPTIONS]
)
def test_programs_and_costs_are_as_kept(name, request):
    mine = [case for case in CASES if case[0] == name]
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    now = {f"{name} x{threads} {text}": found(name, threads, text) for _, threads, text in mine}
    if request.config.getoption("--refresh-golden"):
        others = {key: row for key, row in kept.items() if not key.startswith(f"{name} x")}
        kept = dict(sorted({**others, **now}.items()))
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    for key, row in now.items():
        diff = "\n".join(
            difflib.unified_diff(
                [*kept[key]["costs"], *kept[key]["program"]],
                [*row["costs"], *row["program"]],
                "kept",
                "now",
                lineterm="",
                n=2,
            )
        )
        assert not diff, (
            f"{key}\n{diff}\nIf this is meant: pytest tests/engine/search/test_kept_programs.py --refresh-golden"
        )


def test_what_is_kept_is_what_is_compared():
    keys = {f"{name} x{threads} {text}" for name, threads, text in CASES}
    assert len(CASES) == len(keys) == 200 + len(GRAPHS)
    assert set(json.loads(KEPT.read_text())) == keys

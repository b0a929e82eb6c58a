"""A dozen generated C files, kept beside the tests: a change of what is generated shows as a diff to read. Helpers over
vectors, which many have in common, are in a file for each machine.

The machines are TOML descriptions, so the files do not depend on the CPU. After a change that is meant, write them
anew:

    pytest tests/codegen/test_golden.py --refresh-golden
"""

import difflib
import re
import textwrap
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from features import skip_without
from generated_harness import Case, assert_right
from griotte import synthesize
from griotte.codegen.teams import team_text
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.text.text import parse
from machines import machine

GOLDEN = Path(__file__).parent / "golden"
_HELPER = re.compile(r"^static inline __attribute__\(\(always_inline, unused\)\) .*?^}\n\n", re.DOTALL | re.MULTILINE)
_ALL_HELPERS = re.compile(f"(?:{_HELPER.pattern})+", _HELPER.flags)
_PRICE = re.compile(r"\S+ cycles by the model")  # what the program costs may change without the program
PROGRAMS = {
    "matmul_f32_avx2": ("matmul(f32[30,40], f32[40,50])", "avx2", 1),
    "matmul_f32_avx512": ("matmul(f32[30,40], f32[40,50])", "avx512", 1),
    "matmul_f32_portable": ("matmul(f32[5,6], f32[6,7])", "portable", 1),
    "matmul_f32_small_caches": ("matmul(f32[33,40], f32[40,50])", "narrow", 1),
    "matmul_f32_dynamic_portable": ("matmul(f32[<=9,6], f32[6,7])", "portable", 1),
    "matmul_f32_const_avx2": ("matmul(f32[6,40], const f32[40,30]{0,1})", "avx2", 1),
    "gelu_f32_dynamic_two_threads": ("gelu(f32[<=12,1024])", "avx2", 2),
    "matmul_f32_two_threads": ("matmul(f32[200,200], f32[200,200])", "avx512", 2),
    "matvec_bf16_avx512": ("matmul(bf16[1,70], bf16[70,40]{0,1}) -> f32[1,40]", "avx512", 1),
    "matmul_u8s8s16_avx512": ("matmul(u8[12,30], s8[30,20]) -> s16[12,20]", "avx512", 1),
    "matmul_s8_avx2": ("matmul(s8[12,30], s8[30,20])", "avx2", 1),
    "transpose_f32_avx2": ("transpose(f32[21,34])", "avx2", 1),
    "gelu_bf16_avx512": ("gelu(bf16[77])", "avx512", 1),
    "add_broadcast_portable": ("add(f32[9,33], f32[33])", "portable", 1),
    "sum_f32_columns_avx2": ("sum(f32[19,45], axis=0)", "avx2", 1),
    "sum_f32_two_threads": ("sum(f32[3,200000], axis=1)", "avx2", 2),
    "max_bf16_rows_avx512": ("max(bf16[17,43], axis=1)", "avx512", 1),
    "div_by_a_number_avx512": ("div(f32[45], 9)", "avx512", 1),
    "softmax_f32_avx2": ("softmax(f32[9,70])", "avx2", 1),
    "max_matmul_f32_avx2": ("max(matmul(f32[24,9], f32[9,20]), axis=1)", "avx2", 1),
    "outputs_f32_avx2": ("outputs(%h: add(f32[6,40], f32[6,40]), rms_norm(%h, f32[40]))", "avx2", 1),
}

TARGETS = sorted({target for _, target, _ in PROGRAMS.values()})


@cache
def golden_program(name: str):
    text, target, threads = PROGRAMS[name]
    return synthesize(text, machine(target), threads=threads)


def golden_text(name: str) -> str:
    """What is kept of a program's C: of helpers their names, in order."""
    source = _PRICE.sub("cycles by the model", golden_program(name).to_c())
    source = source.replace(team_text(), "/* codegen/team.c */\n")
    return _ALL_HELPERS.sub(lambda run: listed(_HELPER.findall(run[0])), source)


def listed(helpers: list[str]) -> str:
    names = textwrap.fill(", ".join(map(called, helpers)), 116)
    return f"/* helpers:\n{textwrap.indent(names, ' * ')} */\n"


def helpers_text(target: str) -> str:
    """All helpers of the programs for a machine."""
    sources = [golden_program(name).to_c() for name, (_, on, _) in PROGRAMS.items() if on == target]
    return "".join(sorted({text for source in sources for text in _HELPER.findall(source)}, key=called))


def called(helper: str) -> str:
    """The name of a helper."""
    return re.search(r"(\w+)\(", helper.partition("unused))")[2])[1]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_generated_c_is_as_kept(name, request):
    require_kept(GOLDEN / f"{name}.c", golden_text(name), request)


@pytest.mark.parametrize("target", TARGETS)
def test_helpers_are_as_kept(target, request):
    text = helpers_text(target)
    names = [called(helper) for helper in _HELPER.findall(text)]
    assert len(names) == len(set(names)), "expected one helper of a name for a machine"
    require_kept(helpers_file(target), text, request)


def helpers_file(target: str) -> Path:
    return GOLDEN / "helpers" / f"{target}.c"


def require_kept(path: Path, source: str, request) -> None:
    """Or write it, where that is asked for."""
    if request.config.getoption("--refresh-golden"):
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(source)
    kept = path.read_text()
    diff = "\n".join(
        difflib.unified_diff(
            kept.splitlines(), source.splitlines(), str(path.relative_to(GOLDEN.parent)), "now", lineterm="", n=2
        )
    )
    assert not diff, f"{diff[:6000]}\nIf this is meant: pytest tests/codegen/test_golden.py --refresh-golden"


@pytest.mark.parametrize("target", TARGETS)
def test_the_golden_programs_are_right_under_sanitizers(target, tmp_path):
    skip_without(machine(target).features)
    cases = []
    for name in (name for name, (_, on, _) in PROGRAMS.items() if on == target):
        spec = parse(PROGRAMS[name][0])
        root, size = golden_program(name).root, spec.dynamic.bound - 1 if spec.dynamic else 0
        cases.append(
            Case(root, spec, tuple(random_arrays(spec.at(size), np.random.default_rng(len(cases)), hostile=True)), size)
        )
    assert_right(cases, machine(target), tmp_path)


def test_no_golden_file_is_left_over():
    assert {path.stem for path in GOLDEN.glob("*.c")} == set(PROGRAMS)
    assert {path.stem for path in GOLDEN.glob("*/*.c")} == set(TARGETS)

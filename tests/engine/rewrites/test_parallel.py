"""Threads that share a reduction: found where it pays, the parts on lines of their own, the result the same for all
thread counts; what they pay for output lines that they share."""

import re

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte import compile, synthesize
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.rewrites import shared_lines
from griotte.engine.rewrites.parallel import parallel_features
from griotte.engine.search.problem import problem
from griotte.lang.meaning.agreement import tolerance
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from machines import machine, with_prices
from spaces import by_turns

LONG = (
    "sum(f32[700001])",
    "max(f32[700001])",
    "sum(s32[5,300007], axis=1)",
    "matmul(f32[1,60001], f32[60001,5])",
    "matmul(bf16[2,60001], bf16[60001,3]{0,1}) -> f32[2,3]",
    "sum(f32[90001,7], axis=0)",
)


@pytest.mark.parametrize("text, threads", by_turns(LONG, (2, 3, 4)))
def test_a_long_reduction_is_shared_out_and_right(text, threads):
    spec = parse(text)
    program = synthesize(text, "native", threads=threads, table="none")
    assert program.root.join is not None and program.root.join.state.size["parts"] <= threads
    kernel = program.compile()
    for hostile in (False, True):
        arrays = random_arrays(spec, np.random.default_rng(threads), hostile)
        first, again = kernel(*arrays), kernel(*arrays)
        bounds = tolerance(spec, arrays)
        agrees(spec, arrays, first, bounds)
        assert first.tobytes() == again.tobytes()
        agrees(spec, arrays, interpret(program.root, spec, *arrays, target=program.target), bounds)


def test_what_is_short_is_not_shared_out():
    assert getattr(synthesize("sum(f32[1000])", machine("avx512"), threads=2, table="none").root, "join", None) is None


def test_no_two_parts_share_a_line():
    """Parts begin a whole number of lines apart, in scratch that begins on one."""
    source = synthesize("sum(f32[7,400000], axis=1)", machine("avx512"), threads=2, table="none").to_c()
    assert re.search(r"float parts_\w+\[32\] __attribute__\(\(aligned\(64\)\)\)", source)
    assert re.search(r"= parts_\d+ \+ \w+ \* 16;", source)


def test_an_output_that_is_not_the_accumulators_is_not_shared_out():
    synthesize("sum(bf16[400000]) -> bf16[]", machine("avx512"), threads=2, table="none")


def test_a_hand_schedule_shares_a_reduction_too():
    half = gt.schedule("sum(f32[50000])", "portable").tile("i0", 25000, parallel=2)
    assert [hole.state.family.operation.name for hole in half.holes] == ["sum", "join"]
    program = gt.synthesize(half, threads=2, table="none")
    values = np.random.default_rng(1).integers(-4, 4, 50000).astype(np.float32)
    assert interpret(program.root, program.spec, values) == values.sum()
    assert compile(half, threads=2, table="none")(values) == values.sum()
    with pytest.raises(NoProgramError, match="expected i0 in 2..2 parts"):
        gt.schedule("sum(f32[50000])", "portable").tile("i0", 100, parallel=2)


SIZE = {"m": 48, "n": 64, "k": 32}


def matmul_goal(layout: str = ""):
    return problem(
        canonical_form(parse(f"matmul(f32[48,32], f32[32,64]) -> f32[48,64]{layout}")), machine("avx512")
    ).goal


def test_a_split_along_rows_shares_nothing():
    assert shared_lines(matmul_goal(), ("m",), (24,), SIZE) == 0


def test_a_split_along_columns_shares_a_line_a_row():
    assert shared_lines(matmul_goal(), ("n",), (32,), SIZE) == 48
    assert shared_lines(matmul_goal(), ("m", "n"), (12, 32), SIZE) == 12


def test_a_tile_as_wide_as_the_output_shares_nothing():
    assert shared_lines(matmul_goal(), ("n",), (64,), SIZE) == 0


def test_the_fastest_dimension_is_the_layouts():
    spec = canonical_form(parse("matmul(f32[48,32], f32[32,64]) -> f32[48,64]{0,1}"))
    family = problem(spec, machine("avx512")).goal
    along = family.unit_dim(2)
    assert shared_lines(family, (along,), (8,), spec.size) > 0
    other = next(d for d in spec.operation.parallel if d != along)
    assert shared_lines(family, (other,), (8,), spec.size) == 0


@pytest.mark.parametrize("seam", [0.0, 1e6])
def test_the_coefficient_decides_between_rows_and_columns(seam):
    target = machine("avx512")
    target = with_prices(target, seam=seam, fork=0.0)
    root = synthesize("matmul(f32[256,256], f32[256,256])", target, threads=2).root
    assert root.dims == (("n",) if seam == 0 else ("m",))


def test_seams_are_paid_once_a_run():
    """Tiles of one thread's run are neighbours: their common lines stay with it."""
    few, many = (parallel_features(count, 2, 48) for count in (2, 16))
    assert few[0]["seam"] == many[0]["seam"] == 48 and (few[1], many[1]) == (1, 8)

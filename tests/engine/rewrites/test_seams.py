"""What threads pay for output lines that they share."""

import pytest
from griotte import synthesize
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites import shared_lines
from griotte.engine.rewrites.parallel import parallel_features
from griotte.engine.search.problem import problem
from griotte.lang.text.text import parse
from machines import machine, with_prices

SIZE = {"m": 48, "n": 64, "k": 32}


def goal(layout: str = ""):
    return problem(
        canonical_form(parse(f"matmul(f32[48,32], f32[32,64]) -> f32[48,64]{layout}")), machine("avx512")
    ).goal


def test_a_split_along_rows_shares_nothing():
    assert shared_lines(goal(), ("m",), (24,), SIZE) == 0


def test_a_split_along_columns_shares_a_line_a_row():
    assert shared_lines(goal(), ("n",), (32,), SIZE) == 48
    assert shared_lines(goal(), ("m", "n"), (12, 32), SIZE) == 12


def test_a_tile_as_wide_as_the_output_shares_nothing():
    assert shared_lines(goal(), ("n",), (64,), SIZE) == 0


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

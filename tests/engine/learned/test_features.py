"""Features say what a program's price is made of, are finite for every kind of program, and are what the page says."""

from pathlib import Path

import griotte as gt
import numpy as np
import pytest
from griotte.engine.learned.features import FEATURES, NAMES, features
from griotte.engine.learned.samples import Group, Samples
from griotte.engine.learned.sums import ALIKE, AT, LEVELS, TERMS, Walk
from griotte.machine.coefficients import COEFFICIENTS
from griotte.machine.machine import PARAMETERS, derive

TEXTS = [
    ("matmul(f32[9,40], f32[40,70])", 1),
    ("matmul(f32[64,40], const f32[40,70])", 2),
    ("softmax(f32[5,60])", 1),
    ("relu(add(matmul(f32[16,24], f32[24,40]), f32[40]))", 1),
    ("transpose(f32[30,50])", 1),
    ("conv2d(f32[1,4,9,9], f32[8,4,3,3])", 1),
]


def program_of(text, threads=1):
    return gt.synthesize(text, "portable", threads, table="none")


def row_of(text, threads=1) -> dict[str, float]:
    program = program_of(text, threads)
    return dict(zip(NAMES, features([program.root], program.target, threads)[0]))


@pytest.mark.parametrize("text, threads", TEXTS)
def test_terms_and_levels_add_up_to_the_price(text, threads):
    program = program_of(text, threads)
    sums = Walk(program.target).sums(program.root)
    assert sum(sums[AT[f"cycles {term}"]] for term in TERMS) == pytest.approx(program.cost)
    row = dict(zip(NAMES, features([program.root], program.target, threads)[0]))
    assert sum(row[f"share_{term}"] for term in TERMS) == pytest.approx(1)
    assert 2 ** row["price"] == pytest.approx(program.cost)
    assert sum(row[f"share_from_{level}"] for level in LEVELS) <= 1 + 1e-9


@pytest.mark.parametrize("text, threads", TEXTS)
def test_features_are_finite_and_of_each_program_alone(text, threads):
    program = program_of(text, threads)
    roots = [each.root for each in program.alternatives(8)]
    together = features(roots, program.target, threads)
    assert together.shape == (len(roots), len(NAMES)) and np.isfinite(together).all()
    alone = np.concatenate([features([root], program.target, threads) for root in roots])
    assert np.array_equal(together, alone)


def test_points_are_those_of_the_spec():
    row = row_of("matmul(f32[9,40], f32[40,70])")
    assert 2 ** row["points"] - 1 == pytest.approx(9 * 40 * 70)
    assert [row["parallel_0"], row["parallel_1"], row["reduced_0"]] == pytest.approx(np.log2([70, 9, 40]))


def test_leftovers_are_told():
    assert row_of("exp(f32[8,64])")["leftover"] == 0
    assert 0 < row_of("matmul(f32[37,64], f32[64,61])")["leftover"] < 1


def test_what_is_fused_is_told():
    fused, alone = (
        row_of("relu(add(matmul(f32[16,24], f32[24,40]), f32[40]))"),
        row_of("matmul(f32[16,24], f32[24,40])"),
    )
    assert fused["nests"] > 1 and fused["fused"] > 0
    assert alone["nests"] == 1 and alone["fused"] == 0


def test_threads_are_told():
    row = row_of("matmul(f32[256,64], f32[64,64])", 2)
    assert row["threads"] == 2 and row["share_fork"] > 0


def test_the_page_has_a_row_for_each_feature():
    page = (Path(__file__).parents[3] / "docs/reference/features.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    expected = [f"| `{feature.name}` | {feature.meaning} |" for feature in FEATURES]
    assert [row for row in rows if row in expected] == expected
    assert len(set(NAMES)) == len(NAMES)


GROUPS = tuple(Group(f"relu(f32[{n}])", "relu", 1, "portable", "a CPU") for n in (8, 9))


def samples() -> Samples:
    row = np.arange(4.0)
    return Samples(1, GROUPS, np.array([0, 0, 1, 1]), row[:, None], row, row + 1, row + 2, row)


def test_rows_are_taken_by_a_mask_or_by_numbers():
    found = samples()
    assert len(found) == 4
    assert found.of(found.price > 1).warm.tolist() == found.of([2, 3]).warm.tolist() == [3, 4]


def test_rows_of_a_group():
    found = samples().of_groups([1])
    assert found.group.tolist() == [1, 1] and found.features.tolist() == [[2], [3]] and found.groups == GROUPS


def test_every_price_of_any_machine_is_of_a_term_that_models_know():
    """Also of those that only a machine has which measured itself."""
    measured = derive({parameter.name: max(1.0, parameter.default) for parameter in PARAMETERS}).coefficients
    assert {"abreast.L3", "turned.L3"} <= measured.keys()
    terms = {name.partition(".")[0] for name in {*COEFFICIENTS, *measured}}
    assert {ALIKE.get(term, term) for term in terms} <= {*TERMS}

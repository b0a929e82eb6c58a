"""Files of samples: written and read again; refused where they are something else."""

import json
import math

import pytest
from griotte.calibrate import samples
from griotte.calibrate.samples import Sample, read, write
from griotte.errors import GriotteError

OUTLINE = ("tile m 8", ("multiply_add along n",), None, None)
SAMPLES = [Sample("matmul(f32[8,8], f32[8,8])", 2, OUTLINE, [[3.0, 1.0, 2.0], [5.0]]), Sample("exp(f32[8])", 1, ("map along i",))]


def test_a_file_is_read_as_it_was_written(tmp_path):
    write(tmp_path / "s", SAMPLES)
    assert read(tmp_path / "s") == SAMPLES


def test_measured_is_the_median_of_the_rounds_least():
    assert SAMPLES[0].measured == 3.0 and SAMPLES[0].halves == (1.0, 5.0) and math.isnan(SAMPLES[1].measured)


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda lines: [], "error"),
        (lambda lines: ["{}", *lines[1:]], "another kind of file"),
        (lambda lines: ["[1]", *lines[1:]], "another kind of file"),
        (lambda lines: [lines[0], lines[1][:20]], "error"),
        (lambda lines: [lines[0], lines[1].replace('"threads": 2', '"threads": -2')], "threads that are none"),
        (lambda lines: [lines[0], lines[1].replace("3.0", "-3.0")], "cycles that are none"),
        (lambda lines: [lines[0], lines[1].replace("3.0", "NaN")], "cycles that are none"),
        (lambda lines: [lines[0], lines[1].replace('"outline": ["tile m 8"', '"outline": [8')], "an outline that is none"),
        (lambda lines: [lines[0], lines[1].replace('"spec"', '"speck"')], "error"),
        (lambda lines: [lines[0], "[" * 100_000], "error"),
        (lambda lines: [lines[0].replace('"cores": ', '"cores": 1'), *lines[1:]], "of this machine"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(tmp_path, change, says):
    write(tmp_path / "s", SAMPLES)
    (tmp_path / "s").write_text("\n".join(change((tmp_path / "s").read_text().splitlines())))
    with pytest.raises(GriotteError, match="expected") as error:
        read(tmp_path / "s")
    assert says in str(error.value) and str(tmp_path) in str(error.value) and "\n" not in str(error.value)


def test_no_file(tmp_path):
    with pytest.raises(GriotteError, match="No such file"):
        read(tmp_path / "s")


def test_the_file_says_which_machine(tmp_path):
    write(tmp_path / "s", [])
    assert json.loads((tmp_path / "s").read_text())["machine"] == samples.machine()

"""The table of measured leaves: written, read, refused; and left out where it names another compiler or other C."""

from dataclasses import replace

import pytest
from griotte.codegen.nests import digest
from griotte.engine.table import keys
from griotte.machine import described, description
from griotte.machine.leaves import Leaves, TimedForm, TimedTile, parsed
from griotte.machine.measured import load
from griotte.runtime import leaves as own
from griotte.runtime.compilers import find_compiler
from griotte.support.errors import TargetError
from machines import machine

PANEL = "multiply_add f32 f32 f32 panel"
FORM = TimedForm(PANEL, 1.25, (TimedTile(1, 1, 0.5, 1.5), TimedTile(1, 3, 0.0, 4.0), TimedTile(6, 2, 8.25, 12.01)))


def written(tmp_path, leaves=None, **changes):
    target = machine("avx2")
    leaves = leaves or Leaves(find_compiler().version, digest([PANEL], target), (FORM,))
    path = tmp_path / "here.toml"
    path.write_text(described.text(replace(target, leaves=replace(leaves, **changes))))
    return path


def test_what_is_written_is_read_again(tmp_path):
    path = written(tmp_path)
    assert description.load(path).leaves.forms == (FORM,) and "1 = [[0.5, 1.5], [], [0.0, 4.0]]" in path.read_text()
    assert replace(description.load(path), leaves=None) == machine("avx2")


def test_they_stay_where_compiler_and_c_are_those(tmp_path):
    path = written(tmp_path)
    assert own.resolved(str(path)).leaves == description.load(path).leaves and own.stale(description.load(path)) == ""


@pytest.mark.parametrize(
    "changes, why",
    [({"compiler": "gcc 1.0"}, "of compiler gcc 1.0, found "), ({"emitted": "0"}, "of C that is emitted no more")],
)
def test_of_another_compiler_or_other_c_they_are_left_out(tmp_path, changes, why):
    path = written(tmp_path, **changes)
    assert own.resolved(str(path)) == machine("avx2") and own.stale(description.load(path)).startswith(why)


def test_without_a_compiler_they_are_left_out(tmp_path, monkeypatch):
    path = written(tmp_path)
    monkeypatch.setenv("CC", "no-such-compiler")
    assert own.resolved(str(path)).leaves is None and "found none" in own.stale(description.load(path))


def test_those_that_name_no_compiler_hold_for_any(tmp_path, monkeypatch):
    path = written(tmp_path, compiler="", emitted="")
    assert "compiler" not in path.read_text() and "emitted" not in path.read_text()
    monkeypatch.setenv("CC", "no-such-compiler")
    assert own.resolved(str(path)).leaves == Leaves("", "", (FORM,)) and own.stale(description.load(path)) == ""


def test_a_table_of_solutions_is_another_one_with_leaves(tmp_path):
    plain = machine("avx2")
    keys_of = [
        keys.target_key(t)
        for t in (
            plain,
            replace(plain, leaves=Leaves("cc", "0", (FORM,))),
            replace(plain, leaves=Leaves("cc", "0", (replace(FORM, ratio=1.5),))),
        )
    ]
    assert len(set(keys_of)) == 3


GOOD = {"compiler": "cc", "emitted": "0", PANEL: {"ratio": 1.0, "6": [[], [8.0, 12.0]]}}


@pytest.mark.parametrize(
    "change, says",
    [
        ({"compiler": 5}, "expected a line of text without quotes for compiler, found 5"),
        ({"emitted": 'a"b'}, "expected a line of text without quotes for emitted"),
        (
            {"multiply_add panel": {}},
            "expected a kernel, three dtypes and how an input lies as the table's name for multiply_add panel",
        ),
        ({PANEL: 5}, f"expected a table for {PANEL}, found 5"),
        ({PANEL: {"ratio": 1.0}}, f"expected one tile or more for {PANEL}"),
        ({PANEL: {"6": [[1.0, 2.0]]}}, f"expected a number from 0.01 to 100 for {PANEL}.ratio, found None"),
        ({PANEL: {"ratio": 1.0, "six": [[1.0, 2.0]]}}, "expected a number of rows up to 1024 as the key"),
        ({PANEL: {"ratio": 1.0, "6": [[1.0]]}}, r"expected a list of \[intercept, slope\] and \[\]"),
        ({PANEL: {"ratio": 1.0, "6": [[1.0, -2.0]]}}, "expected a number from 0 to 1e.06 for .*, found -2.0"),
        ({PANEL: {"ratio": 1.0, "6": [[1.0, float("nan")]]}}, "expected a number from 0 to 1e.06"),
    ],
)
def test_a_wrong_table_is_refused(change, says):
    assert parsed(GOOD).forms[0].tiles == (TimedTile(6, 2, 8.0, 12.0),)
    with pytest.raises(ValueError, match=says):
        parsed(GOOD | change)


@pytest.mark.parametrize("left", ["compiler", "emitted"])
def test_a_table_names_both_a_compiler_and_its_c_or_neither(left):
    with pytest.raises(ValueError, match=f"expected compiler and emitted, or neither for leaves, found '{left}'"):
        parsed({left: "cc", PANEL: GOOD[PANEL]})


def test_a_file_with_a_wrong_table_says_where_and_what_to_do(tmp_path):
    path = written(tmp_path)
    path.write_text(path.read_text().replace("ratio = 1.25", "ratio = -1.0"))
    with pytest.raises(
        TargetError, match=rf"for leaves.{PANEL}.ratio in .*, found -1.0; measure them anew with griotte calibrate"
    ):
        description.load(path)
    path = written(tmp_path, forms=(replace(FORM, name="no_kernel f32 f32 f32 panel"),))
    with pytest.raises(
        TargetError, match="expected a kernel of this target first for leaves.no_kernel f32 f32 f32 panel"
    ):
        description.load(path)


def test_a_measured_machine_may_have_leaves(tmp_path):
    machine_file = (
        'vendor = "Maker"\nfamily = 5\nmodel = 1\nvector_bytes = [32]\nclock = 2.0\n[caches]\nL1 ='
        " 32768\n[machine]\nload = 2.0\n"
    )
    table = f'[leaves]\ncompiler = "cc"\nemitted = "0"\n[leaves."{PANEL}"]\nratio = {{ratio}}\n6 = [[], [8.0, 12.0]]\n'
    path = tmp_path / "here.toml"
    path.write_text(machine_file + table.format(ratio=1.0))
    assert load(path).priced(machine("avx2")).leaves.forms[0].tiles == (TimedTile(6, 2, 8.0, 12.0),)
    path.write_text(machine_file + table.format(ratio=0))
    with pytest.raises(
        TargetError, match="expected a number from 0.01 to 100 .* measure them anew with griotte calibrate"
    ):
        load(path)

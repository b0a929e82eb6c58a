"""Texts that come from files reach no terminal as they are: control characters are printed as their escapes."""

import json
import warnings

import griotte as gt
import pytest
from click.testing import CliRunner
from griotte.engine.table.contents import reading
from griotte.engine.table.store import row_digest
from griotte.engine.table.tuned import Tuned
from griotte.runtime.model import load
from griotte.support.printable import printable
from griotte.tools.cli import main
from tables import change, made
from verbs import refused, run

HOSTILE = "\x1b]0;owned\x07\x1b[2J\r\nok\u202e\x9b31m"
SHOWN = r"\x1b]0;owned\x07\x1b[2J\r\nok\u202e\x9b31m"


def is_clean(text: str) -> bool:
    return all(c.isprintable() or c == "\n" for c in text)


def all_told(*words) -> str:
    result = CliRunner().invoke(main, list(map(str, words)))
    assert "Traceback" not in result.output
    return result.output


def test_what_is_not_printable_becomes_its_escape():
    assert printable(HOSTILE) == SHOWN and printable(SHOWN) == SHOWN
    assert printable("Größe 3 ≤ 4, 名前 👍") == "Größe 3 ≤ 4, 名前 👍"
    assert printable("\udcff") == r"\udcff"  # of a file's name that is no UTF-8
    assert printable(7) == "7"


@pytest.mark.parametrize("kind", [gt.SpecError, gt.TableError, gt.TargetError, gt.ToolchainError, gt.TableWarning])
def test_errors_and_warnings_are_one_line(kind):
    assert str(kind(f"expected a name, found {HOSTILE}")) == f"expected a name, found {SHOWN}"


@pytest.fixture
def table(tmp_path):
    """A table whose every text is hostile."""
    path = made(tmp_path / "t.griotte", "exp(f32[33])")
    change(path, "UPDATE context SET name = ?", HOSTILE)
    change(path, "UPDATE family SET operation = ?, text = ?", HOSTILE, HOSTILE)
    change(path, "INSERT INTO goal SELECT id, ?, 1 FROM context", HOSTILE)
    value = Tuned(HOSTILE, 1, HOSTILE, 2, (0,), 1.0, 1.0, 2.0).encode()
    change(path, "INSERT INTO choice SELECT id, ?, ?, ? FROM context", "k", value, row_digest("k", value.encode()))
    return path


@pytest.mark.parametrize("verb", ["stats", "verify", "prune"])
def test_texts_of_a_table(table, verb):
    told = all_told("table", verb, table)
    assert is_clean(told) and (verb == "prune" or SHOWN[:20] in told)
    if verb == "stats":
        assert told.count(SHOWN) == 4 and told.count("\n") == 5, told
        assert json.loads(run("table", "stats", str(table), "--json"))["contexts"][0]["target"] == HOSTILE


def test_rows_of_a_table_that_are_told(table, tmp_path):
    change(table, "UPDATE choice SET key = ?", HOSTILE)
    assert SHOWN in all_told("table", "verify", table) and is_clean(all_told("table", "verify", table))
    with reading(table) as contents:  # data stays as it is
        assert contents.contexts()[0].name == HOSTILE


def test_a_target_file(tmp_path):
    path = tmp_path / "t.toml"
    for text in (f"{json.dumps(HOSTILE)} = 1\nbase = 'avx2'", f"base = {json.dumps(HOSTILE)}", "base = 3\x1b[2J"):
        path.write_text(text)
        told = refused("compile", "exp(f32[8])", "--target", str(path))
        assert is_clean(told)
        with pytest.raises(gt.TargetError) as error:
            gt.synthesize("exp(f32[8])", str(path))
        assert printable(error.value) == str(error.value)


def test_a_file_with_a_spec_and_a_file_that_is_named_so(tmp_path):
    path = tmp_path / "s.txt"
    path.write_text(f"exp(f32[8]) {HOSTILE}")
    assert is_clean(refused("compile", f"@{path}"))
    assert SHOWN[:5] in refused("compile", f"@{tmp_path}/{HOSTILE}")
    assert is_clean(all_told("table", "stats", tmp_path / HOSTILE))


def test_a_list_of_specs(tmp_path):
    path = tmp_path / "specs.toml"
    path.write_text(f"[[spec]]\ntext = {json.dumps(HOSTILE)}\n")
    assert is_clean(refused("table", "precompute", str(tmp_path / "t.griotte"), str(path)))


def test_a_saved_kernel(tmp_path):
    gt.compile("neg(f32[2])", table="none").save(tmp_path)
    description = json.loads((tmp_path / "kernel.json").read_text())
    description["format"] = HOSTILE
    (tmp_path / "kernel.json").write_text(json.dumps(description))
    with pytest.raises(gt.ToolchainError) as error:
        load(tmp_path)
    assert printable(error.value) == str(error.value)


def test_warnings_of_the_command_line(capsys):
    from griotte.tools.cli import _show_warning

    with warnings.catch_warnings():
        _show_warning(UserWarning(HOSTILE), UserWarning, "f", 1)
    assert capsys.readouterr().err == f"griotte: {SHOWN}\n"

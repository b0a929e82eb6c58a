"""griotte table as a user meets it: what each verb prints, its JSON, and one line for every error."""

import json
import subprocess
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from griotte.engine.table import Boxes
from griotte.engine.table.contents import reading
from griotte.engine.table.store import row_digest
from griotte.support.errors import TableWarning
from griotte.tools.cli import main
from griotte.tools.commands.table import VERBS
from tables import SPECS, change, digests, falsify, made
from verbs import refused, run, run_json


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return made(tmp_path_factory.mktemp("table") / "t.griotte")


@pytest.fixture
def table(whole, tmp_path):
    """A copy to do harm to."""
    path = tmp_path / "t.griotte"
    path.write_bytes(whole.read_bytes())
    return path


def damage(path):
    """Spoil one row, and everything that SQLite reads first."""
    change(path, "UPDATE patch SET data = substr(data, 2) WHERE id = (SELECT min(id) FROM patch)")
    data = bytearray(path.read_bytes())
    data[:16] = b"x" * 16
    path.write_bytes(data)


# What is printed ---------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_help_fits_a_screen(verb):
    lines = run("table", verb, "--help").splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80


def test_no_words_show_the_verbs():
    assert all(verb in run("table") for verb in VERBS)


def test_stats_tells_each_operation(table):
    text = run("table", "stats", str(table))
    assert text.startswith(f"{table}   ") and "1 target and version" in text
    assert "space current: 2 goals" in text and all(f"\n  {name} " in text for name in ("matmul", "exp", "copy", "all"))
    assert " a box), " in text and " B a point)" in text


def test_stats_keys(table):
    found = run_json("table", "stats", str(table))
    assert found["table_bytes"] == table.stat().st_size
    (context,) = found["contexts"]
    assert context["target"] == "portable" and context["space"] == "current" and context["goals"] == 2
    assert context["patches"] == context["families"] == len(digests(table))
    for part in (context, *context["operations"]):
        assert (
            part["points"] > 0
            and part["compression"] == part["points"] / part["rectangles"]
            and part["bytes_per_point"] == part["bytes"] / part["points"]
        )
    for key in ("families", "patches", "points", "rectangles", "bytes"):
        assert context[key] == sum(part[key] for part in context["operations"])


def test_stats_tells_old_versions(table):
    change(table, "UPDATE context SET space = ?", "0" * 32)
    assert "space old" in run("table", "stats", str(table))


def test_merge_tells_what_was_added(table, tmp_path):
    into = str(tmp_path / "into.griotte")
    count = len(digests(table))
    assert run("table", "merge", into, str(table)).startswith(f"{into}: {count} patches of ")
    found = run_json("table", "merge", into, str(table))
    assert (found["added"], found["known"], found["damaged"]) == (0, count, [])


def test_prune_keys(table):
    assert run_json("table", "prune", str(table))["dropped"] == []
    found = run_json("table", "prune", str(table), "--all")
    assert found["dropped"] == ["portable"] and found["table_bytes"] == table.stat().st_size < found["bytes_before"]
    assert "0 targets and versions" in run("table", "stats", str(table))
    assert "0 targets and versions dropped" in run("table", "prune", str(table))


def test_export_tells_what_it_wrote(table, tmp_path):
    out = tmp_path / "t.csv"
    found = run_json("table", "export", str(table), "-o", str(out))
    assert found["rows"] == len(out.read_text().splitlines()) - 1 and found["files"] == [str(out)]
    assert run("table", "export", str(table), "-o", str(tmp_path / "t.parquet")).startswith("wrote ")


def test_verify_solves_again(table):
    text = run("table", "verify", str(table))
    assert (
        "whole patches, 0 problems" in text
        and "portable: 2 of 2 Specs solved again" in text
        and "all costs equal" in text
    )
    found = run_json("table", "verify", str(table))
    (context,) = found["replayed"]
    assert (
        found["ok"]
        and found["problems"] == []
        and context["families_replayed"] == context["families"] == len(digests(table))
    )
    assert context["specs_replayed"] > 0 and context["wrong"] == 0


def test_verify_solves_a_sample(table):
    assert "1 of 2 Specs solved again" in run("table", "verify", str(table), "--sample", "1")
    assert run_json("table", "verify", str(table), "--sample", "0")["replayed"][0]["families_replayed"] == 0


def test_verify_says_what_it_could_not_solve(table, tmp_path):
    change(table, "UPDATE context SET target = ?", "0" * 32)
    assert "not solved again: a target that is not known here" in run("table", "verify", str(table))
    change(table, "UPDATE context SET space = ?", "0" * 32)
    assert "not solved again: another version of the space" in run("table", "verify", str(table))


def test_verify_knows_a_described_target(tmp_path):
    machine = tmp_path / "machine.toml"
    machine.write_text('name = "mine"\nbase = "portable"\nkernels = ["map"]\n[[levels]]\nname = "memory"\n')
    path = str(tmp_path / "t.griotte")
    run("compile", SPECS[1], "--target", str(machine), "--emit", "program", "--table", path)
    assert "not known here" in run("table", "verify", path)
    assert "mine: 1 of 1 Spec solved again" in run("table", "verify", path, "--target", str(machine))


def test_verify_finds_a_wrong_decision_and_leaves_the_file(table):
    falsify(table)
    before = digests(table)
    found = run_json("table", "verify", str(table), status=1)
    assert (
        not found["ok"]
        and found["problems"][0].startswith("portable: the decisions of matmul")
        and "cost other than" in found["problems"][0]
    )
    assert f"remove {table}: all it holds is solved again" in run("table", "verify", str(table), status=1)
    assert digests(table) == before


def test_verify_tells_of_a_damaged_table(table):
    damage(table)
    before = table.read_bytes()
    found = run_json("table", "verify", str(table), status=1)
    assert "file is not a database" in found["problems"][0] and found["patches"] == 0
    assert "1 problem" in run("table", "verify", str(table), status=1) and table.read_bytes() == before


def test_precompute_goes_on_where_it_was(tmp_path):
    path = str(tmp_path / "t.griotte")
    words = "table", "precompute", path, "small", "--target", "portable"
    assert "3 Specs solved, 0 known" in run(*words)
    text = run(*words)
    assert text.count("known    ") == 3 and "0 Specs solved, 3 known; 0 points" in text
    assert (
        run_json("compile", "exp(f32[1000])", "--target", "portable", "--emit", "c", "--table", path)["families"] == 0
    )


def test_precompute_keys(tmp_path):
    path, specs = tmp_path / "t.griotte", tmp_path / "specs.toml"
    specs.write_text('[[spec]]\ntext = "exp(f32[33])"\nthreads = [1, 2]\n')
    found = run_json("table", "precompute", str(path), str(specs), "--target", "portable")
    assert (found["solved"], found["known"], found["failed"], found["workers"]) == (2, 0, 0, 1)
    assert [(r["spec"], r["target"], r["threads"]) for r in found["results"]] == [
        ("exp(f32[33]) -> f32[33]", "portable", n) for n in (1, 2)
    ]
    assert found["specs_solved"] == sum(r["specs_solved"] for r in found["results"]) > 0
    assert found["seconds"] > 0 and found["table_bytes"] > 0


def test_precompute_fails_for_a_spec_without_a_program(tmp_path):
    machine, specs = tmp_path / "machine.toml", tmp_path / "specs.toml"
    machine.write_text('name = "maps"\nbase = "portable"\nkernels = ["map", "pack"]\n[[levels]]\nname = "memory"\n')
    specs.write_text(f'[[spec]]\ntext = "{SPECS[0]}"\n[[spec]]\ntext = "{SPECS[1]}"\n')
    found = run_json("table", "precompute", str(tmp_path / "t.griotte"), str(specs), "--target", str(machine), status=2)
    assert (found["failed"], found["solved"]) == (1, 1) and "expected a program" in found["results"][0]["error"]


# Files whose digests fit and whose content cannot be ---------------------------------------

FORGED = {
    "deep JSON": lambda row, patch: b"grio" + (100_000).to_bytes(4, "little") + b"[" * 100_000,
    "steps": lambda row, patch: replace(patch, steps=10**9).encode(),
    "levels": lambda row, patch: replace(patch, levels=tuple(range(5000))).encode(),
    "other axes": (
        lambda row, patch: replace(
            patch,
            sizes=(*patch.sizes, (1,)),
            tiles=(*patch.tiles, ()),
            boxes=Boxes((*patch.boxes.shape, 1), *wider(patch.boxes)),
        ).encode()
    ),
    "no edge": (
        lambda row, patch: replace(
            patch, boxes=replace(patch.boxes, value=np.full_like(patch.boxes.value, 99))
        ).encode()
    ),
    "no tile": (
        lambda row, patch: replace(
            patch, boxes=replace(patch.boxes, value=np.full_like(patch.boxes.value, 16383))
        ).encode()
    ),
}
MISTYPED = (
    "UPDATE patch SET data = 'text' WHERE id = (SELECT max(id) FROM patch)",
    "UPDATE patch SET points = 'many' WHERE id = (SELECT max(id) FROM patch)",
    "UPDATE patch SET key = x'ff00' WHERE id = (SELECT max(id) FROM patch)",
    "UPDATE family SET operation = x'ff00'",
    "UPDATE goal SET threads = 'two'",
    "UPDATE goal SET threads = 1000000000",
    "UPDATE goal SET spec = 'matmul(' WHERE spec LIKE 'exp%'",
    "UPDATE context SET name = x'ff00'",
    "INSERT INTO choice VALUES (1, 'k', x'ff00', 'd')",
)


def wider(boxes):
    """The boxes with one axis more, of one coordinate."""
    count = len(boxes.value)
    return (
        np.hstack([boxes.low, np.zeros((count, 1), np.uint16)]),
        np.hstack([boxes.high, np.ones((count, 1), np.uint16)]),
        boxes.value,
    )


def every_verb(table, tmp_path):
    """What each verb that reads a file says of it: (status, all that was printed)."""
    out, page = str(tmp_path / "out.csv"), str(tmp_path / "map.html")
    path, into = str(table), str(tmp_path / "into.griotte")
    for words in (
        ["stats", path],
        ["verify", path],
        ["merge", into, path],
        ["export", path, "-o", out],
        ["map", SPECS[0], "--target", "portable", "--table", path, "-o", page],
        ["prune", path],
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TableWarning)
            result = CliRunner().invoke(main, ["table", *words])
        assert result.exit_code in (0, 1, 2) and isinstance(result.exception, (SystemExit, type(None))), (
            words,
            result.exception,
        )
        assert "Traceback" not in result.output
        yield words[0], result.exit_code, result.output


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_patch_is_told_by_verify_and_breaks_no_verb(table, tmp_path, kind):
    with reading(table) as contents:
        held = list(contents.rows())[-8:]
    for row in held:
        data = FORGED[kind](row, row.patch())
        change(table, "UPDATE patch SET data = ?, digest = ? WHERE id = ?", data, row_digest(row.key, data), row.id)
    found = {verb: (status, text) for verb, status, text in every_verb(table, tmp_path)}
    assert found["verify"][0] == 1 and "0 problems" not in found["verify"][1]
    assert [found[verb][0] for verb in ("stats", "merge", "export", "map", "prune")] == [0] * 5


@pytest.mark.parametrize("statement", MISTYPED)
def test_a_column_of_another_type_is_told_by_verify_and_breaks_no_verb(table, tmp_path, statement):
    change(table, statement)
    found = {verb: (status, text) for verb, status, text in every_verb(table, tmp_path)}
    assert found["verify"][0] == 1 and "0 problems" not in found["verify"][1]


# Bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, parts",
    [
        ("fly", ["expected a verb (stats map precompute", "after griotte table, found 'fly'", "griotte table --help"]),
        ("stats", ["expected FILE after griotte table stats, found nothing"]),
        ("stats NONE", ["expected a table, found no file at", "check the path"]),
        ("stats NOTES", ["expected a griotte table, found another kind of file"]),
        ("stats .", ["expected a table file, found a folder"]),
        (
            "stats DAMAGED",
            ["expected a whole table, found a damaged one", "the search that meets the damage sets it aside"],
        ),
        ("merge TABLE", ["expected one table or more to merge into", "found none"]),
        ("merge TABLE TABLE", ["expected tables other than", "found itself"]),
        ("merge TABLE NOTES", ["another kind of file"]),
        ("merge NEW NONE", ["found no file at"]),
        ("merge TABLE DAMAGED", ["found a damaged one", "remove it"]),
        ("verify NONE", ["found no file at"]),
        ("verify NOTES", ["another kind of file"]),
        ("verify TABLE --sample few", ["expected an integer from 0 to 1000000 for --sample, found 'few'"]),
        ("export TABLE", ["expected -o", "griotte table export"]),
        ("export TABLE -o out.xlsx", ["ends in .csv or .parquet or .arrow, found out.xlsx"]),
        ("export TABLE -o /proc/none/t.csv", ["expected to write /proc/none/t.csv", "name another place with -o"]),
        ("prune NONE", ["found no file at"]),
        ("precompute NEW no-such.toml", ["a preset (small, matmul-2048)", "no-such.toml"]),
        ("precompute NOTES small", ["another kind of file"]),
        ("precompute NEW small --workers 0", ["expected an integer from 1 to 1024 for --workers, found '0'"]),
        ("precompute NEW small --workers 2 --scheduler tcp://a:1", ["expected --workers or --scheduler, found both"]),
        ("precompute NEW small --memory much", ["expected a bound on memory such as 512MiB or 1GiB, found 'much'"]),
        ("precompute NEW small --scheduler nowhere", ["expected a Dask scheduler at nowhere, found none"]),
    ],
)
def test_bad_input_is_told_in_one_line(table, tmp_path, words, parts):
    (tmp_path / "notes.txt").write_text("to do")
    (tmp_path / "damaged.griotte").write_bytes(table.read_bytes())
    damage(tmp_path / "damaged.griotte")
    names = {
        "TABLE": table,
        "NOTES": tmp_path / "notes.txt",
        "NONE": tmp_path / "none",
        "NEW": tmp_path / "new.griotte",
        "DAMAGED": tmp_path / "damaged.griotte",
    }
    line = refused("table", *(str(names.get(word, word)) for word in words.split()))
    assert all(part in line for part in parts), line
    assert (tmp_path / "notes.txt").read_text() == "to do"


@pytest.mark.parametrize(
    "words, missing, extra",
    [
        ("export TABLE -o t.arrow", "pyarrow", "griotte[table]"),
        ("precompute NEW small --workers 2", "distributed", "griotte[scale]"),
    ],
)
def test_what_is_not_installed_is_named(table, tmp_path, monkeypatch, words, missing, extra):
    monkeypatch.setitem(sys.modules, missing, None)
    names = {"TABLE": str(table), "NEW": str(tmp_path / "new.griotte"), "t.arrow": str(tmp_path / "t.arrow")}
    assert extra in refused("table", *(names.get(word, word) for word in words.split()))


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from griotte.tools.cli import main\ntry: main(['table', 'precompute', '--help'])\nexcept"
        " SystemExit: pass\nprint([m for m in ('rich', 'distributed', 'pyarrow') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []

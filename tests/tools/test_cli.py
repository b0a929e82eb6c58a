"""The command line as a user meets it: what each verb prints, its JSON, and one line for every error."""

import os
import re
import sqlite3
import stat
import subprocess
import sys
import tomllib
from contextlib import closing
from dataclasses import replace

import click
import griotte as gt
import pytest
from click.testing import CliRunner
from griotte.tools.cli import main
from griotte.tools.commands import VERBS, learn, machine, reading, specs, table
from verbs import refused, run, run_json

MATMUL = "matmul(f32[9,8], f32[8,17])"
EXP = "exp(f32[33])"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def environment(cache, monkeypatch):
    monkeypatch.setenv("GRIOTTE_CACHE", str(cache))


# What is printed -------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_fits_a_screen(verb):
    lines = run(*verb.split(), "--help").splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80


@pytest.mark.parametrize("group", [main, table.table, learn.learn], ids=lambda group: group.name)
def test_a_list_of_verbs_says_of_each_what_its_own_help_says_first(group):
    told = {verb: click.Command(verb, help=group.get_command(None, verb).help) for verb in group.verbs}
    assert {verb: command.get_short_help_str(200).rstrip(".") for verb, command in told.items()} == {
        verb: text.rstrip(".") for verb, (_, text) in group.verbs.items()
    }


def test_no_words_show_the_verbs():
    assert all(verb in run() for verb in VERBS)


def test_compile_shows_the_program_and_its_cost():
    text = run("compile", MATMUL, "--target", "portable")
    assert text.startswith("matmul 9x17x8 f32, 1 thread, portable   cost ")
    assert "multiply_add" in text and "roofline: " in text and "space: " in text


def test_compile_saves_the_four_files(tmp_path):
    run("compile", MATMUL, "--target", "portable", "-o", str(tmp_path / "new" / "out"))
    assert {p.name for p in (tmp_path / "new" / "out").iterdir()} == {
        "kernel.c",
        "kernel.h",
        "kernel.so",
        "kernel.json",
    }


def test_compile_writes_a_package_beside_them(tmp_path):
    words = ("compile", EXP, "--target", "portable", "-o", str(tmp_path), "--name", "e", "--cmake", "--pkgconfig")
    found = run_json(*words, "--targets", "portable, avx2")["files"]
    assert {os.path.basename(name) for name in found} == {path.name for path in tmp_path.iterdir()}
    package = {"libe.a", "e.h", "e.hpp", "e.pc", "eConfig.cmake", "eConfigVersion.cmake"}
    assert package < {os.path.basename(name) for name in found}
    assert "avx2" in (tmp_path / "e.h").read_text()


@pytest.mark.parametrize(
    "words, told",
    [
        (("--cmake",), "expected -o DIR and no --emit beside --name, --cmake, .* found no -o"),
        (("--pkgconfig", "-o", "out", "--emit", "c"), "found --emit c; say where the package goes"),
        (("-o", "out", "--weights", "inside"), "expected --name, .* beside --weights, found none"),
        (("-o", "out", "--name", "a b"), "expected a name of letters"),
        (("-o", "out", "--targets", "avx2,pdp11"), "expected a target"),
        (("-o", "out", "--cmake", "--weights", "file"), "expected no --weights for a Spec"),
    ],
)
def test_packages_that_cannot_be(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert re.search(told, refused("compile", EXP, "--target", "portable", *words))
    assert not list(tmp_path.iterdir())


def test_emit_c_is_c_alone():
    text = run("compile", EXP, "--target", "portable", "--emit", "c")
    assert text.startswith("/*") and text.rstrip().endswith("}")


@pytest.mark.parametrize(
    "word, found", [("team", "pthread_create("), ("openmp", "#pragma omp"), ("host", "_share_by(")]
)
def test_threads_are_those_that_are_asked_for(word, found):
    of_two = ("compile", "exp(f32[512,512])", "--target", "portable", "--emit", "c", "--threads", "2")
    for other in ("team", "openmp", "host"):
        assert (found in run(*of_two, "--threads-by", other)) == (word == other)


def test_emit_program_is_the_tree_alone():
    assert "cost" not in run("compile", MATMUL, "--target", "portable", "--emit", "program")


@pytest.mark.parametrize(
    "emit, name", [("c", "kernel.c"), ("program", "program.txt"), ("so", "kernel.so"), ("html", "kernel.html")]
)
def test_emit_writes_one_file(tmp_path, emit, name):
    run("compile", EXP, "--target", "portable", "--emit", emit, "-o", str(tmp_path))
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_spec_is_read_from_a_file(tmp_path):
    (tmp_path / "spec.txt").write_text("exp(\n  f32[33])\n")
    assert run_json("compile", f"@{tmp_path}/spec.txt", "--target", "portable")["spec"].endswith("-> f32[33]")


def test_explain_shows_every_share():
    text = run("explain", MATMUL, "--target", "portable", "--table", "none")
    assert "by itself" in text and " %" in text and "Specs in " in text


def test_explain_shows_what_is_asked_for_where_that_is_asked():
    words = ("explain", "sum(f32[9000,2000], axis=0)", "--target", "portable", "--table", "none")
    assert "prefetch x0 (far): " in run(*words, "--prefetch") and "prefetch" not in run(*words)
    assert "prefetch x0 (far): " in run_json(*words, "--prefetch")["prefetch"] and "prefetch" not in run_json(*words)


def test_explain_tells_what_a_table_knew(tmp_path):
    words = "--target", "portable", "--table", str(tmp_path / "t.griotte")
    assert "known" not in run("explain", MATMUL, *words)
    assert "programs, from the table, " in run("explain", MATMUL, *words).splitlines()[-1]
    assert " of them known and " in run("explain", "matmul(f32[10,8], f32[8,17])", *words)


def test_explain_shows_the_k_cheapest():
    lines = run("explain", MATMUL, "--target", "portable", "--alternatives", "7").splitlines()
    assert lines[-8].split() == ["cycles", "x", "best", "where", "it", "first", "differs"]
    assert [line.split()[0] for line in lines[-7:]] == list("1234567") and lines[-7].endswith("1.0000000")
    assert all(float(line.split()[2]) >= 1 and " in place of " in line for line in lines[-6:])
    assert "in place of" not in run("explain", MATMUL, "--target", "portable")


def test_targets_lists_the_names():
    assert all(name in run("targets") for name in ("native", "avx2", "avx512", "neon", "portable", ".toml"))
    assert {t["target"] for t in run_json("targets")["targets"]} == {"native", "avx2", "avx512", "neon", "portable"}


def test_doctor_finds_the_compiler():
    assert "compiler" in run("doctor")
    found = run_json("doctor")
    assert found["ok"] is True and {"compiler", "CPU", "cache", "search"} <= {f["name"] for f in found["findings"]}


def test_doctor_says_what_to_do_without_a_compiler(monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    text = run("doctor", status=2)
    assert "MISS compiler" in text and "unset CC" in text


def test_doctor_says_what_prices_are_from_and_how_to_measure_them():
    found = next(f for f in run_json("doctor")["findings"] if f["name"] == "prices")
    assert found["ok"] is not False and found["found"] and "griotte calibrate -o here.toml" in found["do"]


@pytest.mark.parametrize(
    "family, model, last, name",
    [
        (0x17, 1, 8, "measured on machine zen-8m: same model, caches and clock"),
        (0x17, 0x11, 4, "measured on machine zen-8m: model 17 for 1, L3 4096 KiB for 8192"),
        (0x17, 0x31, 16, "measured on machine zen3-32m: family 23 for 25, L3 16384 KiB for 32768"),
        (0x19, 1, 32, "measured on machine zen3-32m: same model, caches and clock"),
        (0x1A, 2, 32, "set by hand for machine zen5-32m: L1 32 KiB for 48, L2 512 KiB for 1024"),
        (6, 94, 8, "set by hand for machine xeon-48k: L1 32 KiB for 48, L2 512 KiB for 2048"),
    ],
)
def test_doctor_names_the_data_that_native_is_priced_by(family, model, last, name):
    from griotte.machine import BUILT_IN, Cpu, Machine, build

    cpu = Machine(
        BUILT_IN["avx2"].features,
        {1: 32 << 10, 2: 512 << 10, 3: last << 20},
        2,
        "",
        Cpu("GenuineIntel" if family == 6 else "AuthenticAMD", family, model),
        2,
    )
    found = machine._prices(cpu, build("avx2", cpu))
    assert found.found == name and found.ok is (True if (family, model) in ((0x17, 1), (0x19, 1), (0x1A, 2)) else None)


def test_calibrate_writes_a_target_that_is_taken(tmp_path):
    path = tmp_path / "here.toml"
    words = ("calibrate", "--target", "portable", "-o", str(path), "--seconds", "0.01", "--threads", "1")
    found = run_json(*words, "--leaves", "none")
    assert (
        set(found) == {"target", "parameters", "not_measured", "corrected", "capacities", "changed", "leaves"}
        and not found["leaves"]
        and {"fork", "transfer"} <= set(found["not_measured"])
    )
    assert all(m["value"] >= 0 and set(m) == {"value", "median", "low", "high"} for m in found["parameters"].values())
    assert run_json("explain", EXP, "--target", str(path))["target"] == "here"
    head = path.read_text().splitlines()[:4]
    assert [line.partition(":")[0] for line in head] == [
        "# measured by griotte calibrate",
        "# parameters",
        "# not measured, so the defaults",
        "# leaves",
    ]
    assert head[1].split()[2:] == list(found["parameters"]) and head[2].split()[6:] == found["not_measured"]
    assert head[3] == "# leaves: none"


def test_calibrate_times_tiles_of_registers(tmp_path, monkeypatch):
    from griotte.runtime.calibrate import leaves
    from griotte.runtime.leaves import resolved

    monkeypatch.setattr(leaves, "ROUNDS", 1)
    monkeypatch.setattr(leaves, "LYING", ("rows",))
    path = tmp_path / "here.toml"
    words = (*"calibrate --target portable -o".split(), str(path), *"--seconds 0.01 --threads 1".split())
    found = run_json(*words)["leaves"]
    assert ("multiply_add f32 f32 f32 rows" in path.read_text().splitlines()[3]) is bool(found)
    assert set(found) <= {"multiply_add f32 f32 f32 rows", "combine f32 f32 f32 rows"} and all(
        form["tiles"] > 0 and form["ratio"] > 0 for form in found.values()
    )
    # on a busy machine no tile may have an undisturbed turn
    assert (resolved(str(path)).leaves is not None) is bool(found)
    assert run_json("explain", EXP, "--target", str(path))["target"] == "here"


def test_doctor_says_whether_leaves_are_as_they_were_measured(monkeypatch):
    from griotte.machine import named
    from griotte.machine.leaves import Leaves, TimedForm, TimedTile

    assert "no tile of registers was measured" in machine._leaves(replace(named("native"), leaves=None)).found
    stale = machine._leaves(
        replace(
            named("native"),
            leaves=Leaves(
                "cc 0", "0", (TimedForm("multiply_add f32 f32 f32 rows", 1.0, (TimedTile(1, 1, 1.0, 1.0),)),)
            ),
        )
    )
    assert stale.ok is None and "of compiler cc 0, found" in stale.found and "griotte calibrate" in stale.do
    monkeypatch.setattr(machine, "stale", lambda target: "")
    assert (
        "1 tiles of registers as they were measured"
        in machine._leaves(
            replace(
                named("native"),
                leaves=Leaves(
                    "cc 0", "0", (TimedForm("multiply_add f32 f32 f32 rows", 1.0, (TimedTile(1, 1, 1.0, 1.0),)),)
                ),
            )
        ).found
    )


def test_calibrate_says_what_it_checked(tmp_path, monkeypatch):
    from griotte.tools import check

    monkeypatch.setattr(check, "SPECS", (("exp(f32[40])", 1), ("sum(f32[30,20], axis=1)", 1)))
    words = (
        *"calibrate --target portable -o".split(),
        str(tmp_path / "here.toml"),
        *"--seconds 0.01 --threads 1 --check --leaves none".split(),
    )
    found = run_json(*words)
    assert [c["spec"] for c in found["check"]] == ["exp(f32[40])", "sum(f32[30,20], axis=1)"] and -1 <= found[
        "tau"
    ] <= 1
    assert all(c["ratio"] == pytest.approx(c["predicted"] / c["measured"]) for c in found["check"])
    text = run(*words)
    assert "Kendall's tau" in text and "not measured" in text and "multiply_add" in text


def test_calibrate_shares_a_file_of_machines(tmp_path, monkeypatch):
    from griotte.machine import detect, measured
    from griotte.tools import check

    monkeypatch.setattr(check, "SPECS", (("exp(f32[40])", 1),))
    path = tmp_path / "here.toml"
    words = ("calibrate", "--share", "-o", str(path), *"--seconds 0.01 --threads 1 --leaves none".split())
    found = run_json(*words)
    shared = measured.load(path)
    assert found["machine"] == str(path) and "target" not in found and shared.fits(detect()) and shared.when
    assert f"put it into {machine.places.config()}, or have GRIOTTE_MACHINES name it" in run(*words)
    assert set(tomllib.loads(path.read_text()).get("check", {})) <= {"exp(f32[40])@1"}
    monkeypatch.setenv("GRIOTTE_MACHINES", str(path))
    told = run("doctor")
    assert "measured on machine here: " in told and f", on {measured.load(path).when}: {path}" in told
    assert "expected no --target beside --share, found portable" in refused(
        "calibrate", "--share", "--target", "portable"
    )


def test_doctor_says_why_a_machine_is_not_measured_unasked(monkeypatch, tmp_path):
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    monkeypatch.setattr(machine.unasked, "is_fitted", lambda machine: True)
    assert unasked_finding() == []
    monkeypatch.setattr(machine.unasked, "is_fitted", lambda machine: False)
    (off,) = unasked_finding()
    assert off.ok is None and "it is not measured unasked: GRIOTTE_CALIBRATE is off" in off.found
    monkeypatch.setenv("GRIOTTE_CALIBRATE", "now")
    monkeypatch.setattr(machine.turns, "kept_rounds", lambda name: ({}, 1.25))
    (waits,) = unasked_finding()
    assert "the first search that finds it quiet measures it" in waits.found
    assert waits.found.endswith("1.2 s of quiet turns so far, of 2.8") and "GRIOTTE_CALIBRATE=now" in waits.do


def unasked_finding():
    from griotte.machine import detect

    return list(machine._unasked(detect()))


def test_check_tells_each_result():
    assert run("check", MATMUL, EXP, "--target", "portable").count("ok ") == 2


def test_check_fails_where_a_result_is_wrong(monkeypatch):
    monkeypatch.setattr(specs, "compare", lambda spec, arrays, result, bounds: (0.5, False, "expected 1, found 2"))
    assert "WRONG  exp(f32[33])" in run("check", EXP, "--target", "portable", status=1)
    found = run_json("check", EXP, "--target", "portable", status=1)
    assert found["ok"] is False and found["error"] == "random data: expected 1, found 2"


DYNAMIC = "matmul(f32[<=9,8], f32[8,17])"


def test_check_runs_every_size_of_a_few(monkeypatch):
    compare, met = specs.compare, set()
    monkeypatch.setattr(
        specs,
        "compare",
        lambda spec, arrays, result, bounds: (met.add(spec.size["m"]), compare(spec, arrays, result, bounds))[1],
    )
    found = run_json("check", DYNAMIC, "--target", "portable")
    assert (
        found["ok"] and met == set(range(1, 10)) and found["groups"] == len(gt.synthesize(DYNAMIC, "portable").groups)
    )


def test_check_runs_the_ends_of_groups_of_many(monkeypatch):
    compare, met = specs.compare, set()
    monkeypatch.setattr(
        specs,
        "compare",
        lambda spec, arrays, result, bounds: (met.add(spec.at(0).sizes[0]), compare(spec, arrays, result, bounds))[1],
    )
    assert run_json("check", "matmul(f32[<=99,8], f32[8,17])", "--target", "portable")["ok"]
    assert {1, 66, 99} <= met and len(met) < 45


def test_bench_takes_a_size_up_to_the_bound():
    found = run_json("bench", DYNAMIC, "--size", "5", "--target", "portable", "--seconds", "0.05")
    assert found["spec"].startswith("matmul(f32[5,8]") and found["ok"]
    assert run_json("bench", DYNAMIC, "--target", "portable", "--seconds", "0.05")["spec"].startswith("matmul(f32[9,8]")


def test_check_and_bench_pass_parts_of_arrays_of_the_bound():
    text = "matmul(f32[2,<=9,8], f32[2,8,7])"
    assert run_json("check", text, "--target", "portable")["ok"]
    assert run_json("bench", text, "--size", "5", "--target", "portable", "--seconds", "0.05", "--against", "numpy")[
        "ok"
    ]


def test_explain_lists_the_groups_of_a_dynamic_size():
    text = run("explain", DYNAMIC, "--target", "portable")
    assert (
        text.startswith("matmul 9x17x8 f32, 1 thread, portable   cost ")
        and "groups of sizes:" in text
        and "at m = 9:" in text
    )
    assert "m = 1:\n" in run("compile", DYNAMIC, "--target", "portable", "--emit", "program")


def test_bench_tells_the_others_times():
    text = run("bench", EXP, "--target", "portable", "--against", "numpy,naive,peak", "--seconds", "0.1")
    assert all(word in text for word in ("griotte ", "numpy ", "naive ", "x griotte's time", "GFLOP/s"))


# JSON ------------------------------------------------------------------------------------

NUMBERS = ("cost", "synthesis_s", "peak_rss_mb")


def test_compile_keys():
    found = run_json("compile", MATMUL, "--target", "portable", "--threads", "2", "--table", "none")
    assert found["spec"] == f"{MATMUL} -> f32[9,17]" and found["target"] == "portable" and found["threads"] == 2
    assert isinstance(found["specs_solved"], int) and found["specs_solved"] > 0
    assert all(isinstance(found[k], float) and found[k] > 0 for k in (*NUMBERS, "compile_s"))
    assert not {"ok", "median_us", "error"} & set(found)


@pytest.mark.parametrize(
    "words", [("compile", "--emit", "c"), ("explain",), ("check",), ("bench", "--against", "none", "--seconds", "0.05")]
)
def test_every_verb_asks_the_table(tmp_path, words):
    words = *words, EXP, "--target", "portable", "--table", str(tmp_path / "t.griotte")
    first, second = run_json(*words), run_json(*words)
    assert first["specs_solved"] > 0 and second["specs_solved"] == second["families"] == 0
    assert (
        second["cost"] == first["cost"]
        and second["table_bytes"] > 0
        and second["rectangles"] > 0
        and second["compression"] >= 1
    )


def test_the_users_own_table_is_the_default(cache):
    run("compile", EXP, "--target", "portable", "--emit", "program")
    assert run_json("compile", EXP, "--target", "portable", "--emit", "program")["families"] == 0
    assert (cache / "tables" / "default.griotte").exists()


def test_a_damaged_table_is_one_line_and_no_failure(tmp_path):
    first, path = tmp_path / "first.griotte", tmp_path / "t.griotte"
    run("compile", EXP, "--target", "portable", "--emit", "program", "--table", str(first))
    with closing(sqlite3.connect(first)) as db:
        db.execute(f"VACUUM INTO '{path}'")
    path.write_bytes(path.read_bytes()[:4096] + b"x" * 4096)
    words = [
        sys.executable,
        "-c",
        "from griotte.tools.cli import main; main()",
        "compile",
        EXP,
        "--target",
        "portable",
        "--emit",
        "program",
        "--table",
        str(path),
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0 and "lanes along i0" in done.stdout
    assert (
        done.stderr.startswith("griotte: expected a whole table, found a damaged one") and done.stderr.count("\n") == 1
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is full")
def test_an_error_is_told_where_standard_output_is_full():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from griotte.tools.cli import main; main()", "targets", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (
        done.returncode == 2
        and done.stderr.startswith("griotte: expected files that can be read and written, found No space left")
        and done.stderr.count("\n") == 1
    )


def test_explain_keys():
    found = run_json("explain", EXP, "--target", "portable")
    assert found["explanation"].startswith("exp ") and all(isinstance(found[k], float) for k in NUMBERS)


def test_alternatives_in_json():
    found = run_json("explain", MATMUL, "--target", "portable", "--alternatives", "5")
    assert "alternatives" not in run_json("explain", MATMUL, "--target", "portable")
    first, *others = found["alternatives"]
    assert first == {"cost": found["cost"], "program": found["program"]} and len(others) == 4
    assert all(other["cost"] >= found["cost"] and other["program"] != found["program"] for other in others)


def test_check_keys():
    found = run_json("check", EXP, "--target", "portable")
    assert found["ok"] is True and 0 <= found["max_rel_err"] < 1e-5 and found["compile_s"] > 0


def test_bench_keys():
    found = run_json("bench", MATMUL, "--target", "portable", "--against", "naive,numpy", "--seconds", "0.1")
    assert found["ok"] is True and found["min_us"] <= found["median_us"]
    assert found["gflops"] > 0 and found["gbps"] > 0
    assert set(found["against"]) == {"naive", "numpy"}
    for other in found["against"].values():
        assert other["ratio"] == pytest.approx(other["median_us"] / found["median_us"])


def test_bench_tells_what_functions_take_of_data_of_all_magnitudes():
    found = run_json("bench", EXP, "--target", "portable", "--against", "none", "--seconds", "0.05")
    taken = found["magnitudes"]
    assert list(taken) == ["0.5", "5", "20", "60", "200"]
    assert found["slowest_ratio"] == pytest.approx(max(taken.values()) / taken["0.5"])
    assert "normal times" in run("bench", EXP, "--target", "portable", "--against", "none", "--seconds", "0.05")
    assert "magnitudes" not in run_json(
        "bench", MATMUL, "--target", "portable", "--against", "none", "--seconds", "0.05"
    )


def test_several_specs_give_results():
    found = run_json("check", MATMUL, EXP, "--target", "portable")
    assert list(found) == ["results"] and [r["ok"] for r in found["results"]] == [True, True]


def test_one_of_several_may_fail(tmp_path):
    machine = tmp_path / "machine.toml"
    machine.write_text(
        'name = "maps"\nbase = "portable"\nkernels = ["map", "pack"]\n[[levels]]\nname = "memory"\n[coefficients]\n'
    )
    found = run_json("check", MATMUL, EXP, "--target", str(machine), status=2)
    assert "expected a program" in found["results"][0]["error"] and found["results"][1]["ok"] is True


# Bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, parts",
    [
        ("fly", ["expected a verb (compile check", "found 'fly'", "griotte --help"]),
        ("compile", ["expected SPEC", "found nothing"]),
        ("check", ["expected one SPEC or more, found none"]),
        (f"compile {EXP} {EXP}", ["expected no more words after griotte compile", EXP]),
        (f"compile {EXP} --fast", ["expected an option of griotte compile, found --fast", "griotte compile --help"]),
        (f"compile {EXP} --target", ["expected --target with a value"]),
        (f"compile {EXP} --threads two", ["expected an integer from 1 to 1024 for --threads, found 'two'"]),
        (f"compile {EXP} --threads 0", ["expected an integer from 1 to 1024 for --threads, found '0'"]),
        (f"explain {EXP} --alternatives 0", ["expected an integer from 1 to 1000 for --alternatives, found '0'"]),
        (f"compile {EXP} --threads-by tbb", ["expected team or openmp or host for --threads-by, found 'tbb'"]),
        (f"compile {EXP} --emit d", ["expected c or program or so or html for --emit, found 'd'"]),
        (f"check {EXP} --seed many", ["expected an integer from 0", "found 'many'"]),
        (f"bench {EXP} --seconds 0", ["expected a number from 0.05 to 600 for --seconds, found '0'"]),
        (
            f"bench {EXP} --size 3",
            ["expected a SPEC with a dynamic size, such as f32[<=512,8], beside --size, found exp(f32[33])"],
        ),
        (
            "bench exp(f32[<=9]) --target portable --size 10",
            ["expected a size of 1 to 9 for exp(f32[<=9])", "found 10"],
        ),
        (f"bench {EXP} --against me", ["expected numpy, torch, naive, peak or none after --against, found 'me'"]),
        ("compile matmul(f32[8,8],f32[9,8])", ["expects equal inner sizes", "k = 8", "k = 9"]),
        ("compile exp(q8[8])", ["expected a dtype (", "found 'q8'", "column"]),
        ("compile exp(f32[8]{1})", ["expected a layout that orders the axes", "{1}"]),
        ("compile exp(f32[8]", ["expected", "found the end"]),
        ("compile take(f32[8])", ["expected 2 operands for take"]),
        ("compile take(f32[8,8],f32[4])", ["row numbers of an integer dtype", "cast first"]),
        ("compile @no-such-file", ["expected a file with a Spec", "No such file", "no-such-file", "check the path"]),
        ("compile @.", ["expected a file with a Spec", "Is a directory"]),
        ("compile model.onnx", ["expected an ONNX model", "no such file: model.onnx", "check the path"]),
        ("compile @model.mlir", ["expected a file of StableHLO's text, found No such file", "check the path"]),
        (f"compile {EXP} --target sse9", ["expected a target (native", "found 'sse9'", "griotte targets"]),
        (f"compile {EXP} --target no-such.toml", ["expected a readable TOML file", "no-such.toml"]),
        (
            f"compile {EXP} --target portable --table /proc/none/t.griotte",
            ["expected a place for a table", "/proc/none/t.griotte", "name a file"],
        ),
        (
            f"compile {EXP} --target portable --table /",
            ["expected a table file, found a folder: /", "name a file in it"],
        ),
        (
            f"check {EXP} --target portable --table {__file__}",
            ["expected a griotte table, found another kind of file", "name a table or a new file"],
        ),
        (
            f"compile {EXP} --target portable -o /proc/none",
            ["expected to save a kernel", "/proc/none", "name a directory"],
        ),
        (
            f"compile {EXP} --target portable --emit c -o /proc/none",
            ["expected to write /proc/none/kernel.c", "name a directory"],
        ),
        ("check exp(f32[999999999999]) --target portable", ["GiB of free memory", "use a smaller SPEC"]),
        ("calibrate -o here.json", ["expected a file that ends in .toml after -o, found here.json"]),
        ("calibrate -o /none/here.toml", ["expected a folder that can be written for /none/here.toml"]),
        ("table fly file", ["expected a verb (", "after griotte table, found 'fly'", "griotte table --help"]),
    ],
)
def test_bad_input_is_told_in_one_line(words, parts):
    line = refused(*words.split(" "))
    assert all(part in line for part in parts), line


def test_no_compiler(monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    assert "expected a C compiler in $CC, found 'no-such-compiler'" in refused("compile", EXP, "--target", "portable")


def test_no_program(tmp_path):
    machine = tmp_path / "machine.toml"
    machine.write_text('name = "maps"\nbase = "portable"\nkernels = ["map", "pack"]\n[[levels]]\nname = "memory"\n')
    assert "expected a program" in refused("compile", MATMUL, "--target", str(machine))


def test_a_file_of_other_bytes(tmp_path):
    (tmp_path / "spec").write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in refused("compile", f"@{tmp_path}/spec")
    (tmp_path / "spec").write_bytes(b" " * (1 << 21))
    assert "more than 1048576 bytes" in refused("compile", f"@{tmp_path}/spec")


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_directory_that_cannot_be_written(tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert "name a directory" in refused("compile", EXP, "--target", "portable", "-o", str(tmp_path / "out"))


def test_nothing_is_half_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    refused("compile", EXP, "--target", "portable", "-o", str(tmp_path / "file"))
    assert [p.name for p in tmp_path.iterdir()] == ["file"] and (tmp_path / "file").read_text() == "mine"


def test_a_bug_is_one_line_and_a_traceback_on_demand(monkeypatch):

    monkeypatch.setattr(reading, "parse_all", lambda *words: 1 / 0)
    assert "expected no error inside griotte, found ZeroDivisionError" in refused("explain", EXP)
    assert isinstance(CliRunner().invoke(main, ["--traceback", "explain", EXP]).exception, ZeroDivisionError)


def test_memory_that_runs_out(monkeypatch):

    def hungry(*words):
        raise MemoryError

    monkeypatch.setattr(reading, "parse_all", hungry)
    assert "expected enough memory" in refused("explain", EXP)


# The process ---------------------------------------------------------------------------


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from griotte.tools.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\nprint([m"
        " for m in ('numba', 'rich', 'cffi') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_no_progress_and_no_colour_without_a_terminal(cache):
    words = [
        sys.executable,
        "-c",
        "from griotte.tools.cli import main; main()",
        "check",
        EXP,
        MATMUL,
        "--target",
        "portable",
    ]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "GRIOTTE_CACHE": str(cache)})
    assert done.returncode == 0 and done.stderr == "" and "\x1b" not in done.stdout

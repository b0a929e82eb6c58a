"""The net under refactorings: its problems, its comparison, its children and what it keeps."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import griotte as gt
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.append(str(BENCHMARKS))

import same  # noqa: E402
import same_problems  # noqa: E402
from griotte.models import parse_graph  # noqa: E402
from racing.problems import chosen  # noqa: E402
from same_functions import FUNCTIONS  # noqa: E402
from same_models import CLOSED, OPEN  # noqa: E402
from same_problems import Problem  # noqa: E402
from same_schedules import SCHEDULES  # noqa: E402

pytestmark = pytest.mark.long  # of what measures griotte, not of griotte

SPEC = "add(f32[4], f32[4]) -> f32[4]"
ANSWER = {"program": "p", "cost": (1.5).hex(), "C": "/* p */ void griotte_add_01234567(void) {}"}


@pytest.fixture(scope="module")
def problems():
    return same_problems.problems()


def test_the_list_is_the_same_each_time_and_every_problem_parses(problems):
    assert problems == same_problems.problems() and len({p.name for p in problems}) == len(problems)
    for problem in problems:
        if problem.kind == "spec":
            gt.parse(problem.text)
        if problem.kind == "model":
            parse_graph(problem.text)


def test_every_method_of_a_schedule_and_every_custom_kernel_is_met():
    steps = "".join(steps for _, steps in SCHEDULES)
    methods = {name for name, item in vars(gt.Schedule).items() if callable(item) and "holes" not in name}
    rewrites = {name for name in methods if not name.startswith("_")} - {
        "apply",
        "filled",
        "explain",
        "to_html",
        "to_picture",
    }
    assert {name for name in rewrites if f".{name}(" not in steps} == set()
    assert len(SCHEDULES) >= 40 and len(CLOSED) >= 20 and len(OPEN) >= 3
    doors = Counter(function.__name__.partition("_")[0] for function in FUNCTIONS)
    assert doors == {"numpy": 10, "torch": 10, "jax": 10}


def test_every_set_has_every_target_and_both_threads(problems):
    sets = Counter(p.name.partition("/")[0] for p in problems)
    doors = ("numpy", "torch", "jax")
    assert {name: sets[name] for name in sets if name not in ("race", *doors)} == {
        "spec": 300,
        "graph": 130,
        "outputs": 20,
        "dynamic-spec": 20,
        "dynamic-graph": 20,
        "schedule": len(SCHEDULES),
        "model": len(CLOSED),
        "dynamic-model": len(OPEN),
    }
    for name, count in sets.items():
        if count < 6:
            continue
        found = Counter((p.target, p.threads) for p in problems if p.name.startswith(f"{name}/"))
        assert found.keys() == set(same_problems.PAIRS) and max(found.values()) - min(found.values()) <= 2, (
            name,
            count,
        )


def test_what_a_set_is_for_is_in_it(problems):
    drawn = [p for p in problems if p.kind == "spec"]
    specs = {name: [gt.parse(p.text) for p in drawn if p.name.startswith(name)] for name in ("outputs", "dynamic")}
    assert all(len(spec.outputs) > 1 for spec in specs["outputs"]) and all(spec.dynamic for spec in specs["dynamic"])


def test_the_race_is_there_but_for_what_is_named_with_a_reason(problems):
    texts, left = {p.text for p in problems if p.name.startswith("race/")}, {p.name for p in chosen([])}
    assert all(p.spec in texts or p.name in same_problems.SLOW for p in chosen([]))
    assert same_problems.SLOW.keys() <= left and all(same_problems.SLOW.values())
    assert {p.name.split("/")[1] for p in problems if p.name.startswith("race/")} | {"small"} == {
        p.set for p in chosen([])
    }  # of small, squares have the texts


@pytest.mark.parametrize(
    "change, kinds",
    [
        ({}, ()),
        ({"program": "q"}, ("program",)),
        ({"cost": (1.5 + 2**-52).hex()}, ("cost",)),
        ({"C": ANSWER["C"].replace("void)", "int)")}, ("C",)),
        ({"C": ANSWER["C"].replace("/* p */", "/* q\n */")}, (same.WORDS,)),
        ({"C": ANSWER["C"].replace("01234567", "89abcdef")}, (same.WORDS,)),
        ({"program": "q", "cost": (2.0).hex(), "C": "void griotte_mul_01234567(void) {}"}, ("program", "cost", "C")),
    ],
)
def test_differences(change, kinds):
    assert same.differing(ANSWER, ANSWER | change) == same.differing(ANSWER | change, ANSWER) == kinds


def test_errors_are_answers():
    error = {"error": "SpecError: no"}
    assert same.differing(error, dict(error)) == ()
    assert (
        same.differing(error, {"error": "SpecError: never"})
        == same.differing(error, ANSWER)
        == same.differing(ANSWER, error)
        == ("error",)
    )


def test_a_report_names_what_differs(capsys):
    problems = [Problem(f"spec/{i}", "spec", SPEC, "avx2", 2) for i in range(3)]
    costly = ANSWER | {"cost": (2.5).hex(), "program": "\n".join(map(str, range(200)))}
    refused = {"error": "SpecError: no"}
    assert same.report([(p, ANSWER, ANSWER) for p in problems], 1) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "3 of 3 are equal"
    assert same.report(list(zip(problems, [ANSWER] * 3, [costly, ANSWER, refused])), 1) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"spec/0: program, cost; 1.5 cycles -> 2.5 cycles; avx2@2 {SPEC}"
    assert "+++ here: program" in told and "-p" in told
    assert told[-4:] == [
        "... 144 more lines",
        f"spec/2: error; 1.5 cycles -> SpecError: no; avx2@2 {SPEC}",
        "searched for 0 s in base, 0 s here (where answers were kept, at another time)",
        "1 of 3 are equal; 2 differ: program 1, cost 1, error 1",
    ]


# Trees ---------------------------------------------------------------------------------------------------------------

FAKE = """
class Program:
    cost, stats = 1.5, {{"synthesis_s": 2.0}}
    def __init__(self, text): self.text = text
    def __str__(self): return "program of " + self.text
    def to_c(self): return "void f(void) {{}}"
def synthesize(text, target, threads, table):
    if text == "dies": import os; os._exit(3)
    if text == "fails": raise ValueError(target)
    open({log!r}, "a").write(text + "\\n")
    return Program({text})
"""


@pytest.fixture
def trees(tmp_path, monkeypatch):
    """Two trees whose griotte is a few lines: `here` says something else of b."""
    monkeypatch.setattr(same, "FOLDER", tmp_path / "same")
    for side, text in (("base", "text"), ("here", "text.replace('b', 'B')")):
        room = tmp_path / side / "src" / "griotte"
        room.mkdir(parents=True)
        (room / "__init__.py").write_text(FAKE.format(log=str(tmp_path / f"{side}.log"), text=text))
        subprocess.run(["git", "init", "-q", tmp_path / side], check=True)
    return {side: tmp_path / side for side in ("base", "here")}


def ran(trees, side):
    log = trees[side].parent / f"{side}.log"
    return sorted(log.read_text().split()) if log.exists() else []


def test_answers_of_two_trees_and_what_runs_again(trees):
    problems = [Problem(text, "spec", text, "avx2", 1) for text in ("a", "fails", "dies", "b")]
    old, new = same.answers(trees, problems, False)
    kinds = {p.name: same.differing(old[p.key], new[p.key]) for p in problems}
    assert kinds == {"a": (), "fails": (), "dies": (), "b": ("program",)}
    assert old["spec avx2@1 fails"] == {"error": "ValueError: avx2"} and "status 3" in old["spec avx2@1 dies"]["error"]
    again = same.answers(trees, problems[:2] + problems[3:], False)
    assert again[0]["spec avx2@1 b"] == old["spec avx2@1 b"] and ran(trees, "base") == ran(trees, "here") == [
        "a",
        "b",
    ]  # both are kept
    (trees["here"] / "src" / "griotte" / "more.py").write_text("")
    same.answers(trees, problems[:1], False)
    assert ran(trees, "base") == ["a", "b"] and ran(trees, "here") == ["a", "a", "b"]  # its content is another
    same.answers(trees, problems[:1], True)
    assert ran(trees, "base") == ["a", "a", "b"]  # nothing that is kept is taken
    same.answers(trees, problems[3:], False)
    assert ran(trees, "base") == ["a", "a", "b"]  # and the rest stays kept


def test_a_death_is_not_kept(trees):
    problems = [Problem("a", "spec", "a", "avx2", 1), Problem("dies", "spec", "dies", "avx2", 1)]
    same.answers(trees, problems, False)
    kept = list(same.FOLDER.iterdir())
    assert len(kept) == 2
    same.answers(trees, problems, False)
    assert ran(trees, "base") == ["a"] and sorted(same.FOLDER.iterdir()) == sorted(kept)


def test_a_tree_that_answers_nothing_is_started_once(trees):
    (trees["here"] / "src" / "griotte" / "__init__.py").write_text("raise SystemError('broken')")
    problems = [Problem(text, "spec", text, "avx2", 1) for text in ("a", "b", "c")]
    old, new = same.answers(trees, problems, False)
    assert all("program" in answer for answer in old.values())
    assert len(new) == 3 and all("broken" in answer["error"] for answer in new.values())


def test_a_tree_that_changed_while_it_ran_is_not_kept(trees, monkeypatch, capsys):
    run = same.run
    monkeypatch.setattr(
        same,
        "run",
        lambda side, tree, problems: (
            run(side, tree, problems),
            (tree / "src" / "griotte" / f"{side}.py").write_text(""),
        )[0],
    )
    same.answers({"here": trees["here"]}, [Problem("a", "spec", "a", "avx2", 1)], False)
    assert "here changed while it ran" in capsys.readouterr().out and not same.FOLDER.exists()

"""`make mutants`: which faults there are, which tests meet them, and a small tree in which some live."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.append(str(BENCHMARKS))

import mutants  # noqa: E402
from mutating import faults, processes  # noqa: E402

pytestmark = pytest.mark.long  # of what measures griotte, not of griotte

TEXT = '''"""Text."""
import numpy as np
LIMIT = 3
class Box:
    def holds(self, size: tuple[int, 2]) -> bool:
        """No fault."""
        if not size or size[0] > LIMIT:
            raise ValueError(f"{1 + 1}")
        self.last = min(size)
        return any(s and s - 1 for s in size if s is not None)
    def why(self) -> str:
        return ""
'''
FOUND = {
    "3 constant: 3 -> 4",
    "3 constant: 3 -> 2",
    "7 condition negated: if not size or size[0] > LIMIT: ... -> if not (not size or size[0] > LIMIT): ...",
    "7 and, or: not size or size[0] > LIMIT -> not size and size[0] > LIMIT",
    "7 not dropped: not size -> size",
    "7 comparison: size[0] > LIMIT -> size[0] >= LIMIT",
    "7 comparison: size[0] > LIMIT -> size[0] < LIMIT",
    "7 constant: 0 -> 1",
    "7 constant: 0 -> -1",
    "8 statement deleted: raise ValueError(f'{1 + 1}') -> pass",
    "9 statement deleted: self.last = min(size) -> pass",
    "9 min, max: min -> max",
    "10 returned value dropped: return any((s and s - 1 for s in size if s is not None)) -> return",
    "10 min, max: any -> all",
    "10 and, or: s and s - 1 -> s or s - 1",
    "10 arithmetic: s - 1 -> s + 1",
    "10 constant: 1 -> 2",
    "10 constant: 1 -> 0",
    "10 condition negated:  for s in size if s is not None ->  for s in size if not s is not None",
    "10 comparison: s is not None -> s is None",
}


@pytest.fixture
def source(tmp_path):
    (tmp_path / "room").mkdir()
    (tmp_path / "room/box.py").write_text(TEXT)
    return tmp_path


def test_every_place_has_its_faults_and_no_other_has(source):
    found = faults.faults(source, "room/box.py")
    assert {f"{f.line} {f.kind}: {f.before} -> {f.after}" for f in found} == FOUND
    assert {f.function for f in found if f.line == 3} == {""} and found[-1].function == "Box.holds"


def test_a_planted_fault_is_the_one_that_was_named(source):
    for fault in faults.faults(source, "room/box.py"):
        changed = faults.planted(TEXT, fault.number)
        before, after = fault.before.removesuffix(" ..."), fault.after.removesuffix(" ...")
        assert after in changed and changed != faults.ast.unparse(faults.ast.parse(TEXT)) + "\n", before


def test_what_is_drawn_goes_by_the_seed_and_takes_a_place_once(source):
    def draw(seed):
        return [fault.name for fault in faults.drawn(source, ["room"], 9, seed)]

    assert draw(1) == draw(1) != draw(2) and len(draw(1)) == 9
    every = faults.drawn(source, ["room"], 99, 0)
    assert len(every) == len({(fault.line, fault.before) for fault in every})


def test_tests_that_enter_the_function_come_by_nearness_then_time():
    fault = faults.Fault("engine/search/box.py", 0, 1, "", "", "", "Box.holds")
    rows = {
        "tests/test_cli.py::a": (1, ["engine/search/box.py Box.holds"]),
        "tests/engine/search/test_other.py::b[1]": (3, ["engine/search/box.py Box.holds"]),
        "tests/engine/search/test_other.py::b[2]": (2, ["engine/search/box.py Box.holds"]),
        "tests/engine/search/test_other.py::b[3]": (2, ["engine/search/box.py Box.holds"]),
        "tests/engine/search/test_box.py::c": (9, ["engine/search/box.py Box.holds", "engine/search/box.py Box"]),
        "tests/engine/search/test_box.py::d": (1, ["engine/search/box.py Box"]),
    }
    tests = {test: {"seconds": seconds, "entered": entered} for test, (seconds, entered) in rows.items()}
    order = ["test_box.py::c", "test_other.py::b[2]", "test_other.py::b[1]", "test_cli.py::a", "test_other.py::b[3]"]
    order.append("test_box.py::d")  # does not enter it, but may have asked first
    assert [test.rpartition("/")[2] for test in mutants.meeting(fault, tests)] == order
    assert mutants.within(mutants.meeting(fault, tests), tests, 12) == (mutants.meeting(fault, tests)[:2], 4)


def test_of_the_file_that_mirrors_the_faults_all_come_first():
    fault = faults.Fault("engine/search/box.py", 0, 1, "", "", "", "Box.holds")
    names = [f"test_box.py::c[{n}]" for n in range(4)], [f"test_other.py::b[{n}]" for n in range(2)]
    row = {"seconds": 1, "entered": ["engine/search/box.py Box.holds"]}
    tests = {f"tests/engine/search/{name}": row for name in (*names[1], *names[0])}
    assert [test.rpartition("/")[2] for test in mutants.meeting(fault, tests)] == [*names[0], *names[1]]


def test_what_no_test_enters_meets_those_of_its_file_then_those_of_its_room():
    """Its tests may start processes, in which nothing is watched."""
    fault = faults.Fault("engine/search/box.py", 0, 1, "", "", "", "Box.unpacked")
    rows = {
        "tests/engine/table/test_far.py::e": [],
        "tests/engine/search/test_other.py::b": [],
        "tests/engine/table/test_table.py::a": ["engine/search/box.py Box"],
    }
    tests = {test: {"seconds": 1, "entered": entered} for test, entered in rows.items()}
    met = [test.rpartition("/")[2] for test in mutants.meeting(fault, tests)]
    assert met == ["test_table.py::a", "test_other.py::b"]


def test_a_process_that_dies_says_by_what_and_late_ones_are_given_up(tmp_path, monkeypatch):
    trees = [tmp_path / "0/tree"]
    trees[0].mkdir(parents=True)

    def work(tree, task):
        time.sleep(task if task > 1 else 0)
        return {"task": task} if task else os.kill(os.getpid(), 9)

    found, clock = [], [0]
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: clock[0], sleep=time.sleep))
    for task, answer, _ in processes.each([1, 0, 600], work, trees, until=3):
        found.append((task, answer))
        clock[0] = 2 * len(found)  # late once both have answered; not before, however slow the machine
    assert found == [(1, {"task": 1}), (0, {"signal": "SIGKILL"})]


LEAST = """
def least(values):
    return min(values)

def unseen(value):
    return value + value
"""
TESTS = """
from griotte.engine.search.least import least

def test_it():
    assert least([1, 2]) == 1
"""
RUN = """
import sys, mutants
from pathlib import Path
mutants.ROOT, mutants.ROOMS, mutants.END_TO_END = Path(sys.argv.pop(1)), ("engine/search",), ()
sys.exit(mutants.main())
"""


def test_what_lives_in_a_small_tree_is_told_and_the_next_run_goes_on(tmp_path):
    for file, text in {
        "src/griotte/engine/search/least.py": LEAST,
        "src/griotte/engine/search/__init__.py": "",
        "src/griotte/__init__.py": "",
        "tests/engine/search/test_least.py": TESTS,
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--import-mode=importlib'\n",
    }.items():
        (tmp_path / "tree" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / file).write_text(text)
    rows = tmp_path / "rows.jsonl"
    command = [sys.executable, "-c", RUN, str(tmp_path / "tree"), "--rooms", "engine/search", "--resume", str(rows)]
    environment = {**os.environ, "PYTHONPATH": str(BENCHMARKS)}
    first, second = (subprocess.run(command, env=environment, capture_output=True, text=True) for _ in range(2))
    found = {row["before"]: row["outcome"] for row in map(json.loads, rows.read_text().splitlines())}
    assert found == {
        "min": "killed",
        "return min(values)": "killed",
        "value + value": "survived",
        "return value + value": "survived",
    }, first.stdout + first.stderr
    assert first.returncode == 1 and "engine/search: 2 of 4 killed (50%)" in first.stdout
    assert "survived (1 tests, 0 left): engine/search/least.py:6" in second.stdout and "1/" not in second.stdout

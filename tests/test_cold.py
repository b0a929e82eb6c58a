"""The harness that tells where the time goes: phases by sampling, rows, and two files side by side."""

import gc
import json
import os
import subprocess
import sys
import threading
import time
import weakref
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
BUSY = """
import threading, time

told = threading.Event()

def burn(seconds):
    \"\"\"Takes so much of a CPU, and is left once the samples tell of it.\"\"\"
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
    told.wait(60)
"""


@pytest.fixture
def cold(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return import_module("cold")


@pytest.fixture
def rules(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS / "phases")
    return import_module("rules")


def test_a_longer_prefix_tells_the_phase(rules):
    found = [rules.phase_of(f"engine/search/{name}.py") for name in ("graph", "arrays", "rebuild", "new")]
    assert found == ["structure", "prices", "rebuild", "structure"]
    assert rules.phase_of("lang/nests/family.py") is None
    phases = {*rules.RULES.values(), *rules.NUMBA.values(), rules.OTHER_NUMBA, "C compiler", "imports", "other"}
    assert phases == {*rules.MEANS}


def test_time_is_put_down_to_the_innermost_phase(tmp_path):
    """A room that works for its callers, by two of them, on two threads."""
    for name, text in {
        "lang/busy": BUSY,
        "engine/search/graph": "from griotte.lang.busy import burn\ndef families(): burn(0.3)\n",
        "engine/search/arrays": "from griotte.lang.busy import burn\ndef prices(): burn(0.1)\n",
    }.items():
        file = tmp_path / f"griotte/{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for folder in ("", "lang", "engine", "engine/search"):
        (tmp_path / "griotte" / folder / "__init__.py").touch()
    code = (
        "import json, pathlib, sys, threading, time\n"
        "from griotte.engine.search import graph, arrays; from griotte.lang import busy\n"
        "each = [threading.Thread(target=f) for f in (graph.families, arrays.prices)]\n"
        "for t in each: t.start()\n"
        "def spent(): return sum(r[2] for f in pathlib.Path(sys.argv[1]).glob('*.json')"
        " for r in json.loads(f.read_text())['rows'] if r[1].endswith('burn'))\n"
        "until = time.monotonic() + 50\n"
        "while spent() < 0.39 and time.monotonic() < until: time.sleep(0.02)\n"
        "busy.told.set()\n"
        "for t in each: t.join()\n"
    )
    samples = tmp_path / "samples"
    samples.mkdir()
    paths = os.pathsep.join((str(BENCHMARKS / "phases"), str(tmp_path)))
    environment = os.environ | {"PYTHONPATH": paths, "COLD_SAMPLES": str(samples)}
    subprocess.run([sys.executable, "-c", code, str(samples)], env=environment, check=True, timeout=120)
    (file,) = samples.glob("*.json")
    told = json.loads(file.read_text())
    seconds = {(phase, function): spent for phase, function, spent in told["rows"]}
    families, prices = seconds["structure", "lang/busy.py:burn"], seconds["prices", "lang/busy.py:burn"]
    assert not told["worker"] and families == pytest.approx(0.3, abs=0.05) and prices == pytest.approx(0.1, abs=0.05)
    assert sum(seconds.values()) <= told["cpu_s"] * 1.05


def test_what_a_sample_saw_is_freed_as_if_it_had_not(tmp_path, monkeypatch):
    """Also where nothing collects cycles, as in a search: else the harness would hold a search's arrays."""
    monkeypatch.syspath_prepend(BENCHMARKS / "phases")
    sampler = import_module("sampler").Sampler(str(tmp_path))
    entered, sampled, held = threading.Event(), threading.Event(), []

    def work():
        block = np.zeros(1)
        held.append(weakref.ref(block))
        entered.set()
        while not sampled.is_set():
            time.sleep(0.001)  # has it on a CPU between two samples

    thread = threading.Thread(target=work)
    gc.disable()
    try:
        thread.start()
        assert entered.wait(10)
        sampler._sample()
        assert held[0]() is not None and len(sampler._spent) > 1
        sampled.set()
        thread.join(10)
        assert held[0]() is None
    finally:
        sampled.set()
        gc.enable()


def test_a_process_that_is_not_asked_for_samples_has_none(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(BENCHMARKS / "phases")}
    environment.pop("COLD_SAMPLES", None)
    code = "import threading; print(threading.active_count())"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"


TOLD = {
    **dict.fromkeys(("calls", "parts", "families", "edges", "specs_solved", "parts_solved", "parts_from_table"), 7),
    "parts_tried": 9,
    "parts_possible": 12,
    "gap": 0.25,
    "cost": 3.0,
    "cut_in_order": False,
    "wall_s": 4.0,
    "own_s": 2.0,
    "others_s": 3.0,
}


def a_row(cold, folder: Path) -> dict:
    rows = [["structure", "a.py:f", 1.0], ["Numba relax", "b.py:relax", 0.5], ["sampler", "", 0.25]]
    (folder / "1.json").write_text(json.dumps({"worker": False, "cpu_s": 2.0, "rows": rows}))
    (folder / "2.json").write_text(json.dumps({"worker": True, "cpu_s": 2.5, "rows": [["structure", "a.py:f", 2.25]]}))
    return cold.row(TOLD, SimpleNamespace(peak=400.0, held=300.0), folder)


def test_a_row_has_all_seconds_once(cold, tmp_path):
    row = a_row(cold, tmp_path)
    assert row["phases"] == {"structure": 3.25, "Numba relax": 0.5, "C compiler": 0.5, "other": 0.5}
    assert row["cpu_s"] == sum(row["phases"].values()) == 4.75  # but the sampler's own
    assert row["python"] == pytest.approx(1 - 1.0 / 4.75) and row["dominated"] == 3 and row["searches"] == 14


def test_what_is_printed(cold, tmp_path):
    rows = {"one": a_row(cold, tmp_path), "lost": {"error": "no|word"}}
    assert "| one | 7 | 9 | 7 | 3 | 14 | 7 | 7 | 0.0 | 4.8 | 4.0 | 79% | 300 | 400 | 25.0% |" in cold.listed(rows)
    assert "| lost | no/word |" in cold.listed(rows)
    phases = cold.phases_of(rows, 1).splitlines()
    assert phases[2].startswith("| structure | 3.2 | 68.4% | 232.1 |") and phases[3] == "| | 3.2 | | | `a.py:f` |"
    after = {"one": {**rows["one"], "cpu_s": 2.375, "phases": {"structure": 1.625}}, "other": rows["one"]}
    lines = cold.compared(rows, after).splitlines()
    assert lines[2] == "| one | 4.8 | 2.4 | 2.00 | 14 | 14 | 300 | 300 | 25.0% | 25.0% |"
    assert "| structure | 3.2 | 1.6 | 2.00 |" in lines and len([line for line in lines if "other" in line]) == 1


def test_a_page_is_counted_once(cold):
    """Of a process that has forked: the child shares what the parent holds."""
    code = "import os, time; held = bytearray(b'x') * (64 << 20); os.fork(); time.sleep(1.5)"
    process = subprocess.Popen([sys.executable, "-c", code])
    with process, cold.Watched(process.pid) as watched:
        process.wait()
    assert 64 < watched.held < 110 < watched.peak < 200


def test_networks_lie_below_the_folder_of_nets(cold, tmp_path):
    file = tmp_path / "nets/swift_f0/model.onnx"
    file.parent.mkdir(parents=True)
    file.touch()
    (tmp_path / "b.onnx").touch()
    found = cold.located(tmp_path / "nets", tmp_path)
    assert found["swift_f0"] == (file, {"audio": [1, 16000]}) and found["b"] == (tmp_path / "b.onnx", {})
    assert "basic_pitch" not in found

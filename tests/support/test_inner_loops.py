"""The search's loops as machine code that is kept: loaded without what Numba compiles by, and the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LOOPS = """
import numpy as np
from griotte.support.inner_loops import inner_loop


@inner_loop()
def doubled(x):
    found = np.empty(x.shape[0], np.int64)  # of the runtime's memory
    for i in range(x.shape[0]):
        found[i] = 2 * x[i]
    return found


@inner_loop()
def checked(x):
    if x.shape[0] == 0:
        raise ValueError("nothing there")
    return doubled(x)[4]
"""
SAID = """
import sys
import numpy as np
import loops
print(loops.checked(np.arange(5)), loops.doubled(np.arange(3)).tolist())
"""
TABLES = "print('numba.typed.dictimpl' in sys.modules)"  # of those that Numba compiles by


@pytest.fixture
def said(tmp_path: Path):
    """What a process of its own says that has the loops, whose code is kept from one to the next."""
    (tmp_path / "loops.py").write_text(LOOPS)

    def told(script: str, **environment: str) -> list[str]:
        given = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")} | environment
        given["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *map(os.path.abspath, sys.path)])
        done = subprocess.run([sys.executable, "-c", script], env=given, capture_output=True, text=True, timeout=300)
        assert not done.returncode, done.stderr
        return done.stdout.splitlines()

    return told


def test_code_that_is_kept_is_loaded_without_what_numba_compiles_by(said):
    answer = "8 [0, 2, 4]"
    assert said(SAID + TABLES) == [answer, "True"]
    assert said(SAID + TABLES) == [answer, "False"]


def test_loaded_code_raises_as_compiled_code_does(said):
    empty = """
try:
    loops.checked(np.arange(0))
except ValueError as error:
    print(error)
"""
    for _ in range(2):
        assert said(SAID + empty)[1:] == ["nothing there"]


def test_what_is_compiled_later_calls_loaded_code(said):
    later = """
import numba
print('numba.typed.dictimpl' in sys.modules)

@numba.njit
def more(x):
    return loops.checked(x) + np.linalg.norm(np.ones(4)) + loops.doubled(x)[1]

print(more(np.arange(5)), loops.doubled(np.arange(3, dtype=np.int16)).tolist())
"""
    said(SAID)
    assert said(SAID + later)[1:] == ["False", "12.0 [0, 2, 4]"]


def test_many_threads_load_the_same_code(said):
    threads = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    print(set(pool.map(lambda n: int(loops.checked(np.arange(5))), range(64))))
"""
    said(SAID)
    head = SAID.partition("print(")[0]
    assert said(head + threads + TABLES) == ["{8}", "False"]


@pytest.mark.parametrize("runtime", ["None", "type('Other', (), {'c_helpers': {'Free': 1}})"])
def test_with_another_runtime_numba_loads_its_code_itself(said, runtime: str):
    other = f"import numba.core.runtime\nnumba.core.runtime._nrt_python = {runtime}\n"
    said(SAID)
    assert said(other + SAID + TABLES) == ["8 [0, 2, 4]", "True"]


def test_code_whose_index_is_gone_is_compiled_anew(said, tmp_path: Path):
    said(SAID)
    (index,) = (tmp_path / "kept").rglob("*checked*.nbi")
    index.unlink()
    assert said(SAID + TABLES) == ["8 [0, 2, 4]", "True"]
    assert said(SAID + TABLES) == ["8 [0, 2, 4]", "False"]


def test_without_machine_code_loops_are_python(said):
    assert said(SAID, NUMBA_DISABLE_JIT="1") == ["8 [0, 2, 4]"]

"""The examples run and give what they say."""

import ast
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from itertools import dropwhile
from pathlib import Path

import numpy as np
import pytest
from features import skip_without
from griotte.machine import named

EXAMPLES = Path(__file__).parent.parent / "examples"
GRIOTTE = Path(sys.executable).with_name("griotte")


def made(example: str, folder: Path, *needs: str, given: tuple[str, ...] = ()) -> str:
    """What `make` of an example prints, with variables that are given; skips where a command is not there."""
    lacking = [name for name in ("make", "cc", *needs) if not shutil.which(name)]
    lacking += ["the griotte command"] * (not GRIOTTE.exists())
    if lacking:
        pytest.skip(f"expected {' and '.join(lacking)}, found none on PATH")
    words = ["make", "-s", "-C", str(EXAMPLES / example), f"GRIOTTE={GRIOTTE}", f"BUILD={folder / 'build'}", *given]
    done = subprocess.run(
        words, capture_output=True, text=True, env={**os.environ, "GRIOTTE_CACHE": str(folder / "cache")}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_c_program_links_a_saved_kernel(tmp_path):
    found = np.array(made("link", tmp_path).split(), float).reshape(4, 3)
    i, k, j = np.arange(4)[:, None], np.arange(8), np.arange(3)
    assert np.array_equal(found, (i + k) @ (k[:, None] * j))


def test_a_cpp_program_finds_a_package_by_cmake(tmp_path):
    by, *rows = made("cmake", tmp_path, "cmake", "c++").splitlines()
    assert by in ("by avx2", "by portable")
    for m, row in enumerate(rows):
        columns = np.arange(300)
        e = np.exp((columns % 8 == m) * columns / 30)
        assert row == f"row {m}: class {e.argmax()}, {(e / e.sum()).max():.4f}"
    assert len(rows) == 4


def test_a_c_program_finds_a_package_by_pkg_config(tmp_path):
    found = made("pkgconfig", tmp_path, "pkg-config")
    assert found == "by portable, 2 shares, largest relative error below 1e-6\n"


@pytest.mark.long
@pytest.mark.parametrize("threads", [1, 2])
def test_a_decoder_says_the_same_with_a_generated_product(threads, tmp_path):
    """Its figures are for docs/lab; here a token is enough."""
    skip_without(named("avx2").features)
    given = ("TARGETS=avx2", "TOKENS=1", "LAYERS=1", "ROUNDS=1", f"THREADS={threads}")
    found = made("inference", tmp_path, "c++", "pkg-config", given=given)
    assert found.startswith(f"target avx2, {threads} threads, 1 layers, 0.29 GB of weights a token\nproduct, GB/s")
    assert float(re.search(r"results (\S+) apart", found)[1]) < 1e-4
    assert re.search(r"the same tokens: 1 of 1: \d+\n$", found)


def test_the_digits_are_predicted_as_scikit_learn_does(tmp_path, monkeypatch, capsys):
    pytest.importorskip("sklearn")
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    demo = runpy.run_path(str(EXAMPLES / "demo.py"))
    demo["network"](seconds=0.1)
    assert "540 of 540 predictions are the same" in capsys.readouterr().out


def test_the_notebook_runs_and_shows_its_objects():
    """Without Jupyter: its cells in order, in one namespace; the value of a last line shows itself."""
    cells = json.loads((EXAMPLES / "notebook.ipynb").read_text())["cells"]
    namespace, shown = {}, []
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"] and cell["execution_count"] is None, "expected a notebook without outputs"
        *body, last = ast.parse("".join(cell["source"])).body
        body, value = (body, last.value) if isinstance(last, ast.Expr) else ([*body, last], None)
        exec(compile(ast.Module(body, []), "notebook", "exec"), namespace)
        if value is not None:
            shown.append(eval(compile(ast.Expression(value), "notebook", "eval"), namespace))
    pages = [each._repr_html_() for each in shown if hasattr(each, "_repr_html_")]
    assert len(pages) == 5 and all("f32[" in page for page in pages)


def test_the_tutorial_shows_the_files_of_the_example():
    page = (EXAMPLES.parent / "docs/tutorials/cpp.md").read_text()
    for name in ("CMakeLists.txt", "main.cpp"):
        lines = (EXAMPLES / "cmake" / name).read_text().splitlines()
        text = "\n".join(dropwhile(lambda line: line.startswith(("#", "//")) and "include" not in line, lines))
        assert text.strip() in page, name

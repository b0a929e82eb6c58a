"""The examples run and give what they say."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
GRIOTTE = Path(sys.executable).with_name("griotte")


@pytest.mark.skipif(
    not (shutil.which("make") and shutil.which("cc") and GRIOTTE.exists()),
    reason="needs make, cc and the griotte command",
)
def test_a_c_program_links_a_saved_kernel(tmp_path):
    words = ["make", "-s", "-C", str(EXAMPLES / "link"), f"GRIOTTE={GRIOTTE}", f"BUILD={tmp_path / 'build'}"]
    done = subprocess.run(
        words, capture_output=True, text=True, env={**os.environ, "GRIOTTE_CACHE": str(tmp_path / "cache")}
    )
    assert done.returncode == 0, done.stderr
    i, k, j = np.arange(4)[:, None], np.arange(8), np.arange(3)
    assert np.array_equal(np.array(done.stdout.split(), float).reshape(4, 3), (i + k) @ (k[:, None] * j))


def test_the_digits_are_predicted_as_scikit_learn_does(tmp_path, monkeypatch, capsys):
    pytest.importorskip("sklearn")
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    demo = runpy.run_path(str(EXAMPLES / "demo.py"))
    demo["network"](seconds=0.1)
    assert "540 of 540 predictions are the same" in capsys.readouterr().out

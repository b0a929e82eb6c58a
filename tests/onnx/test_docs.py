"""docs/onnx.md names what is read."""

import re
from pathlib import Path

import pytest

pytest.importorskip("onnx.helper", reason="models are read by the package onnx: pip install 'griotte[onnx]'")

from griotte.onnx.operators import OPERATORS

DOCS = (Path(__file__).parents[2] / "docs/onnx.md").read_text()


def test_operators_of_onnxruntime_are_named():
    section = DOCS.partition("\n## What onnxruntime adds\n")[2].partition("\n## ")[0]
    named = [name for row in re.findall(r"^\| [^|]+ \| ([^|]+) \|$", section, re.M) for name in row.split()]
    assert sorted(named) == sorted(name for domain, name in OPERATORS if domain == "com.microsoft")

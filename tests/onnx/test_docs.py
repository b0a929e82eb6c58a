"""docs/reference/onnx.md names what is read; docs/howto/add-an-operation.md adds an operator."""

import re
from pathlib import Path

import pytest

pytest.importorskip("onnx.helper", reason="models are read by the package onnx: pip install 'griotte[onnx]'")

from griotte.onnx.operators import OPERATORS

PAGES = Path(__file__).parents[2] / "docs"
DOCS = (PAGES / "reference/onnx.md").read_text()


def test_operators_of_onnxruntime_are_named():
    section = DOCS.partition("\n## What onnxruntime adds\n")[2].partition("\n## ")[0]
    named = [name for row in re.findall(r"^\| [^|]+ \| ([^|]+) \|$", section, re.M) for name in row.split()]
    assert sorted(named) == sorted(name for domain, name in OPERATORS if domain == "com.microsoft")


def test_an_operator_is_added():
    page = (PAGES / "howto/add-an-operation.md").read_text()
    section = page.partition("\n## An operator of a reader\n")[2].partition("\n## ")[0]
    (block,) = re.findall(r"^```python\n(.*?)^```$", section, re.M | re.S)
    exec(block, {})

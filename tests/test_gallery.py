"""The gallery's pages are made from what was measured; its programs come with their pictures and C."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import griotte as gt
import numpy as np
import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def benchmarks():
    """The folder of harnesses, from which they import each other."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    yield
    sys.path.remove(str(ROOT / "benchmarks"))


@pytest.fixture(scope="module")
def gallery(benchmarks):
    import gallery

    return gallery


@pytest.fixture(scope="module")
def layers(benchmarks):
    import layers

    return layers


def test_pages_are_of_what_is_kept(gallery):
    """`make gallery` changes nothing."""
    pages = gallery.pages()
    assert {name.removesuffix(".md") for name in pages} == {*gallery.EXHIBITS, "README"}
    written = {path.name: path.read_text() for path in gallery.PAGES.glob("*.md")}
    assert pages == written


@pytest.mark.parametrize(
    "text",
    [
        "gelu(add(matmul(f32[16,8], const f32[8,32]), const f32[32]))",
        "softmax(matmul(f32[8,16], f32[16,8]), axis=-1)",
    ],
)
def test_a_program_has_its_texts(gallery, text):
    found = gallery._texts(gt.synthesize(text))
    assert set(found) == {"program.txt", "picture.svg", "program.c", "roofline.svg"}
    assert all(ElementTree.fromstring(found[name]) is not None for name in found if name.endswith(".svg"))
    assert found["program.c"] == gt.synthesize(text).to_c() and "loop" in found["program.txt"]


def test_a_model_has_its_texts(gallery):
    x, w = np.ones((4, 8), np.float32), np.ones((8, 16), np.float32)
    found = gallery._texts(gt.synthesize(gt.graph(lambda x, w: np.tanh(x @ w).sum(axis=1), x, w), threads=1))
    assert ElementTree.fromstring(found["picture.svg"]) is not None and "part" in found["program.txt"]


def test_slower_stands_bold(gallery):
    table = list(gallery._times({"griotte": 2.0, "torch": 1.0, "onnxruntime": 4.0, "peak": 1.0}))
    assert table[1:] == ["| torch | 1 | **0.50** |", "| griotte | 2 | 1.00 |", "| onnxruntime | 4 | 2.00 |", ""]


@pytest.mark.parametrize(
    ("shape", "name"),
    [((1, 64, 56, 56), "56x56"), ((1, 512, 1, 1), "head"), ((1, 1000), "head"), ((2, 8, 1, 7), "1x7")],
)
def test_layers_are_sizes_of_images(layers, shape, name):
    assert layers.layer(shape) == name


def test_a_picture_of_layers(layers):
    us = {"griotte": {"56x56": 40.0, "head": 5.0}, "onnxruntime": {"56x56": 80.0}}
    found = {"title": "A <network>", "threads": 2, "layers": ["56x56", "head"], "us": us}
    root = ElementTree.fromstring(layers.picture(json.loads(json.dumps(found))))
    widths = [float(each.get("width")) for each in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert widths == sorted(widths[:2]) + widths[2:] and widths[0] * 2 == pytest.approx(widths[1])
    assert [widths[3], widths[4] * 16 / 9] == pytest.approx([0.0, widths[5]], abs=0.2)
    assert "A <network>, 2 threads, us" in "".join(root.itertext())


def test_the_readmes_picture_is_of_what_is_kept(layers):
    found = json.loads((ROOT / "benchmarks/results/layers.json").read_text())
    assert (ROOT / "docs/images/layers.svg").read_text() == layers.picture(found)

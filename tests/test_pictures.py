"""Pictures of the documentation are those that site/pictures.py draws, and are legible on light and dark, 400 wide."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
FONT, LETTER = 12, 7.3
"""Of text: its size, and how wide a letter is at most, in pixels."""


@pytest.fixture(scope="module")
def drawing():
    spec = importlib.util.spec_from_file_location("site_pictures", ROOT / "site/pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pictures_are_as_they_are_drawn(drawing, tmp_path):
    """`python site/pictures.py` writes them anew."""
    drawing.write(tmp_path)
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert drawn and drawn == {name: (ROOT / "docs/images" / name).read_text() for name in drawn}


def test_they_fit_and_have_dark_colours(drawing):
    for name, draw in drawing.PICTURES.items():
        picture = draw()
        assert "prefers-color-scheme: dark" in picture and drawing.WIDTH <= 400, name
        for text in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text"):
            width = LETTER * len(text.text)
            left = float(text.get("x")) - width * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
            assert left >= 0 and left + width <= drawing.WIDTH, (name, text.text)


def test_every_class_has_a_colour(drawing):
    named = set(re.findall(r"\.(\w+)", drawing.STYLE))
    for name, draw in drawing.PICTURES.items():
        assert set(re.findall(r'class="(\w+)"', draw())) <= named, name


def test_rectangles_cover_each_cell_once(drawing):
    plane = np.array([["a", "a", "b"], ["a", "a", "b"], ["c", "a", "a"]], object)
    times = np.zeros(plane.shape, int)
    for row, column, rows, columns in drawing.rectangles(plane):
        part = np.s_[row : row + rows, column : column + columns]
        times[part] += 1
        assert len(set(plane[part].ravel())) == 1
    assert (times == 1).all()

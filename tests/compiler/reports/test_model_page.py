"""The page of a model: what links lead to is there, once; tables are whole; words of drawings lie apart."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from itertools import combinations

import griotte as gt
import numpy as np
import pytest
from griotte.compiler.reports.drawing import Rectangle, Text
from griotte.compiler.reports.graph import LINE, picture
from griotte.compiler.reports.model_html import ModelReport
from griotte.models.graph import GraphBuilder

VOID = {"meta", "rect", "path", "br", "line"}


class Read(HTMLParser):
    """The ids, links and rows of a page whose tags are closed in order."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.rows: list[list[str]] = []
        self.told: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if "href" in given else []
        self.rows += [[]] if tag == "tr" else []
        if tag in ("td", "th"):
            self.rows[-1].append(given.get("class", ""))
        self.open += [tag] if tag not in VOID else []

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.told.append(data)


@pytest.fixture(scope="module")
def program():
    b = GraphBuilder()
    x = b.input(gt.tensor((2, 3, 4)), "x <script>")
    h = b.call("softmax", x)
    both = b.call("concat", h, b.call("softmax", h), axis=1)
    graph = b.graph({"y": b.call("reshape", b.call("exp", both), shape=(2, 24)), "z": b.call("sum", h, axis=2)})
    return gt.synthesize(graph, target="portable", effort=1)


def test_a_page_is_whole(program):
    text = ModelReport(program, None, "m & n.onnx").page()
    read = Read(text)
    assert not read.open and "<script" not in text
    wanted = [f"part-{n}" for n in range(1, len(program.parts) + 1)]
    assert read.ids == wanted and {link.removeprefix("#") for link in read.links} == set(wanted)
    (heads, *rows), told = read.rows[: len(wanted) + 1], " ".join(read.told)
    assert all(row == heads for row in rows) and Counter(heads) == {"number": len(heads) - 2, "": 2}
    assert "as part 1" in " ".join(told.split()) and "rows of" in told and "portable, cost" in told
    for key, value in program.held.items():
        assert f"{key} {value:,}" in " ".join(told.split())


def test_words_beside_a_box_lie_apart():
    """Of a nest that reads many arrays: each has a line of its own, and its arrow ends at the box."""
    names = [f"f32[{n},8]" for n in (4, 4, 4, 4, 4, 4)]
    text = names[0]
    for name in names[1:]:
        text = f"add({text}, {name})"
    found = picture(gt.synthesize(f"sum({text}, axis=1)", target="portable"))
    notes = [shape for shape in found.shapes if isinstance(shape, Text) and shape.anchor == "end"]
    assert len(notes) == len(names)
    assert all(abs(one.y - other.y) >= LINE for one, other in combinations(notes, 2))
    box = next(shape for shape in found.shapes if isinstance(shape, Rectangle) and shape.kind == "box")
    assert all(box.y < note.y < box.y + box.height for note in notes)
    assert np.isclose(box.height, max(46, LINE * len(names) + 4))

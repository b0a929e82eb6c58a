"""A graph drawn: every call once, what is between where the program puts it, and shapes that lie within the picture."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import griotte as gt
import pytest
from griotte.compiler.reports.drawing import Arrow, Rectangle, Text, png, svg
from griotte.compiler.reports.graph import Between, Outline, outline, picture
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.nodes import Alias, Pipeline, walk
from griotte.engine.rewrites.fuse import Factor
from griotte.lang.nests.operation import label
from griotte.support.errors import NoProgramError, SpecError
from machines import machine

SPECS = (
    "softmax(f32[9,40])",
    "layer_norm(f32[9,40], f32[40], f32[40])",
    "attention(f32[2,17,8], f32[2,20,8], f32[2,20,8])",
    "softmax(f32[300,2000])",
    "gelu(add(matmul(f32[12,20], const f32[20,32]), const f32[32]))",
    "add(matmul(gelu(matmul(f32[12,20], f32[20,32])), f32[32,20]), f32[20])",
)


@pytest.fixture(scope="module", params=[(s, n) for s in SPECS for n in ("portable", "avx512")], ids=str)
def program(request):
    text, name = request.param
    return gt.synthesize(text, machine(name), table="none")


def test_each_call_is_in_a_box(program):
    calls = [call for box in outline(program).boxes() for call in box.calls]
    assert sorted(set(calls)) == sorted({label(nest.operation) for nest in program.canonical.operation.nests})


def test_what_is_between_is_drawn_as_the_program_places_it(program):
    boxes = list(outline(program).boxes())
    written: list[Between] = []
    for box in boxes:
        assert all(read in written for read in box.reads if isinstance(read, Between)), box
        written += [box.writes] if isinstance(box.writes, Between) else []
    assert boxes[-1].writes == "y" and [box.writes for box in boxes].count("y") == 1
    levels = {program.target.levels[node.to.level].name for node in walk(program.root) if isinstance(node, Pipeline)}
    assert {re.match(r"in (\w+),", between.words[1])[1] for between in written} <= {*levels, "y"}
    if not levels:
        assert len(boxes) == 1
    if not any(isinstance(node, Alias) for node in walk(program.root)):
        assert all(len(box.calls) == 1 for box in boxes)


def test_cycles_of_boxes_are_those_of_the_program(program):
    whole = outline(program)
    found = sum(box.cycles for box in whole.boxes()) + sum(cycles for _, _, cycles in whole.moves)
    assert 0.9 * program.cost <= found <= 1.001 * program.cost  # the rest is of loops, and of calls


def test_shapes_lie_within_the_picture(program):
    drawn = picture(program)
    for shape in drawn.shapes:
        match shape:
            case Rectangle():
                corners = [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
            case Text():
                length = 7 * len(shape.text)
                start = shape.x - {"start": 0, "middle": length / 2, "end": length}[shape.anchor]
                corners = [(start, shape.y), (start + length, shape.y)]
            case Arrow():
                corners = list(shape.points)
        assert all(0 <= x <= drawn.width and 0 <= y <= drawn.height for x, y in corners), shape
    boxes = [s for s in drawn.shapes if isinstance(s, Rectangle) and s.kind == "box"]
    assert all(a.y + a.height <= b.y for a, b in pairwise(boxes))


def test_files(program, tmp_path):
    program.to_picture(tmp_path / "p.svg")
    root = ElementTree.fromstring((tmp_path / "p.svg").read_text())
    assert root.tag.endswith("svg") and len(root.findall("{*}rect")) > 1
    assert ElementTree.fromstring(svg(picture(program))).tag == root.tag
    program.to_picture(tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes()[:4] == b"\x89PNG" == png(picture(program))[:4]


def test_loops_around_several_boxes_are_outlined():
    program = gt.synthesize("softmax(f32[400,500])", machine("portable"), threads=2, table="none")
    outlines = []

    def collect(item):
        for each in item.items:
            if isinstance(each, Outline):
                outlines.append(each.words)
                collect(each)

    collect(outline(program))
    assert any("over 2 threads" in words for words in outlines), outlines


def test_a_nest_alone_is_a_box():
    boxes = list(outline(gt.synthesize("matmul(f32[8,9], f32[9,8])", machine("portable"), table="none")).boxes())
    assert [(box.calls, box.reads, box.writes) for box in boxes] == [(("matmul",), ("x0", "x1"), "y")]


def test_every_output_goes_out_of_the_box_that_writes_it(tmp_path):
    program = gt.synthesize(
        "outputs(%z: matmul(f32[8,9], f32[9,8]), relu(%z), sum(%z, axis=1))", machine("portable"), table="none"
    )
    assert {"y0", "y1", "y2"} <= {box.writes for box in outline(program).boxes()}
    program.to_picture(tmp_path / "p.svg")
    drawn = (tmp_path / "p.svg").read_text()
    assert all(f"{name}: f32" in drawn for name in ("y0", "y1", "y2", "x0", "x1"))
    assert "y1" in program.explain()


def test_what_lies_in_another_buffer_names_it():
    """The output of the part that holds it: a buffer of the whole, not its result."""
    spec = gt.parse("softmax(matmul(f32[9,4], f32[4,40]))")
    schedule = gt.schedule(spec, machine("portable")).bufferize("exp", "L1").at(0).bufferize("matmul", "y")
    program = gt.synthesize(schedule, table="none")
    first = next(box for box in outline(program).boxes() if box.calls == ("matmul",))
    assert first.writes.words == ("matmul 9x40 f32", "in exp, 1.41 KiB") and "matmul in exp" in str(program)


def test_another_name_is_refused(tmp_path):
    program = gt.synthesize("exp(f32[8])", machine("portable"), table="none")
    with pytest.raises(SpecError, match=r"ends in \.svg or \.png"):
        program.to_picture(tmp_path / "p.gif")
    with pytest.raises(NoProgramError, match="hole"):
        gt.schedule("exp(f32[8])", machine("portable")).to_picture(tmp_path / "p.svg")


def test_printed_programs_name_what_is_between():
    program = gt.synthesize("softmax(f32[9,40])", machine("avx512"), table="none")
    text = str(program)
    assert any(
        words in text
        for words in ("buffer exp 9x40 f32 in L1", "exp in registers, computed where it is read", "exp in y")
    )
    assert re.search(r"registers (max|sum)\b", text) and not re.search(r"\bt\d", text)


def test_what_is_factored_out_of_a_sum_is_done_after_it():
    spec = gt.parse("matmul(div(%x: f32[8,20], sum(%x, axis=1, keepdims=true)), f32[20,16])")
    graph = canonical_form(spec).operation
    tensor = next(t for t in graph.unplaced if Factor(t).applies(graph))
    calls = [label(nest.operation) for nest in graph.nests]
    left = [[calls[j] for j in nests] for nests in Factor(tensor).made_of(graph)]
    assert left[-2:] == [["matmul"], ["div"]]
    assert [label(nest.operation) for nest in Factor(tensor).part(graph).operation.nests] == [each[-1] for each in left]

"""What a notebook or a prompt shows: one line as text, a fragment as HTML."""

from xml.etree import ElementTree

import griotte as gt
import pytest
from griotte.models.text import parse_graph
from machines import machine

LONG = "softmax(matmul(softmax(matmul(softmax(matmul(f32[8,16], f32[16,4])), f32[4,16])), f32[16,4]))"
SPEC = "matmul(f32[8,16], const f32[16,4])"


def test_each_is_one_readable_line():
    target = machine("portable")
    program = gt.synthesize(SPEC, target, table="none")
    assert repr(program.spec) == "<griotte.Spec matmul(f32[8,16], const f32[16,4]) -> f32[8,4]>"
    assert repr(program.spec.inputs[1]) == "<griotte.TensorType const f32[16,4]>"
    assert repr(gt.tensor((3,), name="x")) == "<griotte.TensorType x: f32[3]>"
    shown = "<griotte.Program matmul(f32[8,16], const f32[16,4]) -> f32[8,4], portable, 1 thread, "
    assert repr(program) == f"{shown}{program.cost:.3g} cycles>"
    assert repr(target).startswith("<griotte.Target portable: ") and ", L1 " in repr(target)
    schedule = gt.schedule("matmul(f32[9,16], f32[16,4])", target).tile("m", 4)
    assert repr(schedule).startswith("<griotte.Schedule ") and repr(schedule).endswith(", 2 holes>")
    assert repr(gt.synthesize("exp(f32[<=8])", target, table="none")).startswith(
        "<griotte.DynamicProgram exp(f32[<=8])"
    )
    assert repr(gt.parse(LONG)).endswith(" .. -> f32[8,4]>") and len(repr(gt.parse(LONG))) < 140


MODEL = "model(\n  %x: f32[4,8],\n) {\n  %y = exp(%x) -> f32[4,8]\n  return y=%y\n}\n"
SHOWN = {
    "spec": lambda: gt.parse(SPEC),
    "outputs": lambda: gt.parse("outputs(exp(f32[8]), sum(f32[8]))"),
    "program": lambda: gt.synthesize(SPEC, table="none"),
    "dynamic program": lambda: gt.synthesize("softmax(f32[<=8,5])", table="none"),
    "kernel": lambda: gt.compile(SPEC, table="none"),
    "model": lambda: parse_graph(MODEL),
    "model's kernel": lambda: gt.compile(parse_graph(MODEL), table="none"),
}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_fragments_are_whole_and_need_nothing_else(shown):
    shown = shown()
    fragment = ElementTree.fromstring(shown._repr_html_())
    page = fragment.get("srcdoc", "")
    assert fragment.tag in ("div", "iframe") and not fragment.findall(".//script")
    assert page.startswith("<!doctype html>") and "Roofline" in page if fragment.tag == "iframe" else not page
    text = page or "".join(fragment.itertext())
    assert "f32[" in text and "src=" not in text.partition("C</h2>")[0]


def test_a_schedule_with_holes_is_shown_as_text():
    assert gt.schedule("exp(f32[8])", machine("portable"))._repr_html_() is None

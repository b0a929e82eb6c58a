"""Shares add up to the whole; the roofline is below the cost; the page needs nothing else."""

import re

import griotte as gt
import pytest
from griotte.compiler.reports.explain import CutTensor, headline, roofline
from griotte.compiler.reports.tree import tree
from griotte.support.errors import ToolchainError
from griotte.tools.commands.specs import facts
from machines import machine

SPECS = (
    "matmul(f32[64,64], f32[64,64])",
    "matmul(f32[37,19], f32[19,35])",
    "matmul(u8[12,40], s8[40,24]{0,1})",
    "matmul(f32[6,64], const f32[64,70]{0,1})",
    "exp(f32[1000])",
    "copy(f32[40,30]) -> f32[40,30]{0,1}",
    "sum(f32[20,30], axis=0)",
    "softmax(f32[9,40])",
    "gelu(add(matmul(f32[12,20], f32[20,32]), f32[32]))",
)


@pytest.fixture(
    scope="module",
    params=[(s, n) for s in SPECS for n in ("portable", "avx512")] + [("exp(f32[500,500])", "threads")],
    ids=str,
)
def program(request):
    text, name = request.param
    if name == "threads":
        return gt.synthesize(text, machine("portable"), threads=2, table="none")
    return gt.synthesize(text, machine(name), table="none")


def _lines(line):
    yield line
    for child in line.children:
        yield from _lines(child)


def test_own_costs_add_up_to_the_whole(program):
    lines = list(_lines(tree(program.root, program.target)))
    assert sum(line.own for line in lines if line.own is not None) == pytest.approx(program.cost, rel=1e-4)
    assert all(line.own >= -1e-4 * program.cost for line in lines if line.own is not None)


def test_nothing_costs_less_than_the_roofline(program):
    found = roofline(program)
    assert 0 < found.bound <= program.cost * 1.0001
    assert found.flops == program.spec.flops and found.bytes == program.spec.bytes


def test_the_report_has_all_its_parts(program):
    text = program.explain()
    assert (
        text.startswith(headline(program))
        and "roofline: " in text
        and re.search(r"space: .* Specs in \d+ families", text)
    )
    assert len(text.splitlines()) > len(program.report.text(2.0).splitlines()) or "loop" not in text


def test_headline():
    program = gt.synthesize("matmul(bf16[8,16], bf16[16,8]) -> f32[8,8]", machine("avx512"), table="none")
    assert re.fullmatch(
        r"matmul 8x8x16 bf16 bf16 -> f32, 1 thread, avx512   cost \d+ cycles, [\d.]+ x the (arithmetic|memory) bound",
        headline(program),
    )


def test_a_graph_is_called_as_it_was_stated():
    program = gt.synthesize("softmax(f32[9,40])", machine("avx512"), table="none")
    assert headline(program).startswith("softmax i0=9 i1=40 f32, 1 thread, avx512 ")
    small = gt.synthesize("exp(f32[8])", machine("portable"), table="none")
    assert "<h2>Graph</h2>" in program.report.page() and "<h2>Graph</h2>" not in small.report.page()


def test_a_leftover_over_threads_is_counted_once():
    program = gt.synthesize("exp(f32[100001])", machine("portable"), threads=2, table="none")
    lines = list(_lines(tree(program.root, program.target)))
    assert sum(line.own for line in lines if line.own is not None) == pytest.approx(program.cost, rel=1e-4)


def test_the_page_needs_nothing_else(program, tmp_path):
    program.to_html(tmp_path / "p.html")
    text = (tmp_path / "p.html").read_text()
    assert text.startswith("<!doctype html>") and not re.search(
        r"src\s*=|href=\"[^#]|@import|url\(", text.partition("<h2>C</h2>")[0]
    )
    assert text.count("<details") == text.count("</details>") and text.count("<div") == text.count("</div>")
    assert "restrict" in text


def test_a_page_that_cannot_be_written():
    program = gt.synthesize("exp(f32[8])", machine("portable"), table="none")
    with pytest.raises(ToolchainError, match="expected to write /proc/p.html"):
        program.to_html("/proc/p.html")


def test_a_large_graph_tells_where_it_is_cut():
    program = gt.synthesize(
        "matmul(matmul(matmul(f32[4,5], f32[5,6]), f32[6,7]), f32[7,8])", machine("portable"), table="none"
    )
    (cut,) = program.report.cuts  # a part has two products at most
    columns = cut.shape[1]
    assert (
        cut.shape == (4, columns)
        and cut.bytes == 16 * columns
        and f"buffer {cut.tensor} 4x{columns} f32" in str(program)
    )
    line = f"cut into 2 parts at {cut.tensor} 4x{columns} ({cut.bytes} B)"
    assert line in program.explain().splitlines() and line in program.report.page()
    assert facts(program)["cuts"] == [{"tensor": cut.tensor, "shape": cut.shape, "bytes": cut.bytes}]


def test_an_output_that_a_large_graph_is_cut_at_goes_by_its_name():
    program = gt.synthesize(
        "outputs(%z: matmul(matmul(f32[4,5], f32[5,6]), f32[6,7]), matmul(matmul(%z, f32[7,8]), f32[8,9]))",
        machine("portable"),
        table="none",
    )
    assert CutTensor("y0", (4, 7), 112) in program.report.cuts


def test_what_one_search_covers_is_not_cut(program):
    assert program.report.cuts == [] and "cut into" not in program.explain() and "cuts" not in facts(program)


EVERY_KIND = {
    "one search": "matmul(f32[6,4], f32[4,8])",
    "a graph": "softmax(matmul(f32[6,4], f32[4,8]), axis=-1)",
    "cut at whole arrays": "matmul(reshape(relu(f32[6,4])) -> f32[8,3], const f32[3,5])",
    "cut, with several outputs": "outputs(%a: reshape(exp(f32[2,3])) -> f32[3,2], mul(%a, %a))",
    "a dynamic size": "softmax(f32[<=8,5], axis=-1)",
    "nothing moves": "reshape(reshape(f32[2,3,4]) -> f32[24]) -> f32[4,2,3]",
}


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize("text", EVERY_KIND.values(), ids=EVERY_KIND)
def test_every_kind_of_program_is_explained(text, threads):
    program = gt.synthesize(text, "portable", threads, table="none")
    report = program.report
    assert program.explain() == report.text() and len(report.text(0.5)) <= len(report.text())
    assert "cost" in report.text().split("\n", 1)[0]
    assert "</html>" in report.page() and "</html>" in program._repr_html_().replace("&lt;", "<").replace("&gt;", ">")

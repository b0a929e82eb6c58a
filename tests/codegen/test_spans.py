"""Lines of a cache that are longer than those of x86, and larger pages: what threads write lies on lines of its own, a
program asks ahead once for each, and prices count them."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import griotte as gt
import numpy as np
import pytest
from griotte.engine.footprint import lines, pages, resident
from griotte.engine.table.keys import target_key
from griotte.lang.nests.access import Access
from griotte.lang.nests.family import Operand, given_layout
from griotte.lang.types.tensor import TensorType
from griotte.machine import Spans, measured
from griotte.machine.coefficients import COEFFICIENTS
from griotte.machine.machine import DEFAULTS, derive, per_line
from machines import machine

LONG = Spans(line=128, page=16384)


def written(text: str, spans: Spans, threads: int = 1) -> str:
    target = replace(machine("portable"), spans=spans)
    return gt.synthesize(text, target, threads=threads, table="none").to_c()


@pytest.mark.parametrize("line", [64, 128, 256])
def test_buffers_begin_on_a_line(line):
    source = written("matmul(softmax(matmul(f32[64,64], f32[64,64])), f32[64,64])", Spans(line=line))
    assert {*re.findall(r"_own\[\d+\] __attribute__\(\(aligned\((\d+)\)", source)} <= {f"{line}"}
    assert f"aligned({line})" in source


@pytest.mark.parametrize("line", [64, 128])
def test_the_parts_of_a_sum_that_threads_share_lie_on_lines_of_their_own(line):
    source = written("sum(f32[1000003])", Spans(line=line), threads=2)
    assert "griotte_share_out(2" in source
    elements = re.search(r"float parts_\w+_own\[(\d+)\]", source)
    assert elements and int(elements[1]) == 2 * line // 4


def test_long_lines_give_the_same_result():
    rng = np.random.default_rng(0)
    for text, sizes in (
        ("softmax(f32[33,1000])", [(33, 1000)]),
        ("matmul(f32[40,50], f32[50,60])", [(40, 50), (50, 60)]),
    ):
        target = replace(machine("portable"), spans=LONG)
        given = [rng.standard_normal(size, np.float32) for size in sizes]
        found = gt.synthesize(text, target, threads=2, table="none").compile()(*given)
        assert np.allclose(found, gt.interpret(gt.parse(text), *given), rtol=1e-4, atol=1e-5)


def test_a_known_machine_tells_its_lines_and_pages():
    known = {each.name: replace(each.prices.spans, named=Spans().named) for each in measured.known()}
    assert known.pop("apple-m1") == LONG
    assert {*known.values()} == {Spans()}


def test_a_target_of_usual_lines_is_known_as_before():

    target = machine("portable")
    assert target_key(replace(target, spans=Spans(64, 4096))) == target_key(target)
    assert target_key(replace(target, spans=LONG)) != target_key(target)


def rows_of(elements: int, spans: Spans) -> Operand:
    """Rows of f32 as an array that is given."""
    return Operand("f32", 2, given_layout(TensorType("f32", (64, elements), (1, 0)), spans=spans))


def test_rows_are_of_the_classes_of_the_machine():
    usual, long = ([rows_of(n, spans).layout for n in (16, 48, 1024, 4096)] for spans in (Spans(), LONG))
    assert [layout.split for layout in usual] == [False] * 4
    assert [layout.split for layout in long] == [True, True, False, False]  # 64 and 192 bytes are no whole lines
    assert [layout.far for layout in usual] == [False, False, True, True]
    assert [layout.far for layout in long] == [False, False, False, True]
    assert [layout.alias for layout in usual] == [0, 0, 4096, 4096]
    assert [layout.alias for layout in long] == [0, 0, 4096, 16384]


def test_lines_and_pages_are_counted_as_long_as_they_are():
    access, size = Access.of("k n"), {"k": 8, "n": 1024}
    assert [float(lines(access, rows_of(1024, spans), size, spans.line)) for spans in (Spans(), LONG)] == [512, 256]
    assert [float(pages(access, rows_of(1024, spans), size, spans)) for spans in (Spans(), LONG)] == [8, 2]
    narrow = {"k": 8, "n": 32}  # of rows a page apart: 8 of 4 KiB all begin on one set, of 16 KiB on four
    assert [float(resident(access, rows_of(1024, spans), narrow, spans)) for spans in (Spans(), LONG)] == [512, 256]
    assert float(resident(access, rows_of(4096, LONG), narrow, LONG)) == 8 * 128


@pytest.mark.parametrize("text", ["sum(f32[1048576])", "exp(f32[1048576])", "add(f32[64,4096], f32[64,4096])"])
def test_half_as_many_lines_at_twice_the_price_cost_the_same(text):
    target = replace(machine("portable"), prefetch=replace(machine("portable").prefetch, row=256))
    twice = per_line(target.coefficient, 128)
    long = replace(target, spans=Spans(128, 4096), coefficients=tuple(twice.items()))
    costs = [gt.synthesize(text, at, table="none").cost for at in (target, long)]
    assert costs[1] == pytest.approx(costs[0], rel=1e-3)


def test_what_a_machine_does_not_say_is_known_for_its_lines():
    usual, long = derive({}, 4096), derive({}, 4096, 128)
    for name, cycles in usual.coefficients.items():
        is_by_line = name.split(".")[0] in "line stream store result late crowded nontemporal".split()
        assert long.coefficients[name] == pytest.approx(cycles * (2 if is_by_line else 1)), name
    assert per_line(COEFFICIENTS, 64) == COEFFICIENTS and derive({}) == derive(DEFAULTS)


# what is 64 bytes on every machine: the unit that two numbers are told in, and what buffers are aligned to
ALIGNED = {
    "engine/cost/traffic.py",
    "engine/leaves/matrix/price.py",
    "engine/program/sequence.py",
    "engine/program/view.py",
}


def test_no_price_counts_lines_of_another_machine():
    root = Path(gt.__file__).parent
    files = [*root.glob("engine/**/*.py"), *root.glob("compiler/**/*.py"), *root.glob("models/**/*.py")]
    found = {
        path.relative_to(root).as_posix()
        for path in files
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").endswith("nests.family")
        and {"LINE", "PAGE"} & {name.name for name in node.names}
    }
    assert found == ALIGNED | {"engine/vectors/library.py", "models/custom/pooled.py", "models/program.py"}

"""Lines of a cache that are longer than those of x86: what threads write lies on lines of its own, and a program asks
ahead once for each."""

import re
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.engine.table.keys import target_key
from griotte.machine import Spans, measured
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
    known = {each.name: each.prices.spans for each in measured.known()}
    assert known.pop("apple-m1") == LONG
    assert {*known.values()} == {Spans()}


def test_a_target_of_usual_lines_is_known_as_before():

    target = machine("portable")
    assert target_key(replace(target, spans=Spans(64, 4096))) == target_key(target)
    assert target_key(replace(target, spans=LONG)) != target_key(target)

"""The roofline as a plot: its numbers are those of the words beside it, and all of it lies on the drawing."""

from __future__ import annotations

from xml.etree import ElementTree

import griotte as gt
import pytest
from griotte.compiler.reports.ceilings import HEIGHT, WIDTH, Slope, ceilings, plot
from griotte.compiler.reports.explain import roofline
from machines import machine

SPECS = {
    "arithmetic": "matmul(f32[64,64], f32[64,64])",
    "memory": "add(f32[2000,2000], f32[2000])",
    "one row": "matmul(f32[1,2048], f32[2048,512])",
    "a graph": "softmax(matmul(f32[24,16], const f32[16,40]))",
    "tiny": "exp(f32[1])",
}


@pytest.mark.parametrize("text", SPECS.values(), ids=SPECS)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_plot_says_what_the_words_say(text, threads):
    program = gt.synthesize(text, machine("avx2"), threads=threads, table="none")
    found, bound = ceilings(program), roofline(program)
    assert found.peak == pytest.approx(bound.flops / bound.arithmetic)
    assert found.reached == pytest.approx(bound.flops / program.cost)
    assert found.slopes[-1].level == found.binding == bound.level
    rates = [slope.bytes for slope in found.slopes]
    assert rates == sorted(rates, reverse=True) and found.reached <= found.peak * (1 + 1e-9)


@pytest.mark.parametrize("text", SPECS.values(), ids=SPECS)
def test_all_of_it_lies_on_the_drawing(text):
    program = gt.synthesize(text, machine("avx2"), table="none")
    drawn = ElementTree.fromstring(plot(ceilings(program)))
    space = "{http://www.w3.org/2000/svg}"
    for each in (*drawn.iter(f"{space}text"), *drawn.iter(f"{space}circle")):
        x, y = (float(each.get(key) or each.get(f"c{key}")) for key in "xy")
        assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT
    said = " ".join(drawn.itertext())
    assert "of the roof" in said and all(f"{slope.level}: " in said for slope in ceilings(program).slopes)


def test_what_does_no_arithmetic_has_none():
    assert ceilings(gt.synthesize("transpose(f32[8,4])", machine("portable"), table="none")) is None


def test_a_slope_is_bytes_a_cycle():
    """Two threads have twice as much of each."""
    one, two = (
        ceilings(gt.synthesize("add(f32[2000,2000], f32[2000])", machine("avx2"), threads=n, table="none"))
        for n in (1, 2)
    )
    assert two.slopes == tuple(Slope(slope.level, 2 * slope.bytes) for slope in one.slopes)

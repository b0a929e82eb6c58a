"""Convolutions in C as they are cheapest, and drawn from the space: results that are turned, borders, every size of what is left over."""

import numpy as np
import pytest
from features import skip_without
from generated_harness import Case, run
from griotte.frontends.text import parse
from griotte.program.nodes import KernelCall, Move, walk
from griotte.spec import compare, random_arrays
from griotte.synthesis import synthesize
from machines import machine
from rewriting import Programs

TURNED = (  # channels are lanes; rows of the result of 4 and more are turned in registers
    "conv2d(f32[1,3,6,{n}], const f32[20,3,3,3], padding=1)",
    "conv2d(bf16[1,2,5,{n}], const bf16[17,2,3,3], padding=1, stride=2)",
)


def lanes_of(root) -> set[str]:
    return {node.lane for node in walk(root) if isinstance(node, KernelCall) and node.kernel.startswith("multiply_add")}


@pytest.mark.parametrize("text", TURNED)
def test_results_of_every_length_are_turned_right(text, tmp_path):
    target, cases = machine("portable"), []
    for n in (3, 4, 5, 8, 9, 17):
        spec = parse(text.format(n=n))
        cases.append(Case(synthesize(spec, target).root, spec, tuple(random_arrays(spec, np.random.default_rng(n), True))))
    assert any("i0" in lanes_of(c.root) for c in cases)
    for c, result in zip(cases, run(cases, target, tmp_path)):
        _, ok, complaint = compare(c.spec, c.arrays, result)
        assert ok, f"{c.spec}: {complaint}"


@pytest.mark.parametrize("seed", range(3))
def test_convolutions_drawn_from_the_space_are_right(seed, tmp_path):
    rng, cases, target = np.random.default_rng(seed), [], machine("two")
    for text in ("conv2d(f32[1,2,4,7], f32[5,2,3,3], padding=1)", "conv2d(f32[2,3,5,6], f32[3,1,3,2], groups=3, padding=(2,1), stride=(2,1))", "max_pool2d(s8[1,2,5,6], window=3, stride=2, padding=1)"):
        spec = parse(text)
        cases.append(Case(Programs(spec, target).draw(rng, int(rng.integers(3, 9))), spec, tuple(random_arrays(spec, rng, True))))
    for c, result in zip(cases, run(cases, target, tmp_path)):
        _, ok, complaint = compare(c.spec, c.arrays, result)
        assert ok, f"{c.spec}: {complaint}"


def test_a_border_is_copied_where_its_tiles_are(tmp_path):
    """Over two threads each copies its rows, and the row beside them that the other has too."""
    skip_without(machine("avx2").features)
    program = synthesize("conv2d(f32[1,8,32,32], const f32[16,8,3,3], padding=1)", machine("avx2"), threads=2)
    assert any(isinstance(node, Move) and node.copy is not None and not node.to.layout.panel for node in walk(program.root))
    spec, arrays = program.spec, random_arrays(program.spec, np.random.default_rng(0))
    _, ok, complaint = compare(spec, arrays, program.compile()(*arrays))
    assert ok, complaint

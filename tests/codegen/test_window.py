"""Convolutions in C as they are cheapest, and drawn from the space: results that are turned, borders, every size of
what is left over."""

import numpy as np
import pytest
from checked import agrees
from features import skip_without
from generated_harness import Case, assert_right
from griotte import synthesize
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import execute
from griotte.engine.program.nodes import Hole, KernelCall, Move, walk
from griotte.engine.rewrites import child_state
from griotte.engine.rewrites.move import move_edges
from griotte.engine.search.problem import problem
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import dtype
from hypothesis import given
from hypothesis import strategies as st
from machines import machine
from rewriting import Programs, tile_arrays
from spaces import by_turns
from strategies import examples, seeds

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
        cases.append(Case.drawn(synthesize(spec, target).root, spec, n))
    assert any("i0" in lanes_of(c.root) for c in cases)
    assert_right(cases, target, tmp_path)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_convolutions_drawn_from_the_space_are_right(seed, tmp_path):
    rng, cases, target = np.random.default_rng(seed), [], machine("two")
    for text in (
        "conv2d(f32[1,2,4,7], f32[5,2,3,3], padding=1)",
        "conv2d(f32[2,3,5,6], f32[3,1,3,2], groups=3, padding=(2,1), stride=(2,1))",
        "max_pool2d(s8[1,2,5,6], window=3, stride=2, padding=1)",
    ):
        spec = parse(text)
        cases.append(
            Case(Programs(spec, target).draw(rng, int(rng.integers(3, 9))), spec, tuple(random_arrays(spec, rng, True)))
        )
    assert_right(cases, target, tmp_path)


def test_a_border_is_copied_where_its_tiles_are(tmp_path):
    """Over two threads each copies its rows, and the row beside them that the other has too."""
    skip_without(machine("avx2").features)
    program = synthesize("conv2d(f32[1,8,32,32], const f32[16,8,3,3], padding=1)", machine("avx2"), threads=2)
    assert any(
        isinstance(node, Move) and node.copy is not None and not node.to.layout.panel for node in walk(program.root)
    )
    spec, arrays = program.spec, random_arrays(program.spec, np.random.default_rng(0))
    agrees(spec, arrays, program.compile()(*arrays))


# the tile that is copied, with its border, has what a dot instruction eats together side by side, in rows along c
DOTS = (
    "conv2d({x}[1,{c},9,{n}], const {w}[33,{c},3,3], padding=1)",
    "conv2d({x}[2,{c},5,{n}], const {w}[16,{c},3,3], padding=(1,2), stride=2)",
    "conv2d({x}[1,{c},6,{n}], {w}[20,{c},1,1], stride=2)",
    "conv2d({x}[1,{c},6,{n}], const {w}[20,{c},2,1])",
)


def turned_copies(root) -> list[Move]:
    """Copies of x whose rows lie along another dimension than before."""
    return [
        node
        for node in walk(root)
        if isinstance(node, Move)
        and node.copy is not None
        and node.operand == 0
        and node.state.family.turned(0, node.to.layout)
    ]


@pytest.mark.parametrize("name, types", by_turns(("avx2", "avx512"), (("s8", "s8"), ("u8", "s8"), ("bf16", "bf16"))))
def test_dot_instructions_run_along_channels(name, types, tmp_path):
    """Extremes of 8 bits, and channels that are no whole groups; images narrower than a square, as wide, and wider."""
    target, cases, rng, (x, w) = machine(name), [], np.random.default_rng(0), types
    skip_without(target.features)
    for text, (c, n) in zip(DOTS, ((18, 17), (5, 3), (35, 21), (6, 16))):
        spec = parse(text.format(x=x, w=w, c=c, n=n))
        arrays = [rng.choice(np.array(EXTREMES[t.dtype], dtype(t.dtype).numpy), t.shape) for t in spec.inputs]
        cases.append(Case(synthesize(spec, target).root, spec, tuple(arrays)))
    assert x == "bf16" or any(
        turned_copies(c.root) for c in cases
    )  # what dot instructions of bf16 take, and whether there are any, differs too much by machine
    assert_right(cases, target, tmp_path)


EXTREMES = {"u8": (0, 1, 254, 255), "s8": (-128, -127, 1, 127), "bf16": (-3.0, 0.5, 2.0, 96.0)}


@examples(25)
@given(st.integers(1, 9), st.integers(4, 21), st.integers(1, 2), st.integers(0, 2), seeds)
def test_a_copy_into_rows_along_channels_keeps_the_meaning(channels, width, stride, padding, seed):
    target = machine("avx512")
    spec = canonical_form(
        parse(
            f"conv2d(u8[1,{channels + 1},6,{width + 2}], s8[3,{channels + 1},2,3], stride={stride}, padding={padding})"
        )
    )
    start = problem(spec, target)
    state = State(start.goal, tuple(start.sizes[d] for d in start.goal.operation.dims))
    rng = np.random.default_rng(seed)
    turned = [
        e.rewrite
        for e in move_edges(state.family, target)
        if e.rewrite.operand == 0 and state.family.turned(0, e.rewrite.to.layout)
    ]
    assert turned, "expected a copy of x into rows along c"
    arrays = tile_arrays(state, rng)
    expected = [a.copy() for a in arrays]
    execute(Hole(state), expected)
    children = tuple(Hole(child_state(child, state)) for child in turned[0].edge(state.family, target).children)
    execute(turned[0].node(state, children, None), arrays, target)
    assert np.array_equal(arrays[-1], expected[-1])


def test_groups_are_offered_along_channels_and_along_columns_alone():
    """A row of x is side by side with no other: groups along the rows of a window would be paired with nothing."""
    target = machine("avx512")
    start = problem(canonical_form(parse("conv2d(u8[1,5,6,7], s8[20,5,3,3])")), target)
    groups = {
        m.to.layout.group[0]
        for m in (e.rewrite for e in move_edges(start.goal, target))
        if m.operand == 1 and m.to.layout.group
    }
    assert {str(start.goal.access(1).axes[axis][0][0]) for axis in groups} == {"i3", "i5"}

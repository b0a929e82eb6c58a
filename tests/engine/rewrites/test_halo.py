"""Halo: blocks of rows, each with the rows of what is between that its windows meet, mean what all rows at once
mean."""

from dataclasses import replace
from math import isclose

import griotte as gt
import numpy as np
import pytest
from brute_force import equals_brute_force
from checked import like_reference
from generated_harness import Case, assert_right
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.idioms.halo import BLOCK
from griotte.engine.program.interpret import execute, interpret
from griotte.engine.program.nodes import Alias, Block, Hole, walk
from griotte.engine.rewrites import Batch, DoesNotApply, Halo, Joint, applied, edges, shared_grids, shared_tiles
from griotte.engine.rewrites import halo as rewrite
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import problem
from griotte.lang.calls.spec import Spec
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import Layout, State
from griotte.lang.nests.pending import BlockRows, WholeExtents
from griotte.support.errors import NoProgramError
from hypothesis import assume, given
from hypothesis import strategies as st
from machines import machine, with_prices
from rewriting import tile_arrays, without_batch

TARGET = machine("avx2")


def goal(spec: Spec | str) -> State:
    """The Spec of a goal, known to be of whole arrays, with its constants as they are given."""
    canonical = canonical_form(gt.parse(spec) if isinstance(spec, str) else spec)
    start = problem(canonical, TARGET)
    graph = start.goal.operation
    return State(
        replace(start.goal, operation=graph.annotated(WholeExtents(canonical.sizes)), ahead=()),
        canonical.sizes,
    )


def whole(state: State) -> State:
    """It told to be cut, with its batch dimensions taken off."""
    return without_batch(state, TARGET)


def in_blocks(state: State, rows: int) -> State:
    """The Spec that is to be cut into blocks of so many rows, and nothing else."""
    return whole(Joint((rows,)).leaves(state, TARGET)[0])


def by_blocks(told: State, rows: int):
    """A program of blocks, one by one, each by the reference."""
    halo = Halo(rows)
    return applied(halo, told, TARGET, tuple(one_by_one(part) for part in halo.leaves(told, TARGET)))


def one_by_one(part: State):
    if BLOCK not in part.family.batch:
        return Hole(part)
    batch = Batch(BLOCK)
    return applied(batch, part, TARGET, tuple(map(Hole, batch.leaves(part, TARGET))))


@st.composite
def windows(draw, x, channels: int):
    """Windows of some kind over x, and how many channels they give."""
    k, stride = draw(st.sampled_from([1, 2, 3, 4])), draw(st.sampled_from([1, 1, 2, 3]))
    kind = draw(st.sampled_from(["conv2d", "depthwise", "max_pool2d", "avg_pool2d"]))
    if kind in ("max_pool2d", "avg_pool2d"):
        return (
            getattr(gt, kind)(x, window=(k, 2), stride=(stride, 1), padding=(draw(st.integers(0, k // 2)), 0)),
            channels,
        )
    dilation, padding = draw(st.sampled_from([1, 2])), draw(st.integers(0, 2))
    if kind == "depthwise":
        return (
            gt.conv2d(
                x,
                gt.tensor((channels, 1, k, 1), constant=True),
                stride=(stride, 1),
                padding=(padding, 0),
                dilation=(dilation, 1),
                groups=channels,
            ),
            channels,
        )
    more = draw(st.integers(1, 3))
    return (
        gt.conv2d(
            x,
            gt.tensor((more, channels, k, 2), constant=True),
            stride=(stride, 1),
            padding=(padding, 1),
            dilation=(dilation, 1),
        ),
        more,
    )


@st.composite
def graphs(draw):
    """A chain of windows over windows, maps between them, and perhaps a shortcut to the first or the last of them."""
    channels, height = draw(st.integers(1, 2)), draw(st.integers(6, 23))
    x = gt.tensor((draw(st.sampled_from([1, 2])), channels, height, 7), name="x")
    y = x
    for _ in range(draw(st.integers(2, 3))):
        y, channels = draw(windows(y, channels))
        y = gt.relu(y) if draw(st.booleans()) else y
    other = x if draw(st.booleans()) else draw(windows(x, x.shape[1]))[0]
    shape = other.shape if other is x else other.output.shape
    return gt.add(y, other) if shape == y.output.shape and draw(st.booleans()) else y


@given(data=st.data(), seed=st.integers(0, 99))
def test_blocks_of_rows_mean_the_same(data, seed):
    try:
        state = goal(data.draw(graphs()))
    except gt.SpecError:  # a window that is larger than what it slides over
        assume(False)
    assume(not state.family.operation.is_lone)
    found = rewrite.rows_of(state.family)
    assume(found is not None and found.extent > 1)
    rows = data.draw(st.integers(1, found.extent - 1))
    assume(found.is_sound(rows))
    told = in_blocks(state, rows)
    before = tile_arrays(told, np.random.default_rng(seed))
    after = [a.copy() for a in before]
    execute(Hole(told), before)
    node = by_blocks(told, rows)
    assert isinstance(node, Block)
    execute(node, after)
    np.testing.assert_array_equal(after[-1], before[-1])


def inverted(
    rows: int, stride: int = 1, window: int = 3, dilation: int = 1, images: int = 1, shortcut: bool = True
) -> Spec:
    """1x1, depthwise, 1x1 and a shortcut, as in MobileNetV2."""
    x = gt.tensor((images, 4, rows, 9), name="x")
    first, between, last = (
        gt.tensor(shape, constant=True) for shape in ((12, 4, 1, 1), (12, 1, window, window), (4, 12, 1, 1))
    )
    padding = (window - 1) // 2 * dilation
    inner = gt.conv2d(
        gt.relu(gt.conv2d(x, first)), between, stride=stride, padding=padding, dilation=dilation, groups=12
    )
    y = gt.conv2d(gt.relu(inner), last)
    return gt.add(y, x) if shortcut else y


STEM = (
    "max_pool2d(relu(conv2d(f32[1,3,29,22], const f32[8,3,7,7], stride=2, padding=3)), window=3, stride=2, padding=1)"
)
RESIDUAL = (
    "relu(add(conv2d(relu(conv2d(%x: f32[1,4,11,9], const f32[4,4,3,3], padding=1)), const f32[4,4,3,3], padding=1),"
    " %x))"
)
WAYS = [
    (inverted(13), 4),
    (inverted(13, images=2), 3),
    (inverted(14, stride=2, shortcut=False), 2),
    (inverted(11, window=5, dilation=2), 1),
    (gt.parse(STEM), 3),
    (gt.parse(RESIDUAL), 5),
    (
        gt.parse(
            "conv2d(max_pool2d(conv2d(f32[1,2,17,9], f32[3,2,3,3], padding=1), window=3, stride=1, padding=1),"
            " f32[4,3,3,3], padding=1)"
        ),
        4,
    ),
    (
        gt.parse(
            "conv2d(relu(conv2d(f32[1,4,17,9]{1,3,2,0}, const f32[8,4,1,1])) -> f32[1,8,17,9]{1,3,2,0}, const"
            " f32[8,1,3,3], padding=1, groups=8) -> f32[1,8,17,9]{1,3,2,0}"
        ),
        5,
    ),
]


def by_hand(spec: Spec, rows: int) -> gt.Program:
    return gt.synthesize(gt.schedule(spec, machine("portable")).halo(rows), table="none")


@pytest.mark.parametrize("spec, rows", WAYS)
def test_the_c_of_blocks_by_hand_is_right(spec, rows):
    kernel = by_hand(spec, rows).compile()
    for seed in range(2):
        arrays = random_arrays(spec, np.random.default_rng(seed), seed == 1)
        assert compare(spec, arrays, kernel(*arrays))[1]


def test_so_it_is_under_sanitizers(tmp_path):
    cases = [Case.drawn(by_hand(spec, rows).root, spec, seed) for seed, (spec, rows) in enumerate(WAYS)]
    assert_right(cases, machine("portable"), tmp_path)


def test_nests_that_share_a_dimension_need_rows_of_their_own():
    """What a shortcut reads as it is, and windows meet with a halo: one input, seen twice."""
    told = in_blocks(goal(inverted(13)), 4)
    top, middle, bottom = Halo(4).leaves(told, TARGET)
    assert [part.size["rows0"] for part in (top, middle, bottom)] == [4, 4, 1]
    assert [part.size["rows1"] for part in (top, middle, bottom)] == [5, 6, 2]
    assert middle.size[BLOCK] == 2 and middle.family.batch == (BLOCK,)
    assert len(top.family.operands) == len(told.family.operands) + 1


def test_blocks_that_are_alike_are_one_family():
    """The first has a border, those in between have none; those of another number of rows are of the same families."""
    state = goal(inverted(40, shortcut=False))
    told = replace(
        state, family=replace(state.family, operation=state.family.operation.annotated(BlockRows((0, 8, 4))))
    )
    eight, four = ([part.family for part in Halo(rows).leaves(told, TARGET)] for rows in (8, 4))
    assert eight[0] == four[0] and eight[2] == four[2]
    assert (
        Batch(BLOCK).edge(eight[1], TARGET).children[0].family == Batch(BLOCK).edge(four[1], TARGET).children[0].family
    )


def test_rows_in_panels_are_not_cut_into_blocks():
    state = whole(goal(inverted(40, shortcut=False)))
    told = replace(state.family, operation=state.family.operation.annotated(BlockRows((0, 8, 4))))
    image = told.operands[0]
    axis = next(
        axis
        for axis, terms in enumerate(told.access(0).axes)
        if any(d == rewrite.rows_of(told).needs[0].dim for d, _ in terms)
    )
    packed = told.with_operand(
        0, replace(image, layout=Layout((axis, *(a for a in image.layout.order if a != axis)), panel=(axis, 6)))
    )
    assert [edge.rewrite.rows for edge in rewrite.halo_edges(told, TARGET)] == [0, 8, 4]
    assert [edge.rewrite.rows for edge in rewrite.halo_edges(packed, TARGET)] == [0]
    with pytest.raises(DoesNotApply, match="expected rows as they are given, found panels along them"):
        Halo(8).edge(packed, TARGET)


@pytest.mark.parametrize(
    "text",
    [
        "max_pool2d(relu(conv2d(f32[1,3,12,12], f32[4,3,3,3], padding=1)))",  # windows side by side: a loop cuts those
        "conv2d(exp(softmax(f32[1,3,12,12])), f32[4,3,3,3])",
        "softmax(matmul(f32[16,8], f32[8,16]))",
        "outputs(%t: conv2d(f32[1,3,12,12], f32[4,3,3,3], padding=1), max_pool2d(%t, window=3, stride=1))",
    ],
)
def test_not_where_there_is_no_halo(text):
    state = goal(text)
    assert not any(isinstance(edge.rewrite, (Halo, Joint)) for edge in edges(state.family, TARGET))


def test_what_cannot_pay_is_not_offered():
    """Where both arrays fit what is nearest, or what is computed twice takes longer than the lines that are saved."""
    for text in (STEM, RESIDUAL):
        assert BlockRows.of(problem(canonical_form(gt.parse(text)), TARGET).goal.operation) == ()
    assert BlockRows.of(problem(canonical_form(DEPTHWISE), SMALL_L3).goal.operation)


SMALL_L3 = replace(
    TARGET, levels=tuple(replace(level, capacity=4 << 20) if level.name == "L3" else level for level in TARGET.levels)
)
DEPTHWISE = gt.parse(
    "relu(conv2d(relu(conv2d(f32[1,16,112,112], const f32[240,16,1,1])), const f32[240,1,3,3], padding=1, groups=240))"
)


@pytest.mark.parametrize(
    "rows, why",
    [(112, "expected blocks of 1..111 rows of 112, found 112"), (-1, "found -1")],
)
def test_rows_of_a_block_that_there_are_not_are_refused(rows, why):
    with pytest.raises(NoProgramError, match=why):
        gt.schedule(DEPTHWISE, TARGET).halo(rows)


def test_a_graph_without_windows_over_what_it_gives_is_refused():
    with pytest.raises(DoesNotApply, match="windows over what one of its nests gives"):
        gt.schedule("softmax(f32[40,40])", TARGET).halo(8)
    with pytest.raises(DoesNotApply, match="expected a graph of whole arrays"):
        gt.schedule("matmul(f32[40,40], f32[40,40])", TARGET).halo(8)
    with pytest.raises(NoProgramError, match="does not apply"):
        gt.schedule(inverted(13), TARGET).tile("d15", 2).halo(4)


def test_a_schedule_goes_on_within_blocks():
    spec = gt.parse("conv2d(relu(conv2d(f32[1,4,13,9], f32[12,4,1,1])), f32[12,1,3,3], padding=1, groups=12)")
    schedule = gt.schedule(spec, "portable").halo(4)
    assert [hole.state.size["rows0"] for hole in schedule.holes] == [4, 4, 1]
    program = gt.synthesize(schedule.at(0).tile("o", 3), table="none")
    arrays = random_arrays(spec, np.random.default_rng(0))
    like_reference(program, arrays, atol=1e-4)


@pytest.fixture
def always(monkeypatch):
    """Blocks of a half of the rows and of a quarter are offered, even where they do not pay."""

    def blocks(family, target):
        found = rewrite.rows_of(family)
        return (
            ()
            if found is None
            else tuple(
                rows
                for rows in dict.fromkeys((-(-found.extent // 2), -(-found.extent // 4)))
                if rows < found.extent and found.is_sound(rows)
            )
        )

    monkeypatch.setattr(rewrite, "blocks", blocks)


SMALL = [
    ("two", "max_pool2d(conv2d(f32[1,1,6,2], f32[1,1,2,1]), window=(3,1), stride=1)"),
    ("narrow", "relu(max_pool2d(conv2d(f32[1,1,4,2], f32[2,1,1,1]), window=(3,1), stride=1, padding=(1,0)))"),
    (
        "plain",
        "max_pool2d(max_pool2d(f32[1,1,9,2], window=(2,1), stride=1), window=(3,1), stride=(2,1), padding=(1,0))",
    ),
    (
        "scarce",
        (
            "add(max_pool2d(relu(max_pool2d(%x: f32[1,1,5,2], window=(3,1), stride=1, padding=(1,0))), window=(3,1),"
            " stride=1, padding=(1,0)), %x)"
        ),
    ),
]


@pytest.mark.parametrize("name, text", SMALL)
def test_the_solver_equals_brute_force(name, text, always):
    start = equals_brute_force(canonical_form(gt.parse(text)), machine(name))
    assert any(BlockRows.of(start.goal.operation))


@pytest.mark.parametrize("name, text", SMALL[::2])
def test_so_it_does_over_threads(name, text, always):
    target = machine(name)
    target = with_prices(target, fork=0.0)
    start = problem(canonical_form(gt.parse(text)), target, 2)
    least = Oracle(target, start.home, start.ladders).least(start.goal, start.sizes, 2)
    assert isclose(gt.synthesize(text, target, 2, "none").cost, least, rel_tol=1e-5)


def test_the_search_cuts_blocks_and_says_so(tmp_path):
    text = "relu(conv2d(relu(conv2d(f32[1,4,64,64], const f32[32,4,1,1])), const f32[32,1,3,3], padding=1, groups=32))"
    levels = (
        TARGET.levels[0],
        *(
            replace(level, capacity=capacity)
            for level, capacity in zip(TARGET.levels[1:], (8 << 10, 64 << 10, 128 << 10))
        ),
        TARGET.levels[-1],
    )
    each_window = replace(TARGET.writing, swept=0)  # rows that are read once for all windows leave less to gain
    target = replace(TARGET, levels=levels, panel_vectors=(1,), writing=each_window)
    program = gt.synthesize(text, target, table="none")
    halo = next(node for node in walk(program.root) if isinstance(node.rewrite, Halo))
    assert isinstance(program.root, Alias) and isinstance(program.root.rewrite, Joint)
    assert (
        f"by {halo.rewrite.rows}, each with the rows of what is between" in str(program)
        and f"by {halo.rewrite.rows}, each with" in program.explain()
    )
    spec = gt.parse(text)
    arrays = random_arrays(spec, np.random.default_rng(2))
    assert compare(spec, arrays, interpret(program.root, spec, *arrays))[1]
    program.to_picture(tmp_path / "picture.svg")


def test_threads_share_blocks_that_are_alike(always):
    text = "max_pool2d(relu(conv2d(f32[1,4,41,16], const f32[8,4,3,3], padding=1)), window=3, stride=2, padding=1)"
    target = with_prices(machine("portable"), fork=0.0)
    middle = Halo(5).leaves(in_blocks(goal(text), 5), target)[1]
    assert (BLOCK,) in shared_grids(middle.family, middle.size, False)
    assert shared_tiles(middle.family, BLOCK, middle.size[BLOCK], [1, 2], 2) == [1]
    program, spec = gt.synthesize(text, target, 2, "none"), gt.parse(text)
    arrays = random_arrays(spec, np.random.default_rng(3))
    like_reference(program, arrays, atol=1e-4)


def test_the_k_best_cost_what_they_say(always):
    program = gt.synthesize(SMALL[0][1], machine("two"), table="none")
    costs = [found.cost for found in program.alternatives(40)]
    assert costs == sorted(costs) and any(
        isinstance(node.rewrite, Halo) for found in program.alternatives(40) for node in walk(found.root)
    )

"""Skip: blocks of rows over the columns that they see mean what all of them meant."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from checked import like_reference
from griotte.engine.idioms.causal import causal_structure
from griotte.engine.program.interpret import execute
from griotte.engine.program.nodes import Alias, Block, Hole, walk
from griotte.engine.rewrites import DoesNotApply, Skip, applied, edges
from griotte.engine.rewrites.skip import blocks
from griotte.lang.nests.family import Layout, State
from griotte.lang.text.text import parse
from griotte.support.errors import NoProgramError
from hypothesis import given
from hypothesis import strategies as st
from machines import machine
from rewriting import filled, whole, without_batch

TARGET = machine("avx512")


def goal(text: str) -> State:
    """The Spec of a goal with its batch dimensions taken off."""
    return without_batch(whole(text, TARGET), TARGET)


@given(
    s=st.integers(40, 150),
    more=st.integers(-20, 40),
    heads=st.sampled_from([2, 3]),
    mask=st.booleans(),
    seed=st.integers(0, 99),
)
def test_blocks_of_rows_mean_the_same(s, more, heads, mask, seed):
    t = s + more
    state = goal(
        f"attention(f32[{heads},{s},4], f32[{heads},{t},4], f32[{heads},{t},3],"
        f" causal=true{f', mask=f32[{s},{t}]' if mask else ''})"
    )
    found = causal_structure(state.family.operation)
    for rows in (0, *blocks(found)):
        before = filled(state, np.random.default_rng(seed))
        after = [a.copy() for a in before]
        execute(Hole(state), before)
        skip = Skip(rows)
        node = applied(skip, state, TARGET, tuple(map(Hole, skip.leaves(state, TARGET))))
        assert isinstance(node, Block if rows else Alias)
        execute(node, after)
        np.testing.assert_allclose(after[-1], before[-1], rtol=1e-4, atol=1e-5)


def test_rows_of_a_block_that_there_are_not_are_refused():
    state = goal("attention(f32[2,40,8], f32[2,40,8], f32[2,40,8], causal=true)")
    with pytest.raises(DoesNotApply, match="expected 0 or 32 rows at a time, found 7"):
        Skip(7).edge(state.family, TARGET)
    with pytest.raises(DoesNotApply, match="causal mask"):
        Skip(16).edge(goal("softmax(f32[40,40])").family, TARGET)


@pytest.mark.parametrize("width, offered", [(16, [0, 32]), (24, [0])])
def test_blocks_begin_where_panels_of_queries_do(width, offered):
    state = goal("attention(f32[2,40,8], f32[2,40,8], f32[2,40,8], causal=true)")
    queries = next(i for i, access in enumerate(state.family.operation.inputs) if access.dims == {"m", "k"})
    axis = state.family.access(queries).axis_of("m")
    old = state.family.operands[queries]
    packed = state.family.with_operand(
        queries, replace(old, layout=Layout((axis, *(a for a in old.layout.order if a != axis)), panel=(axis, width)))
    )
    assert [edge.rewrite.rows for edge in edges(packed, TARGET)] == offered


def test_a_schedule_says_what_is_skipped_before_all_else():
    spec = parse("attention(f32[1,64,8], f32[1,64,8], f32[1,64,8], causal=true)")
    with pytest.raises(NoProgramError, match="skip by 32"):
        gt.schedule(spec, "avx512").tile("m", 16)
    schedule = gt.schedule(spec, "avx512").skip(32)
    assert [dict(hole.state.size)["n"] for hole in schedule.holes] == [32, 64]


@pytest.mark.parametrize(
    "text, threads",
    [
        ("attention(f32[2,48,8], f32[2,48,8], f32[2,48,8], causal=true)", 1),
        ("attention(f32[2,70,8], f32[2,75,8], f32[2,75,8], causal=true)", 2),
    ],
)
def test_the_search_skips_what_is_hidden(text, threads):
    spec = parse(text)
    program = gt.synthesize(spec, target="portable", threads=threads, table="none")
    assert any(isinstance(node.rewrite, Skip) and node.rewrite.rows for node in walk(program.root))
    like_reference(program)


def test_threads_share_the_blocks_of_one_head():
    spec = parse("attention(f32[1,70,8], f32[1,75,8], f32[1,75,8], causal=true)")
    program = gt.synthesize(spec, target="portable", threads=2, table="none")
    like_reference(program)

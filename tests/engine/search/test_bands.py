"""Programs for every size of two dimensions that have one: bands of rows, none of them far from the best."""

from itertools import accumulate

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Bands, Block, Loop, walk
from griotte.engine.rewrites.batch import off
from griotte.engine.rewrites.bufferize import Bufferize
from griotte.engine.search.bands import LEFT
from griotte.engine.search.graph import reach
from griotte.engine.search.ladder import band_heights
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.sizes import SLACK
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.text.text import parse
from machines import machine, with_prices
from sizes import mean_the_spec

ATTENTION = "attention(f32[2,<=7,4], f32[2,<=7,4], f32[2,<=7,4])"
CASES = (
    (ATTENTION, "avx2", 1),
    (ATTENTION, "avx2", 2),
    ("attention(f32[4,<=5,4], f32[2,<=5,4], f32[2,<=5,3], mask=pred[<=5,<=5])", "avx2", 1),
    ("matmul(f32[<=9,4], f32[4,<=9])", "two", 1),
    ("softmax(matmul(%x: f32[<=9,4], transpose(%x)))", "avx2", 2),
    ("sum(f32[<=9,<=9], axis=0)", "narrow", 1),
    ("add(f32[<=9,1], f32[1,<=9])", "two", 1),
    ("matmul(f32[<=6,<=6,4], f32[<=6,4,5])", "two", 2),
)


@pytest.mark.parametrize("text, name, threads", CASES)
def test_every_size_has_a_program_that_means_the_spec(text, name, threads):
    spec, target = parse(text), machine(name)
    program = gt.synthesize(spec, target, threads, table="none")
    bound = spec.dynamic.bound
    assert sorted(n for sizes, _ in program.groups for n in sizes) == list(range(1, bound + 1))
    mean_the_spec(program, spec, target, range(1, bound + 1))


def test_no_size_costs_much_more_than_bands_of_the_best_height():
    """Each size as one kind of bands first, and lower ones of what is left: what they cost one by one is read out of
    the same table."""
    spec, target = canonical_form(parse(ATTENTION)), machine("avx2")
    start = problem(spec, target)
    table = Table(target, start.home, start.ladders)
    Solver(table).solve(start.goal)
    rebuild, family = Rebuild(table), off(start.goal, "h")
    program = gt.synthesize(ATTENTION, target, table="none")

    def cost(n: int, rows: int, heights: tuple[int, ...]) -> float:
        if not rows:
            return 0.0
        height, *lower = (h for h in heights if h <= rows)
        trips, left = divmod(rows, height)
        around = target.cost({"loop": trips}) if rows > height else 0.0
        return (
            around
            + trips * rebuild.best(family, {**start.sizes, "m": height, "n": n}).cost
            + cost(n, left, tuple(lower))
        )

    for n in range(1, 8):
        least = target.cost({"loop": 2}) + 2 * min(
            cost(n, n, start.heights[i::-1]) for i, h in enumerate(start.heights) if h <= n
        )
        assert least * (1 - 1e-5) <= program.at(n).cost <= SLACK * LEFT * least * (1 + 1e-5), n


def test_under_a_causal_mask_bands_see_the_columns_up_to_their_end():
    """Where that is cheaper, as of enough rows; each size is a Block of bands then, and what threads share are
    heads."""
    text = "attention(f32[2,<=24,8], f32[2,<=24,8], f32[2,<=24,8]{more})"
    for threads in (1, 2):
        causal, plain = (
            gt.synthesize(text.format(more=more), machine("avx2"), threads, table="none")
            for more in (", causal=true", "")
        )
        assert [
            any(isinstance(node, Bands) and node.down for node in walk(program.root)) for program in (causal, plain)
        ] == [True, False]
        found = causal.at(24)
        ((down, bands),) = ((node.rewrite, node) for node in walk(found.root) if isinstance(node, Block))
        assert sum(down.heights) == 24 and [part.state.size["n"] for part in bands.children] == list(
            accumulate(down.heights)
        )
        assert found.cost < plain.at(24).cost
        arrays = random_arrays(causal.spec.at(24), np.random.default_rng(0))
        agrees(
            causal.spec.at(24), arrays, interpret(found.root, causal.spec.at(24), *arrays, canonical=found.canonical)
        )
        assert "by 8" in str(found) and "each over the n that its last sees" in str(found)


def test_a_table_has_what_bands_ask_for(tmp_path):
    """A second search finds all of it solved, beside what a search of a fixed size keeps of the same families."""
    first = gt.synthesize("matmul(f32[<=5,4], f32[4,<=5])", machine("avx2"), table=tmp_path / "t")
    gt.synthesize("matmul(f32[5,4], f32[4,5])", machine("avx2"), table=tmp_path / "t")
    again = gt.synthesize("matmul(f32[<=5,4], f32[4,<=5])", machine("avx2"), table=tmp_path / "t")
    assert again.stats["specs_solved"] == 0 and str(again) == str(first)


def test_what_lies_between_the_nests_of_a_band_is_near():
    target, start = (
        machine("avx2"),
        problem(canonical_form(parse("attention(f32[2,<=64,16], f32[2,<=64,16], f32[2,<=64,16])")), machine("avx2")),
    )
    placed = {
        edge.rewrite.to.level
        for node in reach(target, start.goal)
        for edge in node.edges
        if isinstance(edge.rewrite, Bufferize)
    }
    assert placed and max(placed) < start.home


def test_what_threads_share_are_heads_or_bands():
    heads = gt.synthesize("matmul(f32[8,<=24,64], f32[8,64,<=24])", machine("avx2"), 2, table="none").at(24)
    bands = gt.synthesize("matmul(f32[<=48,64], f32[64,<=48])", machine("avx2"), 2, table="none").at(48)
    assert [node.dims for node in walk(heads.root) if isinstance(node, Loop) and node.threads > 1] == [("i0",)]
    assert [node.dims for node in walk(bands.root) if isinstance(node, Loop) and node.threads > 1] == [("m",)]


@pytest.mark.parametrize("text, threads, shared", (
    ("matmul(f32[<=9,4], f32[4,<=9])", 2, {("m",)}),
    ("matmul(f32[<=9,16], f32[16,<=9])", 3, {("m",)}),
    ("matmul(f32[2,<=7,4], f32[2,4,<=7])", 4, {("i0", "m")}),
    ("matmul(f32[3,<=5,4], f32[3,4,<=5])", 2, {("i0",), ("i0", "m")}),
))  # fmt: skip
def test_what_threads_share_means_the_spec_at_every_size(text, threads, shared):
    """Bands of rows with lower ones for what is left, heads, and both; of threads that cost nothing, at small sizes."""
    spec, target = parse(text), with_prices(machine("two"), fork=0.0)
    program, sizes = gt.synthesize(spec, target, threads, table="none"), range(1, spec.dynamic.bound + 1)
    mean_the_spec(program, spec, target, sizes)
    loops = [node for n in sizes for node in walk(program.at(n).root) if isinstance(node, Loop) and node.threads > 1]
    assert {node.dims for node in loops} == shared
    assert all(len(node.bodies) == 1 << len(node.dims) for node in loops), "whole tiles, and each leftover"
    assert ("m",) not in shared or {node.leftover() > 0 for node in loops} == {True, False}


def test_heights_are_at_most_the_bound_and_nowhere_else():
    assert band_heights(canonical_form(parse(ATTENTION))) == (1, 2, 4)
    assert band_heights(canonical_form(parse("matmul(f32[<=100,4], f32[4,<=100])"))) == (1, 2, 4, 8, 16, 32, 64)
    assert (
        band_heights(canonical_form(parse("matmul(f32[<=100,4], f32[4,9])")))
        == band_heights(canonical_form(parse("exp(f32[9])")))
        == ()
    )

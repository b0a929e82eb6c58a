"""Loops side by side: which are, that they are right, and that no thread meets what another writes."""

from __future__ import annotations

import re

import griotte as gt
import numpy as np
import pytest
from checked import later
from griotte.engine.program.sequence_parts import SequenceFork, SequenceLoop, flat
from griotte.machine.target import Target
from griotte.models import GraphBuilder
from griotte.models.forked import ForkProgram
from griotte.models.graph import ModelGraph, ModelValue
from griotte.models.looped import LoopProgram
from griotte.models.loops import LoopBuilder
from griotte.models.measuring import measured
from griotte.models.program import ModelProgram
from griotte.models.reference import interpret
from machines import machine, with_prices
from model_harness import THREADS, ran

SIZE = 37


def weights(b: GraphBuilder, *shape: int, seed: int) -> ModelValue:
    array = np.random.default_rng(seed).standard_normal(shape) / np.sqrt(shape[0])
    return b.constant(array.astype(np.float32))


def recurrence(
    b: GraphBuilder, xs: ModelValue, backward: bool = False, seed: int = 0, sums: bool = False
) -> ModelValue:
    """A state that goes through all rows of xs; with `sums` also scratch that is carried."""
    trips, batch, size = xs.type.shape
    loop = LoopBuilder(b, trips)
    own = b.call("matmul", xs, weights(b, size, size, seed=2 * seed))
    h, x = loop.carried(b.constant(np.zeros((batch, size), np.float32))), loop.each(own, backward)
    then = b.call("tanh", b.call("add", b.call("matmul", h, weights(b, size, size, seed=2 * seed + 1)), x))
    if sums:
        then = b.call("softmax", b.call("add", then, b.call("cumsum", b.call("mul", then, x), axis=1)))
    return loop.scan([then], [(then, backward)])[1]


def both_ways(trips: int = 9, batch: int = 1, size: int = SIZE, layers: int = 1, sums: bool = False) -> ModelGraph:
    """Layers on top of each other, each of a recurrence forwards and one backwards."""
    b = GraphBuilder()
    xs = b.input(gt.tensor((trips, batch, size)), "xs")
    for n in range(layers):
        ways = (recurrence(b, xs, backward, 2 * n + backward, sums) for backward in (False, True))
        xs = b.call("add", *ways) if n + 1 < layers else b.call("concat", *ways, axis=2)
    return b.graph({"y": xs})


def solved(graph: ModelGraph, threads: int, target: str | Target = "portable") -> ModelProgram:
    return gt.synthesize(graph, target=target, threads=threads, table="none", effort=1)


def forks(program: ModelProgram) -> list[int]:
    """Of each part with loops, in order, how many run at the same time."""
    kinds = {ForkProgram: lambda each: len(each.parts), LoopProgram: lambda each: 1}
    return [kinds[type(e.program)](e.program) for e in program.parts if type(e.program) in kinds]


def later_right(program: ModelProgram, graph: ModelGraph, arrays: list[np.ndarray]) -> None:
    def right(found):
        for mine, meant in zip(found if isinstance(found, tuple) else (found,), interpret(graph, *arrays), strict=True):
            np.testing.assert_allclose(mine, meant, rtol=1e-4, atol=1e-5)

    later(program, arrays, right)


def drawn(graph: ModelGraph) -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return [rng.standard_normal(value.type.shape).astype(np.float32) for value in graph.inputs]


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("graph", [both_ways(), both_ways(7, 3, 41, layers=2), both_ways(5, 2, 33, sums=True)])
def test_both_ways_give_what_they_mean(graph: ModelGraph, threads: int):
    arrays = drawn(graph)
    program = solved(graph, threads)
    layers = sum(value.call == "scan" for value in graph.calls) // 2
    assert forks(program) == ([2] * layers if threads > 1 else [1, 1] * layers)
    later_right(program, graph, arrays)


@pytest.mark.parametrize("by", ["openmp", "host"])
@pytest.mark.parametrize("denormals", ["keep", "flush"])
def test_all_threads_run_forks(by: str, denormals: str):
    source = solved(both_ways(), 2).to_c(threads_by=by, denormals=denormals)
    assert "griotte_share_out(2, 2, " in source
    (body,) = re.findall(r"static void \w+_fork_0\(void \*context, int64_t share\)\n\{(.*?)\n\}", source, re.S)
    assert ("griotte_flushed()" in body) == (denormals == "flush")
    assert [f"if (share == {n})" in body for n in range(3)] == [True, True, False]
    assert body.count("for (int64_t t0 = 0; t0 < 9; t0++)") == 2


@pytest.mark.parametrize("graph", [both_ways(7, 3, 41, layers=2), both_ways(5, 2, 33, sums=True)])
def test_no_thread_meets_what_another_writes(graph: ModelGraph, tmp_path):
    arrays, program = drawn(graph), solved(graph, 2)
    assert 2 in forks(program)
    for mine, right in zip(ran(program, arrays, tmp_path, THREADS), interpret(graph, *arrays), strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-4, atol=1e-5)


def test_what_lies_between_parts_of_a_fork_lies_apart():
    sequence = solved(both_ways(5, 2, 33, layers=2, sums=True), 2).sequence
    found = [part for part in sequence.called if isinstance(part, SequenceFork)]
    assert len(found) == 2
    for fork in found:
        written = [bytes_of(sequence, [branch]) for branch in fork.parts]
        assert all(written) and not set.intersection(*written)


def bytes_of(sequence, parts) -> set[int]:
    """The bytes of the workspace that programs of parts write."""
    homes = {sequence.source(t) for part in flat(parts) for t in part.gives} & set(sequence.places)
    return {b for t in homes for b in range(sequence.places[t], sequence.places[t] + sequence.types[t].bytes)}


def test_the_best_partner_is_taken():
    """Not the next one, where a later one saves more."""
    b = GraphBuilder()
    long, short = b.input(gt.tensor((40, 1, SIZE)), "long"), b.input(gt.tensor((12, 1, SIZE)), "short")
    graph = b.graph({f"y{n}": recurrence(b, xs, seed=n) for n, xs in enumerate((long, short, long, short))})
    program, arrays = solved(graph, 2), drawn(graph)
    assert forks(program) == [2, 2]
    trips = [[e.part.of.trips for e in f.program.parts] for f in program.parts if isinstance(f.program, ForkProgram)]
    assert trips == [[40, 40], [12, 12]]
    later_right(program, graph, arrays)


def test_loops_that_read_each_other_stay_in_order():
    b = GraphBuilder()
    xs = b.input(gt.tensor((16, 1, SIZE)), "xs")
    program = solved(b.graph({"y": recurrence(b, recurrence(b, xs, seed=1), seed=2)}), 2)
    assert forks(program) == [1, 1]


@pytest.mark.parametrize("threads, groups", [(2, [2, 1]), (3, [3]), (4, [3])])
def test_there_are_as_many_at_a_time_as_threads(threads: int, groups: list[int]):
    b = GraphBuilder()
    xs = b.input(gt.tensor((16, 1, SIZE)), "xs")
    graph = b.graph({f"y{n}": recurrence(b, xs, n == 1, n) for n in range(3)})
    program, arrays = solved(graph, threads), drawn(graph)
    assert forks(program) == groups
    later_right(program, graph, arrays)


def test_what_reads_a_loop_stays_behind_it_and_what_another_reads_comes_before():
    b = GraphBuilder()
    xs, zs = b.input(gt.tensor((16, 1, SIZE)), "xs"), b.input(gt.tensor((16, 1, SIZE)), "zs")
    one = b.call("softmax", recurrence(b, xs, seed=1))
    graph = b.graph({"one": one, "other": recurrence(b, b.call("softmax", zs), True, seed=2)})
    program, arrays = solved(graph, 2), drawn(graph)
    place = next(n for n, each in enumerate(program.parts) if isinstance(each.program, ForkProgram))
    before, behind = program.parts[:place], program.parts[place + 1 :]
    assert sum("softmax" in each.part.words for each in before) == 1
    assert ["softmax" in each.part.words for each in behind] == [True]
    later_right(program, graph, arrays)


def test_a_fork_is_taken_where_it_costs_less():
    """Of short loops it is not; turns of four threads that share a large product take less than two threads do."""
    assert forks(solved(both_ways(2, 1, 8), 2)) == [1, 1]
    target, large = with_prices(machine("plain"), fork=300.0), both_ways(3, 1, 96)
    one, two, four = (solved(large, threads, target) for threads in (1, 2, 4))
    assert forks(two) == [2] and forks(four) == [1, 1]
    (fork,) = (each.program for each in two.parts if isinstance(each.program, ForkProgram))
    loops = [each.program.cost for each in one.parts if isinstance(each.program, LoopProgram)]
    assert fork.cost == max(loops) + 300.0
    assert max(part.threads for part in four.sequence.programs) == 4
    (found,) = (part for part in two.sequence.called if isinstance(part, SequenceFork))
    assert {part.threads for part in flat([found])} == {1}


def test_loops_of_a_fork_are_solved_for_one_thread():
    """Not as they are alone, with turns that threads share."""
    b, target = GraphBuilder(), with_prices(machine("plain"), fork=300.0)
    alone = solved(b.graph({"y": recurrence(b, b.input(gt.tensor((3, 1, 96)), "xs"))}), 2, target)
    loop = next(part for part in alone.sequence.called if isinstance(part, SequenceLoop))
    assert {part.threads for part in flat([loop])} >= {2}
    two = solved(both_ways(3, 1, 96), 2, target)
    assert two.cost < 2 * alone.cost and two.to_c().count("griotte_share_out(2, 2, ") == 2 + 1


def test_forks_of_loops_that_wait_for_each_other_crosswise():
    """Of one and two, which three and four read crosswise, no two forks wait for each other."""
    b = GraphBuilder()
    xs = b.input(gt.tensor((40, 1, SIZE)), "xs")
    short = b.input(gt.tensor((30, 1, SIZE)), "short")
    one, two = recurrence(b, xs, seed=1), recurrence(b, short, seed=2)
    cut = lambda x, n: b.call("slice", x, starts=(0, 0, 0), limits=(n, 1, SIZE))
    long = b.call("concat", two, cut(xs, 10), axis=0)
    three, four = recurrence(b, long, seed=3), recurrence(b, cut(one, 30), seed=4)
    graph = b.graph({"three": three, "four": four})
    program, arrays = solved(graph, 2), drawn(graph)
    assert sum(forks(program)) == 4 and 2 in forks(program)
    later_right(program, graph, arrays)


def test_a_fork_is_told_as_one_part(tmp_path):
    graph = both_ways()
    program = solved(graph, 2)
    (told,) = (line for line in program.explain().splitlines() if "turns" in line)
    assert "9 turns of 4 calls beside 9 turns of 4 calls" in told or "beside" in told
    assert "fork of 2" in str(program) and str(program).count("loop of 9") == 2
    program.to_html(tmp_path / "p.html")
    assert "beside" in (tmp_path / "p.html").read_text()
    us = measured(program, drawn(graph), seconds=0.0).parts
    assert [each is not None and each > 0 for each in us] == [each.program is not None for each in program.parts]
    number = next(n for n, each in enumerate(program.parts, 1) if isinstance(each.program, ForkProgram))
    assert "2 loops, a thread each" in program.report.part(number)

"""Turns: families are handed out children first, put off and stopped as asked, in an order that holds few costs."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest
from griotte.engine.search.turns import Turns, on_threads, ordered


@dataclass(frozen=True)
class Named:
    family: str
    children: tuple[str, ...] = ()


DIAMOND = [Named("a"), Named("b"), Named("c", ("a", "b")), Named("d", ("a",)), Named("e", ("c", "d"))]


def taken(turns: Turns) -> list[tuple[str, bool]]:
    found = []
    while (turn := turns.take()) is not None:
        found.append((turn[0].family, turn[1]))
        turns.solved(turn[0])
    return found


def test_the_first_whose_children_are_solved_comes_next():
    assert taken(Turns(DIAMOND)) == [(name, False) for name in "abcde"]


def test_a_parent_comes_before_later_nodes_once_its_children_are_solved():
    order = [Named("a"), Named("b", ("a",)), Named("c")]
    assert [name for name, _ in taken(Turns(order))] == ["a", "b", "c"]


def test_what_is_put_off_comes_last_and_is_waited_for():
    turns = Turns(DIAMOND)
    turns.put_off(turns.take()[0])
    assert taken(turns) == [("b", False), ("a", True), ("c", False), ("d", False), ("e", False)]


def test_after_a_stop_there_is_no_more():
    turns = Turns(DIAMOND)
    turns.stop()
    assert turns.take() is None


def most_held(order: list[Named], costs: dict[str, int]) -> int:
    """In plain words: at each step, the costs of what is solved and has a parent to come, or has none at all."""
    parents = {n.family: [p.family for p in order if n.family in p.children] for n in order}
    most = 0
    for i in range(len(order)):
        to_come = {n.family for n in order[i:]}
        held = [n.family for n in order[: i + 1] if not parents[n.family] or to_come.intersection(parents[n.family])]
        most = max(most, sum(costs[name] for name in held))
    return most


def test_a_large_family_is_solved_when_what_needs_it_can_follow():
    nodes = [Named("a"), Named("b"), Named("c", ("a",)), Named("d", ("b",)), Named("e", ("c", "d"))]
    order, most = ordered(nodes, [100, 100, 1, 1, 1])
    assert [node.family for node in order] in (list("acbde"), list("bdace")) and most == 102


def test_nodes_stay_as_they_stand_where_no_other_order_holds_less():
    assert ordered(DIAMOND, [1, 1, 1, 1, 1]) == (DIAMOND, most_held(DIAMOND, dict.fromkeys("abcde", 1)))
    assert ordered([], []) == ([], 0)


@pytest.mark.parametrize("seed", range(20))
def test_no_more_costs_are_held_than_in_the_order_of_the_nodes(seed):
    drawn = np.random.default_rng(seed)
    nodes = [
        Named(str(i), tuple(dict.fromkeys(map(str, drawn.integers(0, i, drawn.integers(0, 4)))) if i else ()))
        for i in range(40)
    ]
    costs = drawn.integers(0, 30, 40).tolist()
    by_name = {node.family: cost for node, cost in zip(nodes, costs)}
    order, most = ordered(nodes, costs)
    place = {node.family: i for i, node in enumerate(order)}
    assert sorted(place) == sorted(by_name) and len(order) == 40
    assert all(place[child] < place[node.family] for node in nodes for child in node.children)
    assert most == most_held(order, by_name) <= most_held(nodes, by_name)


@pytest.mark.parametrize("workers", (1, 2, 5))
def test_threads_never_meet_a_node_before_its_children(workers):
    nodes = [Named("0")] + [Named(str(i), tuple({str((i - 1) // 2), str(i // 3)})) for i in range(1, 300)]
    turns, solved = Turns(nodes), set()

    def work():
        while (turn := turns.take()) is not None:
            assert set(turn[0].children) <= solved
            solved.add(turn[0].family)
            turns.solved(turn[0])

    with ThreadPoolExecutor(workers) as pool:
        for thread in [pool.submit(work) for _ in range(workers)]:
            thread.result()
    assert len(solved) == 300


def test_the_first_error_of_any_thread_is_raised():
    def work():
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        on_threads(work, 3, lambda: None)


def test_an_interrupt_stops_the_threads_and_waits_a_moment_at_most():
    """One that is in the midst of something long is left to itself."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background ignores
    stopped, ended = threading.Event(), threading.Event()
    both = threading.Barrier(2, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT))

    def work():
        both.wait()
        ended.wait(60)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        on_threads(work, 2, stopped.set)
    signal.signal(signal.SIGINT, before)
    assert stopped.is_set() and time.monotonic() - began < 30
    ended.set()

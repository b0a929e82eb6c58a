"""Turns: families are handed out children first, put off and stopped as asked."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from griotte.engine.search.solve import Turns, on_threads


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

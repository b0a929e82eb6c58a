"""The order in which families are solved, on however many threads, and how few of their costs are held at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from heapq import heapify, heappop, heappush

from .graph import FamilyNode


def ordered(nodes: list[FamilyNode], costs: list[int]) -> tuple[list[FamilyNode], int]:
    """Nodes, children first, in an order in which one thread holds few of their `costs` (so many of each) at once; and
    how many that are at most. The nodes stand children first.

    A node's costs are held from when it is solved until its last parent is. The least that can be is NP-hard to find:
    of two orders it takes the better, that of the nodes, and `_from_the_end`."""
    place = {node.family: i for i, node in enumerate(nodes)}
    children = [[place[child] for child in node.children] for node in nodes]
    orders = list(range(len(nodes))), _from_the_end(children, costs)
    held = [_most_held(order, children, costs) for order in orders]
    return [nodes[i] for i in orders[held.index(min(held))]], min(held)


def _from_the_end(children: list[list[int]], costs: list[int]) -> list[int]:
    """An order that is found from its end. The next place, before those taken, goes to a node whose parents all have
    their places: the one before which least more is held. That is the costs of its children that no later node needs,
    without its own."""
    parents: list[list[int]] = [[] for _ in children]
    for i, own in enumerate(children):
        for child in own:
            parents[child].append(i)
    without, held, placed = [len(own) for own in parents], [False] * len(children), [False] * len(children)
    takes = [sum(costs[child] for child in own) - costs[i] for i, own in enumerate(children)]
    ready = [(takes[i], -i) for i, missing in enumerate(without) if not missing]
    heapify(ready)
    order: list[int] = []
    while ready:
        took, back = heappop(ready)
        i = -back
        if placed[i] or took != takes[i]:  # less by now, and so it stands there again
            continue
        placed[i] = True
        order.append(i)
        for child in children[i]:
            without[child] -= 1
            if not held[child]:
                held[child] = True
                for parent in parents[child]:
                    takes[parent] -= costs[child]
                    if not without[parent] and not placed[parent]:
                        heappush(ready, (takes[parent], -parent))
            if not without[child]:
                heappush(ready, (takes[child], -child))
    return order[::-1]


def _most_held(order: list[int], children: list[list[int]], costs: list[int]) -> int:
    """The most costs that are held at once."""
    parents = [0] * len(children)
    for own in children:
        for child in own:
            parents[child] += 1
    held = most = 0
    for i in order:
        held += costs[i]
        most = max(most, held)
        for child in children[i]:
            parents[child] -= 1
            if not parents[child]:
                held -= costs[child]
    return most


class Turns:
    """Hands out nodes, which stand children first, to threads that ask: the first whose children are solved, so that
    few costs are held at once. A node that another process is at comes last: by then it is likely in the store."""

    def __init__(self, nodes: list[FamilyNode]):
        place = {node.family: i for i, node in enumerate(nodes)}
        self._nodes = nodes
        self._missing = [len(node.children) for node in nodes]
        self._parents: list[list[int]] = [[] for _ in nodes]
        for i, node in enumerate(nodes):
            for child in node.children:
                self._parents[place[child]].append(i)
        self._place = place
        self._ready = [i for i, missing in enumerate(self._missing) if not missing]
        heapify(self._ready)
        self._put_off: list[int] = []
        self._solving, self._stopped = 0, False
        self._changed = threading.Condition()

    def take(self) -> tuple[FamilyNode, bool] | None:
        """The next node, and whether to wait for another process that is at it; None where none is left. Waits for one
        whose children are being solved."""
        with self._changed:
            while not self._stopped and not self._ready and not self._put_off and self._solving:
                self._changed.wait()
            if self._stopped or not self._ready and not self._put_off:
                return None
            self._solving += 1
            waits = not self._ready
            return self._nodes[self._put_off.pop(0) if waits else heappop(self._ready)], waits

    def put_off(self, node: FamilyNode) -> None:
        """Another process is at it."""
        with self._changed:
            self._put_off.append(self._place[node.family])
            self._solving -= 1
            self._changed.notify_all()

    def solved(self, node: FamilyNode) -> None:
        with self._changed:
            self._solving -= 1
            for i in self._parents[self._place[node.family]]:
                self._missing[i] -= 1
                if not self._missing[i]:
                    heappush(self._ready, i)
            self._changed.notify_all()

    def is_stopped(self) -> bool:
        return self._stopped

    def stop(self) -> None:
        """Hand out no more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()


GRACE_S = 0.5  # that threads have to end a family, where the search is stopped


def on_threads(work: Callable[[], None], count: int, stop: Callable[[], None]) -> None:
    """Run `work` on so many threads, and raise the first error of any. If the wait for them is interrupted, they are
    asked to `stop`, and get only a moment: a family may take long, and ends with the process."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, daemon=True) for _ in range(count)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:
        stop()
        until = time.monotonic() + GRACE_S
        for thread in threads:
            if thread.ident is not None:
                thread.join(max(0.0, until - time.monotonic()))
        raise
    if failed:
        raise failed[0]

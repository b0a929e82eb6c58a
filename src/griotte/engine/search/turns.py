"""Whose turn it is: families are solved children first, several at once, each as soon as its children are."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from heapq import heapify, heappop, heappush

from .graph import FamilyNode


class Turns:
    """Hands out nodes, which stand children first, to threads that ask: of those whose children are solved the first,
    so that few costs are held at once. One that another process is at comes last: by then it is likely in the store."""

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
    """Run `work` on so many threads, and raise the first error of any. Where the wait for them is interrupted they are
    told to `stop`, and waited for no longer than a moment: what one is at may take long, and dies with the process."""
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

"""Kernels of one process in turns, by the clock: each for some calls, then the next one; every other round goes
backwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

ROUNDS, WARM, TURN = 7, 0.004, 0.015  # rounds; seconds of a turn that do not count, and that do


def seconds_in_turns(
    runs: Mapping[str, Callable[[], object]],
    rounds: int = ROUNDS,
    warm: float = WARM,
    turn: float = TURN,
    rest: float = 0.0,
) -> dict[str, list[float]]:
    """Seconds of a call of each, one number a round. `rest`: seconds before a turn, for threads of another library
    that spin."""
    found: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds):
        for name in list(runs)[:: 1 if number % 2 else -1]:
            time.sleep(rest)
            found[name].append(of_a_turn(runs[name], warm, turn))
    return found


def of_a_turn(run: Callable[[], object], warm: float = WARM, turn: float = TURN) -> float:
    """Seconds of a call."""
    calls(run, warm)
    began = time.perf_counter()
    count = calls(run, turn)
    return (time.perf_counter() - began) / count


def calls(run: Callable[[], object], seconds: float) -> int:
    """So many calls took so many seconds, or a little more."""
    count, began = 0, time.perf_counter()
    while not count or time.perf_counter() - began < seconds:
        run()
        count += 1
    return count

"""Programs timed side by side. Warm programs go in turns, so that drift hits all alike: what a round took longer than
others, by most of its programs, is the clock's, and is taken out. Cold ones go one call at a time, each after its
arrays were put out of all caches.

A program is `Seconds` here: how long one of so many calls takes. Others choose the clock and the call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

QUANTILE = 0.2  # of a program's turns: what disturbs a turn makes it longer
APART = 0.03  # two halves that differ by more are run anew, once
STEADY = 4  # programs that tell how fast the clock is, at least; and those that run again beside the others

Seconds = Callable[[int], float]


@dataclass(frozen=True)
class Pace:
    """How long programs are timed: `turn` seconds of one's turn, of calls that are shorter; so many `rounds` of turns,
    in two halves; so many calls with operands in memory (`cold`)."""

    turn: float = 0.8e-3
    rounds: int = 24
    cold: int = 5


@dataclass(frozen=True)
class Times:
    """Times of a call, in microseconds; `spread`: how far the two halves of its turns are apart, relative to the
    lesser."""

    low: float
    median: float
    spread: float


def warm(runs: Sequence[Seconds], pace: Pace) -> list[Times]:
    """Each run timed in turns, operands where the call before left them. Those whose halves differ run once more,
    beside some whose halves agree: these tell how fast the clock is by then."""
    found = in_turns(runs, pace)
    order = sorted(range(len(runs)), key=lambda i: found[i].spread)
    again = [i for i in order if found[i].spread > APART]
    steady = [i for i in order if found[i].spread <= APART][:STEADY]
    if not again:
        return found
    times = in_turns([runs[i] for i in (*again, *steady)], pace)
    ratios = [found[i].low / anew.low for i, anew in zip(steady, times[len(again) :])]
    slower = quantile(ratios, 0.5) if ratios else 1.0
    for i, anew in zip(again, times):
        if anew.spread < found[i].spread:
            found[i] = Times(anew.low * slower, anew.median * slower, anew.spread)
    return found


def in_turns(runs: Sequence[Seconds], pace: Pace) -> list[Times]:
    """Each run timed in turns, the order reversed at each round."""
    counts = [_count(run, pace.turn) for run in runs]
    rounds: list[list[float]] = []
    for number in range(pace.rounds):
        taken = [0.0] * len(runs)
        for i in range(len(runs)) if number % 2 else reversed(range(len(runs))):
            if counts[i] > 1:
                runs[i](1)  # its code, and what another program left of the caches
            taken[i] = runs[i](counts[i])
        rounds.append(taken)
    half = (pace.rounds + 1) // 2
    return [_times(list(each[:half]), list(each[half:])) for each in zip(*levelled(rounds))]


def levelled(rounds: Sequence[Sequence[float]]) -> list[list[float]]:
    """[rounds][programs]: times as they are where the clock is as fast as in the faster rounds. How fast it was in a
    round is the median, over programs, of what each took by what it takes in the middle; a few programs do not tell."""
    if not rounds or len(rounds[0]) < STEADY:
        return [list(each) for each in rounds]
    middles = [quantile(each, 0.5) for each in zip(*rounds)]
    slow = [quantile([x / middle for x, middle in zip(each, middles)], 0.5) for each in rounds]
    least = quantile(slow, QUANTILE)
    return [[x * least / by for x in each] for each, by in zip(rounds, slow)]


def cold(runs: Sequence[Seconds], evict: Callable[[], object], pace: Pace) -> list[tuple[float, float]]:
    """(a low quantile, median) of single calls in turns, in microseconds, each after `evict`."""
    found: list[list[float]] = [[] for _ in runs]
    for _ in range(pace.cold):
        for times, run in zip(found, runs):
            evict()
            times.append(run(1))
    return [(quantile(times, QUANTILE) * 1e6, quantile(times, 0.5) * 1e6) for times in found]


def quantile(values: Sequence[float], share: float) -> float:
    """Between the two nearest of the values, in proportion."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * share
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def _times(first: list[float], second: list[float]) -> Times:
    both = [quantile(half, QUANTILE) for half in (first, second)]
    low, median = (quantile(first + second, share) for share in (QUANTILE, 0.5))
    return Times(low * 1e6, median * 1e6, max(both) / min(both) - 1)


def _count(run: Seconds, turn: float) -> int:
    """Calls in a turn."""
    run(1)
    count = 1
    while (taken := run(count)) * count < turn / 4 and count < 1 << 16:
        count *= 4
    return max(1, round(turn / max(taken, 1e-9)))

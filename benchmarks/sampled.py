"""What the harnesses of frameworks' own samples share: results compared, time bounded, pages written."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

WITHIN = {"float32": (1e-4, 1e-5), "bfloat16": (1.6e-2, 4e-3), "float16": (2e-3, 1e-3)}
"""By dtype of a result: the error relative to an element, and to the largest one."""
END = "<!-- end -->"


class Late(BaseException):
    """A sample takes too long; no `except Exception` on the way takes it for its own."""


def _late(*_: Any) -> None:
    raise Late


def timed(tried: Callable[[], tuple[str, str]], limit: float) -> tuple[str, str, float]:
    """What became of a sample, why, and in how many seconds; one that takes longer than the limit is stopped."""
    signal.signal(signal.SIGALRM, _late)
    start = time.perf_counter()
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        outcome = tried()
    except Late:
        outcome = "error", f"more than {limit:g} s"
    except Exception as why:
        outcome = "error", "".join(traceback.format_exception(why)[-2:])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return *outcome, round(time.perf_counter() - start, 3)


def apart(found: np.ndarray, wanted: np.ndarray, dtype: str) -> float:
    """The largest error of a result in f64, in what is allowed for a dtype."""
    one, other = found.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(other)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
        return float("inf")
    relative, absolute = WITHIN.get(dtype, (1e-9, 1e-9))
    sizes = np.abs(other[finite])
    allowed = relative * sizes + absolute * max(1.0, sizes.max(initial=0))
    return float((np.abs(one[finite] - other[finite]) / allowed).max(initial=0))


def are_places(found: np.ndarray, wanted: np.ndarray, read: list[np.ndarray], beside: list[np.ndarray]) -> bool:
    """Whether both results are places in something that is read, at which it has the same elements.

    Of equal elements frameworks promise no place, but what stands there. Along some axis of a tensor that is read (or
    of all its elements, one after the other) the elements at both places are the same; they are another result of the
    operator, or the first of what stands along that axis in order, from the smallest or from the largest; and where
    `wanted` has each place once, `found` has too.

    Args:
        found, wanted: integers of one shape.
        read: tensors that the operator reads.
        beside: its other results.
    """
    if found.dtype.kind != "i" or found.shape != wanted.shape:
        return False
    whole = ((x.reshape(-1), 0) for x in read)
    along = ((x, axis) for x in read for axis in range(x.ndim))
    return any(_have_same(found, wanted, x, axis, beside) for x, axis in (*along, *whole))


def _have_same(found: np.ndarray, wanted: np.ndarray, x: np.ndarray, axis: int, beside: list[np.ndarray]) -> bool:
    """Whether x has the same at both places along an axis, and that is what is promised."""
    others = x.shape[:axis] + x.shape[axis + 1 :]
    if found.shape == others:
        found, wanted = np.expand_dims(found, axis), np.expand_dims(wanted, axis)
    if found.ndim != x.ndim or found.shape[:axis] + found.shape[axis + 1 :] != others or not found.size:
        return False
    if found.shape[axis] > x.shape[axis]:
        return False
    if min(found.min(), wanted.min()) < 0 or max(found.max(), wanted.max()) >= x.shape[axis]:
        return False
    here, there = (np.take_along_axis(x, each, axis) for each in (found, wanted))
    same = lambda a, b: a.size == b.size and np.array_equal(a.reshape(-1), b.reshape(-1), equal_nan=True)
    rising, ends = np.sort(x.astype(np.float64), axis), range(found.shape[axis])
    promised = [*beside, *(np.take(each, ends, axis) for each in (rising, np.flip(rising, axis)))]
    is_once = lambda each: bool((np.diff(np.sort(each, axis), axis=axis) > 0).all())
    return same(here, there) and any(same(there, each) for each in promised) and (is_once(found) or not is_once(wanted))


def anew(memory: float) -> None:
    """Start the process anew where it holds more than so many GiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    if pages * os.sysconf("SC_PAGE_SIZE") / 2**30 > memory:
        os.execv(sys.executable, [sys.executable, *sys.argv])


def by_name(head: str, found: dict[str, list[tuple[str, str]]]) -> str:
    """A row for each name: how many of its cases are right, refused, wrong, and why most are refused.

    Args:
        head: what names are of.
        found: by name, of each case what became of it, and why."""
    lines = [f"| {head} | right | refused | wrong | why refused |", "|---|---:|---:|---:|---|"]
    for name, cases in sorted(found.items()):
        count = Counter(outcome for outcome, _ in cases)
        why = Counter(reason for outcome, reason in cases if outcome == "refused")
        told = why.most_common(1)[0][0][:100].replace("|", "/") if why else ""
        if count["decomposed"]:
            told = f"{count['decomposed']} as the exported graph has it, which is not what the operator gives"
        right = count["right"] + count["folded"] + count["decomposed"]
        bad = count["wrong"] + count["error"]
        if right + bad + count["refused"]:
            lines.append(f"| {name} | {right} | {count['refused']} | {bad} | {told} |")
    return "\n".join(lines)


def into_page(page: Path, begin: str, told: str) -> None:
    """Write a table into a page, between the line that begins it and END."""
    before, _, after = page.read_text().partition(begin)
    page.write_text(f"{before}{begin}{told}\n{END}{after.partition(END)[2]}")

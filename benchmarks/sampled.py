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
        right, bad = count["right"] + count["folded"], count["wrong"] + count["error"]
        if right + bad + count["refused"]:
            lines.append(f"| {name} | {right} | {count['refused']} | {bad} | {told} |")
    return "\n".join(lines)


def into_page(page: Path, begin: str, told: str) -> None:
    """Write a table into a page, between the line that begins it and END."""
    before, _, after = page.read_text().partition(begin)
    page.write_text(f"{before}{begin}{told}\n{END}{after.partition(END)[2]}")

"""Modules of PyTorch through torch.compile(backend="griotte") beside inductor: right, and how long calls take.

What is raced, and how it is told; the modules are in torch_problems.py and torch_models.py. Inductor runs at each of
INDUCTOR's settings, of which the quickest counts. They are set for the whole process while a module is compiled: as
options of torch.compile, dynamo would not see that constants are frozen.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import json
import os
import re
import statistics
import time
import types
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from models import RESTS_S
from torch import nn

Made = tuple[nn.Module, tuple[torch.Tensor, ...]]
Run = Callable[..., Any]

WITHIN, ROUNDS, SPAN, WARM = 1e-4, 9, 0.05, 3
BEGIN, END = "<!-- by benchmarks/{name}, {threads} thread{s} -->\n", "<!-- end -->"
CLOCKS = {"wall": time.perf_counter, "cpu": time.thread_time}

INDUCTOR: dict[str, dict[str, Any]] = {
    "inductor": {},
    "frozen": {"freezing": True},
    "tuned": {"freezing": True, "max_autotune": True},
    "cpp_wrapper": {"freezing": True, "max_autotune": True, "cpp_wrapper": True},
}
"""Its settings; of those that race the quickest counts."""


def own_code(which: str, module: nn.Module) -> nn.Module:
    """The module with code of its own: dynamo keeps what it compiled by code, and looks through all of it."""
    own, kind = copy.copy(module), type(module)
    code = kind.forward.__code__.replace(co_name=f"forward_{re.sub(r'[^0-9a-z]', '_', which.lower())}")
    forward = types.FunctionType(code, kind.forward.__globals__, None, kind.forward.__defaults__)
    own.__class__ = type(kind.__name__, (kind,), {"forward": forward})
    return own


def ways(module: nn.Module, settings: Iterable[str]) -> dict[str, tuple[Run, dict[str, Any]]]:
    """What races, not compiled yet, and inductor's settings while it is."""
    import griotte as gt

    found: dict[str, tuple[Run, dict[str, Any]]] = {
        "griotte": (torch.compile(own_code("griotte", module), backend=gt.torch.griotte, dynamic=False), {}),
        "eager": (module, {}),
    }
    for which in settings:
        found[which] = (torch.compile(own_code(which, module), dynamic=False), INDUCTOR[which])
    return found


def off(found: Any, wanted: Any) -> float:
    """The largest difference, in parts of the largest element, of all results."""
    pairs = zip(found, wanted) if isinstance(wanted, (tuple, list)) else [(found, wanted)]
    return max(float((a - b).abs().max() / b.abs().max().clamp(min=1e-30)) for a, b in pairs)


def raced(name: str, made: Callable[[], Made], given: argparse.Namespace) -> dict[str, Any]:
    """A module's row: microseconds of calls, how far results are off, the seconds that compiling took."""
    import griotte as gt

    module, inputs = made()
    module.eval()
    row: dict[str, Any] = {"name": name, "threads": given.threads, "clock": given.clock, "off": {}, "found_s": {}}
    with torch.no_grad():
        wanted, runs = module(*inputs), {}
        for which, (run, settings) in ways(module, given.settings.split(",")).items():
            start = time.perf_counter()
            within = torch._inductor.config.patch(settings) if settings else contextlib.nullcontext()
            with within:
                row["off"][which] = off(run(*inputs), wanted)
            row["found_s"][which] = time.perf_counter() - start
            runs[which] = run
        row["us"] = timed(runs, inputs, given.clock)
    row["choice"], row["load"] = str(gt.torch.report()[-1]), os.getloadavg()[0]
    return row


def timed(runs: dict[str, Run], inputs: tuple[Any, ...], clock: str = "wall") -> dict[str, float]:
    """Microseconds of a call, medians of rounds in turns; before each the threads of the one before fall asleep, for
    they take milliseconds of the next one's turn else."""
    times: dict[str, list[float]] = {which: [] for which in runs}
    counts = {which: _count(run, inputs, clock) for which, run in runs.items()}
    for turn in range(ROUNDS):
        for which in list(runs)[:: 1 if turn % 2 else -1]:
            time.sleep(RESTS_S)
            for _ in range(WARM):
                runs[which](*inputs)
            times[which].append(_timed(runs[which], inputs, counts[which], clock))
    return {which: statistics.median(each) * 1e6 for which, each in times.items()}


def _count(run: Run, inputs: tuple[Any, ...], clock: str) -> int:
    """Calls in about SPAN seconds, once it is warm."""
    for _ in range(WARM):
        run(*inputs)
    return max(1, int(SPAN / _timed(run, inputs, 3, clock)))


def _timed(run: Run, inputs: tuple[Any, ...], count: int, clock: str) -> float:
    now = CLOCKS[clock]
    start = now()
    for _ in range(count):
        run(*inputs)
    return (now() - start) / count


# ---- rows ------------------------------------------------------------------------------------------------------------


def ratio(row: dict[str, Any]) -> float:
    """Inductor's time at its best over griotte's."""
    return min(us for which, us in row["us"].items() if which in INDUCTOR) / row["us"]["griotte"]


def is_right(row: dict[str, Any]) -> bool:
    return row["off"]["griotte"] <= WITHIN


def summary(rows: list[dict[str, Any]]) -> str:
    """How many are griotte's, how many right, and what the ratios are."""
    ratios = [ratio(row) for row in rows]
    own = [row["choice"].startswith("griotte") for row in rows]
    return (
        f"{sum(own)} of {len(rows)} run by griotte, {sum(map(is_right, rows))} right; inductor over griotte: mean"
        f" {statistics.fmean(ratios):.2f}, geometric {statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f},"
        f" {sum(r < 0.9 for r in ratios)} below 0.9."
    )


def table(rows: list[dict[str, Any]]) -> str:
    """A line for each module."""
    lines = [
        "| module | griotte, us | inductor, us | eager, us | inductor over griotte | off | found in, s |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        us, best = row["us"], ratio(row) * row["us"]["griotte"]
        runs = "" if row["choice"].startswith("griotte") else f" ({row['choice'].split(',')[0]})"
        lines.append(
            f"| {row['name']}{runs} | {us['griotte']:.0f} | {best:.0f} | {us['eager']:.0f} | {ratio(row):.2f} |"
            f" {row['off']['griotte']:.0e} | {row['found_s']['griotte']:.1f} |"
        )
    return "\n".join([*lines, "", summary(rows)])


def read(out: Path | None) -> list[dict[str, Any]]:
    """The rows that are done, the last of each name."""
    lines = out.read_text().splitlines() if out is not None and out.exists() else []
    return list({row["name"]: row for row in map(json.loads, lines)}.values())


def written(docs: Path, script: str, threads: int, rows: list[dict[str, Any]]) -> None:
    """Put the table between its marks on a page."""
    begin = BEGIN.format(name=script, threads=threads, s="s" * (threads > 1))
    before, found, after = docs.read_text().partition(begin)
    if not found:
        raise SystemExit(f"expected the mark {begin.strip()} in {docs}, found none; write it there")
    docs.write_text(before + begin + table(rows) + "\n" + END + after.partition(END)[2])


def arguments(parser: argparse.ArgumentParser) -> None:
    """What a race is asked."""
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--clock", choices=list(CLOCKS), default="wall", help="cpu: the calling thread's, of one thread"
    )
    parser.add_argument("--way", default="all", help="GRIOTTE_TORCH")
    parser.add_argument("--settings", default="inductor,tuned", help=f"inductor's: {', '.join(INDUCTOR)}")
    parser.add_argument("--out", type=Path, help="a file of rows; what is there already is not done again")
    parser.add_argument("--docs", type=Path, help="a page that the table is written into")


def race(script: str, named: dict[str, Callable[[], Made]], given: argparse.Namespace) -> None:
    """Race all of these modules, a row each."""
    if given.clock == "cpu" and given.threads > 1:
        raise SystemExit("expected --clock wall of several threads, found cpu; that is the calling thread's alone")
    warnings.filterwarnings("ignore")
    os.environ["GRIOTTE_TORCH"] = given.way
    torch.set_num_threads(given.threads)
    rows = read(given.out)
    for name, made in named.items():
        if any(row["name"] == name for row in rows):
            continue
        torch._dynamo.reset()
        rows.append(raced(name, made, given))
        if given.out:
            with given.out.open("a") as file:
                file.write(json.dumps(rows[-1]) + "\n")
        told = ", ".join(f"{which} {us:.0f}" for which, us in rows[-1]["us"].items())
        right = "right" if is_right(rows[-1]) else "WRONG"
        print(f"{ratio(rows[-1]):.2f} {name}: {right}, {told}; {rows[-1]['choice']}", flush=True)
    print(summary(rows))
    if given.docs:
        written(given.docs, script, given.threads, rows)

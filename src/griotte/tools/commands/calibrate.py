"""griotte calibrate: measure this machine's parameters, and write them as a target file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from ...machine import NAMES, best, build, described, detect, machine, places
from ...machine.machine import FAR, PARAMETERS
from ...runtime.calibrate import functions, leaves, measure
from ...runtime.calibrate.shared import agreed, machine_file
from ...runtime.compilers import find_compiler
from ...support.errors import TargetError
from ...support.folders import write_atomically
from ..check import check, order
from . import options
from .output import show, size

LEAVES = ("f32", "f64", "bf16", "u8", "s8", "s16", "s32")
NONE = "none"


@click.command()
@click.option(
    "-o", "output", metavar="FILE", default="calibrated.toml", help="The target file to write  [calibrated.toml]"
)
@click.option(
    "--check",
    "is_checked",
    is_flag=True,
    help="Then time twelve programs, beside what probes predict in turns with them.",
)
@click.option(
    "--threads", default=None, type=options.Count(), help="1: nothing is measured of threads  [this process's cores]"
)
@click.option(
    "--seconds", default=15.0, type=options.Count(0.01, 60, float), help="About how long the probes take  [15]"
)
@click.option(
    "--leaves",
    "dtypes",
    multiple=True,
    type=click.Choice((*LEAVES, NONE)),
    help="Products whose tiles of registers are timed; again for more  [f32, and those that have instructions]",
)
@click.option(
    "--share", "is_shared", is_flag=True, help="Write a file of machines, with the check's figures, for others to use."
)
@options.target
@options.as_json
def calibrate(
    output: str,
    is_checked: bool,
    is_shared: bool,
    threads: int | None,
    seconds: float,
    dtypes: tuple[str, ...],
    target: str,
) -> None:
    """Measure this machine, and write a target for --target.

    Some fifty short loops in C, in turns, say what the machine's parameters are.
    These are how much it computes and loads in a cycle, how long a line from each
    cache takes and how much of that hides behind arithmetic, a page miss, a fork.
    Prices of programs follow (docs/reference/targets.md). It is best run on a machine that
    does nothing else; the spread of each figure is printed. Then each tile of
    registers that a product may have is timed: products are priced by that, for as
    long as compiler and emitted C are the same. All of it takes a minute at most.
    """
    path, goal = Path(output), _unmeasured(target)
    _require_place(path)
    if is_shared and target != "native":
        raise TargetError(f"expected no --target beside --share, found {target}; a file of machines is of this CPU")
    _require_levels(goal)
    runner = measure.Runner(goal, detect().cores if threads is None else threads)
    if target in NAMES:
        goal = measure.sized(runner, goal, detect().assumed)
    found = measure.measure(runner, goal, seconds)
    parameters, corrected = agreed(found)
    capacities = measure.capacities(runner, goal)
    written = replace(machine.applied(goal, parameters, _held(capacities)), name=_name(path))
    asked = [word for word in dtypes or leaves.usual(goal) if word != NONE]
    written = functions.measure(written) if NONE not in dtypes else written
    written = replace(written, leaves=leaves.measure(written, asked))
    missing = [name for name in machine.DEFAULTS if name not in found]
    head = _head(written, found, missing)
    if not is_shared:
        _write(path, _commented(head) + described.text(written, parameters))
    report: dict[str, Any] = {
        "target": str(path),
        "parameters": {name: asdict(m) for name, m in found.items()},
        "corrected": corrected,
        "not_measured": missing,
        "capacities": [asdict(capacity) for capacity in capacities],
        "changed": _changed(goal, written),
        "leaves": _leaves(written),
    }
    if is_checked or is_shared:
        again = measure.ProbeRounds(
            measure.Runner(goal, runner.threads), goal
        )  # whose memory holds numbers, no addresses
        report |= _check(written, runner.threads, again.take, lambda: _priced(written, goal, again, capacities))
    if is_shared:
        figures = {f"{c['spec']}@{c['threads']}": round(c["ratio"], 3) for c in report["check"]}
        _write(path, machine_file(detect(), written, found, capacities, head, _numbers(figures)))
        report["machine"] = report.pop("target")
    show(report, "\n".join(_lines(report)))


def _unmeasured(name: str):
    """The target, which this CPU must run; of a built-in one with its caches as the system says them."""
    goal, cpu = options.runnable(name), detect()
    if name not in NAMES:
        return goal
    return measure.unshared(build(best(cpu) if name == "native" else name, cpu, name, whole=True))


def _held(capacities) -> dict[str, int]:
    """Bytes by level that a thread has."""
    return {each.level: each.held for each in capacities}


def _priced(written, goal, again: measure.ProbeRounds, capacities):
    """The target that was written, with the parameters of the rounds that were taken again."""
    now = machine.applied(goal, agreed(again.measured())[0], _held(capacities))
    return replace(
        now, name=written.name, functions=written.functions, conversions=written.conversions, leaves=written.leaves
    )


def _check(target, threads: int, beside, now) -> dict[str, Any]:
    found = check(target, threads, beside, now)
    return {"check": [asdict(c) | {"ratio": c.ratio} for c in found], "tau": order(found)}


def _leaves(target) -> dict[str, dict[str, float]]:
    """Of each form, how many tiles were measured, and the median of what they took to what the ports say."""
    return {
        form.name: {"tiles": len(form.tiles), "ratio": form.ratio}
        for form in (target.leaves.forms if target.leaves else ())
    }


def _changed(before, after) -> dict[str, tuple[float, float]]:
    return {
        name: (before.coefficient.get(name, 0.0), cycles)
        for name, cycles in after.coefficients
        if cycles != before.coefficient.get(name, 0.0)
    }


def _numbers(figures: dict[str, float]) -> dict[str, float]:
    """Those of programs that were measured at all."""
    return {spec: ratio for spec, ratio in figures.items() if ratio == ratio}


def _head(target, found, missing: list[str]) -> list[str]:
    """Lines that say what of a file was measured, on what, with which compiler."""
    cpu, forms = detect().cpu, target.leaves.forms if target.leaves else ()
    return [
        f"measured by griotte calibrate: {cpu.vendor or 'CPU'}, family {cpu.family}, model {cpu.written(cpu.model)},"
        f" vectors of {target.vector_bytes} bytes; {find_compiler().version}",
        f"parameters: {' '.join(found)}",
        f"not measured, so the defaults: {' '.join(missing) or 'none'}",
        f"leaves: {'; '.join(f'{len(form.tiles)} of {form.name}' for form in forms) or 'none'}",
    ]


def _commented(lines: list[str]) -> str:
    return "".join(f"# {''.join(c for c in line if c.isprintable())}\n" for line in lines)


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise TargetError(
            f"expected to write a target file, found {error.strerror or error}: {path}; name another place after -o"
        ) from None


def _require_place(path: Path) -> None:
    """TargetError before anything is measured where the target file could not be written or named."""
    if path.suffix != ".toml":
        raise TargetError(f"expected a file that ends in .toml after -o, found {path}; --target takes no other")
    if not os.access(path.parent, os.W_OK):
        raise TargetError(f"expected a folder that can be written for {path}, found none; name another place after -o")


def _require_levels(target) -> None:
    """TargetError where the target has levels that no parameter is of."""
    names = [level.name for level in target.levels[1:]]
    if names[0] != "L1" or not set(names[1:]) <= set(FAR):
        raise TargetError(
            f"expected a target with the levels L1 {' '.join(FAR)}, or some of them, found {' '.join(names)}; leave"
            " --target out to measure this machine"
        )


def _name(path: Path) -> str:
    return "".join(c if c.isalnum() and c.isascii() or c in "_.+-" else "_" for c in path.stem)[:64] or "calibrated"


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield f"{'parameter':16}{'value':>10}{'median':>10}{'quartiles':>22}  unit"
    for parameter in PARAMETERS:
        if m := report["parameters"].get(parameter.name):
            spread = f"{m['low']:.4g} .. {m['high']:.4g}"
            yield f"{parameter.name:16}{m['value']:10.4g}{m['median']:10.4g}{spread:>22}  {parameter.unit}"
        else:
            yield f"{parameter.name:16}{parameter.default:10.4g}{'not measured':>20}"
    yield from report["corrected"]
    if "fork" in report["not_measured"]:
        yield "of threads nothing was measured: there is one, or no core is free for a second"
    for c in report["capacities"]:
        words = "as it says" if c["agrees"] else "no bend there; if you know better, change its capacity in the file"
        had = f"; a thread has {size(c['held'])} of it" if c["held"] < c["bytes"] else ""
        yield (
            f"{c['level']:4}{size(c['bytes']):>8}: {c['within']:.1f} cycles a load within, {c['beyond']:.1f} beyond:"
            f" {words}{had}"
        )
    for name, form in report["leaves"].items():
        yield f"leaf {name:40}{form['tiles']:4} tiles{form['ratio']:8.3f} of what the ports say, in the median"
    for row in report.get("check", ()):
        measured = (
            f"{row['measured']:12.0f} measured{row['ratio']:7.2f}"
            if row["ratio"] == row["ratio"]
            else "never undisturbed"
        )
        yield f"{row['spec']:44}{row['threads']:3}{row['predicted']:12.0f} predicted {measured}"
    if "tau" in report:
        yield f"Kendall's tau of predicted and measured: {report['tau']:.2f}"
    if "machine" in report:
        yield f"wrote {report['machine']}: put it into {places.config()}, or have {places.GIVEN} name it"
    else:
        yield f"wrote {report['target']}: use it as --target {report['target']}"

"""A Spec that is cut at whole arrays as a report: where and why, and each part as a program of its own is."""

from __future__ import annotations

from .cuts import CutTensor
from .explain import cycles, space, unit


def explain(program, cuts: list[CutTensor]) -> str:
    """The report as text."""
    head = headline(program)
    found = [head, "", *cut_lines(cuts), ""]
    for part in program.parts:
        share = f"   {100 * part.program.cost / program.cost:.1f} %" if part in program.called and program.cost else ""
        found.append(f"{program.title(part)}{share}")
    for part in dict.fromkeys(part.program for part in program.parts if part.program):
        found += ["", part.explain()]
    return "\n".join([*found, "", space(program)])


def headline(program) -> str:
    """`relu of 12 calls in 3 parts, 2 threads, native   cost 4.8 M cycles`"""
    threads = f"{program.threads} thread{'s' * (program.threads > 1)}"
    parts = f"{len(program.called)} part{'s' * (len(program.called) != 1)}"
    return (
        f"{program.spec.operation.name} of {len(program.calls)} calls in {parts}, {threads}, {program.target.name}"
        f"   cost {cycles(program.cost)}"
    )


def cut_lines(cuts: list[CutTensor]) -> list[str]:
    """A line for each tensor that the Spec is cut at, and why."""
    return [
        f"cut at {cut.tensor} {'x'.join(map(str, cut.shape)) or 'scalar'} ({unit(cut.bytes, 'B')})"
        + f": {cut.why}" * bool(cut.why)
        for cut in cuts
    ]

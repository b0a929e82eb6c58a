"""What the verbs know of a model: keys of their JSON, and a line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ....compiler.reports.explain import cycles, unit
from ....compiler.reports.model import ordered, tuned, workspace
from ....compiler.session import TablePath
from .reading import ModelFile

KEYS = (
    "target",
    "threads",
    "cost",
    "cost_bound",
    "gap",
    "synthesis_s",
    "specs_solved",
    "parts",
    "parts_solved",
    "parts_from_table",
    "parts_possible",
    "parts_tried",
    "peak_rss_mb",
    "workspace_bytes",
    "live_bytes",
    "intermediates_bytes",
    "constants_bytes",
    "compile_s",
    "tuned",
    "model",
)
"""Statistics of a model that go into --json, where they are known."""


def facts(file: ModelFile, stats: Mapping[str, Any], table: TablePath = None) -> dict[str, Any]:
    """The keys that every verb knows of a model."""
    found = {"spec": file.word, **{key: stats[key] for key in KEYS if stats.get(key) is not None}}
    if file.graph.bound is not None:
        found["bound"] = file.graph.bound
    if table is not None and os.path.isfile(table):
        found["table_bytes"] = os.path.getsize(table)
    return found


def headline(found: Mapping[str, Any]) -> str:
    """`m.onnx: 12 parts, 1 thread, native   cost 1.97 M cycles`"""
    parts, threads = found["parts"], found["threads"]
    size = f" at size {found['bound']}, the bound" if "bound" in found else ""
    return (
        f"{found['spec']}: {parts} part{'s' * (parts != 1)}, {threads} thread{'s' * (threads > 1)},"
        f" {found['target']}   cost {cycles(found['cost'])}{size}"
    )


def paragraph(found: Mapping[str, Any]) -> list[str]:
    """What solving took, and what a call holds."""
    cut = f"of {found['parts_possible']:,} parts that a cut may have {found['parts_tried']:,} were tried"
    if 0 < found["gap"] < 1:
        cut += f"; another cut is at most {100 * found['gap']:.2g} % cheaper"
    return [
        (
            f"cut: {cut}; {found['parts_solved']} solved, {found['parts_from_table']} from the table,"
            f" {found['synthesis_s']:.1f} s"
        ),
        (f"holds: {workspace(found)}, {unit(found['constants_bytes'], 'B')} of packed constants"),
        *tuned(found),
        *ordered(found),
    ]

"""What the verbs know of a program: keys of their JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

KEYS = (
    "specs_solved",
    "specs_known",
    "families",
    "synthesis_s",
    "programs_log10",
    "rectangles",
    "compression",
    "peak_rss_mb",
    "table_bytes",
)
"""Statistics of a program that go into --json, where they are known."""


def facts(program, built=None) -> dict[str, Any]:
    """The keys that every verb knows of a program, and of what was built of it, a Kernel or a Library."""
    found = {
        "spec": str(program.spec),
        "target": program.target.name,
        "math": program.target.math,
        "threads": program.threads,
        "cost": program.cost,
    }
    found |= {k: program.stats[k] for k in KEYS if program.stats.get(k) is not None}
    found |= {"tuned": program.stats["tuned"]} if "tuned" in program.stats else {}
    if told := program.stats.get("model"):
        apart = ("predicted", "predicted_us", "uncertainty")
        found |= {"model": {key: value for key, value in told.items() if key not in apart}}
        found |= {key: told[key] for key in apart if told[key] is not None}
    if program.largest is not program:
        found["groups"] = len(program.groups)
    if where := program.report.cuts:
        found["cuts"] = [{key: value for key, value in asdict(cut).items() if value != ""} for cut in where]
    if built is not None:
        found["compile_s"] = built.metadata["compile_s"]
    return found

"""griotte targets: what --target takes by name."""

from __future__ import annotations

from typing import Any

import click

from ...machine import NAMES, named, runs_here
from . import options
from .output import echo, print_json


@click.command()
@options.as_json
def targets(as_json: bool) -> None:
    """List the targets by name, and whether this CPU runs them."""
    rows = [_row(named(name), runs_here(named(name))) for name in NAMES]
    if as_json:
        print_json({"targets": rows})
        return
    for row in rows:
        echo(
            f"{row['target']:10}{'runs here' if row['runs_here'] else 'not here':11}{row['vector_bytes']:3}-byte"
            f" vectors, {row['registers']} registers; {row['levels']}"
        )
        echo(f"{'':10}kernels: {' '.join(row['kernels'])}")
    echo("or a .toml file that describes a machine")


def _row(target, here: bool) -> dict[str, Any]:
    levels = " ".join(f"{level.name} {size(level.capacity)}" for level in target.levels[1:] if level.capacity)
    return {
        "target": target.name, "runs_here": here, "vector_bytes": target.vector_bytes, "registers": target.registers,
        "levels": levels, "features": sorted(target.features), "kernels": [k.name for k in target.kernels],
    }  # fmt: skip


def size(count: int) -> str:
    """Bytes as a person writes them: 48 KiB, 2 MiB."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} B"

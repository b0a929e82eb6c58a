"""`make bench`: the table of figures, each against its bar, and the same as JSON in benchmarks/scratch/.

run.py                   every row
run.py --quick           fewer repetitions: minutes, noisier
run.py --only import     one row, or all whose names start with that; --list names them
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
import time
from pathlib import Path

import calls
import commands
import machine
import random_specs
import speed
import synthesis
import tables
from row import Result, Row, Run

SCRATCH = Path(__file__).resolve().parent / "scratch"
VERDICTS = {True: "ok", False: "missed", None: "-"}
HEADINGS = ("name", "what", "bar", "measured", "verdict")
WIDTHS = (23, 42, 29, 56, 7)  # of the plain table


def rows() -> list[Row]:
    return [row for family in (synthesis, tables, speed, calls, random_specs, commands) for row in family.rows()]


def main() -> int:
    options = _options()
    wanted = chosen(options.only)
    if options.list:
        print("\n".join(row.name for row in rows()))
        return 0
    description = machine.describe()
    print("\n".join(machine.lines(description)), flush=True)
    found = [(row, *measured(row, Run(options.quick, _note))) for row in wanted]
    _note("")
    _show(found)
    path = SCRATCH / ("partial.json" if options.only or options.quick else "latest.json")
    _write(path, description, found, options.quick)
    missed = [row.name for row, result, _ in found if result.ok is False]
    print(
        f"missed: {', '.join(missed) or 'none'}; load average now {os.getloadavg()[0]:.2f}; written to"
        f" benchmarks/scratch/{path.name}"
    )
    return 1 if missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure griotte's figures and hold them against their bars.")
    parser.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        default=[],
        help="run the rows whose names start with NAME; may be given again",
    )
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and Specs")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    return parser.parse_args()


def chosen(only: list[str]) -> list[Row]:
    """Those whose names start with one of `only`; all but those on request where it is empty."""
    if not only:
        return [row for row in rows() if not row.on_request]
    for name in only:
        if not any(row.name.startswith(name) for row in rows()):
            print(f"expected the name of a row, found {name!r}; see run.py --list", file=sys.stderr)
            raise SystemExit(2)
    exact = {row.name for row in rows()} & set(only)
    return [row for row in rows() if row.name in exact or any(n not in exact and row.name.startswith(n) for n in only)]


def measured(row: Row, run: Run) -> tuple[Result, float]:
    """The result and the seconds that it took; a harness that fails is a bar missed, with the reason."""
    run.note(row.name)
    started = time.perf_counter()
    try:
        result = row.measure(run)
    except Exception as error:
        result = Result(f"not measured: {error}", False)
    seconds = time.perf_counter() - started
    if not sys.stderr.isatty():
        print(f"{VERDICTS[result.ok]:7} {row.name}: {result.measured}", file=sys.stderr, flush=True)
    return result, seconds


def _note(text: str) -> None:
    """One line of progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)


def _show(found: list[tuple[Row, Result, float]]) -> None:
    lines = [(row.name, row.what, row.bar, result.measured, VERDICTS[result.ok]) for row, result, _ in found]
    if not sys.stdout.isatty():
        for line in (HEADINGS, *lines):
            _plain(line)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*HEADINGS)
    for *cells, verdict in lines:
        table.add_row(*map(Text, cells), Text(verdict, {"ok": "green", "missed": "bold red"}.get(verdict, "")))
    Console().print(table)


def _plain(cells: tuple[str, ...]) -> None:
    columns = [
        [part for line in cell.splitlines() for part in textwrap.wrap(line, width) or [""]]
        for cell, width in zip(cells, WIDTHS)
    ]
    for i in range(max(map(len, columns))):
        print(
            "  ".join(
                (column[i] if i < len(column) else "").ljust(width) for column, width in zip(columns, WIDTHS)
            ).rstrip()
        )


def as_json(row: Row, result: Result, seconds: float) -> dict:
    return {
        "name": row.name,
        "what": row.what,
        "bar": row.bar,
        "measured": result.measured,
        "verdict": VERDICTS[result.ok],
        "took_s": seconds,
        **result.details,
    }


def _write(path: Path, description: dict, found: list[tuple[Row, Result, float]], is_quick: bool) -> None:
    answer = {
        "machine": description,
        "quick": is_quick,
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "load_at_end": os.getloadavg(),
        "rows": [as_json(*each) for each in found],
    }
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(answer, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())

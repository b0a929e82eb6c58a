"""The files of a race: the one that grows while it runs, and what is kept in the repository of the last published one,
per machine.

`results/<machine>.json` has every median and spread; `results/<machine>.md` and `results/README.md` are made from it
and never written by hand. Files are replaced whole: whoever stops a run leaves the heats that were done, marked
partial.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from . import heats, report

FORMAT = 1
HERE = Path(__file__).resolve().parents[1]
SCRATCH, RESULTS = HERE / "scratch", HERE / "results"  # what a run leaves, outside git; what is published
LISTS = ("rows", "heats", "programs")  # one item a line
SAME = ("asked", "slug", "commit")  # what a run that goes on has in common with its beginning
INDEX = "README.md"


class NotKept(Exception):
    """A file that cannot be read, gone on with, or published; the text says what to do."""


def slug(machine: dict) -> str:
    """Of a machine, as a file name: `amd-epyc-32k-1m-32m-2-cores`."""
    caches = (f"{size >> 20}m" if size >> 20 else f"{size >> 10}k" for _, size in sorted(machine["caches"].items()))
    return "-".join([*re.findall(r"[a-z0-9]+", machine["cpu"].lower()), *caches, str(machine["cores"]), "cores"])


def write(path: Path, text: str) -> None:
    """The whole text or nothing of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f"{path.name}.half")
    half.write_text(text)
    os.replace(half, path)


def dumps(found: dict) -> str:
    """JSON, a line for each item of a list, so that two runs can be compared line by line."""
    parts = []
    for name, value in found.items():
        items = ",\n".join(json.dumps(item) for item in value) if name in LISTS else ""
        parts.append(f"{json.dumps(name)}: [\n{items}\n]" if items else f"{json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read(path: Path) -> dict:
    try:
        found = json.loads(path.read_text())
    except OSError as error:
        raise NotKept(
            f"expected a run's file at {path.name}, found none ({error.strerror}); start without --resume"
        ) from error
    except ValueError as error:
        raise NotKept(f"expected JSON in {path.name}, found something else: {error}; remove the file") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise NotKept(
            f"expected format {FORMAT} in {path.name}, found"
            f" {found.get('format') if isinstance(found, dict) else type(found).__name__}; run anew"
        )
    return found


def resumed(path: Path, wanted: dict) -> dict:
    """The run that the file has the beginning of; NotKept where that was another run."""
    found = read(path)
    for name in SAME:
        if found[name] != wanted[name]:
            raise NotKept(
                f"expected a run with {name} {wanted[name]} in {path.name}, found {found[name]}; start without --resume"
            )
    return found


# Published
# ---------------------------------------------------------------------------------------------------------------


def condensed(found: dict) -> dict:
    """What is kept of a run: no single rounds, no details of rows, no paths of this machine."""
    rows = [{k: row[k] for k in ("name", "what", "bar", "measured", "verdict", "took_s")} for row in found["rows"]]
    programs = [
        {k: v for k, v in program.items() if k in ("name", "threads", "cost", "seconds", "error")}
        for program in found["programs"]
    ]
    kept = {**found, "rows": rows, "programs": programs, "heats": [heats.figures(h) for h in found["heats"]]}
    return json.loads(json.dumps(kept).replace(str(HERE.parent), "."))


def publish(found: dict, folder: Path) -> Path:
    """The machine's JSON replaced, every table made anew."""
    if found["partial"]:
        raise NotKept(
            "expected a run that came to its end, found one that was stopped: go on with --resume, then it is published"
        )
    path = folder / f"{found['slug']}.json"
    write(path, dumps(condensed(found)))
    make_tables(folder)
    return path


def tables(folder: Path) -> dict[str, str]:
    """{file name: text}, from the JSON files alone."""
    kept = {path.stem: read(path) for path in sorted(folder.glob("*.json"))}
    return {**{f"{name}.md": report.markdown(found) for name, found in kept.items()}, INDEX: report.index(kept)}


def make_tables(folder: Path) -> None:
    for name, text in tables(folder).items():
        write(folder / name, text)


def stale(folder: Path) -> list[str]:
    """The Markdown files that are not what the JSON gives."""
    wanted = tables(folder)
    found = {path.name: path.read_text() for path in folder.glob("*.md")}
    return sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))

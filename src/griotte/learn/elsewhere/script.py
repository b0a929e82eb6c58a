"""All Specs of a batch timed on this machine, one after the other; what is done is written at once, and not done again
where a run was stopped.

    python measure.py               -> times.json
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

from . import machine
from .machine import Stopped
from .timing import timed

BATCH, TIMES = "batch.json", "times.json"
FORMAT = 1


def main(file: str) -> None:
    """Time the batch that a script of this path is of."""
    folder = Path(file).resolve().parent
    try:
        if sys.argv[1:2] == ["--one"]:
            _one(folder, int(sys.argv[2]), Path(sys.argv[3]))
        else:
            _all(folder, file)
    except (Stopped, OSError) as why:
        sys.exit(f"measure.py: {why}")


def _all(folder: Path, file: str) -> None:
    text = (folder / BATCH).read_bytes()
    batch, compiler = json.loads(text), machine.compiler()
    own = {"format": FORMAT, "batch": sha256(text).hexdigest(), "machine": machine.told(), "compiler": compiler.version}
    found = own | {"specs": _known(folder, own)}
    with tempfile.TemporaryDirectory() as built:
        for number, spec in enumerate(batch["specs"]):
            if str(number) in found["specs"]:
                continue
            found["specs"][str(number)] = told = _apart(file, number, built)
            temporary = folder / f".{TIMES}"
            temporary.write_text(json.dumps(found))
            temporary.replace(folder / TIMES)
            end = f"failed: {told['error']}" if "error" in told else f"{len(told['programs'])} programs"
            print(f"{number + 1} of {len(batch['specs'])}  {spec['spec']}   {end}", flush=True)
    failed = sum("error" in each for each in found["specs"].values())
    print(f"{folder / TIMES}: {len(found['specs']) - failed} Specs timed, {failed} failed; send it back")


def _known(folder: Path, own: dict[str, Any]) -> dict[str, Any]:
    """What this machine timed of this batch before, and did not fail."""
    try:
        known = json.loads((folder / TIMES).read_text())
    except (OSError, ValueError):
        return {}
    if not isinstance(known, dict) or any(known.get(key) != value for key, value in own.items()):
        raise Stopped(
            f"expected no {TIMES}, or one of this batch and this machine, found {folder / TIMES}; move it away"
        )
    return {number: each for number, each in known["specs"].items() if "error" not in each}


def _apart(file: str, number: int, built: str) -> dict[str, Any]:
    """A Spec in a process of its own."""
    command = [sys.executable, file, "--one", str(number), built]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        found: dict[str, Any] = json.loads(done.stdout)
        return found
    last = (done.stderr.strip().splitlines() or [f"its process died ({done.returncode})"])[-1]
    return {"error": last.removeprefix("measure.py: ")[:500]}


def _one(folder: Path, number: int, built: Path) -> None:
    batch = json.loads((folder / BATCH).read_text())
    print(json.dumps(timed(folder, batch, number, built, machine.compiler())))
    sys.stdout.flush()
    os._exit(0)  # without waiting for threads of a team

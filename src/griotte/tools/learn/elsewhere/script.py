"""All Specs of a batch timed on this machine, one after the other. Finished ones are written at once, and not done
again where a run was stopped.

    python measure.py               -> times.jsonl: a line of the machine, then one for each Spec
    python measure.py --build       compiles all of it into built/, beside other work: then timing compiles nothing
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

from .timing import BUILT, Stopped, found_compiler, library_of, machine, timed

BATCH, TIMES = "batch.json", "times.jsonl"
FORMAT = 1


def main(file: str) -> None:
    """Time the batch that a script of this path is of."""
    folder, words = Path(file).resolve().parent, sys.argv[1:]
    try:
        if words[:1] == ["--one"]:
            _one(folder, int(words[1]), Path(words[2]))
        elif words == ["--build"]:
            _build(folder)
        elif words:
            raise Stopped(f"expected --build or nothing, found {' '.join(words)}")
        else:
            _all(folder, file)
    except (Stopped, OSError) as why:
        sys.exit(f"measure.py: {why}")


def _all(folder: Path, file: str) -> None:
    text = (folder / BATCH).read_bytes()
    batch, compiler = json.loads(text), found_compiler()
    own = {"format": FORMAT, "batch": sha256(text).hexdigest(), "machine": machine(), "compiler": compiler.version}
    known, failed = _known(folder / TIMES, own), 0
    _begin(folder / TIMES, [own, *known.values()])
    with tempfile.TemporaryDirectory() as built, open(folder / TIMES, "a", encoding="utf-8") as times:
        for number, spec in enumerate(batch["specs"]):
            if number in known:
                continue
            told = _apart(file, number, built)
            print(json.dumps({"number": number, **told}), file=times, flush=True)
            failed += "error" in told
            end = f"failed: {told['error']}" if "error" in told else f"{len(told['programs'])} programs"
            print(f"{number + 1} of {len(batch['specs'])}  {spec['spec']}   {end}", flush=True)
    print(f"{folder / TIMES}: {len(batch['specs']) - failed} Specs timed, {failed} failed; send it back")


def _build(folder: Path) -> None:
    """Compile the Specs that are not compiled yet, on all CPUs. C that fails is reported when it is timed."""
    batch, compiler = json.loads((folder / BATCH).read_text()), found_compiler()
    flags, count = batch["flags"][compiler.kind], 0
    (folder / BUILT).mkdir(exist_ok=True)

    def build(program: dict[str, Any]) -> bool:
        path = library_of(folder, program, flags, compiler)
        if path.exists():
            return True
        part = path.with_suffix(f".{os.getpid()}-{program['c'].replace('/', '-')}")
        try:
            compiler.library(folder / program["c"], flags, part)
            part.replace(path)
        except Stopped:
            return False
        return True

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for number, spec in enumerate(batch["specs"]):
            count += sum(pool.map(build, spec["programs"]))
            print(f"{number + 1} of {len(batch['specs'])}  {spec['spec']}", flush=True)
    print(f"{folder / BUILT}: {count} programs; python measure.py times them")


def _known(path: Path, own: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """What this machine timed of this batch before, and did not fail."""
    try:
        first, *lines = read(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if first != own:
        raise Stopped(f"expected no {TIMES}, or one of this batch and this machine, found {path}; move it away")
    return {each["number"]: each for each in lines if "error" not in each}


def read(text: str) -> list[Any]:
    """What each line says; not the last where it was not written to its end. ValueError where one is no JSON."""
    return [json.loads(line) for line in text.split("\n")[:-1]]


def _begin(path: Path, lines: list[Any]) -> None:
    temporary = path.with_name(f".{path.name}")
    temporary.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    temporary.replace(path)


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
    print(json.dumps(timed(folder, batch, number, built, found_compiler())))
    sys.stdout.flush()
    os._exit(0)  # without waiting for threads of a team

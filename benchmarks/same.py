"""Whether two trees of griotte find the same for every problem: the printed program, the bits of its cost, its C; of a
model also the graph that a reader makes, what is left of it simplified, and the cut.

    same.py [BASE]            the working tree against BASE: a revision (HEAD), or a folder with src/griotte in it
    same.py BASE --only TEXT  the problems with this in their name, target or text
    same.py BASE --count 60   about so many of them, spread evenly
    same.py BASE --show 3     diffs of the first three that differ
    same.py BASE --anew       without the answers that are kept

The net under a refactoring: it ends with status 1 where anything differs. An error is an answer too, by its type and
message. The current tree draws the problems; both trees get them as text, and their processes call the public face of
griotte alone (same_answers.py), so that rooms may move between the two. Both run at once, a process each, or two for
the one that is missing: answers are kept by the content of src/griotte, committed or not, so that a working tree that
was compared and then committed is a BASE for which nothing runs.
"""

from __future__ import annotations

import argparse
import collections
import difflib
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import child
import platformdirs
from same_problems import Problem, missing
from versions import REPOSITORY, trees

PROCESSES = 2  # at a time
KEPT, SHOWN = 30, 60  # files of answers, and lines of a diff
WORDS = "words of the C"  # comments, and the digest in functions' names
HERE = {"PYTHONPATH": str(REPOSITORY / "src")}
ANSWERS = Path(__file__).with_name("same_answers.py")
PARTS = ("schedule", "graph", "simple", "cut", "program", "cost", "C")  # of an answer, that are compared
FOLDER = Path(os.environ.get("GRIOTTE_CACHE") or platformdirs.user_cache_dir("griotte")) / "same"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("base", nargs="?", default="HEAD", metavar="BASE")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--count", type=int, default=sys.maxsize, metavar="N")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    parser.add_argument("--anew", action="store_true")
    asked = parser.parse_args()
    every = [Problem(*fields) for fields in child.call("same_problems:problems", env=HERE)]
    wanted = [p for p in every if asked.only in f"{p.name} {p.key}"]
    if not wanted:
        sets = ", ".join(dict.fromkeys(p.name.partition("/")[0] for p in every))
        parser.error(f"expected a part of a problem's name ({sets}), target or Spec after --only, found {asked.only!r}")
    if left_out := missing():
        print(f"{' and '.join(left_out)} not installed: those functions are left out")
    wanted = wanted[:: max(1, round(len(wanted) / asked.count))]
    with trees({"base": asked.base, "here": str(REPOSITORY)}) as sides:
        if not asked.anew and contents(sides["base"]) == contents(sides["here"]):
            print(f"src/griotte is the same in {asked.base}, and nothing ran; --anew runs it twice")
            return 0
        old, new = answers(sides, wanted, asked.anew)
    return report([(p, old[p.key], new[p.key]) for p in wanted], asked.show)


def answers(sides: dict[str, Path], problems: list[Problem], is_anew: bool) -> list[dict[str, dict]]:
    """What each tree says, by the problem's key: kept, or found now, both trees at once."""
    before = {side: contents(tree) for side, tree in sides.items()}
    machine = place()
    files = {side: FOLDER / f"{content[:16]}-{machine}.json.gz" for side, content in before.items()}
    known = {side: {} if is_anew else read(path) for side, path in files.items()}
    missing = {side: left for side in sides if (left := [p for p in problems if p.key not in known[side]])}
    number = PROCESSES // max(1, len(missing))  # of processes to a side
    jobs = [(side, sides[side], left[i::number]) for side, left in missing.items() for i in range(number)]
    with ThreadPoolExecutor(PROCESSES) as pool:
        for (side, _, part), answered in zip(jobs, pool.map(lambda job: run(*job), jobs)):
            known[side].update(zip((p.key for p in part), answered))
    for side in missing:
        if contents(sides[side]) == before[side]:
            write(files[side], read(files[side]) | known[side])
        else:
            print(f"src/griotte of {side} changed while it ran: its answers may be of both, and are not kept")
    return list(known.values())


def run(side: str, tree: Path, problems: list[Problem]) -> list[dict]:
    """One process after the other: where a problem kills one, the next goes on behind it."""
    done: list[dict] = []
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(problems, file)
        file.flush()
        while len(done) < len(problems):
            try:
                for answer in child.stream(
                    "same_answers:found", file.name, len(done), env={"PYTHONPATH": str(tree / "src")}
                ):
                    done.append(answer)
                    if len(done) % 50 == 0:
                        print(f"{side}: {len(done)} of {len(problems)}", file=sys.stderr, flush=True)
            except child.ChildFailed as failure:  # before any answer, the tree is at fault
                done += [{"error": f"ChildFailed: {failure}"}] * (1 if done else len(problems))
    return done


def contents(tree: Path) -> str:
    """git's name for src/griotte as it lies there, committed or not."""
    with tempfile.TemporaryDirectory() as room:
        for command in (
            ["add", "-A", "src/griotte", ":(exclude,glob)**/__pycache__/**"],
            ["write-tree", "--prefix=src/griotte/"],
        ):
            env = {**os.environ, "GIT_INDEX_FILE": f"{room}/index"}
            name = subprocess.check_output(["git", "-C", tree, *command], env=env, text=True).strip()
    return name


def place() -> str:
    """A digest of what answers depend on beside the tree: machine, libraries, and what is asked."""
    machine = child.call("machine:seen_by_griotte", env=HERE)
    return hashlib.sha256(json.dumps([machine, ANSWERS.read_text()]).encode()).hexdigest()[:16]


def read(path: Path) -> dict[str, dict]:
    return json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {}


def write(path: Path, answered: dict[str, dict]) -> None:
    """All but those of processes that died, which may be the machine's doing; the oldest files go."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {key: answer for key, answer in answered.items() if not answer.get("error", "").startswith("ChildFailed")}
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(gzip.compress(json.dumps(kept).encode(), 5))
    fresh.replace(path)
    for old in sorted(FOLDER.glob("*.json.gz"), key=lambda file: file.stat().st_mtime)[:-KEPT]:
        old.unlink()


def differing(old: dict, new: dict) -> tuple[str, ...]:
    """The kinds of what differs: error; or those of PARTS, of C perhaps only its words."""
    if "error" in old or "error" in new:
        return ("error",) if old != new else ()
    kinds = tuple(kind for kind in PARTS if old.get(kind) != new.get(kind))
    return tuple(WORDS if kind == "C" and code(old["C"]) == code(new["C"]) else kind for kind in kinds)


def code(source: str) -> str:
    """Without comments, one of which has the program, and without the digest of Spec and target in names."""
    return re.sub(r"(griotte_\w+?_)[0-9a-f]{8}(?![0-9a-f])", r"\1", re.sub(r"/\*.*?\*/", "", source, flags=re.S))


def report(compared: list[tuple[Problem, dict, dict]], shown: int) -> int:
    """A line for each that differs, with diffs of the first, and how many by kind; the exit status."""
    different = [(*one, kinds) for one in compared if (kinds := differing(*one[1:]))]
    for number, (problem, old, new, kinds) in enumerate(different):
        values = " -> ".join(dict.fromkeys((said(old), said(new))))
        print(f"{problem.name}: {', '.join(kinds)}; {values}; {problem.told}")
        if number < shown:
            print(
                *(diff("C" if kind == WORDS else kind, old, new) for kind in kinds if kind not in ("cost", "error")),
                sep="\n",
            )
    counts = collections.Counter(kind for *_, kinds in different for kind in kinds)
    searched = [sum(answer.get("search_s", 0.0) for answer in side) for side in zip(*(one[1:] for one in compared))]
    told = [f"{seconds:.0f} s" for seconds in searched]
    print(f"searched for {told[0]} in base, {told[1]} here (where answers were kept, at another time)")
    differ = f"; {len(different)} differ: {', '.join(f'{kind} {n}' for kind, n in counts.items())}" if different else ""
    print(f"{len(compared) - len(different)} of {len(compared)} are equal{differ}")
    return 1 if different else 0


def said(answer: dict) -> str:
    return answer.get("error") or f"{float.fromhex(answer['cost'])!r} cycles"


def diff(kind: str, old: dict, new: dict) -> str:
    sides = old[kind].splitlines(), new[kind].splitlines()
    lines = list(difflib.unified_diff(*sides, f"base: {kind}", f"here: {kind}", n=2, lineterm=""))
    return "\n".join(lines[:SHOWN] + [f"... {len(lines) - SHOWN} more lines"] * (len(lines) > SHOWN))


if __name__ == "__main__":
    sys.exit(main())

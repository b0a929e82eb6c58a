"""Two versions of griotte side by side: the programs that each finds for a Spec, timed in turns in one process.

    versions.py OLD NEW SPEC@2 ...         OLD and NEW: a folder with src/griotte in it, or a revision of this
                                           repository
    versions.py HEAD . --target NEW=a.toml  one of them with another target; without Specs, the list below

Not a row of run.py: it has no bar. It is how a change of prices or of the C is judged: a ratio above 1 is for NEW.
Programs whose C is the same are not timed.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import child
import tuning

REPOSITORY = Path(__file__).resolve().parent.parent
SQUARES = [
    f"matmul({a}[{n},{n}], {b}[{n},{n}]) -> {c}[{n},{n}]"
    for a, b, c in (("f32", "f32", "f32"), ("bf16", "bf16", "f32"), ("u8", "s8", "s32"))
    for n in (64, 128, 256, 512, 1024)
]
ODD = [
    f"matmul(f32[{m},{k}], f32[{k},{n}])"
    for m, k, n in ((100, 300, 77), (777, 513, 129), (33, 1000, 250), (1000, 777, 513), (271, 1508, 1))
]
THIN = [f"matmul({d}[{m},4096], {d}[4096,4096]) -> f32[{m},4096]" for d in ("f32", "bf16") for m in (1, 4, 16)]
SPECS = [f"{spec}@1" for spec in (*SQUARES, *ODD, *THIN)]
SECONDS = 1.4  # that the two run beside each other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("specs", nargs="*", default=SPECS, metavar="SPEC@THREADS")
    parser.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="OLD=FILE|NEW=FILE",
        help="the target of one of them; native where it is left out",
    )
    parser.add_argument("--seconds", type=float, default=SECONDS)
    asked = parser.parse_intermixed_args()
    targets = {"OLD": "native", "NEW": "native"} | dict(pair.split("=", 1) for pair in asked.target)
    with trees({"OLD": asked.old, "NEW": asked.new}) as found, tempfile.TemporaryDirectory() as room:
        ratios = [_one(spec, found, targets, Path(room) / str(i), asked.seconds) for i, spec in enumerate(asked.specs)]
    print(
        f"\n{len(ratios)} Specs: geometric mean {statistics.geometric_mean(ratios):.3f}, least {min(ratios):.3f}, most"
        f" {max(ratios):.3f}"
    )


@contextmanager
def trees(names: dict[str, str]) -> Iterator[dict[str, Path]]:
    """A tree by side: the folder of that name, or a revision's files in a folder that goes with the context."""
    with tempfile.TemporaryDirectory() as room:
        found: dict[str, Path] = {}
        try:
            for side, name in names.items():
                found[side] = _tree(name, Path(room) / side)
            yield found
        finally:
            for tree in found.values():
                if tree.is_relative_to(room):
                    subprocess.run(
                        ["git", "-C", REPOSITORY, "worktree", "remove", "--force", tree],
                        check=True,
                        capture_output=True,
                    )


def _tree(name: str, room: Path) -> Path:
    """The folder of that name, or a revision's files in `room`."""
    if (Path(name) / "src" / "griotte").is_dir():
        return Path(name).resolve()
    command = ["git", "-C", REPOSITORY, "worktree", "add", "--detach", room, name]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(
            f"expected a folder with src/griotte in it, or a revision, found {name!r}: {done.stderr.strip()}"
        )
    return room


def _one(goal: str, trees: dict[str, Path], targets: dict[str, str], room: Path, seconds: float) -> float:
    """How much faster NEW's program is; 1 where it is OLD's."""
    text, _, threads = goal.rpartition("@")
    made = {
        side: child.call(
            "versions:prepare",
            text,
            int(threads),
            targets[side],
            str(room / side),
            env={"PYTHONPATH": str(tree / "src")},
        )
        for side, tree in trees.items()
    }
    if made["OLD"]["c"] == made["NEW"]["c"]:
        print(f"{goal:60} the same program", flush=True)
        return 1.0
    found = child.call("versions:measure", text, str(room), seconds)
    costs = "  ".join(f"{made[side]['cost'] / 1e3:10.1f} kcycles" for side in trees)
    print(
        f"{goal:60} {found['OLD']:10.1f} us {found['NEW']:10.1f} us   {found['ratio']:.3f} ({found['least']:.3f})  "
        f" priced {costs}",
        flush=True,
    )
    return found["ratio"]


def prepare(text: str, threads: int, target: str, folder: str) -> dict:
    """In a child, on the tree's modules: its program, compiled and saved."""
    import griotte as gt

    program = gt.synthesize(text, target, threads=threads, table="none")
    program.compile().save(folder)
    return {"c": program.to_c(), "cost": program.cost}


def measure(text: str, room: str, seconds: float) -> dict:
    """In a child: both kernels on the same arrays."""
    runs = tuning.bound(text, room, ("OLD", "NEW"))
    old, new = tuning.beside(runs["OLD"], runs["NEW"], seconds)
    return {
        "OLD": statistics.median(old),
        "NEW": statistics.median(new),
        "least": min(old) / min(new),
        "ratio": statistics.median(o / n for o, n in zip(old, new)),
    }


if __name__ == "__main__":
    main()

"""What a narrowing of the space costs: the program of a space that is wider by one declared constant beside the one of
the space as it is.

    widened.py                              the Specs below, every widening
    widened.py --only tiles SPEC@2 ..       the widenings whose names begin so; other Specs, on two threads
    widened.py --cpu avx2                   as a CPU without more features would

For each: families and Specs solved, seconds of CPU of the synthesis, and the cost, each by that of the space as it is;
then the time of its program by that of the wider space's, in turns (median, quartiles): above 1 the wider space is
faster. Programs whose C is the same are not timed. Not a row of run.py: it has no bar.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import child

SPECS = [
    f"{spec}@1"
    for spec in (
        "matmul(f32[1024,1024], f32[1024,1024])",
        "matmul(f32[1000,777], f32[777,513])",
        "matmul(f32[100,300], f32[300,200])",
        "matmul(f32[60,1024], const f32[1024,1024])",
    )
]
ROUNDS = 31


def more_tiles(odd: int) -> Callable[[Any], Any]:
    return lambda target: replace(target, tile_sizes=(*target.tile_sizes, *(odd << a for a in range(9))))


def wider_panels(target: Any) -> Any:
    return replace(target, panel_vectors=(*target.panel_vectors, 5, 6))


def of_28_rows(target: Any) -> Any:
    """28 on the ladder of a product's rows."""
    from griotte.engine.search import problem
    from griotte.engine.search.ladder import Ladder

    plain = problem.ladder

    def wider(spec: Any, dim: str, target: Any, extents: tuple[int, ...], threads: int = 1) -> Any:
        found = plain(spec, dim, target, extents, threads)
        return (
            Ladder(extents, tuple(sorted({*found.tiles, 28})), lambda size: problem.asked(spec.operation, dim, size))
            if dim == "m"
            else found
        )

    problem.ladder = wider
    return target


def finer_limits(target: Any) -> Any:
    """Eleven steps of a cache in place of six."""
    from griotte.engine.search import limits
    from griotte.engine.table import table

    limits.SHARES = (0.0, 0.0625, 0.125, 0.1875, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0)
    table.STEPS = len(limits.SHARES)
    return target


def larger_rests(target: Any) -> Any:
    """A copy may take half of L3, not a quarter."""
    from griotte.machine import target as declared

    declared.RESTING = 0.5
    return target


WIDER: dict[str, Callable[[Any], Any]] = {
    "as it is": lambda target: target,
    "tiles 5 * 2^a": more_tiles(5),
    "tiles 7 * 2^a": more_tiles(7),
    "tiles of 28 rows": of_28_rows,
    "panels of 5 and 6 vectors": wider_panels,
    "limits of 11 steps": finer_limits,
    "rests in half of L3": larger_rests,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="*", default=SPECS, metavar="SPEC@THREADS")
    parser.add_argument("--only", default="", metavar="NAME")
    parser.add_argument("--cpu", metavar="FEATURES", help="features hidden: GRIOTTE_CPU of the child")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    env = {"GRIOTTE_CPU": asked.cpu} if asked.cpu else {}
    names = [name for name in list(WIDER)[1:] if name.startswith(asked.only)]
    print("| Spec | wider by | families | Specs | seconds | cost | time / time |\n|---|---|---|---|---|---|---|")
    for goal in asked.specs:
        with tempfile.TemporaryDirectory() as folder:
            made = [
                child.call("widened:make", goal, name, f"{folder}/{number}", env=env)
                for number, name in enumerate(["as it is", *names])
            ]
            for number, (name, wide) in enumerate(zip(names, made[1:]), 1):
                same = wide["c"] == made[0]["c"]
                ratio = (
                    "the same program"
                    if same
                    else shown(child.call("widened:timed", goal, folder, number, asked.rounds, env=env))
                )
                print(
                    f"| `{goal}` | {name} | "
                    + " | ".join(f"{wide[key] / made[0][key]:.4g}" for key in ("families", "specs", "seconds", "cost"))
                    + f" | {ratio} |",
                    flush=True,
                )


def shown(ratios: list[float]) -> str:
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"{middle:.3f} ({low:.3f} .. {high:.3f})"


def make(goal: str, name: str, folder: str) -> dict:
    """In a child: the program of a Spec in a space, kept in a folder."""
    import time

    import griotte as gt
    from griotte.machine import resolve

    text, _, threads = goal.rpartition("@")
    target = WIDER[name](resolve("native"))
    gt.synthesize("matmul(f32[8,8], f32[8,8])", target, table="none")  # the search's machine code is at hand
    started = time.process_time()
    program = gt.synthesize(text, target, threads=int(threads), table="none")
    seconds = time.process_time() - started
    program.compile().save(folder)
    return {
        "c": program.to_c(),
        "cost": program.cost,
        "seconds": seconds,
        "families": program.stats["families"],
        "specs": program.stats["specs_solved"],
    }


def timed(goal: str, folder: str, number: int, rounds: int) -> list[float]:
    """In a child: the time of the program of the space as it is by that of program `number`, turn after turn."""
    import time

    import priced
    import tuning

    text, _, threads = goal.rpartition("@")
    first, second = tuning.bound(text, folder, (0, number)).values()
    clock = time.thread_time if threads == "1" else time.perf_counter
    return [a / b for a, b in priced.turns(first, second, rounds, clock)]


if __name__ == "__main__":
    main()

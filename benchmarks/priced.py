"""Two sets of prices side by side: the programs that the search finds for a Spec with each, in turns in one process, by
CPU time.

    priced.py                            a Xeon's prices, which are by hand, against those of `native`, of the Specs
                                         below
    priced.py --old a.toml --new b.toml  of any two targets; `like:zen-8m` is `native` as it were if that known machine
                                         were the nearest one, `like:here.toml` that of a file,
                                         `like:zen-8m,hidden.L2=0.3` with another value of a parameter
    priced.py SPEC@2 ...                 others, on two threads: by the clock
    priced.py --cpu avx2                 as a CPU without more features would
    priced.py --model m.gtm              NEW's program counts where that model of times promises that it beats OLD's
    priced.py --begin 0                  arrays begin on a line; else 16 bytes into one, as NumPy's do

Not a row of run.py: it has no bar. A ratio above 1 is for NEW: OLD's program takes so many times as long. Programs
whose C is the same are not timed. CPU time is less disturbed than the clock by what else the machine does.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import child

SQUARES = [f"matmul(f32[{n},{n}], f32[{n},{n}])" for n in (64, 128, 256, 384, 512, 1024)]
THIN = [
    "matmul(f32[4,1024], f32[1024,1024])",
    "matmul(f32[13,512], f32[512,512])",
    "matmul(f32[8,2048], f32[2048,2048])",
    "matmul(f32[64,1024], f32[1024,1024])",
    "matmul(f32[1,2048], f32[2048,2048])",
    "matmul(f32[1,2048], f32[2048,2048]{0,1})",
    "matmul(f32[8,1024], f32[1024,1024])",
    "matmul(f32[32,1024], f32[1024,1024])",
]
OTHERS = [
    "matmul(f32[12,128,64], f32[12,64,128])",
    "matmul(bf16[512,512], bf16[512,512]) -> f32[512,512]",
    "matmul(u8[512,512], s8[512,512]) -> s32[512,512]",
    "relu(add(matmul(f32[256,512], f32[512,256]), f32[256]))",
    "conv2d(f32[1,32,30,30], f32[64,32,3,3])",
    "softmax(f32[256,1000])",
    "attention(f32[4,256,64], f32[4,256,64], f32[4,256,64])",
    "exp(f32[256,1024])",
    "transpose(f32[700,900])",
    "sum(f32[1000,500], axis=1)",
]
SPECS = [f"{spec}@1" for spec in (*SQUARES, *THIN, *OTHERS)]
BATCH, ROUNDS = 0.015, 61  # seconds of a program's turn, and turns of each


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="*", default=SPECS, metavar="SPEC@THREADS")
    parser.add_argument("--old", default="like:xeon-48k", metavar="TARGET")
    parser.add_argument("--new", default="native", metavar="TARGET")
    parser.add_argument("--cpu", metavar="FEATURES", help="features hidden: GRIOTTE_CPU of the child")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--begin", type=int, default=16, metavar="BYTES")
    parser.add_argument("--model", metavar="M.gtm")
    asked = parser.parse_args()
    env = {"GRIOTTE_CPU": asked.cpu} if asked.cpu else {}
    found = [
        _shown(
            goal,
            child.call("priced:measure", goal, asked.old, asked.new, asked.rounds, asked.begin, asked.model, env=env),
        )
        for goal in asked.specs
    ]
    print(
        f"\n{len(found)} Specs: geometric mean {statistics.geometric_mean(found):.3f}, least {min(found):.3f}, most"
        f" {max(found):.3f}"
    )


def _shown(goal: str, found: dict) -> float:
    if found["ratios"] is None:
        print(f"{goal:64} no other program", flush=True)
        return 1.0
    low, middle, high = statistics.quantiles(found["ratios"], n=4)
    print(
        f"{goal:64} {found['old']:10.1f} us {found['new']:10.1f} us   {middle:.3f} ({low:.3f} .. {high:.3f})   priced"
        f" {found['costs'][0] / 1e3:.0f} and {found['costs'][1] / 1e3:.0f} kcycles",
        flush=True,
    )
    return middle


def measure(goal: str, old: str, new: str, rounds: int, begin: int, model: str | None) -> dict:
    """In a child: the two programs, made, found to be right, and timed in turns where both are to be."""
    import tempfile

    import griotte as gt
    import tuning

    text, _, threads = goal.rpartition("@")
    programs = [gt.synthesize(text, target_named(name), threads=int(threads), table="none") for name in (old, new)]
    costs = [program.cost for program in programs]
    if programs[0].to_c() == programs[1].to_c() or (model and not is_promised(model, programs, text, int(threads))):
        return {"ratios": None, "costs": costs}
    with tempfile.TemporaryDirectory() as folder:
        for number, program in enumerate(programs):
            program.compile().save(f"{folder}/{number}")
        first, second = tuning.bound(text, folder, (0, 1), begin).values()
    clock = time.thread_time if threads == "1" else time.perf_counter
    pairs = list(turns(first, second, rounds, clock))
    return {
        "ratios": [a / b for a, b in pairs],
        "old": 1e6 * min(a for a, _ in pairs),
        "new": 1e6 * min(b for _, b in pairs),
        "costs": costs,
    }


def is_promised(model: str, programs: list, text: str, threads: int) -> bool:
    """Whether a model of times has the second program before the first, both as the first one's target prices them."""
    from griotte.engine.learned.ranking import Ranked, model_of
    from griotte.engine.search.recorded import written
    from griotte.lang.text.text import parse
    from griotte.tools.learn.drafts import SpecSpace

    target = programs[0].target
    space = SpecSpace(parse(text), target, threads)
    roots = [space.rebuilt(written(program.root)) for program in programs]
    return Ranked.of(model_of(model), roots, target, threads).order[0] == 1


def target_named(name: str):
    from dataclasses import replace

    from griotte import machine as targets
    from griotte.machine import measured

    if not name.startswith("like:"):
        return targets.resolve(name)
    cpu = targets.detect()
    file, *changed = name.removeprefix("like:").split(",")
    known = measured.load(Path(file) if file.endswith(".toml") else measured.FOLDER / f"{file}.toml")
    given = {key: float(value) for key, _, value in (each.partition("=") for each in changed)}
    prices = replace(known.prices, parameters=known.prices.parameters | given)
    return replace(known, prices=prices).priced(targets.unpriced(targets.best(cpu), cpu, "native"))


def turns(first, second, rounds: int, clock):
    """Seconds of a call of each of the two, turn after turn; every other turn begins with the second."""
    counts = [calls(run, clock) for run in (first, second)]
    for number in range(rounds):
        found = {}
        for which in (0, 1) if number % 2 else (1, 0):
            found[which] = seconds((first, second)[which], counts[which], clock)
        yield found[0], found[1]


def calls(run, clock) -> int:
    run()
    return max(1, int(BATCH / max(1e-6, seconds(run, 3, clock))))


def seconds(run, count: int, clock) -> float:
    started = clock()
    for _ in range(count):
        run()
    return (clock() - started) / count


if __name__ == "__main__":
    main()

"""How well prices rank programs: Kendall's tau, regret and error over programs of Specs drawn at random, none of which
any price was made from.

    ranked.py                            24 Specs by the prices of `native` and of a Xeon, `like:xeon-48k`
    ranked.py --cpu avx2 --by here.toml  by other prices; as a CPU without more features would
    ranked.py --specs 6 --seed 2         fewer, others

The programs of a Spec are the search's own by each of the prices judged, and by prices that are theirs times random
factors: what a machine of other numbers would take. Each is priced anew by each of the prices judged (its cost
replayed), and timed in turns by CPU time. *tau* is over pairs that the clock tells apart (5 % in both halves of the
rounds); *clock*, one half of the rounds against the other, over the same programs, all pairs; *regret* k, what the
fastest of the k programs of least price loses to the fastest of all; *error*, the median of price over time, less one.
"""

from __future__ import annotations

import argparse
import random
import statistics
from dataclasses import replace

import child

# programs drawn; of factors' logarithm; what is told apart; turns of each, and seconds of one
DRAWS, SPREAD, APART, ROUNDS, TURN = (12, 0.6, 1.05, 20, 0.008)
MODELS = ("native", "like:xeon-48k")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--by", action="append", metavar="TARGET", help="prices to judge")
    parser.add_argument("--specs", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", metavar="FEATURES", help="features hidden: GRIOTTE_CPU of the child")
    asked = parser.parse_args()
    models, rng = asked.by or list(MODELS), random.Random(asked.seed)
    env = {"GRIOTTE_CPU": asked.cpu} if asked.cpu else {}
    rows = []
    for number in range(asked.specs):
        kind, text = drawn(rng, number)
        found = child.call("ranked:measure", text, models, asked.seed * 1000 + number, env=env)
        rows.append((kind, found))
        print(
            f"{text:56} {len(found['times'][0]):3} programs, {spread(found):.2f} x  "
            + "  ".join(f"{m} {brief(judged(found, m))}" for m in models),
            flush=True,
        )
    print("\n| prices | Specs | tau | clock | regret 1 | regret 5 | error |\n|---|---|---|---|---|---|---|")
    for model in models:
        for kind in ("all", *dict.fromkeys(kind for kind, _ in rows)):
            print(summary(model, kind, [judged(found, model) for k, found in rows if kind in ("all", k)]), flush=True)


def drawn(rng: random.Random, number: int) -> tuple[str, str]:
    """A kind and a Spec of it: of six, three products, one thin product, a convolution and a graph."""
    size = lambda least, most: round(least * (most / least) ** rng.random())
    match number % 6:
        case 3:
            m, n, k = size(1, 32), size(128, 2048), size(128, 2048)
            return "thin", f"matmul(f32[{m},{k}], f32[{k},{n}])"
        case 4:
            c, o, side, window = size(8, 128), size(16, 128), size(14, 60), rng.choice((1, 3, 3, 5))
            return "convolution", f"conv2d(f32[1,{c},{side},{side}], f32[{o},{c},{window},{window}])"
        case 5:
            rows, columns = size(16, 512), size(64, 4096)
            call = rng.choice(
                (
                    "softmax(f32[{r},{c}])",
                    "layer_norm(f32[{r},{c}], f32[{c}], f32[{c}])",
                    "relu(add(matmul(f32[{r},256], f32[256,{c}]), f32[{c}]))",
                )
            )
            return "graph", call.format(r=rows, c=columns)
    m, n, k = size(32, 1024), size(32, 1024), size(32, 1024)
    return "product", f"matmul(f32[{m},{k}], f32[{k},{n}])"


# ---- one Spec, in a process of its own -------------------------------------------------------------------------------


def measure(text: str, models: list[str], seed: int) -> dict:
    """Prices by model, cycles, and seconds in both halves of the rounds, of each program."""
    import tempfile

    import priced
    import tuning

    programs, costs = candidates(text, {name: priced.target_named(name) for name in models}, DRAWS, random.Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        for number, program in enumerate(programs):
            program.compile().save(f"{folder}/{number}")
        runs = list(tuning.bound(text, folder, range(len(programs)), 0).values())
    return {"costs": costs, "times": timed(runs)}


def candidates(text: str, targets: dict, draws: int, rng: random.Random) -> tuple[list, dict[str, list[float]]]:
    """The programs of a Spec by each of the prices judged and by so many that are varied, each C once; and what they
    cost by each of the prices judged."""
    import griotte as gt

    programs = {}
    for target in (*targets.values(), *(varied(rng.choice(list(targets.values())), rng) for _ in range(draws))):
        program = gt.synthesize(text, target, threads=1, table="none")
        programs.setdefault(program.to_c().partition("\n */")[2], program)
    found = list(programs.values())
    return found, {
        name: [float(repriced(program.root, target).cost) for program in found] for name, target in targets.items()
    }


def varied(target, rng: random.Random):
    """The target with each price times a factor: one for all levels of a feature, so that a nearer level stays the
    cheaper one."""
    factors: dict[str, float] = {}
    factor = lambda name: factors.setdefault(name.partition(".")[0], 2.718 ** rng.gauss(0, SPREAD))
    ports = {
        name: getattr(target.ports, name) * factor(f"port {name}") ** 0.5
        for name in ("load", "store", "issue", "shuffle")
    }
    return replace(
        target,
        coefficients=tuple((name, value * factor(name)) for name, value in target.coefficients),
        ports=replace(target.ports, **ports),
    )


def repriced(node, target):
    """The program with the costs that the target's prices give it."""
    from griotte.engine.rewrites.apply import applied

    return applied(
        node.rewrite, node.state, target, tuple(part and repriced(part, target) for part in node.rewrite.parts(node))
    )


def timed(runs: list) -> list[list[float]]:
    """The least seconds of a call of each program in either half of the rounds."""
    import time

    def seconds(run, count: int) -> float:
        started = time.thread_time()
        for _ in range(count):
            run()
        return (time.thread_time() - started) / count

    counts = [max(1, int(TURN / max(1e-6, seconds(run, 3)))) for run in runs]
    halves = []
    for _ in range(2):
        least = [float("inf")] * len(runs)
        for turn in range(ROUNDS):
            for i in range(len(runs)) if turn % 2 else reversed(range(len(runs))):
                least[i] = min(least[i], seconds(runs[i], counts[i]))
        halves.append(least)
    return halves


# ---- what came of it -------------------------------------------------------------------------------------------------


def judged(found: dict, model: str) -> dict:
    """Pairs in the same order and in another, of prices with times where these are apart, and of the two halves;
    regrets; prices over times."""
    costs, (first, second) = found["costs"][model], found["times"]
    best = [min(pair) for pair in zip(first, second)]
    pairs = [(i, j) for i in range(len(best)) for j in range(i)]
    apart = [
        (i, j)
        for i, j in pairs
        if all(max(h[i], h[j]) > APART * min(h[i], h[j]) for h in (first, second))
        and (first[i] < first[j]) == (second[i] < second[j])
    ]
    order = sorted(range(len(best)), key=costs.__getitem__)
    regret = {k: min(best[i] for i in order[:k]) / min(best) - 1 for k in (1, 5)}
    return {
        "apart": concord(apart, costs, best),
        "clock": concord(pairs, first, second),
        "regret": regret,
        "ratios": [c / t for c, t in zip(costs, best)],
    }


def concord(pairs: list, one: list[float], other: list[float]) -> tuple[int, int]:
    same = sum((one[i] < one[j]) == (other[i] < other[j]) for i, j in pairs)
    return same, len(pairs) - same


def tau(found: list[tuple[int, int]]) -> float:
    same, others = (sum(part) for part in zip(*found))
    return (same - others) / max(1, same + others)


def spread(found: dict) -> float:
    """The slowest program's time by the fastest's."""
    return max(found["times"][0]) / min(found["times"][0])


def brief(row: dict) -> str:
    return f"{tau([row['apart']]):5.2f} {100 * row['regret'][1]:4.1f} %"


def summary(model: str, kind: str, rows: list[dict]) -> str:
    clock = statistics.median(r for row in rows for r in row["ratios"])  # cycles of the model in a second
    errors = [abs(r / clock - 1) for row in rows for r in row["ratios"]]
    regrets = [statistics.mean(row["regret"][k] for row in rows) for k in (1, 5)]
    return (
        f"| {model}, {kind} | {len(rows)} | {tau([r['apart'] for r in rows]):.2f} |"
        f" {tau([r['clock'] for r in rows]):.2f} | {100 * regrets[0]:.1f} % | {100 * regrets[1]:.1f} % |"
        f" {100 * statistics.median(errors):.0f} % |"
    )


if __name__ == "__main__":
    main()

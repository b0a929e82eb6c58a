"""What learners of prices' errors are worth beside the price, on timed programs that they were not fitted to: regret of
the first choice and of the best of five, with 95 % intervals by a bootstrap over Specs.

    python docs/lab/learned/fits.py [--by spec] [--learners ridge,trees,network,trees+network] DATA ..

DATA are records, pruned files, or programs that tests judge a known model by (without trees). What is held out by Spec,
operation, network or machine is held out once; `a+b` are the members of both. How much of a correction counts, and how
sure it must be for its first choice to come before the price's, is decided by what was held out in the other parts.
Held out by Spec, the two in a hundred that are farthest from all others are not known; else all are taken as known.
`plain`: all that the learner says counts, whatever it is uncertain of.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from griotte.engine.learned.model import Prediction, covering
from griotte.engine.learned.samples import Group, Samples
from griotte.tools.commands.learn.models import timed
from griotte.tools.learn.fit import CAUTIONS, FITS, cautious, shrunk
from griotte.tools.learn.splits import splits
from griotte.tools.learn.training import Training, joined, training

MEMBERS, DRAWS = 3, 2000
NOISE = 2e-3  # of the clock, at least


def loaded(path: str) -> Samples:
    """The timed programs of a file; those of tests have no names of their Specs."""
    if Path(path).suffix != ".npz":
        return timed((path,))[0]
    with np.load(path) as held:
        if "about" in held:
            return timed((path,))[0]
        columns = {name: held[name].astype(float) for name in ("features", "price", "warm", "spread")}
        name = Path(path).stem
        groups = tuple(Group(f"{name} {n}", name, 1, name, name) for n in range(int(held["group"].max()) + 1))
        nothing = np.full(len(held["warm"]), np.nan)
        return Samples(int(held["version"]), groups, held["group"].astype(int), cold=nothing, **columns)


def specs_of(found: Training, mask: np.ndarray) -> list[np.ndarray]:
    """The rows of each group among those of a mask."""
    rows = np.flatnonzero(mask)
    rows = rows[np.argsort(found.group[rows], kind="stable")]
    return np.split(rows, np.flatnonzero(np.diff(found.group[rows])) + 1)


def unlike(found: Training, parts: list[np.ndarray]) -> np.ndarray:
    """[rows]: how far each is from the nearest program of the other parts, as a model has it."""
    distance = np.zeros(len(found.value))
    for out in parts:
        distance[out] = covering(found.features[~out]).distance(found.features[out])
    return distance


def held_out(found: Training, parts: list[np.ndarray], word: str, seed: int) -> np.ndarray:
    """[members, rows]: what members say that were not fitted to a row's part."""
    members = np.zeros((MEMBERS, len(found.value)))
    for out in parts:
        groups = np.zeros(found.groups, bool)
        groups[np.unique(found.group[~out])] = True
        learner = FITS[word](found.of(groups), seed, MEMBERS)
        members[:, out] = learner.members(found.wide[out], found.trees_of(out))
    return members


def careful(samples: Samples, found: Training, parts: list[np.ndarray], members: np.ndarray, distance: np.ndarray):
    """[rows]: corrected prices as logarithms, as a model has them; and the cautions that it has."""
    correction, apart = members.mean(0), members.std(0, ddof=1)
    known = (distance <= np.quantile(distance, 0.98)) & (apart <= np.quantile(apart, 0.98))
    value, said = found.apart(found.value), found.apart(correction)
    result, cautions = np.zeros(len(samples)), []
    for out in parts:
        rest = ~out & known
        shrink = shrunk(found, correction, rest)
        off = (value - shrink * said)[rest] ** 2
        square = apart[rest] ** 2
        slope = np.clip(np.cov(square, off)[0, 1] / max(1e-30, square.var()), 0, 25)
        floor = max(NOISE**2, off.mean() - slope * square.mean())
        spread = np.sqrt(slope * apart**2 + floor)
        lost: dict[float, list[float]] = {caution: [] for caution in CAUTIONS}
        for rows in specs_of(found, ~out):
            for caution in CAUTIONS:
                order = logarithm(samples.price, shrink * correction, spread, known, caution, rows)
                lost[caution].append(regret(samples.warm[rows], order)[0])
        cautions.append(cautious({caution: np.array(each) for caution, each in lost.items()}))
        for rows in specs_of(found, out):
            result[rows] = logarithm(samples.price, shrink * correction, spread, known, cautions[-1], rows)
    return result, cautions


def logarithm(price, correction, spread, known, caution: float, rows) -> np.ndarray:
    return Prediction(correction[rows], spread[rows], known[rows], caution).logarithm(price[rows])


def regret(times: np.ndarray, order: np.ndarray) -> tuple[float, float]:
    """What the first and the best of five lose to the best of all."""
    lost = times[np.argsort(order, kind="stable")] / times.min() - 1
    return float(lost[0]), float(lost[:5].min())


def regrets(samples: Samples, found: Training, order: np.ndarray) -> np.ndarray:
    every = specs_of(found, np.ones(len(samples), bool))
    return np.array([regret(samples.warm[rows], order[rows]) for rows in every])


def told(values: np.ndarray) -> str:
    """The mean in percent, and its interval."""
    picks = np.random.default_rng(1).integers(0, len(values), (DRAWS, len(values)))
    low, high = np.quantile(values[picks].mean(1), (0.025, 0.975))
    return f"{100 * values.mean():.2f} ({100 * low:.2f} to {100 * high:.2f})"


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--by", default="spec")
    asked.add_argument("--learners", default="ridge,trees,network,trees+network")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("data", nargs="+")
    given = asked.parse_args()
    samples = joined([loaded(path) for path in given.data])
    found, _ = training(samples)
    parts = [split.out for split in splits(samples, given.by, given.seed)]
    price = regrets(samples, found, np.log(samples.price))
    print(f"{len(samples)} programs of {len(price)} Specs, {len(parts)} parts by {given.by}")
    print("| | first | less the price's | best of five | less the price's | worst first |\n|---|---|---|---|---|---|")
    print(f"| price | {told(price[:, 0])} | | {told(price[:, 1])} | | {100 * price[:, 0].max():.0f} |", flush=True)
    kept: dict[str, np.ndarray] = {}
    distance = unlike(found, parts) if given.by in ("spec", "random") else np.zeros(len(samples))
    for words in given.learners.split(","):
        began = time.process_time()
        for word in words.split("+"):
            kept[word] = kept[word] if word in kept else held_out(found, parts, word, given.seed)
        members = np.concatenate([kept[word] for word in words.split("+")])
        order, cautions = careful(samples, found, parts, members, distance)
        for name, each in ((words, order), (f"{words}, plain", np.log(samples.price) + members.mean(0))):
            lost = regrets(samples, found, each)
            less = lost - price
            cells = (
                told(lost[:, 0]),
                told(less[:, 0]),
                told(lost[:, 1]),
                told(less[:, 1]),
                f"{100 * lost[:, 0].max():.0f}",
            )
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
        print(f"<!-- cautions {sorted(set(cautions))}, {time.process_time() - began:.0f} s of CPU -->", flush=True)


if __name__ == "__main__":
    main()

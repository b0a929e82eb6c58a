"""How sure a model must be for its first choice to come before the price's: what is lost by the first and by the best
of five, where it counts once it is promised to gain more than so many times its spread.

    python docs/lab/learned/sure.py RECORDS ..

Specs are held out in five parts, three times. RECORDS are of `griotte learn collect`.
"""

import sys

import numpy as np
from griotte.tools.commands.learn.models import timed
from griotte.tools.learn.fit import fit
from griotte.tools.learn.scores import LEAST
from griotte.tools.learn.splits import splits

TIMES, SEEDS = (0, 0.25, 0.5, 0.75, 1, 2), 3


def held_out(samples, names):
    """Of each held-out Spec (price, time, prediction)."""
    for seed in range(SEEDS):
        for split in splits(samples, "spec", seed):
            model = fit(samples.of(~split.out), names, seed=seed)
            for number in np.unique(samples.group[split.out]):
                one = samples.of(split.out & (samples.group == number))
                if len(one) >= LEAST:
                    yield one.price, one.warm, model.predict(one.features, one.price)


def order(price, found, times: float) -> list[int]:
    """As `Prediction.logarithm` has it, but for how sure the model must be."""
    value = np.log(price)
    if found.known.mean() >= 0.5:
        value = value + np.where(found.known, found.correction, found.correction[found.known].mean())
    places, first = np.argsort(value, kind="stable").tolist(), int(price.argmin())
    if value[first] - value[places[0]] < times * found.spread[places[0]]:
        places.remove(first)
        places.insert(0, first)
    return places


def main() -> None:
    specs = list(held_out(*timed(tuple(sys.argv[1:]))))
    for times in TIMES:
        lost = [(warm[order(price, found, times)] / warm.min() - 1) for price, warm, found in specs]
        one, five = [each[0] for each in lost], [each[:5].min() for each in lost]
        print(f"{times:5}  first {np.mean(one):.2%}, best of five {np.mean(five):.2%}, worst first {max(one):.0%}")


if __name__ == "__main__":
    main()

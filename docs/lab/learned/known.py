"""The model that griotte ships for a known machine, and the programs that tests judge it by.

    python docs/lab/learned/known.py MACHINE RECORDS ..

MACHINE is a file of targets/machines without its ending; RECORDS are of `griotte learn collect` there. Three Specs of
four fit src/griotte/engine/learned/known/MACHINE.gtm; the programs of the others go to
tests/engine/learned/known/MACHINE.npz.
"""

import sys
from pathlib import Path

import numpy as np
from griotte.tools.commands.learn.models import timed
from griotte.tools.learn.fit import fit
from griotte.tools.learn.scores import judge, summary

HELD = 4


def main() -> None:
    machine, *paths = sys.argv[1:]
    samples, names = timed(tuple(paths))
    texts = sorted({group.spec for group in samples.groups})
    drawn = np.random.default_rng(0).permutation(len(texts))
    apart = {texts[place] for place in drawn[: len(texts) // HELD]}
    numbers = lambda held: [n for n, group in enumerate(samples.groups) if (group.spec in apart) == held]
    model = fit(samples.of_groups(numbers(False)), names)
    model.save(Path(f"src/griotte/engine/learned/known/{machine}.gtm"))
    judged = samples.of_groups(numbers(True))
    for who, order in (("price", np.log(judged.price)), ("model", ordered(model, judged))):
        print(who, {k: round(v, 4) for k, v in summary(judge(judged, order)).items()})
    np.savez_compressed(
        f"tests/engine/learned/known/{machine}.npz",
        version=judged.version,
        group=judged.group.astype(np.int16),
        features=judged.features.astype(np.float32),
        price=judged.price,
        warm=judged.warm,
        spread=judged.spread.astype(np.float32),
    )


def ordered(model, samples) -> np.ndarray:
    """Corrected prices as logarithms, Spec by Spec."""
    found = np.log(samples.price)
    for number in np.unique(samples.group):
        rows = samples.group == number
        found[rows] = model.predict(samples.features[rows], samples.price[rows]).logarithm(samples.price[rows])
    return found


if __name__ == "__main__":
    main()

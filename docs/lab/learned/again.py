"""Records of the same programs, timed minutes apart: how far they differ, and what a first choice loses where luck does
not count; and all as one file, of the means of their times.

    griotte learn collect --time READY --out one.gtr;  griotte learn collect --time READY --out other.gtr
    python docs/lab/learned/again.py one.gtr other.gtr .. -o all.npz

What is `fair`: the fastest program, and the best of five, are those of all records but one, judged by that one.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
from fits import regret, told
from griotte.engine.learned.samples import Samples
from griotte.tools.commands.learn.models import timed
from griotte.tools.learn import compact


def together(paths: list[str]) -> tuple[Samples, np.ndarray]:
    """The programs that are in all records, and [records, programs] their times."""
    one, *others = [timed((path,))[0] for path in paths]
    places = [{g[:3]: np.flatnonzero(each.group == n) for n, g in enumerate(each.groups)} for each in others]
    kept, times = [], []
    for number, group in enumerate(one.groups):
        rows = np.flatnonzero(one.group == number)
        found = [place.get(group[:3], rows[:0]) for place in places]
        if all(len(each) == len(rows) for each in found):
            kept.append(rows)
            times.append([one.warm[rows], *(each.warm[there] for each, there in zip(others, found))])
    return one.of(np.concatenate(kept)), np.concatenate(times, axis=1)


def fair(price: np.ndarray, here: np.ndarray, there: np.ndarray) -> tuple[float, float]:
    """What the first choice and the best of five lose, the fastest chosen by some times and judged by others."""
    order = np.argsort(price, kind="stable")
    best, five = here.argmin(), order[:5][here[order[:5]].argmin()]
    return there[order[0]] / there[best] - 1, there[five] / there[best] - 1


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("records", nargs="+")
    asked.add_argument("-o", dest="to")
    given = asked.parse_args()
    samples, times = together(given.records)
    mean = np.exp(np.log(times).mean(0))
    lost, off = [], []
    for number in np.unique(samples.group):
        rows = np.flatnonzero(samples.group == number)
        price, each = samples.price[rows], np.log(times[:, rows])
        ratios = each - each.mean(0)
        off += np.abs(ratios - np.median(ratios, axis=1, keepdims=True)).ravel().tolist()
        crossed = [
            fair(price, np.delete(each, n, 0).mean(0), np.exp(each[n])) for n in range(len(each)) if len(each) > 1
        ]
        lost.append((*regret(np.exp(each[0]), price), *regret(mean[rows], price), *np.mean(crossed, axis=0)))
    for start, words in ((0, "the first record"), (2, "their mean"), (4, "fair")):
        for place, name in enumerate(("first", "best of five")):
            print(f"{name}, {words}: {told(np.array(lost)[:, start + place])} %")
    half, most = np.quantile(off, (0.5, 0.9))
    print(f"{len(lost)} Specs; half within {100 * half:.1f} % of the mean, nine in ten within {100 * most:.1f} %")
    if given.to:
        size = compact.write(replace(samples, warm=mean), given.to)
        print(f"{given.to}: {len(samples)} programs, {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()

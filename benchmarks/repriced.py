"""Timed programs by the prices of other targets: what each target's first choice loses to the best that was timed, and
what so many runs in all would have told beside it.

    python benchmarks/repriced.py RECORDS [TARGET ..] [--runs 50] [--draws 20]

RECORDS is a file of `griotte learn collect`; TARGET a name, a file such as `griotte calibrate` writes, or a known
machine as priced.py has it (`like:zen4-32m`). The first row is of the prices that the programs were drafted by.
Programs that a target's space lacks are left out for all targets. With --runs a model is fitted to that many programs
of Specs that are drawn, and judged by the programs of the others.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
from griotte.engine.learned.features import NAMES, features
from griotte.engine.learned.samples import Samples
from griotte.engine.search.recorded import Misfit
from griotte.lang.text.text import parse
from griotte.machine import Target
from griotte.support.errors import GriotteError
from griotte.tools.learn.drafts import SpecSpace
from griotte.tools.learn.fit import fit
from griotte.tools.learn.records import Records, TimedGoal, target_of
from griotte.tools.learn.scores import judge, summary
from priced import target_named

FEW = 3  # programs of a Spec, at least


def rebuilt(goal: TimedGoal, target: Target) -> list:
    """The goal's programs as the target prices them; None for one that its space lacks."""
    space, found = SpecSpace(parse(goal.spec), target, goal.threads), []
    for timed in goal.programs:
        try:
            found.append(space.rebuilt(timed.decisions))
        except (Misfit, GriotteError):
            found.append(None)
    return found


def repriced(samples: Samples, goals: list[TimedGoal], targets: list[Target]) -> list[Samples]:
    """The samples as each target has them, of programs that all have."""
    each = [[root for goal in goals for root in rebuilt(goal, target)] for target in targets]
    shared = np.array([None not in roots for roots in zip(*each)])
    counts = np.bincount(samples.group[shared], minlength=len(samples.groups))
    kept = np.flatnonzero(shared & (counts[samples.group] >= FEW))
    found = []
    for target, roots in zip(targets, each):
        rows = np.concatenate(
            [
                features([roots[i] for i in kept[samples.group[kept] == g]], target, goals[g].threads)
                for g in np.unique(samples.group[kept])
            ]
        )
        price = np.array([roots[i].cost for i in kept])
        found.append(replace(samples.of(kept), features=rows, price=price))
    return found


def after(samples: Samples, runs: int, draws: int) -> dict[str, float]:
    """Means over draws of what a model of so many programs earns on the Specs that none of them is of."""
    earned = []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        order = rng.permutation(np.unique(samples.group))
        rows = np.concatenate([rng.permutation(np.flatnonzero(samples.group == g)) for g in order])[:runs]
        others = samples.of(~np.isin(samples.group, samples.group[rows]))
        model = fit(samples.of(rows), NAMES, "ridge", seed)
        earned.append(summary(judge(others, model.predict(others.features, others.price).logarithm(others.price))))
    return {key: float(np.mean([one[key] for one in earned])) for key in ("first", "five", "tau")}


def told(name: str, found: dict[str, float]) -> str:
    return f"{name:<30}{100 * found['first']:10.2f} %{100 * found['five']:10.2f} %{found['tau']:8.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--draws", type=int, default=20)
    options = parser.parse_args()
    with Records(options.records, writable=False) as records:
        goals, samples = list(records.read()), records.samples()
    targets = [target_of(goals[0].target), *map(target_named, options.targets)]
    names = ["as drafted", *options.targets]
    found = repriced(samples, goals, targets)
    print(f"{len(np.unique(found[0].group))} Specs, {len(found[0])} programs")
    print(f"{'prices':<30}{'first':>12}{'best of five':>12}{'tau':>8}")
    for name, each in zip(names, found):
        print(told(name, summary(judge(each, np.log(each.price)))))
        if options.runs:
            print(told(f"  and {options.runs} runs", after(each, options.runs, options.draws)))


if __name__ == "__main__":
    main()

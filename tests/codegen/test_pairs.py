"""Every call that makes a matrix before every call that reads one: kernels of best programs against the reference.

A leaf may be right for all that stands alone and wrong behind one kind of producer.
"""

import numpy as np
import pytest
from drawn.pairs import PRODUCERS, Pair, drawn_round
from griotte.targets import missing
from machines import machine
from together import NO_PROGRAM, RIGHT, WRONG, Found, examined, repriced

TARGETS = ("portable", "avx2", "avx512")
SEED, SHARE = 0, 10  # of `make test`, which takes one pair of so many
FEW = 1500  # families of a search

# Producers of which some value has no program yet before some consumer, and what is raised for it. All but `take` have
# a reshape: of one that splits, or joins, dimensions which a consumer then cuts otherwise.
WITHOUT = {
    "reshape": ("NoProgramError",),
    "take of blocks": ("NoProgramError",),
    "batched matmul": ("NoProgramError", "IndexError"),
    "pool": ("NoProgramError",),
    "conv2d": ("NoProgramError",),
    "take": ("DoesNotApply",),  # one row, as the query of attention
}
MOST_WITHOUT = 1 / 8  # of some pairs, that have none or are given up: 1 in 80 of whole rounds


def seed_of(request) -> int:
    """Drawn anew where all tests are run."""
    return int(np.random.default_rng().integers(1 << 31)) if request.config.getoption("--all") else SEED


def judge(pairs: list[Pair], found: list[Found], where: str) -> None:
    """Nothing is wrong, what has no program is of a kind that is known to have none, and nearly all is right."""
    wrong = [f"{pair}\n    {result.why}" for pair, result in zip(pairs, found) if result.verdict == WRONG]
    assert not wrong, f"{where}:\n" + "\n".join(wrong)
    fresh = [
        f"{pair}\n    {result.why}"
        for pair, result in zip(pairs, found)
        if result.verdict == NO_PROGRAM and not result.why.startswith(WITHOUT.get(pair.producer, ()))
    ]
    assert not fresh, f"{where}: no program, of a kind that is not in WITHOUT:\n" + "\n".join(fresh)
    count = sum(result.verdict == RIGHT for result in found)
    assert count >= (1 - MOST_WITHOUT) * len(found), f"{where}: {count} of {len(found)} are right"


@pytest.mark.parametrize("name", TARGETS)
def test_some_pairs_are_right(name, request):
    seed, i = seed_of(request), TARGETS.index(name)
    pairs = list(drawn_round(seed))[i :: SHARE * len(TARGETS)]
    found = list(examined([(pair.text, pair.threads) for pair in pairs], machine(name), FEW))
    judge(pairs, found, f"seed {seed}, {name}")


@pytest.mark.long
@pytest.mark.parametrize("producer", PRODUCERS)
def test_every_consumer_after_a_producer_is_right(producer, request):
    """By prices that are drawn: what no machine would choose must be right as well."""
    seed = seed_of(request)
    names = [name for name in TARGETS if not missing(machine(name).features)]
    name, pairs = names[seed % len(names)], list(drawn_round(seed, [producer]))
    found = list(examined([(pair.text, pair.threads) for pair in pairs], repriced(machine(name), seed), FEW))
    judge(pairs, found, f"seed {seed}, {name} with prices of that seed")

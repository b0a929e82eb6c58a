"""Every call that makes a matrix before every call that reads one: kernels of best programs against the reference.

A leaf may be right for all that stands alone and wrong behind one kind of producer.
"""

import numpy as np
import pytest
from drawn.pairs import PRODUCERS, Pair, drawn_round
from griotte.engine.leaves.map.code import MapLeaf, RowsLeaf
from griotte.machine import missing
from machines import machine
from together import NO_PROGRAM, RIGHT, WRONG, Found, examined, repriced

TARGETS = ("portable", "avx2", "avx512")
SEED, SHARE = 0, 30  # of `make test`, which takes one pair of so many
FEW = 1500  # families of a search

# What had no program once: a reshape that splits, or joins, dimensions which a consumer then cuts otherwise; one row
# as the query of attention.
CUT = (
    "slice(reshape(f32[2,2,3]) -> f32[4,3], starts=(1,0), limits=(3,3))",
    "take(reshape(f32[2,2,3]) -> f32[4,3], s32[3])",
    "group_matmul(reshape(f32[2,2,3]) -> f32[2,6], s8[2,3,2], f32[2,3])",
    "take(reshape(take(f32[3,2], s32[2,2])) -> f32[4,2], s32[3])",
    "take(reshape(max_pool2d(f32[1,2,2,3], window=(1,1), stride=(1,1))) -> f32[4,3], s32[3])",
    "reshape(matmul(f32[2,1,2], f32[2,2,1])) -> f32[2]",
    "attention(reshape(take(f32[4,2], u8[1])) -> f32[1,1,2], f32[1,3,2], f32[1,3,2])",
)
MOST_GIVEN_UP = 1 / 8  # of some pairs: 1 in 80 of whole rounds


def seed_of(request) -> int:
    """Drawn anew where all tests are run."""
    return int(np.random.default_rng().integers(1 << 31)) if request.config.getoption("--all") else SEED


def judge(pairs: list[Pair], found: list[Found], where: str) -> None:
    """Nothing is wrong, all has a program, and nearly all is right."""
    bad = [f"{pair}\n    {result.why}" for pair, result in zip(pairs, found) if result.verdict in (WRONG, NO_PROGRAM)]
    assert not bad, f"{where}:\n" + "\n".join(bad)
    count = sum(result.verdict == RIGHT for result in found)
    assert count >= (1 - MOST_GIVEN_UP) * len(found), f"{where}: {count} of {len(found)} are right"


def test_one_index_for_all_rows_is_told(monkeypatch):
    """The rows that a map writes at once, each at the index of the first: what these tests are for."""
    monkeypatch.setattr(RowsLeaf, "_picked", MapLeaf._picked)
    (found,) = examined([("matmul(u8[17,12], take(s8[30,16], s32[12]))", 1)], machine("avx2"))
    assert found.verdict == WRONG


@pytest.mark.parametrize("threads", (1, 2))
def test_what_had_no_program_is_right(threads):
    assert {found.verdict for found in examined([(text, threads) for text in CUT], machine("portable"))} == {RIGHT}


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

"""Every call that makes a matrix before every call that reads one: kernels of best programs against the reference.

A leaf may be right for all that stands alone and wrong behind one kind of producer.
"""

import numpy as np
import pytest
from drawn.pairs import PRODUCERS, Pair, drawn_round
from griotte.codegen.map import MapLeaf
from griotte.codegen.map_rows import RowsLeaf
from griotte.targets import missing
from machines import machine
from together import NO_PROGRAM, RIGHT, WRONG, Found, examined, repriced, solve

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
NONE_YET = (  # the least of them: producer, consumer, what is raised, text
    ("reshape", "slice", "NoProgramError", "slice(reshape(f32[2,2,3]) -> f32[4,3], starts=(1,0), limits=(3,3))"),
    ("reshape", "take", "NoProgramError", "take(reshape(f32[2,2,3]) -> f32[4,3], s32[3])"),
    ("reshape", "group_matmul", "NoProgramError", "group_matmul(reshape(f32[2,2,3]) -> f32[2,6], s8[2,3,2], f32[2,3])"),
    ("take of blocks", "take", "NoProgramError", "take(reshape(take(f32[3,2], s32[2,2])) -> f32[4,2], s32[3])"),
    (
        "pool", "take", "NoProgramError",
        "take(reshape(max_pool2d(f32[1,2,2,3], window=(1,1), stride=(1,1))) -> f32[4,3], s32[3])",
    ),
    ("batched matmul", "reshape", "IndexError", "reshape(matmul(f32[2,1,2], f32[2,2,1])) -> f32[2]"),
    (
        "take", "attention q", "DoesNotApply",
        "attention(reshape(take(f32[4,2], u8[1])) -> f32[1,1,2], f32[1,3,2], f32[1,3,2])",
    ),
)  # fmt: skip
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


def test_one_index_for_all_rows_is_told(monkeypatch):
    """The rows that a map writes at once, each at the index of the first: what these tests are for."""
    monkeypatch.setattr(RowsLeaf, "_picked", MapLeaf._picked)
    (found,) = examined([("matmul(u8[17,12], take(s8[30,16], s32[12]))", 1)], machine("avx2"))
    assert found.verdict == WRONG


@pytest.mark.parametrize("producer, consumer, raised, text", NONE_YET, ids=lambda word: word.split("(")[0])
def test_what_has_no_program_has_none_yet(producer, consumer, raised, text):
    """Where one has: take it off the list, and out of WITHOUT what no other stands for."""
    found, _ = solve(text, 1, machine("portable"))
    assert type(found).__name__ == raised, text


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

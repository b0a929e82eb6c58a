"""Places in a workspace: none is shared by what is needed at once, and they take little more than that. Which programs
may leave their result where an array lies that they read."""

from __future__ import annotations

from itertools import combinations, permutations

import griotte as gt
import numpy as np
import pytest
from griotte.engine.program.sequence import Sequence
from griotte.engine.program.sequence_parts import SequencePart
from griotte.engine.program.workspace import Life, most_at_once, overwritable, placed, size
from hypothesis import given
from hypothesis import strategies as st

LIVES = st.lists(st.builds(lambda n, first, more: Life(64 * n, first, first + more), *(st.integers(1, 9),) * 3))


def drawn(seed: int, count: int, steps: int) -> dict[int, Life]:
    """Lives as those of a network: most are short, some skip far."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, steps, count)
    more = np.where(rng.random(count) < 0.8, rng.integers(1, 4, count), rng.integers(1, steps, count))
    return {
        i: Life(int(64 * n), int(a), int(a + b))
        for i, (n, a, b) in enumerate(zip(rng.integers(1, 999, count), first, more))
    }


@given(LIVES)
def test_what_is_needed_at_once_lies_apart(lives):
    lives = dict(enumerate(lives))
    places = placed(lives)
    assert places.keys() == lives.keys() and all(at >= 0 for at in places.values())
    for one, other in combinations(lives, 2):
        if lives[one].meets(lives[other]):
            begin, end = max(places[one], places[other]), min(places[i] + lives[i].bytes for i in (one, other))
            assert begin >= end
    most = max(
        (sum(life.bytes for life in lives.values() if life.first <= n <= life.last) for n in range(20)), default=0
    )
    assert size(lives, places) >= most_at_once(lives) == most


@pytest.mark.parametrize("steps", [10, 40, 150])
def test_a_workspace_is_little_more_than_what_is_needed_at_once(steps):
    ratios = [size(lives, placed(lives)) / most_at_once(lives) for lives in (drawn(n, steps, steps) for n in range(15))]
    assert max(ratios) <= 1.2 and np.mean(ratios) <= 1.05, ratios


def test_few_lie_as_well_as_they_can():
    """The least of all is found by putting each in the lowest gap, in some order."""
    worse = 0
    for seed in range(40):
        lives = drawn(seed, 6, 5)
        worse += size(lives, placed(lives)) > min(_lowest(lives, order) for order in permutations(lives))
    assert worse <= 4, worse


def _lowest(lives: dict[int, Life], order: tuple[int, ...]) -> int:
    places: dict[int, int] = {}
    for i in order:
        taken = sorted((places[j], places[j] + lives[j].bytes) for j in places if lives[j].meets(lives[i]))
        at = 0
        for begin, end in taken:
            if at + lives[i].bytes <= begin:
                break
            at = max(at, end)
        places[i] = at
    return size(lives, places)


MAY = [
    ("exp(f32[8,24])", {0}),
    ("add(f32[8,24], f32[8,24])", {0, 1}),
    ("add(f32[8,24], f32[24])", {0}),
    ("add(f32[24], f32[8,24])", {1}),
    ("relu(f32[1,8,4,4]{1,3,2,0}) -> f32[1,8,4,4]{1,3,2,0}", {0}),
    ("copy(f32[8,24]) -> f32[8,24]{0,1}", set()),
    ("transpose(f32[8,8], perm=(1,0))", set()),
    ("cast(f32[8,24]) -> s32[8,24]", set()),
    ("cast(f32[8,24]) -> bf16[8,24]", set()),
    ("sum(f32[8,24], axis=1, keepdims=true)", set()),
    ("cumsum(f32[8,24], axis=1)", set()),
    ("softmax(f32[8,24])", set()),
    ("matmul(f32[8,8], f32[8,8])", set()),
    ("take(f32[8,24], s32[8])", set()),
    ("slice(f32[8,24], starts=(0,1), limits=(8,24))", set()),
    ("add(f32[8,24], const f32[8,24])", {0, 1}),
]


@pytest.mark.parametrize("text, operands", MAY, ids=[text for text, _ in MAY])
def test_what_reads_each_element_once_before_it_is_written(text, operands):
    program = gt.synthesize(text, target="avx2")
    found = overwritable(program.canonical, program.root)
    assert {program.canonical.operand_sources[i] for i in found} == operands


@pytest.mark.parametrize(
    "text, place", [("mul(%x: f32[8,8], %x)", 0), ("mul(%x: f32[8,8], transpose(%x, perm=(1,0)))", None)]
)
def test_what_is_read_in_another_order_too_keeps_its_place(text, place):
    """A program reads what one before it gives, and one after it reads its result."""
    program, before, after = (gt.synthesize(t, target="avx2") for t in (text, "exp(f32[8,8])", "tanh(f32[8,8])"))
    part = SequencePart((1,), (2,), program.root, program.canonical)
    parts = (
        SequencePart((0,), (1,), before.root, before.canonical),
        part,
        SequencePart((2,), (3,), after.root, after.canonical),
    )
    sequence = Sequence((gt.tensor((8, 8)),) * 4, 1, (3,), (None,) * 4, parts)
    assert (sequence.places[1] == sequence.places[2]) == (place is not None)
    assert bool(sequence.in_place(part)) == (place is not None)
    assert not sequence.in_place(parts[0]) and not sequence.in_place(parts[2])

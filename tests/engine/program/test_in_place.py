"""Which programs may leave their result where an array lies that they read."""

from __future__ import annotations

import griotte as gt
import pytest
from griotte.engine.program.in_place import overwritable
from griotte.engine.program.sequence import Sequence, SequencePart

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

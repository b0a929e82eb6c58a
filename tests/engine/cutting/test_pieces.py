"""The pieces of a model are all sets of atoms that may be one part."""

from __future__ import annotations

from itertools import combinations
from math import inf

import numpy as np
import pytest
from cuts import drawn, pieces_of
from griotte.engine.cutting import ATOMS, CONTRACTIONS, NESTS, CutPieces
from griotte.lang.types.tensor import tensor
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.solving import closed


@pytest.mark.parametrize("seed", range(20))
def test_pieces_are_all_connected_convex_sets(seed: int):
    pieces = pieces_of(drawn(np.random.default_rng(100 + seed), 6))
    count = len(pieces.atoms)
    reads = [{pieces._of[k] for k in read if k in pieces._of} for read in pieces.reads]
    expected = set()
    for size in range(1, ATOMS + 1):
        for atoms in combinations(range(count), size):
            if size == 1 or _is_piece(pieces, atoms, reads):
                expected.add(sum(1 << i for i in atoms))
    assert set(pieces.kept) == {(bits, ()) for bits in expected}


@pytest.mark.parametrize("seed", range(5))
def test_what_is_refused_is_so_within_others_and_in_other_layouts(seed: int):
    pieces = pieces_of(transposed(np.random.default_rng(seed)), copying=lambda value, now, then: 1.0)
    plain = [piece for piece in pieces.kept.values() if len(piece.atoms) > 1 and (piece.takes or piece.gives)]
    refused = min(plain, key=lambda piece: len(piece.atoms))
    before = [each for each in pieces.variants(refused) if each.stored][:1]
    pieces.refuse(refused)
    for piece in plain:
        is_within = refused.bits & piece.bits == refused.bits
        assert {each.cost for each in (*before, *pieces.variants(piece))} <= ({inf} if is_within else {None, inf})
        assert piece.cost == (inf if is_within else None)
    assert before and all(single.cost != inf for single in pieces.singles)


def transposed(rng: np.random.Generator) -> ModelGraph:
    """Products of matrices that are transposed between, so that they may lie so."""
    builder = GraphBuilder()
    value = builder.input(tensor((6, 6)), "x")
    for _ in range(int(rng.integers(3, 6))):
        value = builder.call("transpose", builder.call("matmul", value, value), perm=(1, 0))
        value = builder.call("softmax", value, axis=1)
    return closed(builder.graph({"y": value}))


def _is_piece(pieces: CutPieces, atoms: tuple[int, ...], reads: list[set[int]]) -> bool:
    own = set(atoms)
    if any(pieces.atoms[i].is_view for i in atoms) or sum(pieces.atoms[i].nests for i in atoms) > NESTS:
        return False
    if sum(pieces.atoms[i].contractions for i in atoms) > CONTRACTIONS:
        return False
    met, stack = {atoms[0]}, [atoms[0]]
    while stack:
        at = stack.pop()
        near = {i for i in own if i in reads[at] or at in reads[i]} - met
        met |= near
        stack += near
    if met != own:
        return False
    ahead = set()  # atoms outside that follow from some inside
    for i in range(len(pieces.atoms)):
        if i not in own and reads[i] & (own | ahead):
            ahead.add(i)
    return not any(reads[i] & ahead for i in atoms)

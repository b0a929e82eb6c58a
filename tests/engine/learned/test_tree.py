"""Rows of a program's nodes add up to its price, whatever shares a node; their bytes come back, others are refused."""

import griotte as gt
import numpy as np
import pytest
from griotte.engine.learned.tree import COLUMNS, packed, trees, unpacked
from griotte.support.errors import GriotteError

TEXTS = (
    "matmul(f32[37,40], f32[40,50])",
    "softmax(f32[20,100])",
    "relu(add(matmul(f32[9,32], const f32[32,24]), f32[24]))",
    "transpose(f32[33,65], perm=(1,0))",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", ["portable", "avx2"])
def test_shares_add_up_and_nodes_stand_before_their_parts(text, target):
    program = gt.synthesize(text, target, table="none")
    found = trees([each.root for each in program.alternatives(4)], program.target)
    assert len({tree.nodes.tobytes() for tree in found}) > 1
    for tree in found:
        assert tree.nodes.shape[1] == len(COLUMNS) and np.isfinite(tree.nodes).all()
        assert tree.nodes[:, COLUMNS.index("share")].sum() == pytest.approx(1, abs=1e-4)
        assert tree.nodes[0, COLUMNS.index("below")] == pytest.approx(1, abs=1e-4)
        assert tree.nodes[0, COLUMNS.index("runs")] == 1.0
        assert (tree.edges[:, 0] < tree.edges[:, 1]).all()
        assert set(tree.edges[:, 1]) == set(range(1, len(tree.nodes)))
        again = unpacked(packed(tree))
        assert np.array_equal(again.edges, tree.edges)
        assert np.allclose(again.nodes, tree.nodes, rtol=1e-3, atol=1e-6)


def test_other_bytes_are_refused():
    program = gt.synthesize(TEXTS[1], "portable", table="none")
    (tree,) = trees([program.root], program.target)
    whole = packed(tree)
    backwards = tree._replace(edges=tree.edges[:, ::-1])
    wrong = [b"", b"x" * 40, whole[:-9], packed(backwards), packed(tree._replace(nodes=tree.nodes[:, :-1]))]
    wrong.append(packed(tree._replace(nodes=tree.nodes * np.float32(np.nan))))
    for data in wrong:
        with pytest.raises(GriotteError, match="expected the tree of a program"):
            unpacked(data)

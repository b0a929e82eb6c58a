"""What moves nothing in memory is told, and nothing else."""

import griotte as gt
import pytest
from griotte.compiler.partition.views import flat_copy, is_view


def one(text):
    """The call that a text comes down to, with its types."""
    spec = gt.parse(text)
    return spec.graph.calls[-1].spec


@pytest.mark.parametrize(
    "text",
    (
        "reshape(f32[4,6]) -> f32[8,3]",
        "reshape(f32[4,6]) -> f32[24]",
        "reshape(f32[24]) -> f32[2,3,4]",
        "copy(f32[4,6])",
        "transpose(f32[1,6], perm=(1,0))",
        "transpose(f32[4,6]{0,1}, perm=(1,0))",
        "copy(f32[1,6]{0,1}) -> f32[1,6]",
    ),
)
def test_it_is_a_view(text):
    assert is_view(one(text))


@pytest.mark.parametrize(
    "text",
    (
        "transpose(f32[4,6], perm=(1,0))",
        "copy(f32[4,6]) -> f32[4,6]{0,1}",
        "cast(f32[4,6]) -> bf16[4,6]",
        "neg(f32[4,6])",
        "reshape(f32[4,6]{0,1}) -> f32[24]",
        "broadcast(f32[6]) -> f32[4,6]",
        "slice(f32[4,6], starts=(0,0), limits=(4,5))",
        "sum(f32[4,1], axis=1)",
        "take(f32[4,6], s32[4])",
        "reshape(f32[<=4,6]) -> f32[<=4,2,3]",
    ),
)
def test_it_is_none(text):
    assert not is_view(one(text))


def test_a_view_that_is_a_result_is_a_copy_of_one_run():
    assert str(flat_copy(one("reshape(f32[4,6]) -> f32[8,3]"))) == "copy(f32[24]) -> f32[24]"

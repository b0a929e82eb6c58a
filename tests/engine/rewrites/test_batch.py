"""Which dimensions are batches: loops around all else."""

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites.batch import batch_dims
from griotte.engine.rewrites.bufferize import with_batch
from griotte.engine.search.problem import problem
from machines import machine

TARGET = machine("avx2")
FAST = "{0,2,1}"  # matrices side by side: neighbours along the first axis


def goal(text: str):
    return problem(canonical_form(gt.parse(text)), TARGET).goal


@pytest.mark.parametrize("layout, parts", [("", 1), (FAST, 0)])
def test_of_a_part_what_may_carry_lanes_at_some_size_is_no_batch(layout, parts):
    """Its sizes are not known yet."""
    family = goal(f"matmul(f32[4,5,6]{layout}, f32[4,6,7]{layout}) -> f32[4,5,7]{layout}")
    assert len(with_batch(family, TARGET).batch) == parts


@pytest.mark.parametrize("count, batches", [(7, 1), (8, 0), (9, 0)])
def test_it_is_one_where_there_are_fewer_than_a_vector_has_lanes(count, batches):
    family = goal(f"matmul(f32[{count},5,6]{FAST}, f32[{count},6,7]{FAST}) -> f32[{count},5,7]{FAST}")
    sizes = dict.fromkeys(family.operation.dims, count)
    assert len(batch_dims(family, sizes, TARGET.lanes("f32"))) == batches

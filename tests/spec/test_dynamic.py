"""A size known only up to a bound: what Specs say of it, and what the reference makes of it."""

import griotte as gt
import numpy as np
import pytest
from griotte.frontends.text import parse
from griotte.spec import Spec, tensor
from griotte.spec.dynamic import Dynamic, size_of

MATMUL = parse("matmul(f32[<=8,4], f32[4,5])")


def test_in_python_a_bound_is_written_as_in_text():
    assert gt.matmul(tensor(("<=8", 4)), tensor((4, 5))) == MATMUL
    assert str(tensor(("<= 8", 4))) == "f32[<=8,4]" and tensor(("8", 4)).dynamic is None


@pytest.mark.parametrize("shape", [("<8", 4), ("<=x", 4), ("=8",)])
def test_what_is_no_size_is_refused(shape):
    with pytest.raises(gt.SpecError, match="expected sizes like 8, or '<=8' for one known only up to a bound, found"):
        tensor(shape)


def test_at_fixes_the_size():
    assert MATMUL.at(3) == parse("matmul(f32[3,4], f32[4,5])")
    assert str(MATMUL.at(3)) == "matmul(f32[3,4], f32[4,5]) -> f32[3,5]"
    fixed = parse("exp(f32[8])")
    assert fixed.at(3) is fixed


@pytest.mark.parametrize(
    "text, dims, dynamic",
    [
        ("matmul(f32[<=8,4], f32[4,5])", "m n k", Dynamic("m", 8)),
        ("matmul(f32[<=8,3,4], f32[4,5])", "m n k", Dynamic("m", 8, 3)),  # rows of all batches are rows
        ("matmul(f32[<=8,3,4], f32[<=8,4,5])", "i0 m n k", Dynamic("i0", 8)),
        ("exp(f32[<=8,3,4])", "i0", Dynamic("i0", 8, 12)),
        ("add(f32[<=8,3,4], f32[4])", "i0 i1", Dynamic("i0", 8, 3)),
        ("add(f32[<=1,4], f32[4])", "i0 i1", Dynamic("i0", 1)),  # an axis of size 1 stays when it is dynamic
    ],
)
def test_the_canonical_form_tells_the_dimension_and_what_was_joined_to_it(text, dims, dynamic):
    canonical = parse(text).canonical()
    assert " ".join(canonical.operation.dims) == dims and canonical.dynamic == dynamic
    assert all(t.dynamic is None for t in canonical.tensors)
    assert canonical.at(1).size[dynamic.dim] == dynamic.unit and canonical.at(dynamic.bound).sizes == canonical.sizes


def test_a_spec_follows_its_tensors():
    again = Spec(MATMUL.operation, MATMUL.sizes, MATMUL.inputs, MATMUL.output)
    assert again == MATMUL and again.dynamic == Dynamic("m", 8)


def test_the_reference_takes_any_size_up_to_the_bound():
    rng = np.random.default_rng(0)
    b = rng.random((4, 5), np.float32)
    for m in range(9):
        a = rng.random((m, 4), np.float32)
        y = gt.interpret(MATMUL, a, b)
        assert y.shape == (m, 5) and np.allclose(y, a @ b)
    with pytest.raises(gt.SpecError, match=r"expected at most 8 at axis 0 of input 0, f32\[<=8,4\], found 9; pass fewer at a time"):
        gt.interpret(MATMUL, np.zeros((9, 4), np.float32), b)
    with pytest.raises(gt.SpecError, match=r"expected shape \[3, 4\] for input 0, .* found \[3, 5\]"):
        gt.interpret(MATMUL, np.zeros((3, 5), np.float32), b)


def test_arrays_of_two_sizes_are_refused():
    spec = parse("add(f32[<=8,4], f32[<=8,4])")
    assert size_of(spec, [(3, 4), (3, 4)]) == 3
    with pytest.raises(gt.SpecError, match="expected 3 at axis 0 of input 1, .* as in the inputs before it, found 4; pass arrays of one size"):
        size_of(spec, [(3, 4), (4, 4)])

from dataclasses import replace

import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.lang.calls.spec import Spec
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.reference import empty, interpret
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.access import Access
from griotte.lang.nests.graph import lone
from griotte.lang.nests.operation import Operation
from griotte.lang.text.text import parse
from griotte.lang.types.expr import Arg
from griotte.lang.types.tensor import tensor
from griotte.support.errors import SpecError
from hypothesis import given
from strategies import examples, seeds, specs


def in_memory_order(array, type):
    return array.transpose(type.minor_to_major[::-1]).reshape(-1)


def from_memory(flat, type):
    array = empty(type)
    array.transpose(type.minor_to_major[::-1])[...] = flat.reshape([type.shape[a] for a in type.minor_to_major[::-1]])
    return array


def restated(canonical):
    """A canonical Spec of one nest as one that is stated."""
    return replace(canonical, operation=canonical.operation.nest)


@given(specs(24), seeds)
@examples(150)
def test_canonical_means_the_same_on_the_same_memory(spec, seed):
    arrays = random_arrays(spec, np.random.default_rng(seed), hostile=seed % 2 == 0)
    canonical = canonical_form(spec)
    moved = [from_memory(in_memory_order(a, t), c) for a, t, c in zip(arrays, spec.inputs, canonical.inputs)]
    result = in_memory_order(interpret(restated(canonical), *moved), canonical.output)
    _, ok, message = compare(spec, arrays, from_memory(result, spec.output))
    assert ok, message


@given(specs(24))
@examples(100)
def test_canonical_is_a_fixed_point(spec):
    canonical = canonical_form(spec)
    assert canonical_form(restated(canonical)) == canonical
    assert canonical.operation.dims


@pytest.mark.parametrize(
    "one, other",
    [
        ("add(f32[8,4,2], f32[8,4,2])", "add(f32[64], f32[64])"),
        ("add(f32[8,4]{0,1}, f32[8,4]{0,1}) -> f32[8,4]{0,1}", "add(f32[32], f32[32])"),
        ("add(f32[1,1,64], f32[64])", "add(f32[64], f32[64])"),
        ("sum(f32[3,4,5], axis=(1,2))", "sum(f32[3,20], axis=1)"),
        ("sum(f32[3,4,5], axis=(1,2), keepdims=true)", "sum(f32[3,20], axis=1)"),
        ("copy(f32[1,5]{0,1}) -> f32[1,5]", "copy(f32[5])"),
        ("matmul(f32[4,8,3], f32[3,2])", "matmul(f32[32,3], f32[3,2])"),
        ("exp(f32[])", "exp(f32[1])"),
    ],
)
def test_canonical_forms_meet(one, other):
    assert canonical_form(parse(one)) == canonical_form(parse(other))


def test_a_matmul_keeps_its_dimensions():
    assert canonical_form(parse("matmul(f32[1,1,8], f32[8,1])")).sizes == (1, 1, 8)


def test_the_text_is_no_part_of_equality():
    assert parse("add(%x: f32[8], f32[8])") == parse("add(f32[8], f32[8])")


def test_shapes_must_fit_the_operation():
    with pytest.raises(SpecError, match=r"expected shape \[4\] for copy, found f32\[5\]"):
        Spec(Operation.of("copy", "i", ("i",), "i", Arg(0)), (4,), (tensor((4,)),), tensor((5,)))


def test_work_and_traffic():
    spec = parse("matmul(bf16[2,3], bf16[3,4]) -> f32[2,4]")
    assert (spec.flops, spec.bytes) == (48, 2 * (6 + 12) + 4 * 8)


def test_one_tensor_read_along_a_diagonal_is_left_alone():
    nest = Operation("copy", ("i", "j"), (Access.of("i j i"),), Access.of("i j"), Arg(0))
    spec = Spec(nest, (3, 4), (tensor((3, 4, 3)),), tensor((3, 4)))
    one = lone(Operation.of("copy", "i0 i1", ("i0 i1 i0",), "i0 i1", Arg(0)), "f32")
    assert canonical_form(spec) == Spec(one, (3, 4), spec.inputs, spec.output)

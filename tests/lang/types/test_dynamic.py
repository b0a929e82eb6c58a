"""A size known only up to a bound: what Specs say of it, and what the reference makes of it."""

import griotte as gt
import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.lang.calls.spec import Spec
from griotte.lang.meaning.reference import as_parts
from griotte.lang.text.text import parse
from griotte.lang.types.dynamic import Dynamic, numbers, size_of
from griotte.lang.types.expr import Const
from griotte.lang.types.tensor import tensor

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
        ("sum(f32[<=8,3,4], axis=0)", "i0 i1", Dynamic("i0", 8)),
        ("sum(f32[<=8,3,4])", "i0", Dynamic("i0", 8, 12)),
        ("matmul(f32[4,<=8], f32[<=8,5])", "m n k", Dynamic("k", 8)),
        (
            "exp(f32[2,<=8,3,4])",
            "i0 i1",
            Dynamic("i1", 8, 12),
        ),  # what is slower lies as far apart as of 8: it is not joined
        ("softmax(f32[2,3,<=8])", "i1 i2", Dynamic("i2", 8)),
        ("matmul(f32[<=8,4], f32[4,<=8])", "m n k", Dynamic("n", 8, rows="m")),
        ("matmul(f32[<=8,4], f32[4,<=8]) -> f32[<=8,<=8]{0,1}", "m n k", Dynamic("n", 8, rows="m")),
        ("add(f32[<=8,1], f32[1,<=8])", "i0 i1", Dynamic("i1", 8, rows="i0")),
        ("sum(f32[<=8,<=8], axis=0)", "i0 i1", Dynamic("i0", 8, rows="i1")),
        ("relu(f32[<=8,3,<=8])", "i0 i1 i2", Dynamic("i2", 8, rows="i0")),  # neither is joined
        ("attention(f32[2,<=8,4], f32[2,<=8,4], f32[2,<=8,4])", "h m n k d4", Dynamic("n", 8, rows="m")),
        ("attention(f32[2,<=8,4], f32[2,<=8,4], f32[2,<=8,4], causal=true)", "h m n k d4", Dynamic("n", 8, rows="m")),
        ("add(f32[<=1,4], f32[4])", "i0 i1", Dynamic("i0", 1)),  # an axis of size 1 stays when it is dynamic
    ],
)
def test_the_canonical_form_tells_the_dimension_and_what_was_joined_to_it(text, dims, dynamic):
    canonical = canonical_form(parse(text))
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
    with pytest.raises(
        gt.SpecError, match=r"expected at most 8 at axis 0 of input 0, f32\[<=8,4\], found 9; pass fewer at a time"
    ):
        gt.interpret(MATMUL, np.zeros((9, 4), np.float32), b)
    with pytest.raises(gt.SpecError, match=r"expected shape \[3, 4\] for input 0, .* found \[3, 5\]"):
        gt.interpret(MATMUL, np.zeros((3, 5), np.float32), b)


def test_of_size_0_only_an_empty_result_is_one():
    spec = parse("sum(f32[<=8,4], axis=0)")
    assert gt.interpret(spec, np.ones((3, 4), np.float32)).tolist() == [3] * 4
    with pytest.raises(
        gt.SpecError,
        match=(
            r"expected a dynamic size of 1 to 8, found 0, of which f32\[4\] is no empty result, for sum.*; leave out"
            r" the call"
        ),
    ):
        gt.interpret(spec, np.ones((0, 4), np.float32))


def test_the_largest_along_either_axis_of_one_size_is_found():
    x = np.random.default_rng(0).standard_normal((3, 3)).astype(np.float32)
    for axis in (0, 1):
        spec = parse(f"argmax(f32[<=8,<=8], axis={axis})")
        assert spec.output.dynamic == 0 and np.array_equal(gt.interpret(spec, x), x.argmax(axis))


def test_one_query_sees_all_keys_of_any_number():
    """So a causal mask hides nothing of it, and none is computed."""
    causal, plain = (
        parse(f"attention(f32[2,1,4], f32[2,<=8,4], f32[2,<=8,4]{more})") for more in (", causal=true", "")
    )
    assert canonical_form(causal) == canonical_form(plain)


@pytest.mark.parametrize("text, offsets", [
    ("attention(f32[2,3,4], f32[1,<=5,4], f32[1,<=5,4], causal=true)", {n: n - 3 for n in range(1, 6)}),
    ("attention(f32[2,<=5,4], f32[1,4,4], f32[1,4,4], causal=true)", {n: 4 - n for n in range(1, 6)}),
])  # fmt: skip
def test_what_a_query_sees_follows_from_the_size(text, offsets):
    """Of queries that see nothing the result is 0, as where the size is fixed."""
    spec, rng = parse(text), np.random.default_rng(0)
    (number,) = numbers(canonical_form(spec).operation)
    for n, offset in offsets.items():
        assert number.at(n) == Const(offset) and not numbers(canonical_form(spec).at(n).operation)
        arrays = [rng.standard_normal(t.shape).astype(np.float32) for t in spec.at(n).inputs]
        assert np.allclose(
            gt.interpret(spec, *arrays), gt.interpret(parse(str(spec.at(n)).split(" -> ")[0]), *arrays), rtol=1e-6
        )


def test_calls_that_share_no_tensor_share_the_size():
    spec = canonical_form(parse("outputs(sum(f32[<=8,4], axis=1), exp(f32[3,<=8]))"))
    assert spec.dynamic.bound == 8 and all(spec.dynamic.dim in access.dims for access in spec.operation.accesses)


def test_a_part_of_an_array_of_the_bound_is_made_as_a_kernel_takes_it():
    spec = parse("add(f32[2,<=8,3], f32[3])")
    x, y = as_parts(spec, [np.ones((2, 5, 3), np.float32), np.ones(3, np.float32)])
    assert x.shape == (2, 5, 3) and x.strides == (96, 12, 4) and (x == 1).all() and y.strides == (4,)


@pytest.mark.parametrize(
    "text",
    [
        "broadcast(f32[2,1,<=8]) -> f32[2,<=8,<=8]",
        "sub(1, cast(broadcast(s64[1,1,<=8]) -> s64[1,<=8,<=8]) -> f32[1,<=8,<=8])",
        "mul(broadcast(f32[1,<=8]) -> f32[<=8,<=8], 2)",
    ],
)
def test_what_has_the_size_along_one_axis_is_broadcast_along_another(text):
    spec = parse(text)
    assert parse(str(spec)) == spec and len(spec.output.dynamic_axes) == 2
    assert canonical_form(spec).dynamic.rows is not None
    x = np.ones((2, 1, 3) if text.startswith("broadcast") else (1, 1, 3)[-spec.inputs[0].rank :])
    found = gt.interpret(spec, x.astype(np.int64 if "s64" in text else np.float32))
    assert found.shape[-2:] == (3, 3)


def test_arrays_of_two_sizes_are_refused():
    spec = parse("add(f32[<=8,4], f32[<=8,4])")
    size = lambda *shapes: size_of(spec.inputs, spec.outputs, 8, shapes, spec)
    assert size((3, 4), (3, 4)) == 3
    with pytest.raises(
        gt.SpecError,
        match="expected 3 at axis 0 of input 1, .* as in the inputs before it, found 4; pass arrays of one size",
    ):
        size((3, 4), (4, 4))


def test_what_has_the_rows_is_in_their_bands():
    """Queries that are projected, and what comes after."""
    x, w = "%x: f32[1,<=7,4]", "f32[4,4]"
    block = canonical_form(parse(f"add({x}, attention(matmul(rms_norm(%x, f32[4]), {w}), f32[1,<=7,4], f32[1,<=7,4]))"))
    assert block.dynamic.rows is not None

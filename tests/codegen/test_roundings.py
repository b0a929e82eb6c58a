"""Elementwise + - * / and sqrt are rounded each by itself, as NumPy's are: no compiler makes a multiply-add of two."""

import subprocess

import griotte as gt
import numpy as np
import pytest
from griotte.runtime.compilers import find_compiler
from hypothesis import given, settings
from hypothesis import strategies as st

TARGETS = ("native", "avx2", "portable")
LEAVES = st.sampled_from(("a", "b", "x", "x", 3.0, 0.1))
BINARY = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}


def _grown(inner):
    """A product is as likely as all else together, for it is products that may be taken into sums."""
    return st.one_of(
        st.tuples(st.just("*"), inner, inner),
        st.tuples(st.sampled_from("+-"), st.tuples(st.just("*"), inner, inner), inner),
        st.tuples(st.sampled_from("+-*/"), inner, inner),
        st.tuples(st.just("sqrt"), inner),
    )


EXPRESSIONS = st.recursive(LEAVES, _grown, max_leaves=8)


def _valued(tree, arrays):
    """A drawn expression of arrays, or of what `gt.jit` gives for them."""
    if isinstance(tree, tuple) and tree[0] == "sqrt":
        return np.sqrt(np.abs(_valued(tree[1], arrays)))
    if isinstance(tree, tuple):
        return BINARY[tree[0]](*(_valued(part, arrays) for part in tree[1:]))
    return arrays[tree] if isinstance(tree, str) else tree


def _arrays(shape, dtype):
    """b is -a, so that what is exact cancels."""
    rng = np.random.default_rng(0)
    a, x = (
        (rng.uniform(0.5, 2, shape) * rng.choice((-1, 1), shape) * 10.0 ** rng.integers(-2, 3, shape)).astype(dtype)
        for _ in range(2)
    )
    return {"a": a, "b": -a, "x": x}


def _examined(trees, shape, dtype, target):
    arrays = _arrays(shape, dtype)
    each = [("+", ("*", tree, "x"), ("*", "b", "x")) for tree in trees]

    def several(a, b, x):
        return tuple(_valued(tree, {"a": a, "b": b, "x": x}) for tree in each)

    with np.errstate(all="ignore"):
        right = several(**arrays)
    for tree, found, expected in zip(each, gt.jit(several, target=target)(**arrays), right, strict=True):
        np.testing.assert_array_equal(found, expected, err_msg=f"{target} {dtype} {shape}: {tree}")


DRAWN = {
    "trees": st.lists(EXPRESSIONS, min_size=3, max_size=3),
    "shape": st.sampled_from(((1,), (3,), (37,), (3, 21), (2, 5, 16))),
    "dtype": st.sampled_from(("f4", "f8", "f2")),
    "target": st.sampled_from(TARGETS),
}


@given(**DRAWN)
@settings(max_examples=4, deadline=None, derandomize=True)
def test_drawn_expressions_are_numpys_to_the_bit(trees, shape, dtype, target):
    _examined(trees, shape, dtype, target)


@pytest.mark.long
@given(**DRAWN)
@settings(max_examples=150, deadline=None)
def test_many_drawn_expressions_are_numpys_to_the_bit(trees, shape, dtype, target):
    _examined(trees, shape, dtype, target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_products_that_cancel_are_zero(target, dtype):
    """In whole vectors and in what is left of them; of functions as well; within a reduction before the term of its
    sum."""

    def several(a, b, x):
        joined = a * x + b * x
        return joined, np.tanh(a) * x + np.tanh(b) * x, np.exp(a / 100) - np.exp(b / -100), joined.sum(0), joined.max(0)

    for found in gt.jit(several, target=target)(**_arrays((21, 37), dtype)):
        assert not found.any()


def test_portable_c_says_so_to_any_compiler(tmp_path):
    """Its own flags have no multiply-adds; a person's may."""
    spec = "add(mul(%x: f32[37], %a: f32[37]), mul(%x, %b: f32[37]))"
    (tmp_path / "it.c").write_text(gt.synthesize(spec, target="portable", table="none").to_c())
    flags = ["-O3", "-ffp-contract=fast", "-mfma", "-S", "-w", "-o", "it.s"]
    done = subprocess.run([*find_compiler().command, *flags, "it.c"], cwd=tmp_path, capture_output=True, text=True)
    if "-mfma" in done.stderr:
        pytest.skip("a compiler for another machine than x86")
    assert done.returncode == 0, done.stderr
    listing = (tmp_path / "it.s").read_text()
    assert "vaddps" in listing and "vfm" not in listing

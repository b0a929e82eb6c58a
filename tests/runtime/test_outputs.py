"""Kernels of several outputs: tuples of arrays."""

import json

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte.lang.meaning.samples import random_arrays
from griotte.runtime import load
from griotte.support.errors import SpecError

TEXT = "outputs(%h: add(f32[8,16], f32[8,16]), rms_norm(%h, f32[16]), sum(%h, axis=0))"
SHAPES = ((8, 16), (8, 16), (16,))


@pytest.fixture(scope="module")
def kernel():
    return gt.compile(TEXT)


@pytest.fixture
def arrays():
    return random_arrays(gt.parse(TEXT), np.random.default_rng(0))


@pytest.fixture
def out():
    return tuple(np.zeros(shape, "f4") for shape in SHAPES)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("hostile", [False, True])
def test_all_are_right(arrays, hostile, threads):
    spec = gt.parse(TEXT)
    arrays = random_arrays(spec, np.random.default_rng(1), hostile=hostile)
    agrees(spec, arrays, gt.compile(TEXT, threads=threads)(*arrays))


def test_out_is_a_tuple_that_is_filled(kernel, arrays, out):
    expected = kernel(*arrays)
    assert isinstance(expected, tuple) and kernel(*arrays, out=out) is out
    assert all((one == other).all() for one, other in zip(expected, out))
    listed = [np.zeros(shape, "f4") for shape in SHAPES]
    assert kernel(*arrays, out=listed) is listed and (listed[2] == expected[2]).all()


def test_bound_it_is_the_same(kernel, arrays, out):
    expected = kernel(*arrays)
    assert kernel.bind(*arrays, out=out)() is out
    for given in (
        out,
        kernel.bind(arrays[0], None, arrays[2])(arrays[1]),
        kernel.bind(None, *arrays[1:], out=out)(arrays[0]),
    ):
        assert all((one == other).all() for one, other in zip(expected, given))


def test_many_calls_take_a_stack_for_each(kernel, arrays):
    stacks = [np.stack([a * n for n in range(3)]) for a in arrays[:2]]
    out = tuple(np.zeros((3, *shape), "f4") for shape in SHAPES)
    assert kernel.bind_many(*stacks, arrays[2], out=out)() is out
    for n in range(3):
        assert all((one[n] == other).all() for one, other in zip(out, kernel(stacks[0][n], stacks[1][n], arrays[2])))
    with pytest.raises(SpecError, match="for each of its outputs as many, found an array of shape"):
        kernel.bind_many(*stacks, arrays[2], out=out[0])
    with pytest.raises(SpecError, match="for each of its outputs as many"):
        kernel.bind_many(*stacks, arrays[2], out=(out[0], out[1][:2], out[2]))


@pytest.mark.parametrize(
    "spoil, complaint",
    [
        (lambda arrays, out: out[0], r"expected a tuple of 3 arrays \(y0, y1, y2\), found ndarray, for out of"),
        (lambda arrays, out: out[:2], "found 2 arrays, for out of .*pass one for each output, or leave out= away"),
        (
            lambda arrays, out: (out[0], out[0], out[2]),
            r"apart from the inputs and from each other, found memory shared with y0, for out\[1\] \(y1\)",
        ),
        (lambda arrays, out: (arrays[0], out[1], out[2]), r"found memory shared with x0, for out\[0\] \(y0\)"),
        (
            lambda arrays, out: (out[0], out[1], np.zeros(15, "f4")),
            r"expected shape \(16,\), found \(15,\), for out\[2\] \(y2\)",
        ),
        (lambda arrays, out: (out[0], out[1].astype("f8"), out[2]), r"expected dtype f32.*for out\[1\] \(y1\)"),
    ],
)
def test_an_out_that_does_not_fit_is_refused(kernel, arrays, out, spoil, complaint):
    with pytest.raises(SpecError, match=complaint):
        kernel(*arrays, out=spoil(arrays, out))
    with pytest.raises(SpecError, match=complaint):
        kernel.bind(*arrays, out=spoil(arrays, out))


def test_a_kernel_shows_them(kernel):
    assert repr(kernel).endswith("(f32[8,16], f32[8,16], f32[16]) -> (f32[8,16], f32[8,16], f32[16])>")
    assert [arg.name for arg in kernel.signature.outputs] == ["y0", "y1", "y2"]
    assert "float *y0, float *y1, float *y2" in kernel.header.replace("restrict ", "")


def test_they_are_saved(kernel, arrays, tmp_path):
    again = load(kernel.save(tmp_path / "kernel"))
    assert again.signature == kernel.signature
    assert all((one == other).all() for one, other in zip(again(*arrays), kernel(*arrays)))


def test_a_kernel_that_was_saved_before_there_were_several_loads(tmp_path):
    directory = gt.compile("exp(f32[8])", "portable").save(tmp_path / "kernel")
    described = json.loads((directory / "kernel.json").read_text())
    del described["signature"]["further"]
    (directory / "kernel.json").write_text(json.dumps(described))
    assert load(directory)(np.zeros(8, "f4")).tolist() == [1.0] * 8


@pytest.mark.parametrize("threads", [1, 2])
def test_a_size_may_be_dynamic(threads):
    spec = gt.parse("outputs(%h: add(f32[<=9,16], f32[<=9,16]), rms_norm(%h, f32[16]))")
    kernel = gt.compile(spec, threads=threads)
    for n in (1, 4, 9):
        arrays = random_arrays(spec.at(n), np.random.default_rng(n))
        results = kernel(*arrays)
        agrees(spec.at(n), arrays, results)
        out = tuple(np.zeros((n, 16), "f4") for _ in range(2))
        assert kernel(*arrays, out=out) is out and (out[1] == results[1]).all()
        assert kernel.bind(*arrays, out=out)() is out
    assert [a.shape for a in kernel(*(a[:0] for a in arrays[:2]), arrays[2])] == [(0, 16), (0, 16)]
    assert [a.shape for a in gt.interpret(spec, *(a[:0] for a in arrays[:2]), arrays[2])] == [(0, 16), (0, 16)]


def test_an_output_that_lacks_the_dynamic_size_is_whole():
    spec = gt.parse("outputs(exp(f32[<=5,8]), neg(f32[8]))")
    x, z = np.ones((3, 8), "f4"), np.ones(8, "f4")
    for results in (gt.compile(spec)(x, z), gt.interpret(spec, x, z)):
        assert [a.shape for a in results] == [(3, 8), (8,)] and (results[1] == -1).all()


@pytest.mark.parametrize("start", range(1, 7))
def test_what_is_cut_off_before_a_slice_shares_no_name_with_a_loop(start):
    """The pointer to a tensor's first element that is touched, and those that loops make of it, are numbered apart."""
    spec = gt.parse(
        f"outputs(slice(f32[9,12], starts=(0,{start}), limits=(9,12)), exp(f32[4]), slice(f32[7,12],"
        f" starts=(0,{start}), limits=(7,12)))"
    )
    arrays = random_arrays(spec, np.random.default_rng(start))
    agrees(spec, arrays, gt.compile(spec, "portable")(*arrays))

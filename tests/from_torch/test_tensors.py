"""Kernels as operators of torch."""

from __future__ import annotations

import griotte as gt
import pytest
from door_kernels import PLAIN, exp_kernel, several_kernel
from torch_models import drawn, torch


@pytest.fixture(scope="module")
def exp():
    return exp_kernel().torch()


@pytest.fixture(scope="module")
def several():
    return several_kernel().torch()


def test_a_kernel_takes_and_gives_tensors(exp):
    x = drawn(3, 4)
    torch.testing.assert_close(exp(x), x.exp())


def test_a_model_has_its_constants(several):
    x = drawn(2, 3)
    y, z = several(x)
    torch.testing.assert_close(y, x + torch.arange(3))
    torch.testing.assert_close(z, (x + torch.arange(3)).amax(1))


def test_floats_that_numpy_lacks():
    x = drawn(4, dtype=torch.bfloat16)
    found = gt.compile("add(bf16[4], bf16[4])", **PLAIN).torch()(x, x)
    assert found.dtype == torch.bfloat16 and torch.equal(found, x * 2)


def test_layouts_are_strides():
    kernel = gt.compile("copy(f32[3,4]) -> f32[3,4]{0,1}", **PLAIN).torch()
    x = drawn(3, 4)
    found = kernel(x)
    assert found.stride() == (1, 3) and torch.equal(found, x)
    back = gt.compile("copy(f32[3,4]{0,1}) -> f32[3,4]", **PLAIN).torch()
    assert torch.equal(back(found), x)
    with pytest.raises(gt.SpecError, match=r"expected f32\[3,4\]\{0,1\} as input 1"):
        back(x)


def test_it_is_an_operator_by_torchs_own_checks(exp, several):
    torch.library.opcheck(exp, (drawn(3, 4),))
    torch.library.opcheck(several, (drawn(2, 3),))


def test_torch_compile_keeps_it_whole(exp):
    x = drawn(3, 4)
    found = torch.compile(lambda x: exp(x * 2) + 1, backend="aot_eager", fullgraph=True)(x)
    torch.testing.assert_close(found, (x * 2).exp() + 1)


@pytest.mark.parametrize(
    "given", [drawn(4, 3), drawn(3, 4, dtype=torch.float64), drawn(4, 3).t()], ids=["shape", "dtype", "strides"]
)
def test_what_does_not_fit_is_told(exp, given):
    with pytest.raises(gt.SpecError, match=r"expected f32\[3,4\] as input 1 .*; call \.to\(\) or \.contiguous\(\)"):
        exp(given)


def test_a_size_that_is_open_is_refused():
    kernel = gt.compile("exp(f32[<=8,4])", **PLAIN)
    with pytest.raises(gt.SpecError, match="expected fixed sizes and no packed constants"):
        kernel.torch()

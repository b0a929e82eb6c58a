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


def test_a_size_up_to_a_bound():
    call = gt.compile("exp(f32[<=8,4])", **PLAIN).torch()
    for n in (1, 3, 8):
        torch.testing.assert_close(call(drawn(n, 4)), drawn(n, 4).exp())
    assert call(drawn(0, 4)).shape == (0, 4)
    torch.library.opcheck(call, (drawn(3, 4),))
    for wrong in (drawn(9, 4), drawn(3, 5), torch.tensor(1.0)):
        with pytest.raises(gt.SpecError, match=r"at most 8, found 9|expected f32\[.*,4\] as input 1"):
            call(wrong)


def test_torch_compile_keeps_an_open_size():
    call = gt.compile("exp(f32[<=8,4])", **PLAIN).torch()
    run = torch.compile(lambda x: call(x * 2) + 1, backend="aot_eager", fullgraph=True, dynamic=True)
    for n in (2, 5):
        torch.testing.assert_close(run(drawn(n, 4)), (drawn(n, 4) * 2).exp() + 1)


def test_a_sum_of_nothing_is_told():
    call = gt.compile("sum(f32[<=8,4], axis=0)", **PLAIN).torch()
    with pytest.raises(gt.SpecError, match="expected a dynamic size of 1 to 8, found 0"):
        call(drawn(0, 4))


def test_parts_of_larger_tensors_are_refused():
    with pytest.raises(gt.SpecError, match="an open size along the slowest axis, found"):
        gt.compile("exp(f32[4,<=8])", **PLAIN).torch()

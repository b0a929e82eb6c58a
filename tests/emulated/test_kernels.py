"""Every kernel of NEON is its NumPy meaning, on hostile data."""

from __future__ import annotations

import pytest
from griotte.machine import BUILT_IN
from machine.test_kernels import test_kernel_is_its_meaning as is_its_meaning

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", [kernel.name for kernel in BUILT_IN["neon"].kernels if kernel.form != "pack"])
def test_a_kernel_is_its_meaning(arm, name, request):
    is_its_meaning("neon", name, request)

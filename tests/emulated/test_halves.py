"""Maps of f16 in arithmetic of f16 give what f32 gives, rounded: to the bit, for all that a half may be."""

from __future__ import annotations

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.machine import resolve

pytestmark = pytest.mark.long

BODIES = (
    "add(f16[{0}], f16[{0}])",
    "sub(f16[{0}], f16[{0}])",
    "mul(f16[{0}], f16[{0}])",
    "div(f16[{0}], f16[{0}])",
    "maximum(f16[{0}], f16[{0}])",
    "minimum(f16[{0}], f16[{0}])",
    "sqrt(f16[{0}])",
    "neg(f16[{0}])",
    "abs(f16[{0}])",
    "relu(f16[{0}])",
    "div(f16[{0}], 4.0)",
    "mul(f16[{0}], 0.1)",
    "clip(f16[{0}], low=-0.5, high=6.0)",
    "leaky_relu(f16[{0}], alpha=0.25)",
    "sub(add(mul(f16[{0}], f16[{0}]), f16[{0}]), f16[{0}])",
    "relu(div(sub(f16[{0}], f16[{0}]), f16[{0}]))",
)


def halves(count: int, seed: int) -> np.ndarray:
    """All halves, in an order of their own, the denormal and the largest more often."""
    rng = np.random.default_rng(seed)
    often = np.array([0, 0x8000, 1, 0x3FF, 0x400, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x3C00, 0x3BFF], np.uint16)
    near = rng.integers(0, 0x800, count // 4, np.uint16) | rng.integers(0, 2, count // 4, np.uint16) << np.uint16(15)
    found = np.concatenate([np.arange(65536, dtype=np.uint16), rng.choice(often, count // 4), near])
    return rng.permutation(np.resize(found, count)).view(np.float16)


@pytest.mark.parametrize("text", BODIES)
def test_a_map_of_halves_is_that_of_f32(arm, text):
    target = resolve("neon")
    wide = replace(target, kernels=tuple(kernel for kernel in target.kernels if kernel.name != "map_f16"))
    for count in (200_003, 13):
        spec = gt.parse(text.format(count))
        given = [halves(count, seed) for seed in range(len(spec.inputs))]
        program, by_f32 = (gt.synthesize(spec, each, table="none") for each in (target, wide))
        assert "map_f16" in str(program) and "map_f16" not in str(by_f32)
        found, expected, meant = program.compile()(*given), by_f32.compile()(*given), gt.interpret(spec, *given)
        are_nan = np.isnan(meant)
        assert (np.isnan(found) == are_nan).all() and (found == meant)[~are_nan].all()
        assert (found.view(np.uint16) == expected.view(np.uint16))[~are_nan].all()

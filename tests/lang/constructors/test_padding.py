"""pad: NumPy's, in each mode; what is below 0 leaves elements out."""

import griotte as gt
import numpy as np
import pytest
from checked import check
from griotte.support.errors import SpecError


def padded(mode, before, after, **value):
    return lambda x: np.pad(x, list(zip(before, after)), mode=mode, **value)


@pytest.mark.parametrize(
    "text, meaning",
    [
        ("pad(f32[5,7], before=(1,0), after=(2,3))", padded("constant", (1, 0), (2, 3))),
        # rows of one element, which are as the result's only beyond it
        ("pad(f32[2,8,1], before=(0,1,0), after=(1,0,2))", padded("constant", (0, 1, 0), (1, 0, 2))),
        (
            "add(pad(f32[8,1], before=(1,1), after=(0,1)), f32[9,3])",
            lambda x, y: padded("constant", (1, 1), (0, 1))(x) + y,
        ),
        (
            "pad(f32[5,7], before=(1,0), after=(2,3), value=-inf)",
            padded("constant", (1, 0), (2, 3), constant_values=-np.inf),
        ),
        (
            "pad(pred[5,7], before=(1,0), after=(2,3), value=1)",
            padded("constant", (1, 0), (2, 3), constant_values=True),
        ),
        (
            "pad(s8[5,7], before=(1,-2), after=(2,3), value=-7)",
            lambda x: np.pad(x[:, 2:], ((1, 2), (0, 3)), constant_values=-7),
        ),
        ("pad(bf16[5], before=(1,), after=(2,), value=0.5)", padded("constant", (1,), (2,), constant_values=0.5)),
        ("pad(f32[5,7], before=(1,9), after=(0,3), mode=edge)", padded("edge", (1, 9), (0, 3))),
        ("pad(f32[5,7], before=(4,6), after=(4,3), mode=reflect)", padded("reflect", (4, 6), (4, 3))),
        ("pad(f32[5,7], before=(0,7), after=(0,3), mode=wrap)", padded("wrap", (0, 7), (0, 3))),
        ("pad(s32[5], before=(-1,), after=(2,), mode=edge)", lambda x: np.pad(x, (0, 2), mode="edge")[1:]),
        ("pad(f32[3,2], before=(0,0), after=(0,0), mode=edge)", lambda x: x),
    ],
)
def test_it_is_numpys(text, meaning):
    check(text, meaning)


def test_calls_nest_around_it():
    check("exp(pad(neg(f32[3,5]), before=(1,0), after=(0,2), value=1))")


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "pad(f32[5], before=(1,), after=(1,), mode=mirror)",
            "expects a mode of constant edge reflect wrap, found mirror",
        ),
        ("pad(f32[5], before=(1,2), after=(1,))", "expects numbers before and after each axis of"),
        ("pad(f32[5], before=(-3,), after=(-2,))", "expects to leave an element of"),
        (
            "pad(f32[5], before=(5,), after=(0,), mode=reflect)",
            "expects no more than x has of elements in the mode reflect",
        ),
        (
            "pad(s8[5], before=(5,), after=(0,), value=0.5)",
            "expected a number that s8 holds, found 0.5, for value of pad",
        ),
        ("pad(f32[<=5], before=(5,), after=(0,))", "expects a fixed size along axis 0"),
    ],
)
def test_what_does_not_go_together_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)

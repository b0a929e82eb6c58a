"""What stands for a Spec: text, a Spec, several."""

import griotte as gt
import numpy as np
import pytest
from griotte.lang.text.given import interpret, spec_of
from griotte.support.errors import SpecError


def test_a_text_and_several_specs_stand_for_one():
    x = gt.tensor((2,), "f32")
    assert spec_of("neg(f32[2])") == gt.neg(x) and len(spec_of((gt.neg(x), gt.exp(x))).outputs) == 2
    with pytest.raises(SpecError, match="expected a Spec or its text, found int"):
        spec_of(7)


def test_the_reference_takes_a_text():
    assert np.array_equal(interpret("neg(f32[2])", np.ones(2, np.float32)), [-1, -1])
    with pytest.raises(SpecError, match="expected a Spec or its text, found int"):
        interpret(7)

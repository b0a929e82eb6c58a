"""What is compiled for NEON has no complaint of the sanitizers of memory and of undefined behaviour, in the emulator."""

from __future__ import annotations

import griotte as gt
import pytest
from drawn.__main__ import texts
from generated_harness import programs_right

from .specs import PRODUCTS, QUANTISED

pytestmark = pytest.mark.long

DRAWN = [*texts(40, False, False, 3), *texts(16, True, False, 3)]
TOGETHER = 8  # programs that are compiled as one
ALL = [*QUANTISED, *PRODUCTS, *DRAWN]


@pytest.mark.parametrize("first", range(0, len(ALL), TOGETHER))
def test_programs_touch_their_arrays_alone(arm, tmp_path, first):
    programs_right([gt.synthesize(text, "neon", table="none") for text in ALL[first : first + TOGETHER]], tmp_path)

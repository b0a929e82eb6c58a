"""What leaves that copy take of the ports: packs, windows, blocks turned in registers."""

from dataclasses import replace

import pytest
from griotte.cost import leaf
from griotte.frontends.text import parse
from griotte.ir.canonical import canonical_form
from griotte.ir.family import Layout, Operand
from griotte.rewrites.move import copy_family
from griotte.targets.target import Ports
from machines import machine

TARGET = machine("avx2")
ACCESS = canonical_form(parse("transpose(f32[48,80])")).operation.inputs[0]
ROWS, COLUMNS = (Operand("f32", 2, Layout(order)) for order in ((1, 0), (0, 1)))
PANELS = Operand("f32", 2, Layout((1, 0), panel=(1, 16)))


def cycles(form: str, to: Operand, **ports: float) -> float:
    """The port model's cycles of a copy from rows, on ports of which some are given."""
    family, target = copy_family(ACCESS, ROWS, to), replace(TARGET, ports=replace(Ports(), **ports))
    kernel = next(k for k in target.kernels if k.form == form)
    found = leaf.features(kernel, "", family, target, dict(zip(family.operation.dims, (48, 80))))
    return float(found["pack"])


@pytest.mark.parametrize("copied", [1.5, 2.0, 3.0])
def test_what_is_packed_as_it_is_takes_as_long_as_it_is_stored(copied):
    vectors, starts = 48 * 80 / 8, 48 * 80 / 16
    assert cycles("pack", PANELS, copied=copied) == pytest.approx(vectors * copied + starts, rel=0.1)


def test_blocks_are_turned_as_fast_as_vectors_are_shuffled():
    assert (
        cycles("transpose", COLUMNS, shuffle=0.5)
        == 2 * cycles("transpose", COLUMNS)
        == 2 * cycles("transpose", COLUMNS, copied=9.0)
    )

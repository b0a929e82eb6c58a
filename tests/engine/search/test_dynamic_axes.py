"""Whichever of three or four axes have the dynamic size, a Spec has a program on every target, and a right one."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from checked import BASES, agrees, later
from dynamic_axes import BOUND, specs
from griotte.lang.calls.spec import Spec
from griotte.lang.meaning.reference import as_parts
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.text.text import parse
from machines import machine
from sizes import mean_the_spec

TARGETS = "portable", "neon", "avx2", "avx512", "tiles"  # the last has AMX
SIZES = 1, 3, BOUND


@pytest.mark.parametrize(
    "text, target",
    [
        ("copy(f32[<=5,6,<=5])", "portable"),
        ("exp(f32[<=16,32,<=16])", "avx2"),
        ("copy(f32[<=5,6,<=5])", "neon"),
        ("softmax(f32[3,20,<=5,<=5], axis=1)", "avx512"),
        ("transpose(f32[<=5,<=5,20,34], perm=(3,2,1,0))", "tiles"),
        ("add(f32[6,<=5,<=5,34], f32[6,<=5,<=5,34]{0,1,2,3})", "portable"),
    ],
)
def test_not_all_has_its_neighbours_along_a_fixed_axis(text, target):
    right(parse(text), target)


@pytest.mark.parametrize("place, target", list(enumerate(TARGETS)))
def test_some_of_all_axes(place, target):
    for _, spec in specs(every=47, first=place):
        right(spec, target)


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_all_axes(target):
    for name, spec in specs():
        print(name)
        right(spec, target)


def right(spec: Spec, target: str) -> None:
    """The program means the Spec at few sizes; and so does its C, where it runs on every machine."""
    program = gt.synthesize(spec, machine(target) if target == "tiles" else target, table="none")
    mean_the_spec(program, spec, program.target, SIZES)
    if target not in BASES:
        return
    for size in SIZES:
        one = spec.at(size)
        arrays = random_arrays(one, np.random.default_rng(size))
        later(program, as_parts(spec, arrays), lambda found, one=one, arrays=arrays: agrees(one, arrays, found))

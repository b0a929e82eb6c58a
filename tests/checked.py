"""A Spec held against NumPy: as text, by the reference, and compiled, with the others of its file as one unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import griotte as gt
import numpy as np
import pytest
from batch import kernels_of, model_kernels_of
from griotte.lang.meaning.agreement import compare, tolerance
from griotte.lang.meaning.samples import random_arrays
from griotte.models.program import ModelProgram
from together import UNIT

BASES = ("portable", "native")


class Waiting(NamedTuple):
    """A program that is still to be compiled; `right` raises where what it gives of the arrays is wrong."""

    program: gt.Program | ModelProgram
    arrays: tuple
    right: Callable[[Any], object]


_files: list[list[Waiting]] = []  # of the file whose tests run


def later(program: gt.Program | ModelProgram, arrays, right: Callable[[Any], object]) -> None:
    """Compile a program when the tests of its file are done, and see whether what it gives is right."""
    _files[-1].append(Waiting(program, tuple(arrays), right))


@pytest.fixture(scope="module", autouse=True)
def compiled(little_work) -> Iterator[None]:
    """What waits once the tests of a file are done is compiled, a unit of C at a time."""
    _files.append([])
    yield
    waiting = _files.pop()
    for target, made in dict.fromkeys((each.program.target, type(each.program)) for each in waiting):
        alike = [each for each in waiting if each.program.target == target and type(each.program) is made]
        programs = list({id(each.program): each.program for each in alike}.values())
        kernels = {}
        for first in range(0, len(programs), UNIT):
            unit = programs[first : first + UNIT]
            kernels |= zip(map(id, unit), (model_kernels_of if made is ModelProgram else kernels_of)(unit))
        for program, arrays, right in alike:
            right(kernels[id(program)](*arrays))


def like_reference(program: gt.Program, arrays=None, rtol: float = 1e-4, atol: float = 1e-5) -> None:
    """A program, compiled later, gives what the reference says, as close as this; of normal numbers where no arrays are
    given."""
    if arrays is None:
        arrays = [np.random.default_rng(1).standard_normal(t.shape, np.float32) for t in program.spec.inputs]
    expected = gt.interpret(program.spec, *arrays)
    later(program, arrays, lambda found: np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol))


def within_bounds(program: gt.Program, seed: int) -> None:
    """A program, compiled later, gives of random arrays what the reference says, within its bounds."""
    arrays = random_arrays(program.spec, np.random.default_rng(seed))
    later(program, arrays, lambda found: agrees(program.spec, arrays, found))


def check(text: str, meaning: Callable[..., Any] | None = None, rtol: float = 0.0, kinds=(False, True)) -> gt.Spec:
    """The Spec of a text, which is read as it is printed, is what `meaning` makes of its arrays in f64 (of integers and
    conditions as they are), and compiled is what its reference says."""
    spec = gt.parse(text)
    assert gt.parse(str(spec)) == spec
    programs = [gt.synthesize(spec, base, table="none") for base in BASES]
    for hostile in kinds:
        arrays = random_arrays(spec, np.random.default_rng(len(text)), hostile)
        if meaning is not None:
            with np.errstate(all="ignore"):
                found = gt.interpret(spec, *arrays)
                expected = np.asarray(meaning(*map(widened, arrays))).astype(found.dtype)
            assert found.shape == expected.shape
            np.testing.assert_allclose(widened(found), widened(expected), rtol=rtol, atol=0, equal_nan=True)
        bounds = cache(partial(tolerance, spec, arrays))  # of all programs
        for program in programs:
            later(program, arrays, lambda found, arrays=arrays, bounds=bounds: agrees(spec, arrays, found, bounds()))
    return spec


def agrees(spec: gt.Spec, arrays, found, bounds=None) -> None:
    """A result is what the reference says, within its bounds."""
    _, right, complaint = compare(spec, arrays, found, bounds)
    assert right, f"{spec}: {complaint}"


def widened(array: np.ndarray) -> np.ndarray:
    """Floats of any width as f64."""
    return array if array.dtype.kind in "iub" else array.astype(np.float64)

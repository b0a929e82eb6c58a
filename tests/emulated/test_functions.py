"""Every function, over vectors of NEON, is within its ulps at the arguments where it may go wrong."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.lang.functions import FUNCTIONS, over_vectors
from griotte.lang.meaning.agreement import compare
from griotte.lang.nests.operation import Operation
from griotte.lang.types.expr import Arg, Call
from griotte.lang.types.tensor import tensor
from vector_data import floats

pytestmark = pytest.mark.long
HELD = {"f32": np.float32, "f64": np.float64}


@pytest.mark.parametrize("dtype", HELD)
@pytest.mark.parametrize("name", [*over_vectors(1, integers=False), *over_vectors(2, integers=False)])
def test_a_function_is_within_its_ulps(arm, name, dtype):
    points = np.array(FUNCTIONS[name].samples, HELD[dtype])
    near = [points, np.nextafter(points, HELD[dtype](-np.inf)), np.nextafter(points, HELD[dtype](np.inf))]
    x = np.concatenate([*near, floats(dtype), np.linspace(-9, 9, 1000, dtype=HELD[dtype])])
    low, high = FUNCTIONS[name].domain
    x = x[~((x < low) | (x > high))]
    count = len(FUNCTIONS[name].arguments)
    arrays = [x] if count == 1 else [np.tile(x, 7), np.repeat(np.resize(x[::97], 7), len(x))]
    size = len(arrays[0])
    nest = Operation.of(name, "i", ("i",) * count, "i", Call(name, tuple(map(Arg, range(count)))))
    spec = gt.Spec(nest, (size,), tuple(tensor((size,), dtype) for _ in arrays), tensor((size,), dtype))
    with np.errstate(all="ignore"):
        _, right, complaint = compare(spec, arrays, gt.compile(spec, "neon", table="none")(*arrays))
    assert right, complaint

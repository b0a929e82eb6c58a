"""Every declared elementwise function: it is complete, and its C, over vectors and for one element, does what its NumPy
meaning does, at the arguments where it may go wrong."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from griotte.lang.calls.spec import Spec
from griotte.lang.functions import FUNCTIONS, over_vectors
from griotte.lang.functions.kit import COMPUTE, is_float
from griotte.lang.meaning.agreement import compare
from griotte.lang.nests.operation import Operation
from griotte.lang.types.expr import Arg, Call
from griotte.lang.types.tensor import tensor
from griotte.machine import BUILT_IN
from vector_data import floats
from vector_harness import CONFIGS, HELD, Kernels, built, compile_c

BY_FORM = {"copy", "as", "where"}  # what the code generator makes of their form, as of tests


@pytest.fixture(scope="module", params=CONFIGS)
def kernels(request, shared_folder) -> Kernels:
    return built(CONFIGS[request.param], shared_folder)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_declaration_is_complete(name):
    function = FUNCTIONS[name]
    assert function.name == name and function.arguments
    assert set(function.slots) <= set(BUILT_IN) and all(function.cost(base)[name].all >= 0 for base in BUILT_IN)
    assert all(set(found) <= set(BUILT_IN) and dtype in COMPUTE for dtype, found in function.slots_of.items())
    assert function.scalar.format(*function.arguments)
    assert bool(function.helper) + bool(function.test) + (name in BY_FORM) == 1


def test_names_of_helpers_are_their_own():
    brought = [helper for function in FUNCTIONS.values() for helper in function.helpers]
    assert len({*brought, *FUNCTIONS}) == len(brought) + len(FUNCTIONS)


def at_samples(name: str, dtype: str) -> list[np.ndarray]:
    """The arguments where a function may go wrong, around them, and hostile ones; of two, each with each of some."""
    points = np.array(FUNCTIONS[name].samples, HELD[dtype])
    near = [points, np.nextafter(points, HELD[dtype](-np.inf)), np.nextafter(points, HELD[dtype](np.inf))]
    x = np.concatenate([*near, floats(dtype), np.linspace(-9, 9, 1000, dtype=HELD[dtype])])
    low, high = FUNCTIONS[name].domain
    x = x[~((x < low) | (x > high))]
    return [x] if len(FUNCTIONS[name].arguments) == 1 else [np.tile(x, 7), np.repeat(np.resize(x[::97], 7), len(x))]


def as_a_map(name: str, dtype: str, size: int) -> Spec:
    """The Spec of a function over a vector each."""
    operands = len(FUNCTIONS[name].arguments)
    body = Call(name, tuple(map(Arg, range(operands))))
    types = tuple(tensor((size,), dtype) for _ in range(operands))
    return Spec(Operation.of(name, "i", ("i",) * operands, "i", body), (size,), types, tensor((size,), dtype))


@pytest.mark.parametrize("dtype", [dtype for dtype in COMPUTE if is_float(dtype)])
@pytest.mark.parametrize("name", [*over_vectors(1, integers=False), *over_vectors(2, integers=False)])
def test_its_c_over_vectors_is_within_its_ulps(kernels, name, dtype):
    arrays = at_samples(name, dtype)
    spec = as_a_map(name, dtype, len(arrays[0]))
    found = kernels.over(f"{name}_{dtype}", arrays, dtype)
    with np.errstate(all="ignore"):
        _, right, complaint = compare(spec, arrays, found)
        off = np.where(found == 0, HELD[dtype](1), found * HELD[dtype](1.00001))
        assert right, complaint
        assert not compare(spec, arrays, off)[1]


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_a_remainder_is_exact_whatever_the_quotient(kernels, dtype):
    """About whole multiples, which a rounded quotient may mistake; zeros have the sign of x."""
    rng, kind = np.random.default_rng(5), HELD[dtype]
    y = (rng.uniform(1, 2, 20_000) * 2.0 ** rng.integers(-60, 60, 20_000) * rng.choice((-1, 1), 20_000)).astype(kind)
    times = np.floor(2.0 ** rng.uniform(0, 31, len(y)))
    x = (y * times).astype(kind)
    x = np.concatenate([x, np.nextafter(x, kind(0)), np.nextafter(x, kind(np.inf)), -x, y * kind(0.7)])
    y = np.tile(y, 5)
    found, wanted = kernels.over(f"fmod_{dtype}", [x, y], dtype), np.fmod(x, y)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


@pytest.mark.parametrize("dtype", ["s32", "u32"])
def test_whole_quotients_are_those_of_whole_numbers(kernels, dtype):
    """By f64: about multiples, at the ends of the range."""
    rng, info = np.random.default_rng(6), np.iinfo(HELD[dtype])
    y = np.concatenate([rng.integers(1, info.max, 4000), rng.integers(1, 1000, 4000), [1, 2, 3, info.max]])
    y = np.where(rng.random(len(y)) < 0.5 * (info.min < 0), -y, y).astype(np.int64)
    x = np.clip(np.array(info.max) // y * y + rng.integers(-1, 2, len(y)), info.min, info.max)
    x[:4] = info.min
    given = [x.astype(HELD[dtype]), y.astype(HELD[dtype])]
    whole = np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))
    np.testing.assert_array_equal(kernels.over(f"div_{dtype}", given, dtype).astype(np.int64), whole)
    np.testing.assert_array_equal(kernels.over(f"fmod_{dtype}", given, dtype).astype(np.int64), x - whole * y)


def test_its_c_for_one_element_does_the_same(tmp_path):
    """As a person writes it: near, away from the ends of the range."""
    called = [f for f in FUNCTIONS.values() if not f.integers_only]
    loops = (
        f"void of_{f.name}(const double *x, const double *y, const double *z, double *out, int n)\n"
        f"{{ for (int i = 0; i < n; i++) out[i] = {f.scalar.format('x[i]', 'y[i]', 'z[i]')}; }}"
        for f in called
    )
    flags = ("-O1", "-shared", "-fPIC", "-Wno-unused-parameter")
    library = ctypes.CDLL(str(compile_c("#include <tgmath.h>\n" + "\n".join(loops), tmp_path, "one.so", *flags, "-lm")))
    random = np.random.default_rng(0)
    arrays = [random.uniform(0.1, 3, 200) * random.choice((-1, 1), 200) for _ in range(3)]
    for f in called:
        out = np.empty(200)
        getattr(library, f"of_{f.name}")(*(a.ctypes.data_as(ctypes.c_void_p) for a in (*arrays, out)), 200)
        with np.errstate(all="ignore"):
            expected = f.meaning(*arrays[: len(f.arguments)])
        assert np.allclose(out, expected, rtol=1e-5, equal_nan=True), f.name

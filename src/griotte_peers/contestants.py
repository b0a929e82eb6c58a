"""What a kernel is timed against: the same Spec, on the same arrays, by someone else.

Each maker gives a function of no arguments, or None where the library is not there, or does not compute the Spec.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from griotte.lang.calls.spec import Spec
from griotte.lang.functions import COMBINERS, FUNCTIONS
from griotte.lang.meaning.bodies import is_matrix_product
from griotte.lang.meaning.reference import empty, over_windows
from griotte.lang.types.dtypes import convert, dtype
from griotte.lang.types.expr import Arg, Call, Const, Expr, calls
from griotte.runtime.toolchain import compile_shared

from .naive import source

Run = Callable[[], Any]

_WRITTEN: dict[str, Callable] = {  # as a person writes them; griotte's reference takes more care
    **{name: function.meaning for name, function in FUNCTIONS.items()},
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(0.7978846 * (x + 0.044715 * x * x * x))),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)),
}


def numpy(spec: Spec, arrays: list, target, threads: int) -> Run | None:
    """The Spec as a person writes it in NumPy: one `matmul`, ufunc or reduction per call, in the dtype that griotte
    computes in. Its bf16 and f16 are converted ahead of the clock, for NumPy has no fast arithmetic for them."""
    if not _is_alike(spec) or {"gelu", "erf"} & set(calls(spec.operation.body)):  # NumPy has no erf
        return None
    set_blas_threads(threads)
    op, compute = spec.operation, dtype(spec.accumulator).numpy
    given = [np.asarray(a) if a.dtype == bool else convert(a, spec.accumulator) for a in arrays]
    if is_matmul(spec):
        return _product(np.matmul, *given)
    if op.picks:
        return lambda: given[0].take(arrays[1], axis=0, mode="clip")
    if not _is_plain(spec):
        return _moved(spec, given, compute)
    views = [_over_dims(a, access, spec) for a, access in zip(given, op.inputs)]
    if op.combine is not None:
        axes = tuple(op.dims.index(d) for d in op.reduction)
        reduce = COMBINERS[op.combine].ufunc.reduce
        return lambda: reduce(_evaluated(op.body, views, compute), axis=axes)
    if isinstance(op.body, Arg):
        out, source = empty(spec.output), _over_dims(arrays[0], op.inputs[0], spec)
        source = source.transpose([op.dims.index(axis[0][0]) for axis in op.output.axes])
        return lambda: np.copyto(out, source, casting="unsafe")
    return _map(op.body, views, compute)


def torch(spec: Spec, arrays: list, target, threads: int) -> Run | None:
    """PyTorch, in the inputs' own dtypes; matrix products alone."""
    if importlib.util.find_spec("torch") is None or not is_matmul(spec) or len({t.dtype for t in spec.inputs}) != 1:
        return None
    import torch as library

    library.set_num_threads(threads)

    def held(a):
        return (
            library.from_numpy(a.view(np.int16)).view(library.bfloat16)
            if a.dtype.name == "bfloat16"
            else library.from_numpy(a)
        )

    return _product(library.matmul, *map(held, arrays))


def naive(spec: Spec, arrays: list, target, threads: int) -> Run | None:
    """The loop nest in plain C, compiled by the same compiler with the same flags; one thread."""
    import cffi

    if not _is_alike(spec):
        return None
    ffi = cffi.FFI()
    ffi.cdef(f"void naive({', '.join(['void *'] * (len(arrays) + 1))});")
    library = ffi.dlopen(str(compile_shared(source(spec), target.flags)))
    out = empty(spec.output)
    pointers = [ffi.cast("void *", a.ctypes.data) for a in (*arrays, out)]
    kept = (arrays, out, library)
    return lambda kept=kept: library.naive(*pointers) or out  # type: ignore[misc]


CONTESTANTS: dict[str, Callable[[Spec, list, Any, int], Run | None]] = {"numpy": numpy, "torch": torch, "naive": naive}


# NumPy and PyTorch ---------------------------------------------------------------------------------------------------


def is_matmul(spec: Spec) -> bool:
    return is_matrix_product(spec) and spec.operation.dims[-3:] == ("m", "n", "k")


def _is_alike(spec: Spec) -> bool:
    """Whether a Spec is one nest that plain C and NumPy compute as griotte does: they divide integers in another way,
    and by zero C traps."""
    return not spec.is_composed and ("div" not in calls(spec.operation.body) or dtype(spec.accumulator).kind == "float")


def _over_dims(array, access, spec: Spec):
    """The array with one axis per dimension of the nest, in its order; length 1 where it has none."""
    kept = [i for i, axis in enumerate(access.axes) if axis]
    dims = [access.axes[i][0][0] for i in kept]
    array = array.reshape([array.shape[i] for i in kept]) if len(kept) < len(access.axes) else array
    order = sorted(range(len(dims)), key=lambda i: spec.operation.dims.index(dims[i]))
    return array.transpose(order)[tuple(slice(None) if d in dims else None for d in spec.operation.dims)]


def _is_plain(spec: Spec) -> bool:
    """Whether each axis of each tensor is one dimension, and a call reads every element of it."""
    return all(
        access.border is None and all(not axis or access.is_plain(i) for i, axis in enumerate(access.axes))
        for access in spec.operation.accesses
    )


def _moved(spec: Spec, given: list, compute) -> Run:
    """A part of an array, one array after the other, or windows over one, which are laid out at each call."""
    op = spec.operation
    if op.name == "concat":
        axis = next(i for i, (n, m) in enumerate(zip(given[0].shape, spec.output.shape)) if n != m)
        return lambda: np.concatenate(given, axis)
    places = {d: i for i, d in enumerate(op.dims)}
    if is_matrix_product(spec):
        moved = [
            (
                tuple(slice(None) if d in access.dims else 0 for d in op.dims),
                [places[d] for d in op.dims if d in access.dims],
            )
            for access in op.inputs
        ]
        return lambda: np.einsum(
            *(part for view, (at, axes) in zip(over_windows(spec, given), moved) for part in (view[at], axes)),
            [places[d] for d in op.parallel],
            optimize=True,
        )
    reduce, reduced = (
        COMBINERS[op.combine].ufunc.reduce if op.combine else lambda x, axis: x.copy(),
        tuple(places[d] for d in op.reduction),
    )
    return lambda: reduce(_evaluated(op.body, over_windows(spec, given), compute), axis=reduced)


def _product(matmul: Callable, a, b) -> Run:
    """Into an array made ahead."""
    out = matmul(a, b)
    return lambda: matmul(a, b, out=out)


def _map(body: Expr, views: list, compute) -> Run:
    """The body's calls, the last one into an array made ahead where NumPy can."""
    if not isinstance(body, Call) or not isinstance(_WRITTEN[body.function], np.ufunc):
        return lambda: _evaluated(body, views, compute)
    out, last = np.empty_like(_evaluated(body, views, compute)), _WRITTEN[body.function]
    return lambda: last(*[_evaluated(a, views, compute) for a in body.args], out=out)


def _evaluated(expr: Expr, values: list, compute):
    match expr:
        case Arg(index):
            return values[index]
        case Const(value):
            return compute.type(value)
        case Call(function, args):
            return _WRITTEN[function](*(_evaluated(a, values, compute) for a in args))


_SETTERS = tuple(f"{prefix}openblas_set_num_threads{suffix}" for prefix in ("scipy_", "") for suffix in ("64_", ""))


def set_blas_threads(threads: int) -> bool:
    """Tell every OpenBLAS that is loaded how many threads to use; whether one was found. (OPENBLAS_NUM_THREADS is read
    only when NumPy is imported, which is before we know.)"""
    try:
        mapped = {
            line.split()[-1]
            for line in Path("/proc/self/maps").read_text().splitlines()
            if "blas" in line.rpartition("/")[2]
        }
    except OSError:
        return False
    libraries = [ctypes.CDLL(path) for path in sorted(mapped)]
    setters = [getattr(library, name) for library in libraries for name in _SETTERS if hasattr(library, name)]
    for setter in setters:
        setter(ctypes.c_int(threads))
    return bool(setters)

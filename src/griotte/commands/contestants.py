"""What a kernel is timed against: the same Spec, on the same arrays, by someone else.

Each maker gives a function of no arguments, or None where the library is not there, or does not compute the Spec.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..spec.dtypes import convert, dtype
from ..spec.expr import COMBINES, FUNCTIONS, Arg, Call, Const, Expr
from ..spec.reference import empty, is_contraction
from ..spec.spec import Spec

Run = Callable[[], Any]


_SIMPLE = {"sigmoid": lambda x: 1 / (1 + _np().exp(-x)), "silu": lambda x: x / (1 + _np().exp(-x))}


def numpy(spec: Spec, arrays: list, target, threads: int) -> Run | None:
    """The Spec as a person writes it in NumPy: one `matmul`, ufunc or reduction per call, in the dtype that griotte
    computes in (bf16 and f16 converted ahead of the clock: NumPy has no fast arithmetic for them)."""
    import numpy as np

    set_blas_threads(threads)
    op, compute = spec.operation, dtype(spec.accumulator).numpy
    given = [np.asarray(a) if a.dtype == bool else convert(a, spec.accumulator) for a in arrays]
    views = [_over_dims(a, access, spec) for a, access in zip(given, op.inputs)]
    if is_contraction(spec):
        return _product(np.matmul, spec, given, views, lambda v, order: v.transpose(order))
    if op.combine is not None:
        axes = tuple(op.dims.index(d) for d in op.reduction)
        return lambda: COMBINES[op.combine].reduce(_evaluated(op.body, views, compute), axis=axes)
    if isinstance(op.body, Arg):
        out, source = empty(spec.output), _over_dims(arrays[0], op.inputs[0], spec)
        source = source.transpose([op.dims.index(axis[0][0]) for axis in op.output.axes])
        return lambda: np.copyto(out, source, casting="unsafe")
    return _map(np, op.body, views, compute)


def torch(spec: Spec, arrays: list, target, threads: int) -> Run | None:
    """PyTorch, in the inputs' own dtypes; matrix products alone."""
    if importlib.util.find_spec("torch") is None or not is_contraction(spec) or len({t.dtype for t in spec.inputs}) != 1:
        return None
    import numpy as np
    import torch as library

    library.set_num_threads(threads)

    def held(a):
        return library.from_numpy(a.view(np.int16)).view(library.bfloat16) if a.dtype.name == "bfloat16" else library.from_numpy(a)

    given = [held(a) for a in arrays]
    views = [_over_dims(a, access, spec) for a, access in zip(given, spec.operation.inputs)]
    return _product(library.matmul, spec, given, views, lambda v, order: v.permute(order))


def naive(spec: Spec, arrays: list, target, threads: int) -> Run:
    """The loop nest in plain C, compiled by the same compiler with the same flags; one thread."""
    import cffi

    from ..runtime.toolchain import compile_shared

    ffi = cffi.FFI()
    ffi.cdef(f"void naive({', '.join(['void *'] * (len(arrays) + 1))});")
    library = ffi.dlopen(str(compile_shared(naive_source(spec), target.flags)))
    out = empty(spec.output)
    pointers = [ffi.cast("void *", a.ctypes.data) for a in (*arrays, out)]
    kept = (arrays, out, library)
    return lambda kept=kept: library.naive(*pointers)


CONTESTANTS: dict[str, Callable[[Spec, list, Any, int], Run | None]] = {"numpy": numpy, "torch": torch, "naive": naive}


# NumPy and PyTorch ---------------------------------------------------------------------------------------------------


def _over_dims(array, access, spec: Spec):
    """The array with one axis per dimension of the nest, in its order; length 1 where it has none."""
    kept = [i for i, axis in enumerate(access.axes) if axis]
    dims = [access.axes[i][0][0] for i in kept]
    array = array.reshape([array.shape[i] for i in kept]) if len(kept) < len(access.axes) else array
    order = sorted(range(len(dims)), key=lambda i: spec.operation.dims.index(dims[i]))
    moved = array.transpose(order) if hasattr(array, "flags") else array.permute(order)
    return moved[tuple(slice(None) if d in dims else None for d in spec.operation.dims)]


def _product(matmul: Callable, spec: Spec, given: list, views: list, permuted: Callable) -> Run:
    """batch, m, k by batch, k, n, into an array made ahead: the arrays themselves for matmul as it is written."""
    a, b = given
    if spec.operation.dims[-3:] != ("m", "n", "k"):
        op, (left, right) = spec.operation, (access.dims for access in spec.operation.inputs)
        both = [d for d in op.parallel if d in left and d in right]
        (m,), (n,), (k,) = [d for d in op.parallel if d in left - right], [d for d in op.parallel if d in right - left], op.reduction
        a, b = (permuted(v, [op.dims.index(d) for d in (*both, *own, other)])[..., 0] for v, own, other in zip(views, ((m, k), (k, n)), (n, m)))
    out = matmul(a, b)
    return lambda: matmul(a, b, out=out)


def _map(np, body: Expr, views: list, compute) -> Run:
    """The body's calls, the last one into an array made ahead where NumPy can."""
    if not isinstance(body, Call) or not isinstance(FUNCTIONS[body.function].meaning, np.ufunc):
        return lambda: _evaluated(body, views, compute)
    out, last = np.empty_like(_evaluated(body, views, compute)), FUNCTIONS[body.function].meaning
    return lambda: last(*[_evaluated(a, views, compute) for a in body.args], out=out)


def _evaluated(expr: Expr, values: list, compute):
    match expr:
        case Arg(index):
            return values[index]
        case Const(value):
            return compute.type(value)
        case Call(function, args):
            return FUNCTIONS[function].meaning(*(_evaluated(a, values, compute) for a in args))


def set_blas_threads(threads: int) -> bool:
    """Tell the OpenBLAS that NumPy has loaded how many threads to use; whether one was found."""
    import numpy  # noqa: F401

    try:
        mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "blas" in line.rpartition("/")[2]}
    except OSError:
        return False
    found = False
    for path in sorted(mapped):
        library = ctypes.CDLL(path)
        for name in ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads", "openblas_set_num_threads64_", "openblas_set_num_threads"):
            if hasattr(library, name):
                getattr(library, name)(ctypes.c_int(threads))
                found = True
                break
    return found


# Plain C -------------------------------------------------------------------------------------------------------------

_TYPES = {"pred": "uint8_t", "s4": "int8_t", "bf16": "uint16_t", "f16": "_Float16", "f32": "float", "f64": "double"}
_READ = {"bf16": "from_bf16({})", "f16": "(float){}"}
_PLAIN = {
    "copy": "{}", "neg": "-({})", "abs": "({0} < 0 ? -({0}) : ({0}))", "relu": "({0} < 0 ? 0 : ({0}))", "exp": "exp({})", "log": "log({})", "sqrt": "sqrt({})",
    "rsqrt": "1 / sqrt({})", "tanh": "tanh({})", "sigmoid": "1 / (1 + exp(-({})))", "silu": "({0}) / (1 + exp(-({0})))",
    "gelu": "0.5f * ({0}) * (1 + erf(({0}) * 0.70710678f))", "gelu_tanh": "0.5f * ({0}) * (1 + tanh(0.79788456f * (({0}) + 0.044715f * ({0}) * ({0}) * ({0}))))",
    "add": "({} + {})", "sub": "({} - {})", "mul": "({} * {})", "div": "({} / {})", "maximum": "({0} < {1} ? {1} : {0})", "minimum": "({1} < {0} ? {1} : {0})",
    "where": "({} ? {} : {})",
}  # fmt: skip
_START = {"add": "0", "maximum": "{low}", "minimum": "{high}"}
_BF16 = """
static inline float from_bf16(uint16_t x) { union { uint32_t i; float f; } u = {(uint32_t)x << 16}; return u.f; }
static inline uint16_t to_bf16(float x) { union { float f; uint32_t i; } u = {x}; return (u.i + 0x7fff + (u.i >> 16 & 1)) >> 16; }
"""


def naive_source(spec: Spec) -> str:
    """The nest as a person would write it first: a loop per dimension, outputs outside, the sum in a scalar."""
    op, compute = spec.operation, _type(spec.accumulator)
    names = [*(f"x{i}" for i in range(len(spec.inputs))), "y"]
    places = [f"{n}[{_index(access, tensor)}]" for n, access, tensor in zip(names, op.accesses, spec.tensors)]
    read = [_READ.get(t.dtype, f"({compute}){{}}").format(p) for t, p in zip(spec.inputs, places)]
    body, out = _plain(op.body, read), spec.output.dtype
    formals = ", ".join(f"{'const ' * (n != 'y')}{_type(t.dtype)} *restrict {n}" for n, t in zip(names, spec.tensors))
    stored = "to_bf16((float)acc)" if out == "bf16" else f"({_type(out)})acc"
    loops = lambda dims: "".join(f"for (int64_t {d} = 0; {d} < {spec.size[d]}; {d}++) " for d in dims)  # noqa: E731
    if op.combine is None:
        inner = f"{{ {compute} acc = {body}; {places[-1]} = {stored}; }}"
    else:
        step = _PLAIN[op.combine].format("acc", "next")
        first = {"add": "0"}.get(op.combine, f"{'-' if op.combine == 'maximum' else ''}INFINITY" if dtype(spec.accumulator).kind == "float" else _extreme(spec.accumulator, op.combine))
        inner = f"{{ {compute} acc = {first}; {loops(op.reduction)}{{ {compute} next = {body}; acc = {step}; }} {places[-1]} = {stored}; }}"
    return f"#include <stdint.h>\n#include <tgmath.h>\n{_BF16}\nvoid naive({formals})\n{{\n    {loops(op.parallel)}{inner}\n}}\n"


def _type(name: str) -> str:
    return _TYPES.get(name) or f"{'u' * (name[0] == 'u')}int{name[1:]}_t"


def _extreme(name: str, combine: str) -> str:
    from ..spec.dtypes import limits

    low, high = limits(name)
    return f"({_type(name)}){low if combine == 'maximum' else high}" if dtype(name).bits < 64 else ("INT64_MIN" if combine == "maximum" else "INT64_MAX")


def _index(access, tensor) -> str:
    terms = [f"{d} * {c * stride}" if c * stride > 1 else d for axis, stride in zip(access.axes, tensor.strides()) for d, c in axis]
    return " + ".join(terms) or "0"


def _plain(expr: Expr, values: list[str]) -> str:
    match expr:
        case Arg(index):
            return values[index]
        case Const(value):
            return repr(float(value))
        case Call(function, args):
            return "(" + _PLAIN[function].format(*(_plain(a, values) for a in args)) + ")"
    raise AssertionError(expr)

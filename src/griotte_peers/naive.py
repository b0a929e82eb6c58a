"""The loop nest of a Spec in plain C, as a person would write it first: what a compiler makes of it by itself."""

from __future__ import annotations

from math import isinf

from griotte.lang.calls.spec import Spec
from griotte.lang.functions import COMBINERS, FUNCTIONS
from griotte.lang.types.dtypes import dtype, limits
from griotte.lang.types.expr import Arg, Call, Const, Expr

_TYPES = {"pred": "uint8_t", "s4": "int8_t", "bf16": "uint16_t", "f16": "_Float16", "f32": "float", "f64": "double"}
_READ = {"bf16": "from_bf16({})", "f16": "(float){}"}
_BF16 = """
static inline float from_bf16(uint16_t x) { union { uint32_t i; float f; } u = {(uint32_t)x << 16}; return u.f; }
static inline uint16_t to_bf16(float x) { union { float f; uint32_t i; } u = {x};
    return (u.i + 0x7fff + (u.i >> 16 & 1)) >> 16; }
"""


def source(spec: Spec) -> str:
    """The nest as a person would write it first: a loop per dimension, outputs outside, the sum in a scalar."""
    op, compute = spec.operation, _type(spec.accumulator)
    names = [*(f"x{i}" for i in range(len(spec.inputs))), "result"]
    places = [f"{n}[{_index(access, tensor)}]" for n, access, tensor in zip(names, op.accesses, spec.tensors)]
    read = [
        _bordered(_READ.get(t.dtype, f"({compute}){{}}").format(p), access, t)
        for t, p, access in zip(spec.inputs, places, op.inputs)
    ]
    rows = "".join(
        f"int64_t {d} = {places[i]}; {d} = {d} < 0 ? 0 : {d} > {spec.size[d] - 1} ? {spec.size[d] - 1} : {d}; "
        for d, i in op.picks
    )
    body, out = _plain(op.body, read), spec.output.dtype
    formals = ", ".join(
        f"{'const ' * (n != 'result')}{_type(t.dtype)} *restrict {n}" for n, t in zip(names, spec.tensors)
    )
    stored = "to_bf16((float)acc)" if out == "bf16" else f"({_type(out)})acc"
    loops = lambda dims: "".join(f"for (int64_t {d} = 0; {d} < {spec.size[d]}; {d}++) " for d in dims)
    if op.combine is None:
        inner = f"{{ {rows}{compute} acc = {body}; {places[-1]} = {stored}; }}"
    else:
        step = FUNCTIONS[op.combine].scalar.format("acc", "next")
        first = _number(spec.accumulator, COMBINERS[op.combine].identity(dtype(spec.accumulator).numpy).item())
        inner = (
            f"{{ {compute} acc = {first}; {loops(op.reduction)}{{ {compute} next = {body}; acc = {step}; }}"
            f" {places[-1]} = {stored}; }}"
        )
    return (
        f"#include <stdint.h>\n#include <tgmath.h>\n{_BF16}\nvoid naive({formals})\n{{\n   "
        f" {loops(op.parallel)}{inner}\n}}\n"
    )


def _type(name: str) -> str:
    return _TYPES.get(name) or f"{'u' * (name[0] == 'u')}int{name[1:]}_t"


def _number(name: str, value: float) -> str:
    if isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    if dtype(name).kind == "float" or not value:
        return repr(value) if value else "0"
    if dtype(name).bits == 64 and value in limits(name):
        return "INT64_MIN" if value < 0 else "INT64_MAX"
    return f"({_type(name)}){value}"


def _index(access, tensor) -> str:
    terms = [
        f"{d} * {c * stride}" if c * stride > 1 else d
        for axis, stride in zip(access.axes, tensor.strides())
        for d, c in axis
    ]
    start = sum(access.reaches(axis)[0] * stride for axis, stride in enumerate(tensor.strides()))
    return " + ".join(terms or ["0"]) + (f" - {start}" if start else "")


def _bordered(read: str, access, tensor) -> str:
    """The element that is read, or the value beyond the tensor."""
    places = [
        (" + ".join(f"{d} * {c}" for d, c in terms), *access.reaches(axis), tensor.shape[axis])
        for axis, terms in enumerate(access.axes)
    ]
    inside = [
        test
        for at, before, after, n in places
        for test in (f"{at} >= {before}",) * (before > 0) + (f"{at} < {n + before}",) * (after > 0)
    ]
    if not inside:
        return read
    fill = access.border.fill
    if isinf(fill) and dtype(tensor.dtype).kind != "float":
        number = _number(tensor.dtype, limits(tensor.dtype)[fill > 0])
    else:
        number = _number("f32", fill)
    return f"({' && '.join(inside)} ? {read} : {number})"


def _plain(expr: Expr, values: list[str]) -> str:
    match expr:
        case Arg(index):
            return values[index]
        case Const(value):
            return repr(float(value))
        case Call(function, args):
            return "(" + FUNCTIONS[function].scalar.format(*(_plain(a, values) for a in args)) + ")"
    raise AssertionError(expr)

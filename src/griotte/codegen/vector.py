"""C helper functions over fixed-width vectors, in GNU C vector extensions, any number of lanes.

The code generator asks a `VectorLibrary` for the name of each helper that it calls; the library remembers what was asked
for, with all that it needs in turn, and writes those definitions out at the end. What the helpers mean is the same on
every target; `vector_isa` only swaps in faster bodies. Conversions live in `vector_convert`, exp and the like in `vector_math`.

Names: dtypes as in a Spec. f16 and bf16 are held as u16, pred as u8, s4 as s8 (one element per byte). All arithmetic is on
the compute dtypes f32 f64 s32 s64 u32.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from griotte.codegen import vector_convert, vector_isa, vector_math

STORAGE = {"bf16": "u16", "f16": "u16", "pred": "u8", "s4": "s8"}
SCALARS = {
    "f64": "double", "f32": "float", "s8": "int8_t", "u8": "uint8_t", "s16": "int16_t", "u16": "uint16_t",
    "s32": "int32_t", "u32": "uint32_t", "s64": "int64_t", "u64": "uint64_t",
}  # fmt: skip
COMPUTE = ("f32", "f64", "s32", "s64", "u32")
ATTRIBUTES = "static inline __attribute__((always_inline, unused))"
# A vector wider than the target's registers has no standard calling convention; an inlined helper needs none.
PROLOGUE = '#pragma GCC diagnostic ignored "-Wpsabi"'


def element(dtype: str) -> str:
    """The dtype whose C type holds `dtype` in memory and in vectors: u16 for bf16, itself for f32."""
    held = STORAGE.get(dtype, dtype)
    if held not in SCALARS:
        known = sorted({*SCALARS, *STORAGE} - {"u64"})
        raise ValueError(f"expected a dtype of {' '.join(known)}, found {dtype!r}")
    return held


def bits(dtype: str) -> int:
    """Width of one held element in bits: 8 for s4 and pred."""
    return int(element(dtype)[1:])


def is_float(dtype: str) -> bool:
    return dtype in ("f32", "f64")


def lane_list(lanes: int, item: str) -> str:
    """`item` once per lane, with `@` standing for the lane's number, comma-separated."""
    return ", ".join(item.replace("@", str(i)) for i in range(lanes))


@dataclass(frozen=True)
class Kit:
    """What the body of a helper may name: its types, and (called) other helpers over the same vectors."""

    library: VectorLibrary
    dtype: str
    lanes: int

    @property
    def V(self) -> str:
        """The vector type."""
        return self.library.type(self.dtype, self.lanes)

    @property
    def T(self) -> str:
        """The element type."""
        return self.library.scalar(self.dtype)

    @property
    def S(self) -> str:
        """Signed integers of the same shape: what comparisons give, 0 or -1 in each lane."""
        return self.library.type(f"s{bits(self.dtype)}", self.lanes)

    @property
    def U(self) -> str:
        """Unsigned integers of the same shape."""
        return self.library.type(f"u{bits(self.dtype)}", self.lanes)

    @property
    def bytes(self) -> int:
        return bits(self.dtype) // 8 * self.lanes

    def with_(self, dtype: str | None = None, lanes: int | None = None) -> Kit:
        """The same library over other vectors."""
        return Kit(self.library, dtype or self.dtype, lanes or self.lanes)

    def __call__(self, helper: str) -> str:
        """The C name of a helper over these vectors, which is thereby defined ahead of the caller."""
        return self.library._helper(helper, self)

    def convert(self, to: str) -> str:
        """The C name of the conversion of these vectors; must not be the identity."""
        return self.library.convert(self.dtype, to, self.lanes)

    def literal(self, value: float) -> str:
        """A C constant of the element type, exact for any value that the type has."""
        return literal(self.dtype, value)


def literal(dtype: str, value: float) -> str:
    """A C constant expression of the element's type; infinities and NaN included."""
    if not is_float(dtype):
        return _integer_literal(dtype, int(value))
    suffix = "f" if dtype == "f32" else ""
    if value != value:
        return f'__builtin_nan{suffix}("")'
    if value in (float("inf"), float("-inf")):
        return f"({'-' if value < 0 else ''}__builtin_inf{suffix}())"
    return f"{float(value)!r}{suffix}" if value >= 0 else f"({float(value)!r}{suffix})"


def _integer_literal(dtype: str, value: int) -> str:
    suffix = {"u32": "u", "u64": "ull", "s64": "ll"}.get(dtype, "")
    if value == -(1 << (bits(dtype) - 1)):  # the most negative literal does not fit its own type before the sign
        return f"(-{-value - 1}{suffix} - 1)"
    return f"{value}{suffix}" if value >= 0 else f"({value}{suffix})"


# --- portable bodies: memory --------------------------------------------------------------------------------------------


def _load(kit: Kit) -> str:
    return f"return *(const {kit.library._unaligned(kit.dtype, kit.lanes)} *)p;"


def _store(kit: Kit) -> str:
    return f"*({kit.library._unaligned(kit.dtype, kit.lanes)} *)p = v;"


def _load_tail(kit: Kit) -> str:
    # n is nearly always known when this is inlined, and the copy then folds into a few moves.
    return f"{kit.V} v = {{0}};\n__builtin_memcpy(&v, p, (size_t)n * sizeof({kit.T}));\nreturn v;"


def _store_tail(kit: Kit) -> str:
    return f"__builtin_memcpy(p, &v, (size_t)n * sizeof({kit.T}));"


def _load_strided(kit: Kit) -> str:
    return f"return ({kit.V}){{{lane_list(kit.lanes, '@ < n ? p[@ * stride] : 0')}}};"


def _store_strided(kit: Kit) -> str:
    return "\n".join(f"if ({i} < n) p[{i} * stride] = v[{i}];" for i in range(kit.lanes))


def _splat(kit: Kit) -> str:
    return f"return ({kit.V}){{{lane_list(kit.lanes, 'x')}}};"


# --- portable bodies: arithmetic ----------------------------------------------------------------------------------------


def _operator(symbol: str) -> Callable[[Kit], str]:
    return lambda kit: f"return x {symbol} y;"


def _divide(kit: Kit) -> str:
    """Floats: IEEE. Integers: toward zero, x / 0 is all ones, the lowest value / -1 wraps to itself."""
    if is_float(kit.dtype):
        return "return x / y;"
    zero = f"{kit.S} zero = ({kit.S})(y == 0);"
    if kit.dtype[0] == "u":
        return f"{zero}\nreturn (x / (y | (({kit.V})zero & 1))) | ({kit.V})zero;"
    return (
        f"{zero}\n{kit.S} minus = ({kit.S})(y == -1);\n{kit.V} safe = (y & ~(zero | minus)) | ((zero | minus) & 1);\n"
        f"return ((x / safe) & ~(zero | minus)) | (minus & -x) | zero;"
    )


def _extreme(symbol: str) -> Callable[[Kit], str]:
    def body(kit: Kit) -> str:
        if not is_float(kit.dtype):
            return f"return {kit('blend')}(({kit.S})(x {symbol} y), x, y);"
        bound = "at_least" if symbol == ">" else "at_most"
        return f"return {kit('if_nan')}(y, y, {kit(bound)}(x, y));"  # a NaN in x comes through the bound

    return body


def _bound(symbol: str, limit: str) -> Callable[[Kit], str]:
    return lambda kit: f"return {kit('blend')}(({kit.S})(x {symbol} {limit}), {limit}, x);"


def _blend(kit: Kit) -> str:
    if kit.dtype == f"s{bits(kit.dtype)}":
        return "return (x & m) | (y & ~m);"
    return f"return ({kit.V})((({kit.S})x & m) | (({kit.S})y & ~m));"


def _if_nan(kit: Kit) -> str:
    return f"return {kit('blend')}(({kit.S})(t != t), x, y);"


def _select(kit: Kit) -> str:
    narrow = kit.library.type("s8", kit.lanes)
    return f"return {kit('blend')}(__builtin_convertvector(({narrow})(p != 0), {kit.S}), x, y);"


def _reduce(combine: str) -> Callable[[Kit], str]:
    return lambda kit: _reduce_body(kit, combine)


def _reduce_body(kit: Kit, combine: str) -> str:
    """One step of the shuffle tree. Down to 16 bytes the vector halves; below that it stays, narrower ones gain nothing."""
    if kit.lanes == 1:
        return "return v[0];"
    if kit.bytes > 16:
        half = kit.with_(lanes=kit.lanes // 2)
        low, high = (", ".join(str(i + first) for i in range(half.lanes)) for first in (0, half.lanes))
        shuffles = f"__builtin_shufflevector(v, v, {low}), __builtin_shufflevector(v, v, {high})"
        return f"return {half('reduce_' + combine)}({half(combine)}({shuffles}));"
    steps, width = [], kit.lanes // 2
    while width:
        moved = ", ".join(str(i + width if i < width else i) for i in range(kit.lanes))
        steps.append(f"v = {kit(combine)}(v, __builtin_shufflevector(v, v, {moved}));")
        width //= 2
    return "\n".join([*steps, "return v[0];"])


# --- the declared set ---------------------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class Helper:
    """One helper: what it returns, what it takes (`{V}` `{T}` `{S}` as in `Kit`, `{P}` the u8 mask), and its portable body."""

    returns: str
    takes: str
    body: Callable[[Kit], str]


def _unary(body: Callable[[Kit], str]) -> Helper:
    return Helper("{V}", "{V} x", body)


def _binary(body: Callable[[Kit], str]) -> Helper:
    return Helper("{V}", "{V} x, {V} y", body)


HELPERS: dict[str, Helper] = {
    "load": Helper("{V}", "const {T} *p", _load),
    "load_tail": Helper("{V}", "const {T} *p, int n", _load_tail),
    "load_strided": Helper("{V}", "const {T} *p, int64_t stride, int n", _load_strided),
    "store": Helper("void", "{T} *p, {V} v", _store),
    "store_tail": Helper("void", "{T} *p, {V} v, int n", _store_tail),
    "store_strided": Helper("void", "{T} *p, {V} v, int64_t stride, int n", _store_strided),
    "splat": Helper("{V}", "{T} x", _splat),
    "blend": Helper("{V}", "{S} m, {V} x, {V} y", _blend),  # m ? x : y, m is 0 or -1
    "if_nan": Helper("{V}", "{V} t, {V} x, {V} y", _if_nan),  # t is NaN ? x : y
    "select": Helper("{V}", "{P} p, {V} x, {V} y", _select),
    "at_least": Helper("{V}", "{V} x, {V} low", _bound("<", "low")),  # a NaN in x stays, a NaN in low is ignored
    "at_most": Helper("{V}", "{V} x, {V} high", _bound(">", "high")),
    "add": _binary(_operator("+")),
    "sub": _binary(_operator("-")),
    "mul": _binary(_operator("*")),
    "div": _binary(_divide),
    "maximum": _binary(_extreme(">")),
    "minimum": _binary(_extreme("<")),
    **{f"reduce_{combine}": Helper("{T}", "{V} v", _reduce(combine)) for combine in ("add", "maximum", "minimum")},
    "exp_sum": Helper("{V}", "{V} x, {V} low", vector_math.exp_sum),
    "expm1_positive": _unary(vector_math.expm1_positive),
    "gated": _binary(vector_math.gated),
    "scale": Helper("{V}", "{V} x, {V} n", vector_math.scale),  # x * 2**n, n whole
    **{name: _unary(body) for name, body in vector_math.UNARY.items()},
}
BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")
COMBINES = ("add", "maximum", "minimum")


class VectorLibrary:
    """The helpers that one C file needs, for a target with the given features (empty: plain GNU C).

    Every method that returns a name defines that function on the way. `lanes` is a power of two from 1 up; vectors wider
    than a register work, slowly. Pointers need no alignment. Asking twice gives the same name.
    """

    def __init__(self, features: frozenset[str]):
        self.features = frozenset(features)
        self._types: dict[str, str] = {}
        self._functions: dict[str, str] = {}  # a helper enters after all that it calls
        self._header_needed = False

    # types

    def scalar(self, dtype: str) -> str:
        """The C type of one element: float, uint16_t for bf16, uint8_t for pred."""
        return SCALARS[element(dtype)]

    def type(self, dtype: str, lanes: int) -> str:
        """The C type of a vector: f32x16, u16x16 for 16 lanes of bf16."""
        return self._typedef(dtype, lanes, "", "")

    def _unaligned(self, dtype: str, lanes: int) -> str:
        return self._typedef(dtype, lanes, "_unaligned", ", aligned(1), may_alias")

    def _typedef(self, dtype: str, lanes: int, suffix: str, attributes: str) -> str:
        if lanes < 1 or lanes & (lanes - 1):
            raise ValueError(f"expected a power of two of lanes, found {lanes}")
        held = element(dtype)
        name = f"{held}x{lanes}{suffix}"
        size = bits(held) // 8 * lanes
        self._types[name] = f"typedef {SCALARS[held]} {name} __attribute__((vector_size({size}){attributes}));"
        return name

    # memory

    def load(self, dtype: str, lanes: int) -> str:
        """V f(const T *p): all lanes."""
        return self._held("load", dtype, lanes)

    def load_tail(self, dtype: str, lanes: int) -> str:
        """V f(const T *p, int n): the first n lanes, 0 <= n <= lanes, the others 0; p[n] and on are not touched."""
        return self._held("load_tail", dtype, lanes)

    def load_strided(self, dtype: str, lanes: int) -> str:
        """V f(const T *p, int64_t stride, int n): lane i is p[i * stride] for i < n, else 0; stride in elements."""
        return self._held("load_strided", dtype, lanes)

    def store(self, dtype: str, lanes: int) -> str:
        """void f(T *p, V v): all lanes."""
        return self._held("store", dtype, lanes)

    def store_tail(self, dtype: str, lanes: int) -> str:
        """void f(T *p, V v, int n): the first n lanes, 0 <= n <= lanes."""
        return self._held("store_tail", dtype, lanes)

    def store_strided(self, dtype: str, lanes: int) -> str:
        """void f(T *p, V v, int64_t stride, int n): p[i * stride] = lane i for i < n; stride in elements."""
        return self._held("store_strided", dtype, lanes)

    def splat(self, dtype: str, lanes: int) -> str:
        """V f(T x): x in every lane."""
        return self._held("splat", dtype, lanes)

    # arithmetic

    def convert(self, source: str, to: str, lanes: int) -> str:
        """V' f(V x), lane by lane, as `vector_convert` says; "" where nothing changes and no call is needed."""
        if vector_convert.is_identity(source, to):
            return ""
        return self._conversion(source, to, lanes)

    def convert_scalar(self, source: str, to: str) -> str:
        """T' f(T x): `convert` for one element."""
        call = self.convert(source, to, 1)
        if not call:
            return ""
        name = f"convert_{source}_to_{to}"
        body = f"return {call}(({self.type(source, 1)}){{x}})[0];"
        return self._define(name, self.scalar(to), f"{self.scalar(source)} x", body)

    def unary(self, name: str, dtype: str, lanes: int) -> str:
        """V f(V x): neg abs relu; on floats also exp log sqrt rsqrt tanh sigmoid gelu gelu_tanh silu."""
        names = vector_math.UNARY if is_float(dtype) else vector_math.INTEGER_UNARY
        return self._computed(name, tuple(names), dtype, lanes)

    def binary(self, name: str, dtype: str, lanes: int) -> str:
        """V f(V x, V y): add sub mul div maximum minimum. NaN where either is NaN, integers wrap, x / 0 is -1."""
        return self._computed(name, BINARY, dtype, lanes)

    def select(self, dtype: str, lanes: int) -> str:
        """V f(u8 vector p, V x, V y): p != 0 ? x : y, lane by lane; any dtype."""
        return self._held("select", dtype, lanes)

    def reduce(self, combine: str, dtype: str, lanes: int) -> str:
        """T f(V v): add, maximum or minimum over the lanes, as a tree of log2(lanes) shuffles."""
        self._check(combine, COMBINES, dtype)
        return self._held(f"reduce_{combine}", dtype, lanes)

    def identity(self, combine: str, dtype: str) -> str:
        """The C constant that leaves every value as it is under add, maximum or minimum."""
        self._check(combine, COMBINES, dtype)
        if combine == "add":
            return literal(dtype, 0)
        low, high = (float("-inf"), float("inf")) if is_float(dtype) else vector_convert.RANGES[dtype]
        return literal(dtype, low if combine == "maximum" else high)

    # the text

    def definitions(self) -> str:
        """C text of all that was asked for: headers, types, functions, each ahead of its first use."""
        headers = ["stddef.h", "stdint.h"] + [vector_isa.HEADER] * self._header_needed
        lines = [f"#include <{header}>" for header in headers] + [PROLOGUE, ""]
        return "\n".join(lines + [self._types[name] for name in sorted(self._types)] + ["", *self._functions.values()])

    # defining

    def _held(self, helper: str, dtype: str, lanes: int) -> str:
        return self._helper(helper, Kit(self, element(dtype), lanes))

    def _computed(self, name: str, allowed: tuple[str, ...], dtype: str, lanes: int) -> str:
        self._check(name, allowed, dtype)
        return self._helper(name, Kit(self, dtype, lanes))

    @staticmethod
    def _check(name: str, allowed: tuple[str, ...], dtype: str) -> None:
        if dtype not in COMPUTE:
            raise ValueError(f"{name}: expected a compute dtype of {' '.join(COMPUTE)}, found {dtype!r}; convert to it first")
        if name not in allowed:
            raise ValueError(f"expected one of {' '.join(allowed)} on {dtype}, found {name!r}")

    def _helper(self, helper: str, kit: Kit) -> str:
        name = f"{helper}_{kit.dtype}x{kit.lanes}"
        if name in self._functions:
            return name
        declared = HELPERS[helper]
        names = {"V": kit.V, "T": kit.T, "S": kit.S, "P": "", "U": kit.U}
        if "{P}" in declared.takes:
            names["P"] = self.type("u8", kit.lanes)
        body = self._isa_body(helper, kit.dtype, kit, kit.bytes) or declared.body(kit)
        return self._define(name, declared.returns.format(**names), declared.takes.format(**names), body)

    def _conversion(self, source: str, to: str, lanes: int) -> str:
        name = f"convert_{source}_to_{to}_x{lanes}"
        if name in self._functions:
            return name
        kit = Kit(self, source, lanes)
        wider = max(bits(source), bits(to)) // 8 * lanes
        body = self._isa_body("convert", f"{source}->{to}", kit, wider, to) or vector_convert.body(kit, to)
        return self._define(name, self.type(to, lanes), f"{kit.V} x", body)

    def _isa_body(self, helper: str, key: str, kit: Kit, vector_bytes: int, to: str = "") -> str:
        entry = vector_isa.find(self.features, helper, key, vector_bytes)
        if entry is None:
            return ""
        self._header_needed = True
        fields = vector_isa.fields(kit.dtype, bits(kit.dtype), kit.lanes, vector_bytes)
        result = self.type(to, kit.lanes) if to else kit.V
        return entry.body.format(**fields, V=kit.V, S=kit.S, U=kit.U, D=result)

    def _define(self, name: str, returns: str, takes: str, body: str) -> str:
        indented = "\n".join(f"    {line}" for line in body.splitlines())
        self._functions[name] = f"{ATTRIBUTES} {returns} {name}({takes})\n{{\n{indented}\n}}\n"
        return name

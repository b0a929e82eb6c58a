"""C helper functions over fixed-width vectors, in GNU C vector extensions, any number of lanes.

The code generator asks a `VectorLibrary` for the name of each helper that it calls. The library remembers these, with
all that they need in turn, and writes those definitions out at the end. The helpers mean the same on every target; the
intrinsics of an architecture (machine/) only swap in faster bodies. Portable bodies live in `bodies` and `convert`,
those of functions with their declarations in `griotte.lang.functions`.

Names: dtypes as in a Spec. f16 and bf16 are held as u16, pred as u8, s4 as s8 (one element per byte). All arithmetic is
on the compute dtypes f32 f64 s32 s64 u32, but for what `narrow` gives.
"""

from __future__ import annotations

import re

from ...lang import functions
from ...lang.functions import COMBINERS, FUNCTIONS, reciprocal
from ...lang.functions.kit import COMPUTE, SCALARS, Kit, bits, element, is_float, literal
from ...lang.nests.family import LINE
from ...lang.types.dtypes import dtype as dtype_row
from ...lang.types.expr import OfSize
from ...machine.architectures import intrinsics_of
from . import apart
from . import convert as vector_convert
from .bodies import find
from .memory import ROUNDED, lane_list

ATTRIBUTES = "static inline __attribute__((always_inline, unused))"
RARE = "static __attribute__((noinline, unused))"
# A vector wider than the target's registers has no standard calling convention; an inlined helper needs none.
PROLOGUE = '#pragma GCC diagnostic ignored "-Wpsabi"'


class VectorLibrary:
    """The helpers that one C file needs, for a target with the given features (empty: plain GNU C).

    Every method that returns a name defines that function on the way. `lanes` is a power of two from 1 up; vectors
    wider than a register work, slowly. Pointers need no alignment. Asking twice gives the same name. `divides`: a
    division by a known number is one, where else products take its place that are another number of small x. `line`:
    bytes of a line of a cache, on which buffers begin and for which C asks ahead.
    """

    def __init__(self, features: frozenset[str], divides: bool = False, line: int = LINE):
        self.features, self.line = frozenset(features), line
        self._intrinsics = intrinsics_of(self.features)
        self._divides = divides
        self._types: dict[str, str] = {}
        self._functions: dict[str, str] = {}  # a helper enters after all that it calls
        self._header_needed = False
        self._numbers: dict[OfSize, str] = {}

    def number(self, number: OfSize) -> str:
        """The name of a number that follows from the dynamic size, a double, in all functions that take it."""
        return self._numbers.setdefault(number, f"number_{len(self._numbers)}")

    # types

    def scalar(self, dtype: str) -> str:
        """The C type of one element: float, uint16_t for bf16, uint8_t for pred."""
        return SCALARS[element(dtype)]

    def type(self, dtype: str, lanes: int) -> str:
        """The C type of a vector: f32x16, u16x16 for 16 lanes of bf16."""
        return self._typedef(dtype, lanes, "", "")

    def unaligned(self, dtype: str, lanes: int) -> str:
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

    def load_parts(self, dtype: str, lanes: int, each: int) -> str:
        """V f(const T *p0, const T *p1, ..): so many lanes, `each` of them at one place after the other."""
        name, count = f"load_parts_{element(dtype)}x{lanes}", lanes // each
        if count == 1:
            return self.load(dtype, lanes)
        if name in self._functions:
            return name
        kit = Kit(self, element(dtype), lanes)
        body = self._isa_body("load_parts", kit.dtype, kit, kit.bytes) if kit.bytes // count == 16 else ""
        if not body:
            parts = [f"{self.load(dtype, each)}(p{n})" for n in range(count)]
            while len(parts) > 1:
                join = self.join(dtype, 2 * lanes // len(parts))
                parts = [f"{join}({low}, {high})" for low, high in zip(parts[::2], parts[1::2])]
            body = f"return {parts[0]};"
        return self._define(name, kit.V, ", ".join(f"const {kit.T} *p{n}" for n in range(count)), body)

    def load_strided(self, dtype: str, lanes: int) -> str:
        """V f(const T *p, int64_t stride, int n): lane i is p[i * stride] for i < n, else 0; stride in elements."""
        return self._held("load_strided", dtype, lanes)

    def load_every(self, dtype: str, lanes: int, stride: int, count: int) -> str:
        """V f(const T *p): lane i is p[i * stride] for i < count, else 0. What lies between these elements may be read,
        nothing behind the last."""
        name, half = f"load_{element(dtype)}x{lanes}_every_{stride}_of_{count}", lanes // 2
        if name in self._functions:
            return name
        kit = Kit(self, element(dtype), lanes)
        body = apart.body(kit, stride, count)
        if not body:
            counts = (min(count, half), max(0, count - half))
            low, high = (self.load_every(dtype, half, stride, each) for each in counts)
            behind = f"p + {half * stride}" if counts[1] else "p"
            body = f"return {self.join(dtype, lanes)}({low}(p), {high}({behind}));"
        return self._define(name, kit.V, f"const {kit.T} *p", body)

    def pick(self) -> str:
        """int64_t f(int64_t i, int64_t last): i, or the nearest number from 0 to last."""
        return (
            "pick"
            if "pick" in self._functions
            else self._define("pick", "int64_t", "int64_t i, int64_t last", "return i < 0 ? 0 : i < last ? i : last;")
        )

    def gather(self, dtype: str, index: str, lanes: int) -> str:
        """V f(const T *p, int64_t step, int64_t along, const I *i, int64_t stride, int64_t last, int n): lane j < n is
        p[step * pick(i[j * stride], last) + along * j], the others 0."""
        name, pick = f"gather_{element(dtype)}x{lanes}_at_{index}", self.pick()
        if name in self._functions:
            return name
        lane = f"@ < n ? p[step * {pick}(i[@ * stride], last) + along * @] : 0"
        takes = (
            f"const {self.scalar(dtype)} *p, int64_t step, int64_t along, const {self.scalar(index)} *i, int64_t"
            " stride, int64_t last, int n"
        )
        return self._define(
            name, self.type(dtype, lanes), takes, f"return ({self.type(dtype, lanes)}){{{lane_list(lanes, lane)}}};"
        )

    def store(self, dtype: str, lanes: int) -> str:
        """void f(T *p, V v): all lanes."""
        return self._held("store", dtype, lanes)

    def store_tail(self, dtype: str, lanes: int) -> str:
        """void f(T *p, V v, int n): the first n lanes, 0 <= n <= lanes."""
        return self._held("store_tail", dtype, lanes)

    def store_nontemporal(self, dtype: str, lanes: int) -> str:
        """void f(T *p, V v): all lanes, past the caches where there is an instruction for it; p a multiple of V's
        size."""
        return self._held("store_nontemporal", dtype, lanes)

    def store_strided(self, dtype: str, lanes: int) -> str:
        """void f(T *p, V v, int64_t stride, int n): p[i * stride] = lane i for i < n; stride in elements."""
        return self._held("store_strided", dtype, lanes)

    def splat(self, dtype: str, lanes: int) -> str:
        """V f(T x): x in every lane."""
        return self._held("splat", dtype, lanes)

    def hold(self, dtype: str, lanes: int) -> str:
        """V f(V x): x, in a register from here on, where compilers else read memory again at each use of a load; ""
        where they do not, and no call is needed."""
        return self._held("hold", dtype, lanes) if self.has("hold", element(dtype), lanes) else ""

    def keep(self, dtype: str, lanes: int) -> str:
        """void f(V x): x is in a register up to here, where compilers else give that to a value computed of x; "" where
        they do not, and no call is needed."""
        found = self._intrinsics.find(self.features, "keep", element(dtype), bits(dtype) // 8 * lanes)
        return self._held("keep", dtype, lanes) if found and found.body else ""

    def rounded(self, dtype: str, lanes: int) -> str:
        """V f(V x): x, which no compiler takes into a multiply-add where it is a product; "" of integers."""
        if not is_float(dtype):
            return ""
        return self.hold(dtype, lanes) or self._held("rounded", dtype, lanes)

    def join(self, dtype: str, lanes: int) -> str:
        """V f(H x, H y): the lanes of x, then those of y, each half as many."""
        return self._held("join", dtype, lanes)

    # arithmetic

    def convert(self, source: str, to: str, lanes: int) -> str:
        """V' f(V x), lane by lane, as `convert.py` says; "" where nothing changes and no call is needed."""
        if vector_convert.is_identity(source, to):
            return ""
        return self._conversion(source, to, lanes)

    def round_to_bf16(self, lanes: int) -> str:
        """V f(V x): vectors of f32 converted to bf16 and back, in place."""
        return self._held("round_to_bf16", "f32", lanes)

    def convert_scalar(self, source: str, to: str) -> str:
        """T' f(T x): `convert` for one element."""
        call = self.convert(source, to, 1)
        if not call:
            return ""
        name = f"convert_{source}_to_{to}"
        body = f"return {call}(({self.type(source, 1)}){{x}})[0];"
        return self._define(name, self.scalar(to), f"{self.scalar(source)} x", body)

    def unary(self, name: str, dtype: str, lanes: int) -> str:
        """V f(V x): a declared function of one argument; of integers where it takes them."""
        return self._computed(name, functions.over_vectors(1, not is_float(dtype)), dtype, lanes)

    def binary(self, name: str, dtype: str, lanes: int) -> str:
        """V f(V x, V y): a declared function of two. NaN where either is NaN, integers wrap, x / 0 is -1."""
        return self._computed(name, functions.over_vectors(2, not is_float(dtype)), dtype, lanes)

    def narrow(self, name: str, dtype: str, lanes: int) -> str:
        """A declared function, or the choice by a test, of a dtype that is none to compute in, by the instruction set's
        own body."""
        return self.helper(name, Kit(self, dtype, lanes))

    def add_product(self, dtype: str, lanes: int) -> str:
        """V f(V c, V x, V y): c + x y, of integers x and y that s16 holds; "" where there is no instruction for it."""
        return self._held("add_product", dtype, lanes) if self.has("add_product", dtype, lanes) else ""

    def divided(self, x: str, divisor: float, dtype: str, lanes: int) -> str:
        """C of x by a number: as products where they give the same and the instruction set has a body for that."""
        spread = lambda number: f"{self.splat(dtype, lanes)}({literal(dtype, number)})"
        found = reciprocal(divisor, dtype)
        if found and not found.low:
            return f"{self.rounded(dtype, lanes)}({x} * {spread(found.high)})"
        if found and not self._divides and self.has("times_both", dtype, lanes):
            integer = f"u{dtype[1:]}"
            large = f"{self.splat(integer, lanes)}({literal(integer, found.large)})"
            call = self._held("times_both", dtype, lanes)
            return f"{call}({x}, {spread(found.high)}, {spread(found.low)}, {large})"
        by = spread(divisor)
        return f"{self.binary('div', dtype, lanes)}({x}, {by})"

    def any_nan(self, dtype: str, lanes: int) -> str:
        """int f(V x): whether some lane is NaN."""
        return self._held("any_nan", dtype, lanes)

    def any_negative(self, dtype: str, lanes: int) -> str:
        """int f(S x): whether some lane is negative, of integers as wide as this dtype."""
        return self._held("any_negative", dtype, lanes)

    def select(self, dtype: str, lanes: int) -> str:
        """V f(u8 vector p, V x, V y): p != 0 ? x : y, lane by lane; any dtype."""
        return self._held("select", dtype, lanes)

    def select_by(self, test: str, dtype: str, lanes: int) -> str:
        """V f(V a, V b, V x, V y): lt, le or eq of a and b ? x : y, lane by lane."""
        tests = tuple(f"select_{f.name}" for f in FUNCTIONS.values() if f.test)
        return self._computed(f"select_{test}", tests, dtype, lanes)

    def reduce(self, combine: str, dtype: str, lanes: int) -> str:
        """T f(V v): a declared combiner over the lanes, as a tree of log2(lanes) shuffles."""
        self._check(combine, tuple(COMBINERS), dtype)
        return self._held(f"reduce_{combine}", dtype, lanes)

    def identity(self, combine: str, dtype: str) -> str:
        """The C constant that leaves every value as it is under a combiner."""
        self._check(combine, tuple(COMBINERS), dtype)
        return literal(dtype, COMBINERS[combine].identity(dtype_row(dtype).numpy).item())

    # the text

    def definitions(self) -> str:
        """C text of all that was asked for: headers, types, functions, each ahead of its first use."""
        headers = ["stddef.h", "stdint.h"] + [self._intrinsics.header] * self._header_needed
        lines = [f"#include <{header}>" for header in headers] + [PROLOGUE, ""]
        lines += [ROUNDED] * any("ROUNDED(" in text for text in self._functions.values())
        return "\n".join(lines + [self._types[name] for name in sorted(self._types)] + ["", *self._functions.values()])

    # defining

    def has(self, helper: str, dtype: str, lanes: int) -> bool:
        """Whether the instruction set has a body of its own for a helper."""
        return self._intrinsics.find(self.features, helper, dtype, bits(dtype) // 8 * lanes) is not None

    def _held(self, helper: str, dtype: str, lanes: int) -> str:
        return self.helper(helper, Kit(self, element(dtype), lanes))

    def _computed(self, name: str, allowed: tuple[str, ...], dtype: str, lanes: int) -> str:
        self._check(name, allowed, dtype)
        return self.helper(name, Kit(self, dtype, lanes))

    @staticmethod
    def _check(name: str, allowed: tuple[str, ...], dtype: str) -> None:
        if dtype not in COMPUTE:
            raise ValueError(
                f"{name}: expected a compute dtype of {' '.join(COMPUTE)}, found {dtype!r}; convert to it first"
            )
        if name not in allowed:
            raise ValueError(f"expected one of {' '.join(allowed)} on {dtype}, found {name!r}")

    def helper(self, helper: str, kit: Kit) -> str:
        """The C name of a helper over the vectors of a kit."""
        name = f"{helper}_{kit.dtype}x{kit.lanes}"
        if name in self._functions:
            return name
        declared = find(helper)
        names = {"V": kit.V, "T": kit.T, "S": kit.S, "P": "", "U": kit.U, "H": ""}
        if "{P}" in declared.takes:
            names["P"] = self.type("u8", kit.lanes)
        if "{H}" in declared.takes + declared.returns:
            names["H"] = self.type(kit.dtype, kit.lanes // 2)
        attributes = RARE if declared.is_rare else ATTRIBUTES
        return self._define(
            name, declared.returns.format(**names), declared.takes.format(**names), self.body(helper, kit), attributes
        )

    def body(self, helper: str, kit: Kit) -> str:
        """The C text inside a helper."""
        return self._isa_body(helper, kit.dtype, kit, kit.bytes) or find(helper).body(kit)

    def _conversion(self, source: str, to: str, lanes: int) -> str:
        name = f"convert_{source}_to_{to}_x{lanes}"
        if name in self._functions:
            return name
        kit = Kit(self, source, lanes)
        wider = max(bits(source), bits(to)) // 8 * lanes
        body = self._isa_body("convert", f"{source}->{to}", kit, wider, to)
        if not body:
            widest = max(map(bits, vector_convert.passes(source, to))) // 8 * lanes
            whole = lanes == 1 or widest <= self._intrinsics.register_bytes(self.features)
            body = vector_convert.body(kit, to) if whole else vector_convert.in_halves(kit, to)
        return self._define(name, self.type(to, lanes), f"{kit.V} x", body)

    def _isa_body(self, helper: str, key: str, kit: Kit, vector_bytes: int, to: str = "") -> str:
        entry = self._intrinsics.find(self.features, helper, key, vector_bytes)
        if entry is None:
            return ""
        self._header_needed = True
        fields = self._intrinsics.fields(kit.dtype, bits(kit.dtype), kit.lanes, vector_bytes)
        result = self.type(to, kit.lanes) if to else kit.V
        half = self.type(kit.dtype, kit.lanes // 2) if "{H}" in entry.body else ""
        return entry.body.format(**fields, V=kit.V, S=kit.S, U=kit.U, H=half, D=result)

    def _define(self, name: str, returns: str, takes: str, body: str, attributes: str = ATTRIBUTES) -> str:
        indented = "\n".join(f"    {line}" for line in body.splitlines())
        self._functions[name] = f"{attributes} {returns} {name}({_marked(takes, body)})\n{{\n{indented}\n}}\n"
        return name


def _marked(takes: str, body: str) -> str:
    """Parameters; those that a body for this target has no use for say so."""
    words = set(re.findall(r"\w+", body))
    return ", ".join(
        each if re.findall(r"\w+", each)[-1] in words else f"{each} __attribute__((unused))"
        for each in takes.split(", ")
    )

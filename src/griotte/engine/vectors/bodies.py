"""Every helper over vectors but the conversions: what it returns, what it takes, its portable C body. Those of the
functions of bodies are with their declarations (`griotte.lang.functions`); here are the blocks that they are built
of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...lang import functions
from ...lang.functions import FUNCTIONS, Helper
from ...lang.functions.formats import FORMATS
from ...lang.functions.kit import Kit, bits
from ...machine.architecture import chosen
from ...machine.architectures import ARCHITECTURES
from ...support.errors import SpecError
from . import pairs as vector_pairs


def lane_list(lanes: int, item: str) -> str:
    """`item` once per lane, with `@` standing for the lane's number, comma-separated."""
    return ", ".join(item.replace("@", str(i)) for i in range(lanes))


# --- portable bodies: memory
# --------------------------------------------------------------------------------------------


def _load(kit: Kit) -> str:
    return f"return *(const {kit.library.unaligned(kit.dtype, kit.lanes)} *)p;"


def _store(kit: Kit) -> str:
    return f"*({kit.library.unaligned(kit.dtype, kit.lanes)} *)p = v;"


def _load_counted(kit: Kit) -> str:
    return f"{kit.V} v = {{0}};\n__builtin_memcpy(&v, p, (size_t)n * sizeof({kit.T}));\nreturn v;"


def _store_counted(kit: Kit) -> str:
    return f"__builtin_memcpy(p, &v, (size_t)n * sizeof({kit.T}));"


def _load_tail(kit: Kit) -> str:
    """n is nearly always known when this is inlined: it is then a few moves of 16, 8, 4, 2 and 1 bytes, which no CPU is
    slow at."""
    if kit.bytes < 4 or kit.lanes == 1:
        return _load_counted(kit)
    if kit.bytes == 4:
        return _unless_known(kit.body("load_counted")) + _load_word(kit)
    return _unless_known(kit.body("load_counted")) + (_load_halves(kit) if kit.bytes > 16 else _load_parts(kit))


def _unless_known(body: str) -> str:
    """What is done of a count n that the compiler does not know."""
    return "if (!__builtin_constant_p(n)) {\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "}\n"


def _load_halves(kit: Kit) -> str:
    half, h = kit.with_(lanes=kit.lanes // 2), kit.lanes // 2
    return (
        f"const {half.V} tail = {half('load_tail')}(n < {h} ? p : p + {h}, n < {h} ? n : n - {h});\n"
        f"return n < {h} ? {kit('join')}(tail, ({half.V}){{0}}) : {kit('join')}({half('load')}(p), tail);"
    )


def _load_parts(kit: Kit) -> str:
    """Of up to 16 bytes; in a register of 16."""
    whole = kit.with_(lanes=16 * kit.lanes // kit.bytes)
    lines = [f"if (n == {kit.lanes}) return {kit('load')}(p);", f"{whole.V} v = {{0}};"]
    for part in _parts(whole):
        lines.append(
            f"if ({part.test}) {{ {part.type} t; __builtin_memcpy(&t, {part.at}, sizeof t); {part.vector} w ="
            f" ({part.vector})v; w[{part.place}] = t; v = ({whole.V})w; }}"
        )
    return "\n".join([*lines, f"return {_low(whole, kit)};"])


def _load_word(kit: Kit) -> str:
    """Of 4 bytes; in a general register, from where a dot product has it for all its lanes."""
    size = kit.bytes // kit.lanes
    lines = [f"if (n == {kit.lanes}) return {kit('load')}(p);", "uint32_t w = 0;"]
    for count in (c for c in (2, 1) if c >= size):
        before = f"(n & ~{2 * count // size - 1})"
        lines.append(
            f"if (n & {count // size}) {{ uint{8 * count}_t t; __builtin_memcpy(&t, p + {before}, sizeof t); w |="
            f" (uint32_t)t << {8 * size} * {before}; }}"
        )
    return "\n".join([*lines, f"{kit.V} v;", "__builtin_memcpy(&v, &w, sizeof v);", "return v;"])


def _store_tail(kit: Kit) -> str:
    """As `_load_tail`."""
    if kit.bytes < 8 or kit.lanes == 1:
        return _store_counted(kit)
    return _unless_known(f"{kit.body('store_counted')}\nreturn;") + (
        _store_halves(kit) if kit.bytes > 16 else _store_parts(kit)
    )


def _store_halves(kit: Kit) -> str:
    half, h = kit.with_(lanes=kit.lanes // 2), kit.lanes // 2
    low, high = f"{kit('lower')}(v)", f"{kit('upper')}(v)"
    return (
        f"if (n < {h}) {{ {half('store_tail')}(p, {low}, n); return; }}\n{half('store')}(p,"
        f" {low});\n{half('store_tail')}(p + {h}, {high}, n - {h});"
    )


def _store_parts(kit: Kit) -> str:
    whole = kit.with_(lanes=16 * kit.lanes // kit.bytes)
    lines = [f"if (n == {kit.lanes}) {{ {kit('store')}(p, v); return; }}"]
    if whole.lanes > kit.lanes:
        lines.append(
            f"const {whole.V} u = __builtin_shufflevector(v, v, {lane_list(kit.lanes, '@')},"
            f" {lane_list(kit.lanes, '@')});"
        )
    of = "u" if whole.lanes > kit.lanes else "v"
    for part in _parts(whole):
        lines.append(
            f"if ({part.test}) {{ const {part.type} t = (({part.vector}){of})[{part.place}];"
            f" __builtin_memcpy({part.at}, &t, sizeof t); }}"
        )
    return "\n".join(lines)


@dataclass(frozen=True)
class _Part:
    """A part of a tail of n elements, in C: its type, whether there is one, where it begins in memory, and the vector
    of 16 bytes seen as such parts with its place there."""

    type: str
    test: str
    at: str
    vector: str
    place: str


def _parts(whole: Kit) -> Iterator[_Part]:
    """The parts of 8, 4, 2 and 1 bytes, the first first."""
    size = bits(whole.dtype) // 8
    for count in (8, 4, 2, 1):
        if count >= size:
            elements, vector = count // size, whole.with_(f"s{8 * count}", 16 // count).V
            before = f"(n & ~{2 * elements - 1})"
            at, place = (
                ("p", "0")
                if count == 8
                else (f"p + {before}", f"{before} / {elements}" if elements > 1 else before[1:-1])
            )
            yield _Part(f"int{8 * count}_t", f"n & {elements}", at, vector, place)


def _low(whole: Kit, kit: Kit) -> str:
    return "v" if whole.lanes == kit.lanes else f"__builtin_shufflevector(v, v, {lane_list(kit.lanes, '@')})"


def _load_strided(kit: Kit) -> str:
    return f"return ({kit.V}){{{lane_list(kit.lanes, '@ < n ? p[@ * stride] : 0')}}};"


def _store_strided(kit: Kit) -> str:
    return "\n".join(f"if ({i} < n) p[{i} * stride] = v[{i}];" for i in range(kit.lanes))


def _join(kit: Kit) -> str:
    return f"return __builtin_shufflevector(x, y, {lane_list(kit.lanes, '@')});"


def _lower(kit: Kit) -> str:
    return f"return __builtin_shufflevector(x, x, {lane_list(kit.lanes // 2, '@')});"


def _upper(kit: Kit) -> str:
    return f"return __builtin_shufflevector(x, x, {', '.join(map(str, range(kit.lanes // 2, kit.lanes)))});"


def _hold(kit: Kit) -> str:
    return "return x;"


_UNSEEN = chosen((each.rounded for each in ARCHITECTURES), '#define ROUNDED(x) __asm__("" : "+m"(x))')
ROUNDED = f"""\
/* What x is from here on no compiler sees, so none takes a product into the sum that follows: both are rounded. */
{_UNSEEN}
"""


def _rounded(kit: Kit) -> str:
    """Vectors wider than 16 bytes in halves, narrower ones lane by lane: neither is in a register as it is."""
    if kit.has("hold"):
        return f"return {kit('hold')}(x);"
    if kit.bytes > 16:
        half = kit.with_(lanes=kit.lanes // 2)("rounded")
        return f"return {kit('join')}({half}({kit('lower')}(x)), {half}({kit('upper')}(x)));"
    if kit.bytes == 16:
        return "ROUNDED(x);\nreturn x;"
    each = (f"{{ {kit.T} t = x[{i}]; ROUNDED(t); x[{i}] = t; }}" for i in range(kit.lanes))
    return "\n".join([*each, "return x;"])


def _keep(kit: Kit) -> str:
    return "(void)x;"


def _splat(kit: Kit) -> str:
    return f"return ({kit.V}){{{lane_list(kit.lanes, 'x')}}};"


# --- portable bodies: arithmetic
# ----------------------------------------------------------------------------------------


def _bound(symbol: str, limit: str) -> Callable[[Kit], str]:
    return lambda kit: f"return {kit('blend')}(({kit.S})(x {symbol} {limit}), {limit}, x);"


def _blend(kit: Kit) -> str:
    if kit.dtype == f"s{bits(kit.dtype)}":
        return "return (x & m) | (y & ~m);"
    return f"return ({kit.V})((({kit.S})x & m) | (({kit.S})y & ~m));"


def _any_negative(kit: Kit) -> str:
    return f"return ({' | '.join(f'x[{i}]' for i in range(kit.lanes))}) < 0;"


def _round_to_bf16(kit: Kit) -> str:
    """As the conversion does, and back: without bringing halves together and taking them apart."""
    return (
        f"{kit.U} all = ({kit.U})x;\n"
        f"{kit.U} rounded = all + 0x7fffu + ((all >> 16) & 1u), quiet = all | 0x400000u;\n"
        f"return ({kit.V})(({kit.U}){kit('if_nan')}(x, ({kit.V})quiet, ({kit.V})rounded) & 0xffff0000u);"
    )


def _any_nan(kit: Kit) -> str:
    return f"return {kit('any_negative')}(({kit.S})(x != x));"


def _if_nan(kit: Kit) -> str:
    return f"return {kit('blend')}(({kit.S})(t != t), x, y);"


def _select(kit: Kit) -> str:
    narrow, wide = kit.with_("s8"), f"s{bits(kit.dtype)}"
    mask = f"({narrow.V})(p != 0)"
    return f"return {kit('blend')}({mask if wide == 's8' else f'{narrow.convert(wide)}({mask})'}, x, y);"


def _select_by(symbol: str) -> Callable[[Kit], str]:
    return lambda kit: f"return {kit('blend')}(({kit.S})(a {symbol} b), x, y);"


def _reciprocal(kit: Kit) -> str:
    """1 / x within an ulp, where x and 1 / x are far from the ends of the normal range."""
    return f"return {kit.literal(1)} / x;"


def _ratio(kit: Kit) -> str:
    """x / y within an ulp, where x, y and 1 / y are far from the ends of the normal range."""
    return "return x / y;"


def _quotient(kit: Kit) -> str:
    """x / (y + low) where 1 <= y <= 2 and `low` is what y lost of a sum."""
    return "x /= y;\nreturn x - x * low;"


def _times_both(kit: Kit) -> str:
    """x (high + low) as `functions.divisors` has it: rounded once but for x low, and x high where x is not large."""
    fma = f"__builtin_fma{'f' * (kit.dtype == 'f32')}"
    each = f"(({kit.U})x & large)[@] ? {fma}(x[@], high[@], x[@] * low[@]) : x[@] * high[@]"
    return f"return ({kit.V}){{{lane_list(kit.lanes, each)}}};"


def _with_sign(kit: Kit) -> str:
    """x, which is not negative, with the sign of y."""
    return f"return ({kit.V})(({kit.U})x | (({kit.U})y & {FORMATS[kit.dtype].sign}));"


def _minus(kit: Kit) -> str:
    """-|x|."""
    return f"return ({kit.V})(({kit.U})x | {FORMATS[kit.dtype].sign});"


def _reduce(combine: str) -> Callable[[Kit], str]:
    return lambda kit: _reduce_body(kit, combine)


def _reduce_body(kit: Kit, combine: str) -> str:
    """One step of the shuffle tree. Down to 16 bytes the vector halves; below that it stays, narrower ones gain
    nothing."""
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


# --- the table
# ----------------------------------------------------------------------------------------------------------


def _unary(body: Callable[[Kit], str]) -> Helper:
    return Helper("{V}", "{V} x", body)


def _binary(body: Callable[[Kit], str]) -> Helper:
    return Helper("{V}", "{V} x, {V} y", body)


HELPERS: dict[str, Helper] = {
    "load": Helper("{V}", "const {T} *p", _load),
    "load_tail": Helper("{V}", "const {T} *p, int n", _load_tail),
    "load_counted": Helper("{V}", "const {T} *p, int n", _load_counted),  # the same where n is known when it runs alone
    "load_strided": Helper("{V}", "const {T} *p, int64_t stride, int n", _load_strided),
    "store": Helper("void", "{T} *p, {V} v", _store),
    "store_tail": Helper("void", "{T} *p, {V} v, int n", _store_tail),
    "store_counted": Helper("void", "{T} *p, {V} v, int n", _store_counted),
    "store_nontemporal": Helper("void", "{T} *p, {V} v", _store),
    "store_strided": Helper("void", "{T} *p, {V} v, int64_t stride, int n", _store_strided),
    "join": Helper("{V}", "{H} x, {H} y", _join),
    "lower": Helper("{H}", "{V} x", _lower),
    "upper": Helper("{H}", "{V} x", _upper),
    "splat": Helper("{V}", "{T} x", _splat),
    "hold": Helper("{V}", "{V} x", _hold),
    "rounded": Helper("{V}", "{V} x", _rounded),
    "keep": Helper("void", "{V} x", _keep),
    "blend": Helper("{V}", "{S} m, {V} x, {V} y", _blend),  # m ? x : y, m is 0 or -1
    "any_negative": Helper("int", "{S} x", _any_negative),
    "round_to_bf16": _unary(_round_to_bf16),
    "any_nan": Helper("int", "{V} x", _any_nan),
    "if_nan": Helper("{V}", "{V} t, {V} x, {V} y", _if_nan),  # t is NaN ? x : y
    "select": Helper("{V}", "{P} p, {V} x, {V} y", _select),
    "at_least": Helper("{V}", "{V} x, {V} low", _bound("<", "low")),  # a NaN in x stays, a NaN in low is ignored
    "at_most": Helper("{V}", "{V} x, {V} high", _bound(">", "high")),
    "reciprocal": _unary(_reciprocal),
    "with_sign": _binary(_with_sign),
    "minus": _unary(_minus),
    "ratio": _binary(_ratio),
    "quotient": Helper("{V}", "{V} x, {V} y, {V} low", _quotient),
    "times_both": Helper("{V}", "{V} x, {V} high, {V} low, {U} large", _times_both),
    **vector_pairs.HELPERS,
}


def find(name: str) -> Helper:
    """A helper: one of those, one that selects by a test or reduces by a combiner, or a declared function, or what that
    brings with it."""
    declared = functions.helper(name)
    if declared and name in HELPERS:
        raise SpecError(
            f"expected C functions with names of their own, found {name}, which is a helper; call it otherwise"
        )
    found = declared or HELPERS.get(name)
    kind, _, of = name.partition("_")
    if found is None and kind == "select":
        return Helper("{V}", "{V} a, {V} b, {V} x, {V} y", _select_by(FUNCTIONS[of].test))
    if found is None and kind == "reduce":
        return Helper("{T}", "{V} v", _reduce(of))
    assert found is not None, f"no helper {name}"
    return found

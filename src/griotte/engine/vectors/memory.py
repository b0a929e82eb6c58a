"""Helpers that load and store, join and part vectors, or keep them in registers: the result, parameters and portable C
body of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...lang.functions.function import Helper
from ...lang.functions.kit import Kit, bits
from ...machine.architecture import chosen
from ...machine.architectures import ARCHITECTURES


def lane_list(lanes: int, item: str) -> str:
    """`item` once per lane, with `@` standing for the lane's number, comma-separated."""
    return ", ".join(item.replace("@", str(i)) for i in range(lanes))


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
    """The work for a count n that the compiler does not know."""
    return "if (!__builtin_constant_p(n)) {\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "}\n"


def _load_halves(kit: Kit) -> str:
    half, h = kit.with_(lanes=kit.lanes // 2), kit.lanes // 2
    return (
        f"const {half.V} tail = {half('load_tail')}(n < {h} ? p : p + {h}, n < {h} ? n : n - {h});\n"
        f"return n < {h} ? {kit('join')}(tail, ({half.V}){{0}}) : {kit('join')}({half('load')}(p), tail);"
    )


def _load_parts(kit: Kit) -> str:
    """For vectors of up to 16 bytes; in a register of 16."""
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
    for lanes in filter(None, (kit.lanes // 2, kit.lanes // 4)):
        before = f"(n & ~{2 * lanes - 1})"
        lines.append(
            f"if (n & {lanes}) {{ uint{8 * size * lanes}_t t; __builtin_memcpy(&t, p + {before}, sizeof t); w |="
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
    """A part of a tail of n elements, in C: its type, whether there is one, and where it begins in memory. Then the
    vector of 16 bytes seen as such parts, and the part's place there."""

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


HELPERS = {
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
}

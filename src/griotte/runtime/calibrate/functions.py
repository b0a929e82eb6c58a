"""Functions and conversions of a vector, measured: rows of maps, their arrays in L1, as programs have them.

Where each of a body's many operations waits for the one before, the ports say fewer cycles than the body takes; and a
square root or a table waits for no port. So a function counts as many slots as give its row the measured cycles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import cffi
import numpy as np

from ...codegen import map_nests
from ...codegen.map_nests import LENGTH, MapNest
from ...engine.cost.ports import conversion, on_ports
from ...lang.functions import COMBINERS, FUNCTIONS, Slots
from ...lang.nests.family import PAGE
from ...lang.text.text import parse
from ...machine.target import Target
from ...support.errors import SpecError
from ..toolchain import compile_shared
from .source import text
from .timing import undisturbed

LEAST = 4.0
"""Slots from which a function is measured: of fewer a row in L1 waits for its loads and stores."""

NARROW = ("bf16", "f16", "s8", "u8", "s32")
"""What rows of f32 are converted to, and from."""

ROUNDS, TURNS, QUIET, DIGITS = 1000, 12, 0.05, 4
"""A round of all takes less than a millisecond, and who shares a core with this guest may be there for many."""

UNLIKE = 1.1
"""Times the cycles that the ports say of a conversion, beyond which it is taken as measured."""


@dataclass(frozen=True)
class TimedRow:
    """A map: of a `function`, or of a conversion from a dtype to another."""

    nest: MapNest
    function: str = ""
    conversion: tuple[str, str] = ("", "")


def asked(target: Target) -> Iterator[TimedRow]:
    """The rows to measure: functions of one or two f32 that take more than a few slots, and conversions."""
    for name, function in FUNCTIONS.items():
        count = len(function.arguments)
        if name in COMBINERS or name not in target.function or function.integers_only or count > 2:
            continue
        spec = f"{name}({', '.join([f'f32[{LENGTH}]'] * count)})"
        if target.function[name].all >= LEAST and _is_said(spec):
            yield TimedRow(MapNest(spec), function=name)
    for other in NARROW:
        for source, to in (("f32", other), (other, "f32")):
            yield TimedRow(MapNest(f"cast({source}[{LENGTH}]) -> {to}[{LENGTH}]"), conversion=(source, to))


def _is_said(spec: str) -> bool:
    """Whether the language has such a call."""
    try:
        return bool(parse(spec))
    except SpecError:
        return False


def measure(target: Target) -> Target:
    """The target with its functions and conversions as this machine takes them."""
    timed = list(asked(target))
    cycles = dict(zip(timed, _cycles([each.nest for each in timed], target)))
    return fitted(target, {each: found for each, found in cycles.items() if not np.isnan(found)})


def fitted(target: Target, cycles: Mapping[TimedRow, float]) -> Target:
    """The target whose model gives these cycles of a row. A function has no fewer slots than are declared to multiply
    only. A conversion has those beyond a loop's own, where it takes more than the ports say."""
    functions, conversions = dict(target.function), dict(target.conversion)
    for each, found in cycles.items():
        lanes = target.lanes("f32")
        vector = max(0.0, found - target.coefficient["call"]) / -(-LENGTH // lanes)
        slots = max(0.0, vector * target.ports.mixed - target.handling.looped)
        if each.function:
            declared = functions[each.function]
            most = vector * target.ports.arithmetic
            times = slots / declared.all
            functions[each.function] = Slots(_rounded(slots), _rounded(min(most, times * declared.multiplying)))
        elif vector > UNLIKE * max(1.0, _by_ports(target, each.conversion)):
            conversions[each.conversion] = _rounded(slots)
    return replace(target, functions=tuple(functions.items()), conversions=tuple(conversions.items()))


def _by_ports(target: Target, each: tuple[str, str]) -> float:
    """Cycles of a vector that is converted, as the target has it."""
    return float(on_ports(target.ports, conversion(target, *each) + target.handling.looped, 0.0))


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _cycles(nests: list[MapNest], target: Target) -> list[float]:
    """Cycles of each row; NaN where the clock never agreed."""
    if not nests:
        return []
    ffi = cffi.FFI()
    ffi.cdef("double row(int, char *, int64_t, int64_t);")
    library = ffi.dlopen(str(compile_shared(_source(nests, target), target.flags)))
    most = max(nest.starts(target)[-1] for nest in nests)
    room = ffi.from_buffer("char[]", np.ones((most + PAGE) // 4, np.float32).view(np.uint8))
    rounds = [[library.row(i, room, most, TURNS) for i in range(len(nests))] for _ in range(ROUNDS)]
    return [undisturbed((found[i] for found in rounds), QUIET) for i in range(len(nests))]


def _source(nests: list[MapNest], target: Target) -> str:
    """The C of the rows, and one function that times any of them: cycles of a row."""
    table = f"static void (*const rows[])(char *) = {{{', '.join(f'map_{i}' for i in range(len(nests)))}}};"
    return "\n".join([text("now.c"), text("clock.c"), map_nests.source(nests, target), table, _ROW])


_ROW = r"""
double row(int which, char *unaligned, int64_t bytes, int64_t calls)
{
    char *const room = (char *)(((uintptr_t)unaligned + 4095) / 4096 * 4096);
    for (int64_t i = 0; i < bytes / 4; i++) ((float *)room)[i] = 1; /* another row's results may be no numbers */
    rows[which](room);
    BEGIN
    for (int64_t i = 0; i < calls; i++) {
        rows[which](room);
        __asm__ volatile("" : : : "memory");
    }
    END(calls)
}
"""

"""How a program asks a 64-bit Arm CPU, when it runs, for the features that a target's code needs: C for it, and where
each system says them.

Linux and Android give bits of AT_HWCAP and AT_HWCAP2 (Documentation/arch/arm64/elf_hwcaps.rst of Linux), macOS a number
for each by name (Apple, *Determining Instruction Set Characteristics*), Windows one for each by number
(IsProcessorFeaturePresent).
"""

from __future__ import annotations

import ctypes
import sys
from typing import NamedTuple


class Told(NamedTuple):
    """Where a system tells a feature: the word of AT_HWCAP (1, 2) and its bit; the name after `hw.optional.`; the
    number for IsProcessorFeaturePresent, 0 where it has none."""

    word: int
    bit: int
    name: str
    number: int


FEATURES: dict[str, Told] = {
    "asimd": Told(1, 1, "AdvSIMD", 19),
    "asimdhp": Told(1, 10, "arm.FEAT_FP16", 67),
    "asimddp": Told(1, 20, "arm.FEAT_DotProd", 43),
    "asimdfhm": Told(1, 23, "arm.FEAT_FHM", 0),
    "i8mm": Told(2, 13, "arm.FEAT_I8MM", 66),
    "bf16": Told(2, 14, "arm.FEAT_BF16", 68),
}
"""By the name that Linux gives it."""

_AUXILIARY = {1: 16, 2: 26}
"""AT_HWCAP and AT_HWCAP2."""


def given() -> frozenset[str]:
    """The features that Linux told this process of when it started: also where /proc/cpuinfo cannot be read, or is that
    of the machine that an emulator runs on."""
    if sys.platform != "linux":
        return frozenset()
    try:
        ask = ctypes.CDLL(None).getauxval
    except (AttributeError, OSError):  # a C library without it
        return frozenset()
    ask.restype, ask.argtypes = ctypes.c_ulong, [ctypes.c_ulong]
    words = {word: ask(number) for word, number in _AUXILIARY.items()}
    return frozenset(name for name, told in FEATURES.items() if words[told.word] >> told.bit & 1)


def withheld() -> frozenset[str]:
    """All of them from a process of 32 bits: its compiler makes other code."""
    return frozenset(FEATURES) if sys.maxsize < 1 << 32 else frozenset()


_BODY = """
{prototype}
{{
    static const struct {{ const char *name; int word, bit; const char *told; int number; }} needed[] = {{
        {rows}
    }};
    for (int64_t i = 0; i < {count}; i++) {{
#if defined(__linux__)
        const unsigned long word = getauxval(needed[i].word == 1 ? 16 : 26); /* AT_HWCAP, AT_HWCAP2 */
        if (!(word >> needed[i].bit & 1))
            return needed[i].name;
#elif defined(__APPLE__)
        int found = 0;
        size_t bytes = sizeof found;
        if (sysctlbyname(needed[i].told, &found, &bytes, 0, 0) || !found)
            return needed[i].name;
#elif defined(_WIN32)
        if (!needed[i].number || !IsProcessorFeaturePresent(needed[i].number))
            return needed[i].name;
#endif
    }}
    return 0;
}}
""".strip()

_SYSTEMS = """
#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/types.h>
#include <sys/sysctl.h>
#elif defined(_WIN32)
__declspec(dllimport) int __stdcall IsProcessorFeaturePresent(unsigned long);
#endif
""".strip()


def check(prototype: str, features: frozenset[str]) -> tuple[tuple[str, ...], str]:
    """(C headers, C function) of this prototype, `const char *name(void)`: the first of the features that the machine
    lacks, NULL where it has them all. A system that tells of none is believed to have them."""
    rows = ",\n        ".join(
        f'{{"{name}", {told.word}, {told.bit}, "hw.optional.{told.name}", {told.number}}}'
        for name, told in FEATURES.items()
        if name in features
    )
    return (), f"{_SYSTEMS}\n\n{_BODY.format(prototype=prototype, rows=rows, count=len(features))}"

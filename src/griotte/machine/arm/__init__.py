"""Arm: NEON of 64-bit Armv8-A, with what CPUs have besides."""

from __future__ import annotations

from ..architecture import Architecture, Compiled, Cores, Denormals, Features, Guarded, Words
from . import hwcap, intrinsics, parts
from .bases import NEON

# Bit 24 of FPCR, FZ: results and operands (Arm Architecture Reference Manual, C5.2.8).
_FLUSHED = """\
    unsigned long now;
    __asm__ volatile("mrs %0, fpcr" : "=r"(now));
    before = (unsigned)now;
    __asm__ volatile("msr fpcr, %0" : : "r"(now | 1ul << 24));"""
_RESTORED = '    __asm__ volatile("msr fpcr, %0" : : "r"((unsigned long)*before));'

# By the line that CTR_EL0 says, in words of four bytes (its bits 16 to 19).
_EVICTED = """\
    unsigned long told;
    __asm__("mrs %0, ctr_el0" : "=r"(told));
    const uintptr_t line = (uintptr_t)4 << (told >> 16 & 15);
    for (uintptr_t at = (uintptr_t)from & ~(line - 1); at < (uintptr_t)from + bytes; at += line)
        __asm__ volatile("dc civac, %0" : : "r"(at) : "memory");
    __asm__ volatile("dsb sy" : : : "memory");
    return 1;"""

ARM = Architecture(
    "arm",
    Compiled(("aarch64", "arm64"), "defined(__aarch64__)", "w", '__asm__ volatile("isb");'),
    Guarded("defined(__aarch64__)", '#define ROUNDED(x) __asm__("" : "+w"(x))'),
    {"neon": NEON},
    Features(
        frozenset(hwcap.FEATURES),
        hwcap.check,
        Words("Features", "CPU implementer", "CPU architecture", "CPU part"),
        hwcap.withheld,
        hwcap.given,
        {name: told.name for name, told in hwcap.FEATURES.items()},
    ),
    intrinsics.ARM,
    Denormals(Guarded("defined(__aarch64__)", _FLUSHED), Guarded("defined(__aarch64__)", _RESTORED)),
    Guarded("defined(__aarch64__) && defined(__linux__)", _EVICTED),
    Cores(parts.name, parts.caches, parts.branded, parts.NUMBER, parts.numbered),
    "in an emulator alone",
)

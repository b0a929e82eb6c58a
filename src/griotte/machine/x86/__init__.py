"""x86: AVX2 and AVX-512, with what CPUs have besides."""

from __future__ import annotations

from ..architecture import Architecture, Compiled, Denormals, Features, Guarded, Words
from . import amx, cpuid, intrinsics
from .bases import AVX2, AVX512

_ROUNDED = """\
#ifdef __FMA__
#define ROUNDED(x) __asm__("" : "+x"(x))
#else
#define ROUNDED(x) ((void)0)
#endif"""

# Bits 15 (results) and 6 (operands) of MXCSR (Intel 64 and IA-32 Architectures Software Developer's Manual, vol. 1,
# 10.2.3).
_FLUSHED = """\
    __asm__ volatile("stmxcsr %0" : "=m"(before) : : "memory");
    const unsigned now = before | 0x8040;
    __asm__ volatile("ldmxcsr %0" : : "m"(now) : "memory");"""
_RESTORED = '    __asm__ volatile("ldmxcsr %0" : : "m"(*before) : "memory");'

_EVICTED = """\
    const char *at = (const char *)((uintptr_t)from & ~(uintptr_t)63);
    for (; at < from + bytes; at += 64) __builtin_ia32_clflush(at);
    __builtin_ia32_mfence();
    return 1;"""

_WORDS = Words("flags", "vendor_id", "cpu family", "model", "model name", "cpu MHz")

X86 = Architecture(
    "x86",
    Compiled(("x86_64", "amd64"), "defined(__x86_64__)", "x", "__builtin_ia32_pause();", intrinsics.NARROW),
    Guarded("defined(__i386__) || defined(__x86_64__)", _ROUNDED),
    {"avx2": AVX2, "avx512": AVX512},
    Features(frozenset(cpuid.BITS), cpuid.check, _WORDS, amx.withheld, sysctl=cpuid.SYSCTL),
    intrinsics.X86,
    Denormals(Guarded("defined(__SSE__)", _FLUSHED), Guarded("defined(__SSE__)", _RESTORED)),
    Guarded("defined(__x86_64__)", _EVICTED),
)

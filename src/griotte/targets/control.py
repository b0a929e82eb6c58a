"""How C sets and restores what a CPU does with denormals: bits 15 (results) and 6 (operands) of MXCSR (Intel 64 and
IA-32 Architectures Software Developer's Manual, vol. 1, 10.2.3). Where there is no such register nothing is done."""

from __future__ import annotations

FLUSHING = """/* Denormals are zeros until the one that asks returns: bits 15 and 6 of MXCSR. */
static inline __attribute__((unused)) unsigned griotte_flushed(void)
{
    unsigned before = 0;
#if defined(__SSE__)
    __asm__ volatile("stmxcsr %0" : "=m"(before) : : "memory");
    const unsigned now = before | 0x8040;
    __asm__ volatile("ldmxcsr %0" : : "m"(now) : "memory");
#endif
    return before;
}

static inline __attribute__((unused)) void griotte_restored(const unsigned *before)
{
#if defined(__SSE__)
    __asm__ volatile("ldmxcsr %0" : : "m"(*before) : "memory");
#else
    (void)before;
#endif
}
"""

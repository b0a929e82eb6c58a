"""What puts lines of memory out of the caches, so that a call can be timed whose operands are in memory."""

EVICTION = """
#include <stdint.h>
#include <stddef.h>

/* Puts the lines of memory out of all caches; 0 where this CPU has no instruction for it that a program may use. */
int flush(const char *from, size_t bytes)
{
#if defined(__x86_64__)
    const char *at = (const char *)((uintptr_t)from & ~(uintptr_t)63);
    for (; at < from + bytes; at += 64) __builtin_ia32_clflush(at);
    __builtin_ia32_mfence();
    return 1;
#else
    (void)from, (void)bytes;
    return 0;
#endif
}
"""

"""What puts lines of memory out of the caches, so that a call can be timed whose operands are in memory."""

from __future__ import annotations

from .architecture import chosen
from .architectures import ARCHITECTURES

_NONE = """\
    (void)from, (void)bytes;
    return 0;"""

EVICTION = f"""
#include <stdint.h>
#include <stddef.h>

/* Puts the lines of memory out of all caches; 0 where this CPU has no instruction for it that a program may use. */
int flush(const char *from, size_t bytes)
{{
{chosen((each.evicted for each in ARCHITECTURES), _NONE)}
}}
"""

"""How C sets and restores what a CPU does with denormals. Where an architecture says nothing of it nothing is done."""

from __future__ import annotations

from .architecture import chosen
from .architectures import ARCHITECTURES

_CONTROLS = [each.denormals for each in ARCHITECTURES if each.denormals]

FLUSHING = f"""/* Denormals are zeros until the one that asks returns: bits 15 and 6 of MXCSR. */
static inline __attribute__((unused)) unsigned griotte_flushed(void)
{{
    unsigned before = 0;
{chosen(each.flushed for each in _CONTROLS)}
    return before;
}}

static inline __attribute__((unused)) void griotte_restored(const unsigned *before)
{{
{chosen((each.restored for each in _CONTROLS), "    (void)before;")}
}}
"""

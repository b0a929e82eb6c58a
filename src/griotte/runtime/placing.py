"""Where a result begins in the memory that was taken for it."""

from __future__ import annotations

from ..lang.nests.family import LINE, PAGE

MAPPED = 32 * PAGE
"""Bytes from which on a C library takes pages from the system for an array (glibc: M_MMAP_THRESHOLD, 128 KiB). All such
arrays begin alike within a page, NumPy's 16 bytes on."""


def span(count: int) -> int:
    """The bytes of a line or of a page. A result of so many bytes begins on a line, or in the middle of a page.

    Cores compare the low 12 bits of the addresses of loads and of stores before them, so a load waits for a store whole
    pages away. A result that begins on the first line of a page that an input begins on meets that at each vector,
    since loads are some vectors ahead of stores. From L3 maps take up to 1.35 times as long so (docs/lab/prices,
    Results beside their inputs)."""
    return PAGE if count >= MAPPED else LINE


def start(address: int, count: int) -> int:
    """Bytes from an address on to where a result of so many bytes begins; fewer than its `span`. Whole vectors of it
    lie in one line, and threads that split a row need not share one."""
    whole = span(count)
    return (whole // 2 // LINE * LINE - address) % whole

"""Arm: no target of its own yet; the portable one is compiled for it."""

from __future__ import annotations

from ..architecture import Architecture, Guarded

ARM = Architecture("arm", Guarded("defined(__aarch64__)", '#define ROUNDED(x) __asm__("" : "+w"(x))'))

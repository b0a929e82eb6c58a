"""Plain C for any CPU: GNU vectors of 16 bytes, no instruction beyond what the compiler assumes by itself."""

from __future__ import annotations

from .kernels import COMMON

FEATURES: frozenset[str] = frozenset()
FLAGS: tuple[str, ...] = ()
OPTIONAL_FLAGS: dict[str, str] = {}
VECTOR_BYTES = 16
REGISTERS = 16
PARTIAL = 1
KERNELS = COMMON

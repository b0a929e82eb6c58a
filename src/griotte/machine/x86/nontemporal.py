"""Stores past the caches (movnt): what fills no cache is not first read from memory, and evicts nothing. They are
ordered with nothing until a fence (Intel 64 and IA-32 Architectures Software Developer's Manual, vol. 1, 10.4.6.2),
which each thread runs at its end."""

from __future__ import annotations

from ..target import Kernel

KERNELS = (
    Kernel(
        "map_nontemporal",
        "map",
        "{c} = {body};",
        None,
        combine=(None,),
        headers=("immintrin.h",),
        end="_mm_sfence();",
        nontemporal=True,
    ),
)

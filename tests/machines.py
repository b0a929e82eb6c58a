"""Machines for tests, as TOML: small ones whose limits bind, and full ones that do not depend on this CPU."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import replace
from pathlib import Path

from griotte.machine.description import load
from griotte.machine.target import Target

_THREE = """
[[levels]]
name = "L1"
capacity = {l1}
[[levels]]
name = "L2"
capacity = {l2}
[[levels]]
name = "memory"
"""
_FOUR = """
[[levels]]
name = "L1"
capacity = {l1}
[[levels]]
name = "L2"
capacity = {l2}
[[levels]]
name = "L3"
capacity = {l3}
share = {share}
[[levels]]
name = "memory"
"""
_TWO = """
[[levels]]
name = "near"
capacity = {l1}
[[levels]]
name = "far"
[coefficients]
"line.near" = 0.5
"line.far" = 9.0
"run.far" = 11.0
call = 3.0
"""


def four(l1: int, l2: int, l3: int, share: float = 0.75) -> str:
    """Three caches of so many bytes, and memory; `share` of the last one."""
    return _FOUR.format(l1=l1, l2=l2, l3=l3, share=share)


def three(l1: int, l2: int) -> str:
    """Two caches of so many bytes, and memory."""
    return _THREE.format(l1=l1, l2=l2)


_USUAL = four(48 << 10, 2 << 20, 32 << 20)

DESCRIPTIONS = {
    # everything of each base, with caches of a fixed size
    "portable": 'base = "portable"' + _USUAL,
    "avx2": 'base = "avx2"' + _USUAL,
    "avx512": 'base = "avx512"\nfeatures = ["avx512_vnni", "avx512_bf16"]' + _USUAL,
    "tiles": 'base = "avx512"\nfeatures = ["avx512_bf16", "amx_tile", "amx_bf16", "amx_int8"]' + _USUAL,
    # caches of a few lines, so that limits bind
    "two": 'base = "portable"\nregisters = 4\npanel_vectors = [1]' + _TWO.replace("{l1}", "192"),
    "plain": (
        'base = "portable"\nregisters = 4\nvector_bytes = 8\npanel_vectors = []\nkernels = ["map", "pack", "window",'
        ' "combine"]\ncache_share = 1.0' + _TWO.replace("{l1}", "128")
    ),
    "narrow": (
        'base = "avx2"\nregisters = 4\npanel_vectors = [1]\nkernels = ["map", "pack", "window", "multiply_add",'
        ' "combine"]\ntile_sizes = [5]\ncache_share = 1.0' + three(256, 512)
    ),
    "wide": (
        'base = "avx512"\nfeatures = ["avx512_vnni"]\nregisters = 4\npanel_vectors = [1]\ncache_share = 1.0'
        + three(256, 768)
    ),
    "paired": (
        'base = "avx512"\nfeatures = ["avx512_bf16"]\nregisters = 4\npanel_vectors = [1]\nkernels = ["map", "pack",'
        ' "window", "dot_bf16", "multiply_add", "combine"]' + three(320, 1024)
    ),
    "scarce": 'base = "avx2"\nregisters = 2\npanel_vectors = [1]' + three(192, 512),
}


@functools.cache
def machine(name: str) -> Target:
    """One of DESCRIPTIONS as a Target."""
    return described(f'name = "{name}"\n{DESCRIPTIONS[name]}')


@functools.cache
def described(text: str) -> Target:
    """The Target that a TOML text describes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.toml"
        path.write_text(text)
        return load(path)


def with_prices(target: Target, **prices: float) -> Target:
    """The target with these prices in place of its own."""
    return replace(target, coefficients=tuple((target.coefficient | prices).items()))

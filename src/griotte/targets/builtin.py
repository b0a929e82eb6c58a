"""The built-in targets: a module of data for each, the fewest features first."""

from __future__ import annotations

from types import ModuleType

from . import avx2, avx512, portable

BUILT_IN: dict[str, ModuleType] = {"portable": portable, "avx2": avx2, "avx512": avx512}

"""Bodies of helpers that an instruction set does much better than GNU C vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IsaEntry:
    """One better body. `vector_bytes` counts the operand vector, for a conversion the wider of the two vectors."""

    helper: str
    dtypes: tuple[str, ...]
    vector_bytes: tuple[int, ...]
    features: frozenset[str]
    body: str


def no_fields(dtype: str, bits: int, lanes: int, vector_bytes: int) -> dict[str, str]:
    """No placeholders."""
    return {}


@dataclass(frozen=True)
class Intrinsics:
    """The better bodies of an architecture. Nothing here is needed for correct code.

    header     that of the C compiler which declares what bodies call
    entries    the first that fits wins, so wider features come first
    fields     (dtype, bits, lanes, vector_bytes) -> the placeholders of a body that follow from the element type alone
    registers  (feature, bytes) of the widest vector register that it brings, the widest first; 16 where none is there
    """

    header: str = ""
    entries: tuple[IsaEntry, ...] = ()
    fields: Callable[[str, int, int, int], dict[str, str]] = no_fields
    registers: tuple[tuple[str, int], ...] = ()

    def register_bytes(self, features: frozenset[str]) -> int:
        """Width of the vector registers; 16 where no feature says more."""
        return next((size for feature, size in self.registers if feature in features), 16)

    def find(self, features: frozenset[str], helper: str, dtype: str, vector_bytes: int) -> IsaEntry | None:
        """The first entry that fits and whose features are all there; None where the portable body is the one to
        use."""
        for entry in self.entries:
            if (
                entry.helper == helper
                and dtype in entry.dtypes
                and vector_bytes in entry.vector_bytes
                and entry.features <= features
            ):
                return entry
        return None


NONE = Intrinsics()

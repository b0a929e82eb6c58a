"""What of an object goes into a pickle, and its hash."""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from typing import Any


class Fields:
    """A frozen dataclass whose fields alone go into a pickle. Values worked out from the fields stay behind: a hash,
    which is worked out once, is another one in another process. A class that says `__hash__ = Fields.__hash__` has
    that, and not the dataclass's own; one with `repr=False` is spelled once too, as the dataclass would."""

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(map(self.__dict__.__getitem__, self.__dataclass_fields__)))  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return self._spelled

    @cached_property
    def _spelled(self) -> str:
        shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)  # type: ignore[arg-type]
        return f"{type(self).__qualname__}({', '.join(shown)})"

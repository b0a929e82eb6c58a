"""What of an object goes into a pickle."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


class Fields:
    """A dataclass of which its fields alone go into a pickle. What was worked out of them stays behind: a hash is
    another one in another process."""

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

"""A TOML file of a machine, its values checked before they are used. It is the common part of a target's description
(description.py) and a known machine's file (measured.py)."""

from __future__ import annotations

import math
import tomllib
from dataclasses import fields
from pathlib import Path

from ..lang.functions import Slots
from ..lang.nests.family import Spans
from ..lang.types.dtypes import DTYPES
from ..support.errors import TargetError
from .core import Crossing, Ports, Prefetch, Writing
from .leaves import Leaves, Unreadable, parsed
from .machine import BY_NAME

_LARGEST_FILE = 1 << 20  # bytes; a description has a few hundred
_MOST_ITEMS = 64


class Tables:
    """A parsed file. Its methods give checked parts of it, or raise TargetError, saying where and what to do."""

    def __init__(self, path: Path, text: str | None = None):
        """Of the file, or of a text that is to be the file's."""
        self.path, self.data = path, _parsed(path) if text is None else tomllib.loads(text)

    # ---- tables that say what a machine is ---------------------------------------------------------------------------

    def parameters(self) -> dict[str, float] | None:
        """The table [machine]; None where there is none."""
        if "machine" not in self.data:
            return None
        table = self.table("machine")
        self.known(table, tuple(BY_NAME), "machine")
        return {
            key: self.number(value, f"machine.{key}", BY_NAME[key].most, BY_NAME[key].least)
            for key, value in table.items()
        }

    def ports(self) -> dict[str, float]:
        """The table [ports]."""
        return self.numbers(
            "ports",
            Ports,
            64.0,
            may_be_zero=("adders", "displaced", "crowding", "spreading", "drained", "joining", "parted", "converting"),
        )

    def crossing(self) -> dict[str, float]:
        """The table [crossing]."""
        return self.numbers("crossing", Crossing, 1e6, may_be_zero=tuple(f.name for f in fields(Crossing)))

    def prefetch(self) -> Prefetch:
        """The table [prefetch]. All are whole but `least_work`, and may be 0 but `tail`."""
        table, whole = self.table("prefetch"), self.counts("prefetch", Prefetch, 0, besides=("least_work", "tail"))
        least_work = self.number(table.get("least_work", Prefetch.least_work), "prefetch.least_work", 1024.0, least=0.0)
        return Prefetch(
            **whole, least_work=least_work, tail=self.count("prefetch.tail", table.get("tail", Prefetch.tail), 1 << 20)
        )

    def spans(self) -> Spans:
        """The table [spans]."""
        found = Spans(**self.counts("spans", Spans, 1))
        for key, size, least, most in (("line", found.line, 16, 1024), ("page", found.page, 4096, 1 << 20)):
            if not least <= size <= most or size & size - 1:
                raise self.error(f"spans.{key}", f"a power of two from {least} to {most}", size, "write its bytes")
        return found

    def writing(self) -> Writing:
        """The table [writing]."""
        found = Writing(**self.counts("writing", Writing, 1))
        if found.block not in (2, 4, 8, 16, 32, 64):
            raise self.error("writing.block", "a power of two from 2 to 64", found.block, "write one")
        return found

    def slots(self, field: str, kernels: tuple[str, ...]) -> dict[str, float]:
        """The table of a number of kernels, by their names: [uops], [interleave] or [latency]."""
        table = self.table(field)
        self.known(table, kernels, field)
        return {name: self.number(value, f"{field}.{name}", 1024.0) for name, value in table.items()}

    def functions(self) -> dict[str, Slots]:
        """The table [functions]: slots of a vector, all and those that only ports which multiply take."""
        found = {}
        for name, pair in self.table("functions").items():
            if not isinstance(pair, list) or len(pair) != 2:
                raise self.error(f"functions.{name}", "[all, multiplying]", pair, "write two numbers")
            found[name] = Slots(*(self.number(value, f"functions.{name}", 1e4, 0.0) for value in pair))
        return found

    def conversions(self) -> dict[tuple[str, str], float]:
        """The table [conversions]: slots of a vector, by the two dtypes."""
        found = {}
        for name, value in self.table("conversions").items():
            source, _, to = name.partition(" ")
            if not {source, to} <= set(DTYPES):
                raise self.error("conversions", "two dtypes as keys", name, 'write one like "f32 bf16"')
            found[source, to] = self.number(value, f"conversions.{name}", 1e4, 0.0)
        return found

    def leaves(self) -> Leaves | None:
        """The table [leaves]; None where there is none."""
        try:
            return parsed(self.table("leaves")) if "leaves" in self.data else None
        except Unreadable as why:
            raise self.error(
                f"leaves.{why.where}",
                why.expected,
                why.found,
                "measure them anew with griotte calibrate, or remove [leaves]",
            ) from None

    def numbers(self, title: str, kind: type, most: float, may_be_zero: tuple[str, ...] = ()) -> dict[str, float]:
        """A table of fields of a declaration; all are numbers."""
        table = self.table(title)
        self.known(table, tuple(f.name for f in fields(kind)), title)
        return {
            key: self.number(value, f"{title}.{key}", most, 0.0 if key in may_be_zero else 1e-6)
            for key, value in table.items()
        }

    def counts(self, title: str, kind: type, least: int, besides: tuple[str, ...] = ()) -> dict[str, int]:
        """A table of fields of a declaration; all but those `besides` are whole numbers."""
        table = self.table(title)
        self.known(table, tuple(f.name for f in fields(kind)), title)
        return {
            key: self.count(f"{title}.{key}", value, 1 << 20, least)
            for key, value in table.items()
            if key not in besides
        }

    # ---- values ------------------------------------------------------------------------------------------------------

    def known(self, table: dict, names: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in names:
                raise self.error(
                    where or "the file", f"keys of {' '.join(names) or 'none'}", key, "remove or rename it"
                )

    def choice(self, key: str, names: tuple[str, ...]) -> str:
        found = self.data.get(key)
        if found not in names:
            raise self.error(key, " or ".join(names), found, f'write {key} = "{names[0]}"')
        return str(found)

    def table(self, key: str) -> dict:
        found = self.data.get(key, {})
        if not isinstance(found, dict):
            raise self.error(key, "a table", found, f"write [{key}] and its keys below")
        return found

    def several(self, key: str, default: list) -> list:
        found = self.data.get(key, default)
        if not isinstance(found, list) or len(found) > _MOST_ITEMS or len({str(x) for x in found}) < len(found):
            raise self.error(key, f"a list of at most {_MOST_ITEMS} values, each once", found, f"write {key} = [...]")
        return found

    def count(self, key: str, found: object, most: int, least: int = 1) -> int:
        if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
            raise self.error(key, f"an integer from {least} to {most}", found, "write one")
        return found

    def number(self, found: object, where: str, most: float, least: float = 1e-6) -> float:
        """A finite number from `least` to `most`."""
        if (
            isinstance(found, bool)
            or not isinstance(found, (int, float))
            or not math.isfinite(found)
            or not least <= found <= most
        ):
            raise self.error(
                where,
                (
                    f"a number from {least:g} to {most:g}"
                    if math.isfinite(most)
                    else f"a finite number of {least:g} or more"
                ),
                found,
                "write one",
            )
        return float(found)

    def error(self, where: str, expected: str, found: object, mend: str) -> TargetError:
        shown = "nothing" if found is None else repr(found)
        shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
        return TargetError(f"expected {expected} for {where} in {self.path}, found {shown}; {mend}")


def _parsed(path: Path) -> dict:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise TargetError(
                f"expected a machine description of at most {_LARGEST_FILE} bytes, found {path.stat().st_size} in"
                f" {path}; name the right file"
            )
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TargetError(
            f"expected a readable TOML file, found {error.strerror or error}: {path}; check its path"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TargetError(
            f"expected TOML, found an error in {path}: {error}; see the example in griotte.machine.description"
        ) from None

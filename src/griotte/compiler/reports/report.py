"""Reports of programs, as text, as a page and as a drawing: one class for each kind of program."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ...lang.calls.spec import shortened
from ...support.errors import SpecError
from ...support.markup import source
from .explain import CutTensor, cuts, cycles, explain, headline, parts, plural, predicted, space, tuned
from .html import alternatives, beside, document, ended, program_section, spaced, statistics, write_picture
from .listing import Listing


@dataclass(frozen=True)
class ProgramReport(ABC):
    """The report of a program."""

    program: Any

    @abstractmethod
    def text(self, least: float = 0.0) -> str:
        """All of it as text; without what takes less than `least` of the cost, where that can be left out."""

    @abstractmethod
    def page(self, others: Sequence[Any] = ()) -> str:
        """The same, with the C, as a page of HTML that needs nothing else; beside it `others`, programs of the same
        goal, the best first."""

    @abstractmethod
    def section(self, listing: Listing | None = None) -> str:
        """The program as a part of another's page, beside a listing of that one's C."""

    def part(self, number: int) -> str:
        """One of the parts that a model is cut into; of a Spec --part is refused."""
        raise NotImplementedError

    @property
    @abstractmethod
    def title(self) -> str:
        """What it is of."""

    @abstractmethod
    def draw(self, path: str | os.PathLike[str]) -> None:
        """Write a drawing: SpecError where it has none."""


class SolvedSpecReport(ProgramReport):
    """Of a program of a Spec."""

    @property
    def title(self) -> str:
        return str(self.program.spec)

    @property
    @abstractmethod
    def cuts(self) -> list[CutTensor]:
        """The tensors that it is cut at."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """What it is, and what it costs."""

    @abstractmethod
    def sections(self, listing: Listing | None = None) -> str:
        """Its trees as HTML; beside a listing of its C each leaf's line leads to its function."""

    @abstractmethod
    def where_cut(self) -> list[str]:
        """A line or more that say where it is cut."""

    def page(self, others: Sequence[Any] = ()) -> str:
        program, code = self.program, escape(self.title)
        stats = {"cost": cycles(program.cost), "threads": program.threads, "target": program.target.name}
        stats |= {key: value for key, value in program.stats.items() if key != "cuts"}
        words = escape("; ".join((*self.where_cut(), space(program), *tuned(program), *predicted(program))))
        listing = Listing(program.to_c())
        body = beside(self.sections(listing) + alternatives(others), f"<p>{words}</p>\n{statistics(stats)}", listing)
        return document(code, spaced(self.headline), code, body, listing.style())


class SearchReport(SolvedSpecReport):
    """Of a program of one search; of a dynamic size at the bound."""

    @property
    def cuts(self) -> list[CutTensor]:
        return cuts(self.program.largest)

    @property
    def headline(self) -> str:
        return headline(self.program.largest)

    def text(self, least: float = 0.0) -> str:
        return explain(self.program, least)

    def where_cut(self) -> list[str]:
        return parts(self.cuts)

    def sections(self, listing: Listing | None = None) -> str:
        return program_section(self.program, listing)

    def section(self, listing: Listing | None = None) -> str:
        return f"<p>{spaced(self.headline)}</p>\n{self.sections(listing)}"

    def draw(self, path: str | os.PathLike[str]) -> None:
        write_picture(self.program, path)


class PartitionedReport(SolvedSpecReport):
    """Of a Spec that is cut at whole arrays: of each part its own."""

    @property
    def cuts(self) -> list[CutTensor]:
        return [CutTensor(**cut) for cut in self.program.stats["cuts"]]

    @property
    def headline(self) -> str:
        """`relu of 12 calls in 3 parts, 2 threads, native   cost 4.8 M cycles`"""
        program, parts = self.program, plural(len(self.program.called), "part")
        return (
            f"{program.spec.operation.name} of {len(program.calls.calls)} calls in {parts},"
            f" {plural(program.threads, 'thread')}, {program.target.name}   cost {cycles(program.cost)}"
        )

    def text(self, least: float = 0.0) -> str:
        program, found = self.program, [self.headline, "", *self.where_cut(), ""]
        for part in program.parts:
            is_priced = part in program.called and program.cost
            share = f"   {100 * part.program.cost / program.cost:.1f} %" if is_priced else ""
            found.append(f"{program.title(part)}{share}")
        for part in dict.fromkeys(part.program for part in program.parts if part.program):
            found += ["", part.explain()]
        return "\n".join([*found, "", space(program)])

    def where_cut(self) -> list[str]:
        """A line for each tensor that the Spec is cut at, and why."""
        return [f"cut at {cut.words}" + f": {cut.why}" * bool(cut.why) for cut in self.cuts]

    def sections(self, listing: Listing | None = None) -> str:
        found, met = [], set()
        for part in self.program.parts:
            found.append(f"<h2>{escape(self.program.title(part))}</h2>\n")
            if part.program is not None and id(part.program) not in met:
                met.add(id(part.program))
                found.append(part.program.report.section(listing))
        return "".join(found)

    def section(self, listing: Listing | None = None) -> str:
        return "".join(
            f"<p>{escape(self.program.title(part))}</p>\n"
            f"{part.program.report.section(listing) if part.program is not None else ''}"
            for part in self.program.parts
        )

    def draw(self, path: str | os.PathLike[str]) -> None:
        program = self.program
        raise SpecError(
            f"expected a Spec that one search covers to draw, found one cut into {len(program.called)} parts;"
            " program.parts[i].program.to_picture(path) draws one"
        )


class TextReport(ProgramReport):
    """Of a program that no search found: what it says itself."""

    @property
    def title(self) -> str:
        return shortened(self.program.spec)

    def text(self, least: float = 0.0) -> str:
        return self.program.explain()

    def page(self, others: Sequence[Any] = ()) -> str:
        title = escape(self.title)
        return document(title, title, title, ended(self.section(), "", source(self.program.to_c())))

    def section(self, listing: Listing | None = None) -> str:
        return f"<pre>{escape(self.text())}</pre>"

    def draw(self, path: str | os.PathLike[str]) -> None:
        raise SpecError(f"expected a program that a search found to draw, found {self.title}; it has no drawing")

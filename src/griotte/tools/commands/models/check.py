"""griotte check of a model: its kernel on random and on whole-number data, against all references that there are."""

from __future__ import annotations

import time
from itertools import product
from typing import Any

import numpy as np

from ....compiler.session import Session
from ....models.data import KINDS, arrays_of
from ....models.error_bounds import error_bounds
from ....support.printable import printable
from ..output import echo
from .facts import facts
from .kernels import kernel_of
from .progress import watched
from .reading import ModelFile
from .references import REFERENCES, STEPS, apart, available, beyond, rounding, tolerance

SPREAD = 4  # times as far as rounding alone takes results


def examine_model(file: ModelFile, session: Session, seed: int, host: str | None, as_json: bool) -> dict[str, Any]:
    """The result of one check. `references`: how far the kernel is from each; `not_compared`: why one is not there."""
    started = time.perf_counter()
    with watched(as_json, session.table) as observer:
        kernel = kernel_of(file, session, host, observer)
    found = facts(file, kernel.stats, session.table) | {"total_s": time.perf_counter() - started}
    told = Verdict(file, available(file), tolerance(file))
    rng = np.random.default_rng(seed)
    for size, kind in product(_sizes(file.graph.bound), KINDS):
        arrays = arrays_of(file.graph, kind, rng, size)
        results = kernel(*arrays)
        data = f"{kind} data" if size is None else f"{kind} data of size {size}"
        told.compare(data, arrays, results if isinstance(results, tuple) else (results,))
    return found | told.keys()


def _sizes(bound: int | None) -> list[Any]:
    """The sizes at which a model is run: of a dynamic one the least, the bound, and a few between."""
    return [None] if bound is None else sorted({1, min(2, bound), min(3, bound), bound - bound // 3, bound})


class Verdict:
    """How far a kernel is from each reference, and what of that is wrong."""

    def __init__(self, file: ModelFile, names: list[str], within: float):
        self.file, self.names, self.within = file, names, within
        self.errors: dict[str, float] = {}
        self.missing: dict[str, str] = {}
        self.wrong: list[str] = []
        self.share = 0.0

    def compare(self, data: str, arrays: list[np.ndarray], results: tuple[np.ndarray, ...]) -> None:
        """Results on some data, with what references give of the same."""
        given = self._given(arrays)
        if any(not error <= self.within for error in self._errors(given, results).values()):
            self.within = max(self.within, SPREAD * rounding(self.file, arrays))
        given = self._agreeing(given)
        bounds = self._bounds(arrays)
        for name, error in self._errors(given, results).items():
            self.errors[name] = max(self.errors.get(name, 0.0), error)
            if not error <= self.within:
                output = self._apart(results, given[name])[1]
                self.wrong.append(
                    f"{data}: expected {output} within {self.within:.2g} of {name}'s, found it {error:.2g} apart"
                )
            elif bounds:
                self._by_elements(data, name, results, given[name], bounds)

    def _bounds(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """By how much each element may differ; none of a model that the reference does not run, nor of one with
        numbers of few bits, of which one may be rounded to the next."""
        if self.file.graph.refused or tolerance(self.file) == STEPS:
            return []
        return error_bounds(self.file.graph, arrays)

    def _by_elements(self, data: str, name: str, results: Any, expected: Any, bounds: list[np.ndarray]) -> None:
        """Each element within its own bound of a reference, and of one that errs itself within two."""
        for found, other, bound, output in zip(results, expected, bounds, self.file.graph.names):
            share, where = beyond(found, other, bound * (1 if name == "griotte" else 2))
            self.share = max(self.share, share)
            if share > 1:
                at = "".join(f"[{i}]" for i in where)
                difference = abs(float(np.asarray(found)[where]) - float(np.asarray(other)[where]))
                self.wrong.append(
                    f"{data}: expected {printable(output)}{at} within {difference / share:.2g} of {name}'s, by what its"
                    f" calls add up, found it {difference:.2g} apart"
                )

    def _errors(self, given: dict[str, Any], results: Any) -> dict[str, float]:
        return {name: self._apart(results, expected)[0] for name, expected in given.items()}

    def _agreeing(self, given: dict[str, Any]) -> dict[str, Any]:
        """The references, without one that differs from all others while some of those agree."""
        differ = lambda name, other: self._apart(given[name], given[other])[0] > self.within
        alone = [name for name in given if all(differ(name, other) for other in given if other != name)]
        if len(given) < 3 or len(alone) > len(given) - 2:
            return given
        for name in alone:
            self.missing[name] = "its results are not those of any other reference"
            self.errors.pop(name, None)
        return {name: found for name, found in given.items() if name not in alone}

    def _given(self, arrays: list[np.ndarray]) -> dict[str, Any]:
        """What each reference gives."""
        found = {}
        for name in self.names:
            if name not in self.missing:
                try:
                    found[name] = REFERENCES[name](self.file, arrays)
                except Exception as error:  # of another library: it has no such operator, or dtype
                    told = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                    self.missing[name] = printable(told)
                    self.errors.pop(name, None)
        return found

    def _apart(self, results: Any, expected: Any) -> tuple[float, str]:
        """How far outputs are apart at most, and which is that."""
        each = zip(results, expected, self.file.graph.names)
        return max((apart(found, other), printable(name)) for found, other, name in each)

    def keys(self) -> dict[str, Any]:
        """What --json tells of it."""
        ok, largest = not self.wrong and bool(self.errors), max(self.errors.values(), default=0.0)
        found = {"max_rel_err": largest, "tolerance": self.within, "ok": ok, "references": self.errors}
        found["bound_share"] = self.share
        found |= {"not_compared": self.missing} if self.missing else {}
        if not ok:
            found["error"] = self.wrong[0] if self.wrong else "expected a reference, found none that runs the model"
        return found


def show_model(found: dict[str, Any]) -> None:
    """The result, with how far each reference is."""
    told = ", ".join(f"{name} {error:.1e}" for name, error in found["references"].items())
    if found["ok"]:
        echo(f"ok     {found['spec']}   apart from {told}; within {found['tolerance']:.2g}; {found['total_s']:.2f} s")
    else:
        echo(f"WRONG  {found['spec']}   {printable(found['error'])}; {told}")
    for name, why in found.get("not_compared", {}).items():
        echo(f"       not compared with {name}: {why}")

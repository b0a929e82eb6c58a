"""A batch: programs that are made here, to be timed on a machine elsewhere.

    batch.json      format, target, threads, seed, pace, flags by compiler; of each Spec its arrays and its programs
    c/0_0.c ..      the C of each program
    data/0_0.bin .. of each input the palette that it is filled from
    measure.py      times all of it, into times.jsonl
    elsewhere/      what that takes: Python's standard library, and a C compiler

returned.py reads the files that come back.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...codegen.teams import team_text
from ...compiler.programs import signature
from ...compiler.session import Session
from ...lang.calls.spec import Spec
from ...lang.meaning.reference import empty
from ...lang.meaning.samples import timed_arrays
from ...lang.types.dtypes import dtype
from ...machine import described
from ...machine.architectures import EVICTION
from ...runtime.compilers import Compiler
from ...support.errors import GriotteError, SpecError
from ...support.folders import write_atomically
from . import elsewhere
from .collecting import Collecting, SpecReport, unit_alone
from .drafts import Draft, Drafting
from .elsewhere.script import BATCH, FORMAT

USUAL = Collecting()
MOST_POINTERS = 8  # that a function takes (elsewhere/driver.c)
MEASURE = '''"""Compiles and times the programs of this batch: python measure.py

With --build it compiles all of them first, which may be beside other work; to time them then compiles nothing. It takes
Python 3.9 or later, without any package, and a C compiler ($CC, gcc, clang or cc).
"""

from elsewhere.script import main

main(__file__)
'''


def prepare(
    specs: Iterable[Spec],
    session: Session,
    folder: str | os.PathLike[str],
    until: float | None = None,
    how: Collecting = USUAL,
) -> Iterator[SpecReport]:
    """Write a batch of the drafts of each Spec, which need not run on this CPU, with a report of each. No Spec is begun
    after `until` (seconds of `time.monotonic`). GriotteError where the folder has files already, or cannot be
    written."""
    writer = _BatchWriter(Path(folder), session, how)
    try:
        for spec in specs:
            if until is not None and time.monotonic() > until:
                return
            started = time.perf_counter()
            try:
                count = writer.add(spec)
            except (GriotteError, MemoryError, RecursionError) as error:
                yield SpecReport(str(spec), error=str(error) or type(error).__name__)
                continue
            yield SpecReport(str(spec), count, time.perf_counter() - started)
    finally:
        writer.finish()


class _BatchWriter:
    def __init__(self, folder: Path, session: Session, how: Collecting):
        self.folder, self.session, self.how, self.seed = folder, session, how, how.seed
        self.specs: list[dict[str, Any]] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            found = sorted(each.name for each in folder.iterdir())
        except OSError as error:
            raise _unwritable(error, folder) from None
        if found:
            raise GriotteError(f"expected an empty folder for a batch, found {found[0]} in {folder}; name a new one")
        for name, text in _what_times().items():
            self._write(name, text.encode())

    def add(self, spec: Spec) -> int:
        """Draft the programs of a Spec, and write them; how many."""
        if len(spec.inputs) + len(spec.outputs) > MOST_POINTERS:
            raise SpecError(
                f"expected a Spec of {MOST_POINTERS} tensors at most in a batch, found"
                f" {len(spec.inputs) + len(spec.outputs)}: {spec}; time it on this machine"
            )
        number, palettes = len(self.specs), palettes_of(spec, self.seed)
        drafts = Drafting(spec, self.session, self.seed, self.how.most).drafts()
        inputs = [
            {"elements": tensor.elements, "size": palette.itemsize, "palette": name, "seed": stream(self.seed, place)}
            for place, (tensor, palette) in enumerate(zip(spec.inputs, palettes))
            for name in (f"data/{number}_{place}.bin",)
        ]
        outputs = [
            {"elements": t.elements, "size": dtype(t.dtype).numpy.itemsize, "sampled": sampled(t.elements, self.seed)}
            for t in spec.outputs
        ]
        for told, palette in zip(inputs, palettes):
            self._write(str(told["palette"]), palette.tobytes())
        programs = [self._program(f"c/{number}_{place}.c", draft) for place, draft in enumerate(drafts)]
        told = {"spec": str(spec), "data": digest_of(palettes), "inputs": inputs, "outputs": outputs}
        self.specs.append({**told, "programs": programs})
        return len(drafts)

    def _program(self, name: str, draft: Draft) -> dict[str, Any]:
        unit = unit_alone(draft.program)
        self._write(name, unit.source.encode())
        takes = signature(draft.program.spec, unit.function, unit.packs).inputs
        packs = {place: (each.packing.function, each.packing.bytes) for place, each in enumerate(takes) if each.packing}
        told = {"decisions": draft.decisions, "source": draft.source, "c": name}
        return {**told, "function": unit.function, "packs": packs}

    def finish(self) -> None:
        """Write the batch's description, at last: a folder without it is no batch."""
        flags = {
            "gcc": Compiler(("gcc",), "gcc", "").flags(self.session.target.flags),
            "clang": Compiler(("clang",), "clang", "").flags(self.session.target.flags),
            "driver": Compiler(("cc",), "gcc", "").flags(()),
        }
        told = {
            "format": FORMAT,
            "target": described.text(self.session.target),
            "threads": self.session.threads,
            "seed": self.seed,
            "pace": astuple(self.how.pace),
            "flags": flags,
            "specs": self.specs,
        }
        if self.specs:
            self._write(BATCH, json.dumps(told).encode())

    def _write(self, name: str, content: bytes) -> None:
        path = self.folder / name
        try:
            path.parent.mkdir(exist_ok=True)
            write_atomically(path, content)
        except OSError as error:
            raise _unwritable(error, path) from None


def _what_times() -> dict[str, str]:
    """The files that a batch is timed by."""
    room = files(elsewhere)
    scripts = {each.name: each.read_text(encoding="utf-8") for each in room.iterdir() if each.name.endswith(".py")}
    driver = room.joinpath("driver.c").read_text(encoding="utf-8") + EVICTION
    texts = {**scripts, "driver.c": driver, "team.c": team_text()}
    return {**{f"elsewhere/{name}": text for name, text in texts.items()}, "measure.py": MEASURE}


def _unwritable(error: OSError, path: Path) -> GriotteError:
    return GriotteError(f"expected to write a batch, found {error.strerror or error}: {path}; name another folder")


COLOURS = 4096  # of a palette, at most
LARGEST, MOST_WORK = 1 << 30, 1e12  # bytes of a Spec's tensors, its operations: what the reference takes a minute for
SAMPLED = 64  # elements of each result that are sent back

_MIXERS = np.array([0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0x9E3779B97F4A7C15], np.uint64)


# ---- palettes --------------------------------------------------------------------------------------------------------
# Each element of the arrays that programs of a batch run on is drawn from a palette, in the same way there
# (elsewhere/driver.c) and here. So a batch has kilobytes of data, whatever its arrays hold, and results can be checked.


def palettes_of(spec: Spec, seed: int) -> list[np.ndarray]:
    """The numbers that each input is made of, in one row: a power of 2 of them. SpecError where the Spec is larger than
    one in a batch may be."""
    if sum(tensor.bytes for tensor in (*spec.inputs, *spec.outputs)) > LARGEST or spec.flops > MOST_WORK:
        raise SpecError(
            f"expected a Spec of {LARGEST >> 20} MiB and {MOST_WORK:.0e} operations at most in a batch, found {spec};"
            " use a smaller one"
        )
    arrays = timed_arrays(spec, np.random.default_rng(seed))
    return [in_memory(array)[: min(COLOURS, 1 << (array.size.bit_length() - 1))].copy() for array in arrays]


def digest_of(palettes: Sequence[np.ndarray]) -> str:
    """By which equal data are known."""
    found = sha256()
    for palette in palettes:
        found.update(palette.tobytes() + b"|")
    return found.hexdigest()


def filled(spec: Spec, palettes: Sequence[np.ndarray], seed: int) -> list[np.ndarray]:
    """The inputs, in their declared layouts: element i in memory is number `numbered(.., i)` of the palette."""
    arrays = [empty(tensor) for tensor in spec.inputs]
    for place, (array, palette) in enumerate(zip(arrays, palettes)):
        in_memory(array)[...] = palette[numbered(stream(seed, place), array.size, len(palette))]
    return arrays


def stream(seed: int, place: int) -> int:
    """The seed of the input at a place."""
    return int(_mixed(np.array([64 * seed + place + 1], np.uint64) * _MIXERS[2])[0] >> np.uint64(2))


def numbered(seed: int, count: int, bound: int) -> NDArray[np.int64]:
    """So many numbers below `bound`, a power of 2, as the driver's."""
    places = np.uint64(seed) + np.arange(count, dtype=np.uint64)
    return (_mixed(places * _MIXERS[2]) & np.uint64(bound - 1)).astype(np.int64)


def sampled(elements: int, seed: int) -> list[int]:
    """The places in memory of a result whose elements are sent back."""
    return sorted({int(place) for place in np.random.default_rng(seed).integers(0, elements, SAMPLED)})


def in_memory(array: np.ndarray) -> np.ndarray:
    """A dense array's elements as they lie in memory: a view."""
    return array.transpose(sorted(range(array.ndim), key=lambda axis: -array.strides[axis])).reshape(-1)


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ z >> np.uint64(30)) * _MIXERS[0]
    z = (z ^ z >> np.uint64(27)) * _MIXERS[1]
    return z ^ z >> np.uint64(31)

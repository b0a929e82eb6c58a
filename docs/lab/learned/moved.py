"""How much of what a first choice loses is luck of where code lies: the drafts of each Spec compiled anew, their code
moved by 2,096 bytes and else the same, timed, and compared with the others.

    python docs/lab/learned/moved.py make READY MOVED
    griotte learn collect --time READY --out one.gtr;  griotte learn collect --time MOVED --out other.gtr
    python docs/lab/learned/moved.py compare one.gtr other.gtr

READY is of `griotte learn collect --ready`.
"""

import json
import shutil
import sys
from functools import partial
from pathlib import Path

import numpy as np
from fits import regret, told
from griotte.codegen.emit import UnitWriter
from griotte.lang.text.text import parse
from griotte.runtime.toolchain import ObjectFiles
from griotte.tools.commands.learn.models import timed
from griotte.tools.learn.drafts import SpecSpace
from griotte.tools.learn.records import target_of

MOVED = 2096  # bytes: to another place in a line, a window of 32 bytes and a page


def make(ready: Path, moved: Path) -> None:
    """The folder of moved programs."""
    moved.mkdir(exist_ok=True)
    for path in sorted(ready.glob("*.json")):
        about = json.loads(path.read_text())
        space = SpecSpace(parse(about["spec"]), target_of(about["target"]), about["threads"])
        unit, texts = UnitWriter(space.target), set()
        for each in about["programs"]:
            program = space.program(space.rebuilt(each["decisions"]))
            unit.add_new(partial(program.written, name=each["function"]), texts)
        source = f'__asm__(".text\\n.skip {MOVED}, 0x90\\n");\n{unit.source(about["spec"])}'
        with ObjectFiles(space.target.flags) as compiling:
            content = compiling.linked([source])
        if content is not None:
            (moved / path.name).with_suffix(".so").write_bytes(content)
            for suffix in (".npz", ".json"):
                shutil.copy(path.with_suffix(suffix), moved)


def compare(one: str, other: str) -> None:
    """What the first choice by price loses to the best of its own place, and to the best of the other one."""
    (here, _), (there, _) = timed((one,)), timed((other,))
    numbers = {(group.spec, group.threads): n for n, group in enumerate(there.groups)}
    lost, off = [], []
    for n, group in enumerate(here.groups):
        a, b = here.group == n, there.group == numbers.get((group.spec, group.threads), -1)
        if a.sum() != b.sum():
            continue
        times, moved, price = here.warm[a], there.warm[b], here.price[a]
        first, ratio = price.argmin(), np.log(moved / times)
        off += np.abs(ratio - np.median(ratio)).tolist()
        crossed = (moved[first] / moved[times.argmin()] + times[first] / times[moved.argmin()]) / 2 - 1
        lost.append((regret(times, price)[0], crossed, moved[times.argmin()] / moved.min() - 1))
    words = (
        "first, to the best of its own place",
        "to the best of the other place",
        "that best, moved, to the best there",
    )
    for words_of, each in zip(words, np.transpose(lost)):
        print(f"{words_of}: {told(each)} %")
    half, most = np.quantile(off, (0.5, 0.9))
    print(
        f"{len(lost)} Specs; moved, half of the programs within {100 * half:.1f} %, nine in ten within {100 * most:.1f}"
    )


if __name__ == "__main__":
    what, *paths = sys.argv[1:]
    make(*map(Path, paths)) if what == "make" else compare(*paths)

"""How much of what a first choice loses is luck of where code lies: the drafts of each Spec compiled anew, their code
moved by 2,096 bytes and else the same, to be timed and compared with the others.

    python docs/lab/learned/moved.py READY MOVED
    griotte learn collect --time READY --out one.gtr;  griotte learn collect --time MOVED --out other.gtr
    python docs/lab/learned/again.py one.gtr other.gtr

READY is of `griotte learn collect --ready`.
"""

import json
import shutil
import sys
from functools import partial
from pathlib import Path

from griotte.codegen.emit import UnitWriter
from griotte.lang.text.text import parse
from griotte.runtime.toolchain import ObjectFiles
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


if __name__ == "__main__":
    make(*map(Path, sys.argv[1:]))

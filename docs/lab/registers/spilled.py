"""What the loops of leaves move besides their multiply-adds, as the compiler wrote them: vectors through the stack, and
from register to register.

    spilled.py SPEC ...                of programs that the search finds
    spilled.py --target avx2 SPEC ...  for another target

Not a row of run.py: it has no bar. A sum that goes through the stack once a step adds a store and a load to the chain
of its additions, 11 cycles where they take 6 (docs/lab/registers/README.md).
"""

from __future__ import annotations

import argparse
import re
import subprocess

from griotte import synthesize
from griotte.machine import resolve
from griotte.runtime.compilers import find_compiler

VECTOR = r"%[xyz]mm\d+"
MOVES = {
    "multiply-adds": r"\tvf\w*madd",
    "through the stack": rf"%[re][sb]p\).*{VECTOR}|{VECTOR}.*%[re][sb]p\)",
    "register to register": rf"\tvmov\w+\t{VECTOR}, {VECTOR}$",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--target", default="native")
    asked = parser.parse_args()
    target = resolve(asked.target)
    for spec in asked.specs:
        print(spec)
        for function, body in _loops(_assembly(synthesize(spec, target, table="none").to_c(), target)):
            counts = {what: len(re.findall(pattern, body, re.M)) for what, pattern in MOVES.items()}
            if counts["multiply-adds"]:
                print(f"    {function:44}" + "".join(f"  {what} {count:3}" for what, count in counts.items()))


def _assembly(c: str, target) -> str:
    compiler = find_compiler()
    command = [*compiler.command, *compiler.flags(target.flags), "-S", "-x", "c", "-", "-o", "-"]
    return subprocess.run(command, input=c, capture_output=True, text=True, check=True).stdout


def _loops(text: str):
    """(function, body) of each innermost loop."""
    function, label, body = "", "", []
    for line in text.splitlines():
        if found := re.match(r"(\w+):", line):
            function = found[1]
        elif found := re.match(r"(\.L\d+):", line):
            label, body = found[1], []
        body.append(line)
        if (found := re.match(r"\tj\w+\t(\.L\d+)", line)) and found[1] == label:
            yield function, "\n".join(body)


if __name__ == "__main__":
    main()

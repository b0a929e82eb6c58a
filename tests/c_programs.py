"""C and C++ programs that are linked with a package, as those of its users are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from griotte.runtime.compilers import find_compiler

STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror")
STANDARDS = {"c": "-std=c99", "c++": "-std=c++20"}
EACH_TARGET = """
#include <stdio.h>
#include "mv.h"
static float x[4 * 8], w[8 * 300], y[4 * 300];
static char packed[MV_X1_PACKED_BYTES];
int main(void)
{
    for (int i = 0; i < 4 * 8; i++) x[i] = (float)(i % 5) / 4;
    for (int i = 0; i < 8 * 300; i++) w[i] = (float)(i % 7) / 8;
    printf("%s\\n", mv_target());
    for (int n = 0; mv_targets(n); n++) {
        const int status = mv_choose(mv_targets(n));
        printf("%s %d\\n", mv_targets(n), status);
        if (status != MV_OK) continue;
        if (mv_target() != mv_targets(n) || mv_pack_x1(w, packed) != MV_OK || mv(x, packed, y) != MV_OK) return 1;
        for (int i = 0; i < 4 * 300; i++) printf("%.9g\\n", y[i]);
    }
    return mv_abi() == MV_ABI ? 0 : 2;
}
"""
"""Of a package `mv` of softmax(matmul(f32[4,8], const f32[8,300])): which target it took, and of each that it has
whether this CPU runs it, and what it gives."""


def built(folder: Path, name: str, main: str, *flags: str, language: str = "c", more: tuple[str, ...] = ()) -> Path:
    """The program of a main file beside the package `name` in a folder, and of what else is linked; skips where there
    is no compiler of C++."""
    compiler = [*find_compiler().command]
    linked = ["-x", "none", f"-L{folder}", f"-l{name}", *more, "-pthread", "-lm"]
    if language == "c++":
        linked.append("-lstdc++")
        if subprocess.run([*compiler, "-x", "c++", "-E", "/dev/null"], capture_output=True).returncode:
            pytest.skip("expected a compiler of C++, found none")
    source, program = folder / f"main.{'c' if language == 'c' else 'cpp'}", folder / "main"
    source.write_text(main)
    words = [*compiler, STANDARDS[language], *STRICT, "-x", language, *flags, str(source), *linked, "-o", str(program)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program


def said(program: Path, *words: str) -> list[str]:
    """The words that a program writes; it must end with 0."""
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=120, cwd=program.parent)
    assert done.returncode == 0, f"{done.returncode} {done.stderr}"
    return done.stdout.split()


def taken(folder: Path, header: str, standard: str) -> None:
    """A header of a folder is taken twice by a compiler of this standard without a warning; skips where there is
    none."""
    language = "c++" if "++" in standard else "c"
    (folder / "taken").write_text(f'#include "{header}"\n' * 2 + "int main(void) { return 0; }\n")
    words = [*find_compiler().command, "-x", language, f"-std={standard}", "-fsyntax-only"]
    if subprocess.run([*words, "/dev/null"], capture_output=True).returncode:
        pytest.skip(f"expected a compiler of {standard}, found none")
    done = subprocess.run([*words, *STRICT, str(folder / "taken")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

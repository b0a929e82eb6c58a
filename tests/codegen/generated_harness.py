"""Runs generated C by itself, under sanitizers: a main() around each program, a guard before every array, a forbidden
page after it."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import launched
import numpy as np
import pytest
from checked import agrees
from features import skip_without
from griotte.codegen.emit import EmittedFunction, UnitWriter
from griotte.compiler.programs import Program
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Node
from griotte.lang.calls.spec import Spec
from griotte.lang.meaning.agreement import tolerance
from griotte.lang.meaning.reference import empty, one_or_all
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.types.dtypes import dtype
from griotte.lang.types.dynamic import is_pitched
from griotte.lang.types.tensor import TensorType
from griotte.machine.target import Target
from griotte.runtime.compilers import find_compiler
from griotte.support.errors import ToolchainError
from headers import precompiled

SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
# not optimized: no access is left out, and it takes half the time; what the optimizer makes of it is tested in
# tests/machine and tests/runtime thread-local scratch has no red zones; in a program for one thread it may as well be
# static, which has
FLAGS = (
    "-O0",
    "-g0",
    "-std=gnu11",
    "-D_GNU_SOURCE",
    "-fwrapv",
    "-ffp-contract=fast",
    "-fno-math-errno",
    "-Wall",
    "-Wno-unknown-pragmas",
    "-Werror",
    *SANITIZE,
)
# of gcc: each access is checked by a call, not in line: a sixth less to compile
_CALLS = ("--param", "asan-instrumentation-with-call-threshold=0")
_BESIDE = 0xA5  # a byte of what is no element
_PACKED_GUARD = 8  # bytes: a packed constant may be of a wider dtype
_ONE_THREAD = ("-D_Thread_local=",)

_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "kernel.c"

static size_t pages(size_t bytes, size_t guard) { return (bytes + guard + 4095) / 4096 * 4096; }

/* The array ends where a page that cannot be read begins: that also stops instructions which sanitizers do not see. */
static unsigned char *guarded(size_t bytes, size_t guard) {
    size_t room = pages(bytes, guard);
    unsigned char *p = mmap(NULL, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + room, 4096, PROT_NONE)) exit(3);
    memset(p, 0xA5, room);
    return p + room - bytes;
}

static void check(unsigned char *p, size_t bytes, size_t guard, const char *name) {
    for (size_t i = 1; i <= guard; i++)
        if (p[-(ptrdiff_t)i] != 0xA5) { fprintf(stderr, "guard before %s is overwritten\\n", name); exit(4); }
    size_t room = pages(bytes, guard);
    munmap(p + bytes - room, room + 4096);
}
"""
_CASE = """
static int case{i}(void) {{
    FILE *in = fopen("{i}.in", "rb"), *out = fopen("{i}.out", "wb");
    if (!in || !out) return 2;
    fprintf(stderr, "program {i}\\n");
{body}
    fclose(in);
    return fclose(out);
}}
"""


@functools.cache
def _sanitizers() -> str:
    """Why sanitizers cannot be used here; empty when they can."""
    try:
        compiler = find_compiler()
    except ToolchainError as error:
        return str(error)
    done = subprocess.run(
        [*compiler.command, *SANITIZE, "-x", "c", "-", "-o", os.devnull],
        input="int main(void) { return 0; }",
        capture_output=True,
        text=True,
    )
    return "" if done.returncode == 0 else f"{compiler.version} has no sanitizer libraries"


def skip_without_sanitizers() -> None:
    """Skip a test where there are none."""
    if _sanitizers():
        pytest.skip(_sanitizers())


@dataclass(frozen=True)
class Case:
    """A program with the Spec it meets and its arrays, in the Spec's own layouts; `size` is the dynamic size of the
    arrays. Such as are parts of arrays of the bound are so in C, and what is beside them is guarded too."""

    root: Node
    spec: Spec
    arrays: tuple[np.ndarray, ...]
    size: int = 0

    @classmethod
    def drawn(cls, root: Node, spec: Spec, seed, hostile: bool = True) -> Case:
        """With random arrays of a seed, or of a generator."""
        return cls(root, spec, tuple(random_arrays(spec, np.random.default_rng(seed), hostile)))

    @property
    def one(self) -> Spec:
        """The Spec of the arrays: its sizes are all fixed."""
        return self.spec.at(self.size)

    @property
    def inputs(self) -> list[Placed]:
        return [Placed.of(*pair) for pair in zip(self.spec.inputs, self.one.inputs)]

    @property
    def outputs(self) -> list[Placed]:
        return [Placed.of(*pair) for pair in zip(self.spec.outputs, self.one.outputs)]


@dataclass(frozen=True)
class Placed:
    """An array of type `one` that begins one of type `whole` in memory, up to its own last element."""

    whole: TensorType
    one: TensorType

    @classmethod
    def of(cls, stated: TensorType, one: TensorType) -> Placed:
        return cls(
            (
                replace(stated, dynamic=None, tied=None)
                if is_pitched(stated.shape, stated.minor_to_major, *stated.dynamic_axes)
                else one
            ),
            one,
        )

    @property
    def bytes(self) -> int:
        return dtype(self.one.dtype).bytes * (
            1 + sum((n - 1) * step for n, step in zip(self.one.shape, self.whole.strides()))
        )

    def content(self, array: np.ndarray) -> bytes:
        """The elements in the order in which the layout has them in memory, and what is beside them."""
        raw, there = self._room()
        there[...] = array
        return raw[: self.bytes].tobytes()

    def array(self, content: bytes) -> np.ndarray:
        """What C has left there; fails where it wrote beside it."""
        raw, there = self._room()
        raw[: self.bytes] = np.frombuffer(content, np.uint8)
        found = empty(self.one)
        found[...] = there
        there = there.view(np.uint8) if there.dtype == bool else there  # of which any byte but 0 would become 1
        there[...] = np.full(there.itemsize, _BESIDE, np.uint8).view(there.dtype)[0]
        assert (raw == _BESIDE).all(), f"{self.one} is written beside"
        return found

    def _room(self) -> tuple[np.ndarray, np.ndarray]:
        raw = np.full(self.whole.bytes, _BESIDE, np.uint8)
        slowest_first = self.whole.minor_to_major[::-1]
        ordered = raw.view(dtype(self.whole.dtype).numpy).reshape([self.whole.shape[a] for a in slowest_first])
        return raw, ordered.transpose(np.argsort(slowest_first).astype(int))[(*map(slice, self.one.shape), ...)]


def run(cases: list[Case], target: Target, folder: Path) -> list:
    """The results of the cases, compiled into one executable; fails where a sanitizer or a guard complains."""
    skip_without(target.features)
    skip_without_sanitizers()
    writer = UnitWriter(target)
    functions = [writer.add(c.root, canonical_form(c.spec), f"program{i}") for i, c in enumerate(cases)]
    threads = max(f.threads for f in functions)
    source = writer.source("\n".join(str(c.spec) for c in cases))
    (folder / "kernel.c").write_text(source)
    for i, case in enumerate(cases):
        (folder / f"{i}.in").write_bytes(b"".join(t.content(a) for a, t in zip(case.arrays, case.inputs)))
    parts = [
        _CASE.format(i=i, body="\n".join(_body(case, function)))
        for i, (case, function) in enumerate(zip(cases, functions))
    ]
    calls = " || ".join(f"case{i}()" for i in range(len(cases)))
    (folder / "all.c").write_text("".join([_MAIN, *parts, f"int main(void) {{ return {calls}; }}\n"]))
    compiler = find_compiler()
    flags = (
        *FLAGS,
        *(_CALLS if compiler.kind == "gcc" else ()),
        *target.flags,
        *(("-pthread",) if threads > 1 else _ONE_THREAD),
    )
    flags += precompiled(compiler, flags, source)
    _checked([*compiler.command, *flags, "all.c", "-o", "all", "-lm"], folder, cases)
    _checked([*launched.BEFORE, "./all"], folder, cases)
    return [_results((folder / f"{i}.out").read_bytes(), case.outputs) for i, case in enumerate(cases)]


def assert_right(cases: list[Case], target: Target, folder: Path, meant: bool = False) -> None:
    """The results of the cases, compiled into one executable, are what the reference says; `meant`: so are those of
    their trees."""
    for case, result in zip(cases, run(cases, target, folder)):
        bounds = tolerance(case.one, case.arrays)
        agrees(case.one, case.arrays, result, bounds)
        if meant:
            agrees(case.one, case.arrays, interpret(case.root, case.spec, *case.arrays, target=target), bounds)


def programs_right(programs: Sequence[Program], folder: Path) -> None:
    """Programs of one target are right on hostile data, compiled into one executable."""
    cases = [Case.drawn(program.root, program.spec, seed) for seed, program in enumerate(programs)]
    assert_right(cases, programs[0].target, folder)


def both_kinds(program: Program, seed: int | np.random.Generator) -> list[Case]:
    """A program on random and on hostile data."""
    return [Case.drawn(program.root, program.spec, seed, hostile) for hostile in (False, True)]


def assert_meant(program: Program) -> None:
    """The tree of a program gives what the reference says, of random and of hostile data."""
    for case in both_kinds(program, 1):
        agrees(case.spec, case.arrays, interpret(program.root, program.spec, *case.arrays, target=program.target))


def _checked(command: list[str], folder: Path, cases: list[Case]) -> None:
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, timeout=300)
    specs = "; ".join(f"{i}: {c.spec}" for i, c in enumerate(cases))
    assert done.returncode == 0, f"{command[0]} in {folder} ({specs}):\n{done.stderr[-3000:]}"


def _body(case: Case, function: EmittedFunction) -> list[str]:
    lines, spec = [], case.one
    results = [(f"y{i}", t) for i, t in enumerate(case.outputs)]
    tensors = [*((f"x{i}", t) for i, t in enumerate(case.inputs)), *results]
    for name, t in tensors:
        guard = dtype(t.one.dtype).bytes  # which also leaves the array aligned to its elements, and to no more
        lines.append(f"    unsigned char *{name} = guarded({t.bytes}, {guard});")
        if not name.startswith("y"):
            lines.append(f"    if (fread({name}, 1, {t.bytes}, in) != {t.bytes}) return 2;")
    names = [name for name, _ in tensors]
    for pack in function.packs:  # once they are packed, constants are not read any more
        name, nbytes = names[pack.operand], spec.inputs[pack.operand].bytes
        names[pack.operand] = f"packed_{name}"
        lines += [
            f"    unsigned char *packed_{name} = guarded({pack.bytes}, {_PACKED_GUARD});",
            f"    {pack.function}((void *){name}, packed_{name});",
            f"    memset({name}, 0x5A, {nbytes});",
        ]
    first = [str(case.size)] if case.spec.dynamic else []
    lines.append(f"    {function.name}({', '.join([*first, *(f'(void *){name}' for name in names)])});")
    lines += [f"    fwrite({name}, 1, {t.bytes}, out);" for name, t in results]
    guards = {
        **{name: (t.bytes, dtype(t.one.dtype).bytes) for name, t in tensors},
        **{names[p.operand]: (p.bytes, _PACKED_GUARD) for p in function.packs},
    }
    return lines + [f'    check({name}, {nbytes}, {guard}, "{name}");' for name, (nbytes, guard) in guards.items()]


def _results(content: bytes, outputs: list[Placed]) -> np.ndarray | tuple[np.ndarray, ...]:
    ends = np.cumsum([t.bytes for t in outputs])
    return one_or_all([t.array(content[end - t.bytes : end]) for t, end in zip(outputs, ends)])

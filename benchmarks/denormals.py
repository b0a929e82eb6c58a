"""Operations that read or make a denormal: how many a function or a program does where nothing that comes in is one.

    .venv/bin/python benchmarks/denormals.py                       every function, by form and magnitude
    .venv/bin/python benchmarks/denormals.py --only exp --where    and which instructions they are
    .venv/bin/python benchmarks/denormals.py "softmax(f32[64,1536])"    a program, of numbers of each magnitude

An Intel core takes some 150 cycles for such an operation, a Zen next to none: so times on one machine do not show them,
and here they are counted. An x86 processor tells of each: with the exceptions unmasked it stops before an operation
that reads a denormal, and after one whose result is below the normal range. A handler notes where, lets that one
instruction run, and goes on. What is counted is instructions, each of a vector.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from griotte.engine.vectors.library import VectorLibrary
from griotte.lang.functions import over_vectors
from griotte.machine import BUILT_IN
from griotte.machine.detect import detect
from griotte.runtime.toolchain import compile_shared

FORMS = {name: BUILT_IN[name] for name in ("avx512", "avx2", "portable")}
MAGNITUDES = (0.5, 5.0, 20.0, 60.0, 200.0, 1e4)
COUNT = 4096  # elements
KINDS = {"f32": np.float32, "f64": np.float64}
SIGNS = {"log": 1, "rsqrt": 1, "sqrt": 1, "power": 1, "decay": -1}  # of what they are for
INHERENT = {"fmod"}  # the C library's, far out; its result is exact, and may be a denormal

WATCH = r"""
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <xmmintrin.h>

enum { MOST = 4096, FLAGS = 0x3f, READS = 1 << 1, MAKES = 1 << 4, UNMASKED = (READS | MAKES) << 7, STEP = 0x100 };

struct place { uint64_t at; int64_t reads, makes; };

static struct place places[MOST];
static int count;
static struct sigaction before[2];

static void note(uint64_t at, unsigned flags)
{
    int i = 0;
    while (i < count && places[i].at != at) i++;
    if (i == MOST) return;
    if (i == count) places[count++] = (struct place){at, 0, 0};
    if (flags & READS) places[i].reads++;
    else places[i].makes++;
}

/* Before the instruction: it is to run with all masked, and then to stop. */
static void met(int signal, siginfo_t *info, void *context)
{
    ucontext_t *at = context;
    unsigned *control = &at->uc_mcontext.fpregs->mxcsr;
    (void)signal, (void)info;
    note((uint64_t)at->uc_mcontext.gregs[REG_RIP], *control);
    *control = (*control & ~FLAGS) | UNMASKED;
    at->uc_mcontext.gregs[REG_EFL] |= STEP;
}

static void passed(int signal, siginfo_t *info, void *context)
{
    ucontext_t *at = context;
    (void)signal, (void)info;
    at->uc_mcontext.fpregs->mxcsr &= ~(FLAGS | UNMASKED);
    at->uc_mcontext.gregs[REG_EFL] &= ~STEP;
}

void watch(void)
{
    struct sigaction fault = {0}, trap = {0};
    fault.sa_sigaction = met, fault.sa_flags = SA_SIGINFO;
    trap.sa_sigaction = passed, trap.sa_flags = SA_SIGINFO;
    count = 0;
    sigaction(SIGFPE, &fault, &before[0]), sigaction(SIGTRAP, &trap, &before[1]);
    _mm_setcsr(_mm_getcsr() & ~(FLAGS | UNMASKED));
}

int watched(struct place *found)
{
    _mm_setcsr((_mm_getcsr() & ~FLAGS) | UNMASKED);
    sigaction(SIGFPE, &before[0], 0), sigaction(SIGTRAP, &before[1], 0);
    memcpy(found, places, sizeof *found * count);
    return count;
}

/* One function under watch: nothing else runs meanwhile. */
typedef void Over(void *, void *, void *, int64_t);

int through(Over *function, void *a, void *b, void *c, int64_t n, struct place *found)
{
    watch();
    function(a, b, c, n);
    return watched(found);
}
"""


class _Place(ctypes.Structure):
    _fields_ = [("at", ctypes.c_uint64), ("reads", ctypes.c_int64), ("makes", ctypes.c_int64)]


@dataclass(frozen=True)
class Met:
    """Instructions that met denormals, by address: (read one, made one)."""

    places: dict[int, tuple[int, int]]

    @property
    def all(self) -> int:
        return sum(map(sum, self.places.values()))


@cache
def _watch() -> ctypes.CDLL:
    return ctypes.CDLL(str(compile_shared(WATCH, ("-std=gnu11",))))


def _places(found: ctypes.Array, count: int) -> Met:
    return Met({found[i].at: (found[i].reads, found[i].makes) for i in range(count)})


def through(function: Callable, a: np.ndarray, b: np.ndarray, c: np.ndarray, count: int) -> Met:
    """What a C function of three pointers and a count meets."""
    found = (_Place * 4096)()
    pointers = [x.ctypes.data_as(ctypes.c_void_p) for x in (a, b, c)]
    return _places(found, _watch().through(function, *pointers, ctypes.c_int64(count), found))


def of_call(call: Callable[[], object]) -> Met:
    """What a call meets on this thread; Python's own steps around it are on no denormals."""
    found, library = (_Place * 4096)(), _watch()
    library.watch()
    try:
        call()
    finally:
        count = library.watched(found)
    return _places(found, count)


def available() -> list[str]:
    """The forms that this machine can run, widest first."""
    machine = detect()
    return [name for name, form in FORMS.items() if form.features <= machine.flags - machine.hidden]


def names() -> tuple[str, ...]:
    """The functions of floats that are made of steps."""
    return tuple(n for n in over_vectors(1, integers=False) + ("power",) if n not in INHERENT)


def lanes_of(form: str, dtype: str) -> tuple[int, ...]:
    """A whole register, and what tails are computed by."""
    whole = FORMS[form].vector_bytes // (4 if dtype == "f32" else 8)
    return tuple(dict.fromkeys((whole, max(whole // 2, 1), 1)))


@cache
def built(form: str) -> ctypes.CDLL:
    """`{name}_{dtype}_{lanes}(a, b, y, count)` for each function."""
    library, loops = VectorLibrary(FORMS[form].features), []
    for dtype in KINDS:
        for lanes in lanes_of(form, dtype):
            load, store, scalar = library.load(dtype, lanes), library.store(dtype, lanes), library.scalar(dtype)
            for name in names():
                takes = f"{load}(a + i), {load}(b + i)" if name == "power" else f"{load}(a + i)"
                call = (library.binary if name == "power" else library.unary)(name, dtype, lanes)
                loops.append(
                    f"void {name}_{dtype}_{lanes}(const {scalar} *a, const {scalar} *b, {scalar} *y, int64_t count)\n"
                    f"{{ (void)b; for (int64_t i = 0; i < count; i += {lanes}) {store}(y + i, {call}({takes})); }}"
                )
    return ctypes.CDLL(str(compile_shared(library.definitions() + "\n".join(loops), FORMS[form].flags)))


def of_function(name: str, form: str, dtype: str, lanes: int, x: np.ndarray, y: np.ndarray | None = None) -> Met:
    """What a function meets over x (and y) of `dtype`, as many as whole vectors."""
    result = np.empty_like(x)
    return through(getattr(built(form), f"{name}_{dtype}_{lanes}"), x, x if y is None else y, result, len(x))


def drawn(magnitude: float, shape, dtype: str = "f32", seed: int = 1) -> np.ndarray:
    """Normally distributed numbers times `magnitude`."""
    return (np.random.default_rng(seed).standard_normal(shape) * magnitude).astype(KINDS[dtype])


def of_each_exponent(dtype: str, least: int | None = None) -> np.ndarray:
    """Both signs of some numbers of each binade, from 2**least (eight above where the normal range begins: half of a
    number there, or a coefficient times it, is a denormal) up, and zeros, infinities and NaN."""
    info = np.finfo(KINDS[dtype])
    powers = np.arange(info.minexp + 8 if least is None else least, info.maxexp, dtype=np.float64)
    with np.errstate(all="ignore"):
        found = np.exp2(powers)[:, None] * np.array([1, 1.1, 1.37, 1.75, 1.9999])
    found = np.concatenate([found.ravel(), -found.ravel(), [0.0, -0.0, np.inf, -np.inf, np.nan]]).astype(KINDS[dtype])
    return np.resize(found, -(-len(found) // 64) * 64)


def mnemonic(library: Path, offset: int) -> str:
    """The instruction at an offset of a shared library."""
    text = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", f"--start-address={offset}", f"--stop-address={offset + 16}", library],
        capture_output=True,
        text=True,
    ).stdout
    return next((line.split(":\t")[1].strip() for line in text.splitlines() if ":\t" in line), "?")


def base_of(address: int) -> tuple[Path, int]:
    """The mapped file an address lies in, and where that begins."""
    first: dict[str, int] = {}
    found: tuple[Path, int] | None = None
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, *_, name = line.split()
        low, high = (int(x, 16) for x in span.split("-"))
        first.setdefault(name, low)
        if low <= address < high:
            found = Path(name), first[name]
    assert found is not None
    return found


def where(met: Met) -> Iterator[str]:
    """A line for each instruction."""
    for at, (reads, makes) in sorted(met.places.items(), key=lambda item: -sum(item[1])):
        library, begin = base_of(at)
        yield f"    {reads:7d} read {makes:7d} made  {mnemonic(library, at - begin)}  ({library.name} {at - begin:#x})"


def table(chosen: list[str], forms: list[str], dtypes: list[str], shows: bool) -> None:
    print("instructions that read or make a denormal, for each vector")
    heads = [*(f"x {m:g}" for m in MAGNITUDES), "each exponent"]
    print(f"| function | form | {' | '.join(heads)} |\n|---|---|{'---|' * len(heads)}")
    for name in chosen:
        for form in forms:
            for dtype in dtypes:
                lanes = lanes_of(form, dtype)[0]
                data = [*(partial(drawn, m, COUNT, dtype) for m in MAGNITUDES), partial(of_each_exponent, dtype)]
                row, notes = [], []
                for make in data:
                    x = (SIGNS[name] * np.abs(make())).astype(KINDS[dtype]) if name in SIGNS else make()
                    met = of_function(name, form, dtype, lanes, x, np.resize(make()[::-1], len(x)).copy())
                    row.append(f"{met.all * lanes / len(x):.2f}")
                    notes += [f"  {name} {form} {dtype}: {heads[len(row) - 1]}", *where(met)] if met.all else []
                print(f"| {name} | {form} {dtype} | {' | '.join(row)} |", flush=True)
                if shows:
                    print("\n".join(notes))


def programs(texts: list[str], target: str, shows: bool) -> None:
    import griotte as gt

    print(f"instructions that read or make a denormal, for each result, target {target}")
    heads = [f"x {m:g}" for m in MAGNITUDES]
    print(f"| program | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for text in texts:
        program = gt.synthesize(text, target, 1)
        kernel, row, notes = program.compile(), [], []
        for magnitude in MAGNITUDES:
            arrays = [drawn(magnitude, t.shape, t.dtype, i) for i, t in enumerate(program.spec.inputs)]
            y = kernel(*arrays)
            met = of_call(kernel.bind(*arrays, out=y))
            results = sum(np.size(each) for each in (y if isinstance(y, tuple) else (y,)))
            row.append(f"{met.all / results:.3f}")
            notes += [f"  {text}: x {magnitude:g}", *where(met)] if met.all else []
        print(f"| `{text}` | {' | '.join(row)} |", flush=True)
        if shows:
            print("\n".join(notes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help="Specs, in place of functions")
    parser.add_argument("--only", action="append", choices=names())
    parser.add_argument("--forms", action="append", choices=tuple(FORMS))
    parser.add_argument("--dtypes", action="append", choices=tuple(KINDS))
    parser.add_argument("--target", default="native")
    parser.add_argument("--where", action="store_true", help="which instructions")
    options = parser.parse_args()
    if options.programs:
        programs(options.programs, options.target, options.where)
    else:
        given = options.only or list(names())
        table(given, options.forms or available(), options.dtypes or list(KINDS), options.where)


if __name__ == "__main__":
    main()

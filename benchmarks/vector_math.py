"""How exact the vector functions are, and how fast: every f32 against the C library's f64, in each instruction set that
this machine has.

    .venv/bin/python benchmarks/vector_math.py                    all 2**32 inputs: minutes for each function
    .venv/bin/python benchmarks/vector_math.py --every 1009       a sample
    .venv/bin/python benchmarks/vector_math.py --magnitudes       times alone, of numbers of each magnitude
    .venv/bin/python benchmarks/vector_math.py --publish          writes the table of docs/reference/functions.md

An error is in units in the last place (ulp) of the exact result's binade, below the normal range in smallest denormals.
Where the exact result is NaN, infinite or 0, so must be what was found, with the sign (of a 0 too); each that is not
counts as wrong. What the reference errs by, and its rounding of arguments, is below 1e-5 ulp. Cycles are of a chain of
dependent additions timed in turn, for arrays of 2048 elements in L1.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cffi
import numpy as np
from griotte.engine.vectors.library import VectorLibrary
from griotte.machine import BUILT_IN
from griotte.machine.detect import detect
from griotte.runtime.calibrate.timing import Stopwatch
from griotte.runtime.toolchain import compile_shared

FORMS = {name: BUILT_IN[name] for name in ("avx512", "avx2", "portable")}
FUNCTIONS = tuple("exp log tanh erf sigmoid rsqrt sqrt gelu gelu_tanh silu".split())
CHUNK = 1 << 20
TIMED = 2048  # elements
MAGNITUDES = (0.5, 1.0, 5.0, 20.0, 60.0, 200.0, 1e4)
PAGE = Path(__file__).parents[1] / "docs/reference/functions.md"
BEGIN, END = "<!-- measured: benchmarks/vector_math.py --publish -->\n", "<!-- end -->\n"

REFERENCE = """
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <string.h>

static double sigmoid(double x) { const double z = exp(-fabs(x)); return (x < 0 ? z : 1) / (1 + z); }
static double of_exp(double x) { return exp(x); }
static double of_log(double x) { return log(x); }
static double of_tanh(double x) { return tanh(x); }
static double of_erf(double x) { return erf(x); }
static double of_sigmoid(double x) { return sigmoid(x); }
static double of_sqrt(double x) { return sqrt(x); }
static double of_rsqrt(double x) { return 1 / sqrt(x); }
static double of_silu(double x) { return x == -INFINITY ? -0.0 : x * sigmoid(x); }
static double of_gelu(double x) { return x == -INFINITY ? -0.0 : x * (0.5 * erfc(-x * M_SQRT1_2)); }
static double of_gelu_tanh(double x) { return x == -INFINITY ? -0.0 : x * sigmoid(2 * sqrt(M_2_PI) * (x + 0.044715 * x
    * x * x)); }
typedef double Function(double);
static Function *const functions[] = {@NAMES@};

void inputs(float *x, uint32_t first, uint32_t step, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const uint32_t bits = first + (uint32_t)i * step;
        memcpy(x + i, &bits, 4);
    }
}

void reference(int which, const float *x, double *exact, int64_t count)
{
    for (int64_t i = 0; i < count; i++) exact[i] = functions[which](x[i]);
}

static double unit(double exact)
{
    uint64_t bits, power;
    memcpy(&bits, &exact, 8);
    power = bits >> 52 & 0x7ff;
    power = (power > 1023 + 127 ? 1023 + 127 : power < 1023 - 126 ? 1023 - 126 : power) - 23;
    bits = power << 52;
    memcpy(&exact, &bits, 8);
    return exact;
}

/* Of a result that is the nearest float no more is asked: `most` begins at a half. */
struct errors { double most; float at; int64_t rounded, wrong; float wrong_at; };

void judge(const float *x, const float *found, const double *exact, int64_t count, struct errors *errors)
{
    for (int64_t i = 0; i < count; i++) {
        const float nearest = (float)exact[i], y = found[i];
        uint32_t a, b;
        memcpy(&a, &nearest, 4), memcpy(&b, &y, 4);
        if (a == b || (nearest != nearest && y != y)) {
            errors->rounded++;
            continue;
        }
        if (y != y || nearest != nearest || isinf(exact[i]) || exact[i] == 0 || (a ^ b) >> 31) {
            errors->wrong++, errors->wrong_at = x[i];
            continue;
        }
        const double distance = fabs((isinf(y) ? copysign(0x1p128, y) : (double)y) - exact[i]);
        const double error = distance / unit(exact[i]);
        if (error > errors->most) errors->most = error, errors->at = x[i];
    }
}
"""


@dataclass
class Errors:
    """What a function in one form was found to err by."""

    most: float = 0.0  # ulp
    at: float = 0.0
    rounded: int = 0  # results that are the nearest float
    wrong: int = 0
    wrong_at: float = 0.0
    count: int = 0


class _Errors(ctypes.Structure):
    _fields_ = [
        ("most", ctypes.c_double),
        ("at", ctypes.c_float),
        ("rounded", ctypes.c_int64),
        ("wrong", ctypes.c_int64),
        ("wrong_at", ctypes.c_float),
    ]


def available() -> list[str]:
    """The forms that this machine can run, widest first."""
    machine = detect()
    return [name for name, form in FORMS.items() if form.features <= machine.flags - machine.hidden]


def source(form: str) -> str:
    """C loops `f32_exp(x, y)` over `TIMED` elements and `many_f32_exp(x, y, count)`, for each function and dtype."""
    library, loops = VectorLibrary(FORMS[form].features), []
    for dtype, size in (("f32", 4), ("f64", 8)):
        lanes = FORMS[form].vector_bytes // size
        load, store, scalar = library.load(dtype, lanes), library.store(dtype, lanes), library.scalar(dtype)
        for name in FUNCTIONS:
            step = f"i += {lanes}) {store}(y + i, {library.unary(name, dtype, lanes)}({load}(x + i)));"
            loops.append(
                f"void {dtype}_{name}(const {scalar} *x, {scalar} *y) {{ for (int64_t i = 0; i < {TIMED}; {step} }}"
            )
            loops.append(
                f"void many_{dtype}_{name}(const {scalar} *x, {scalar} *y, int64_t count) {{ for (int64_t i = 0; i <"
                f" count; {step} }}"
            )
    return library.definitions() + "\n".join(loops)


@cache
def built(form: str) -> ctypes.CDLL:
    return ctypes.CDLL(str(compile_shared(source(form), FORMS[form].flags)))


@cache
def reference() -> ctypes.CDLL:
    text = REFERENCE.replace("@NAMES@", ", ".join(f"of_{name}" for name in FUNCTIONS))
    return ctypes.CDLL(str(compile_shared(text, ("-ffp-contract=off",))))


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def errors(name: str, forms: list[str], every: int = 1, threads: int = 2) -> dict[str, Errors]:
    """Over all f32 inputs, or one bit pattern in `every` and all in the neighbourhoods of the special ones."""
    total = -(-(1 << 32) // every)
    parts = [(first * every, every, min(CHUNK, total - first)) for first in range(0, total, CHUNK)]
    if every > 1:
        around = [
            0,
            0x00800000,
            0x3F800000,
            0x7F800000,
            *np.array([0.5, 2.0, 0.6, 0.75, 4.0, 9.01, 14.0, 87.3, 88.72, 104.0, 107.0, 108.5], np.float32)
            .view(np.uint32)
            .tolist(),
        ]
        parts += [((p + sign - 2048) % (1 << 32), 1, 4096) for p in around for sign in (0, 1 << 31)]
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(lambda part: _chunk(name, forms, *part), parts))
    return {form: _joined([chunk[form] for chunk in found]) for form in forms}


def _chunk(name: str, forms: list[str], first: int, step: int, count: int) -> dict[str, Errors]:
    room = -(-count // 64) * 64
    x, y, exact = np.zeros(room, np.float32), np.empty(room, np.float32), np.empty(count, np.float64)
    library, number = reference(), ctypes.c_int64(count)
    library.inputs(_pointer(x), ctypes.c_uint32(first), ctypes.c_uint32(step), number)
    library.reference(FUNCTIONS.index(name), _pointer(x), _pointer(exact), number)
    found = {}
    for form in forms:
        getattr(built(form), f"many_f32_{name}")(_pointer(x), _pointer(y), ctypes.c_int64(room))
        one = _Errors(most=0.5)
        library.judge(_pointer(x), _pointer(y), _pointer(exact), number, ctypes.byref(one))
        found[form] = Errors(one.most, one.at, one.rounded, one.wrong, one.wrong_at, count)
    return found


def _joined(chunks: list[Errors]) -> Errors:
    worst = max(chunks, key=lambda e: e.most)
    bad = next((e.wrong_at for e in chunks if e.wrong), 0.0)
    return Errors(
        worst.most,
        worst.at,
        *(sum(getattr(e, field) for e in chunks) for field in ("rounded", "wrong")),
        bad,
        sum(e.count for e in chunks),
    )


@dataclass
class Timing:
    """Cycles for each element, f32 and f64, by form."""

    cycles: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def median(self, dtype: str, form: str) -> float:
        return statistics.median(self.cycles[dtype, form])


def timings(names: tuple[str, ...], forms: list[str], rounds: int = 7, magnitude: float = 1.0) -> dict[str, Timing]:
    """Of normally distributed numbers times `magnitude`. Interleaved: each round takes each function in each form in
    turn."""
    watch, ffi = Stopwatch(), cffi.FFI()
    held = {form: ffi.dlopen(str(compile_shared(source(form), FORMS[form].flags))) for form in forms}
    ffi.cdef(
        "\n".join(
            f"void {d}_{name}(const {t} *, {t} *);"
            for name in FUNCTIONS
            for d, t in (("f32", "float"), ("f64", "double"))
        )
    )
    found = {name: Timing() for name in names}
    rng = np.random.default_rng(1)
    for _ in range(rounds):
        for name in names:
            for dtype, kind in (("f32", np.float32), ("f64", np.float64)):
                x = rng.standard_normal(TIMED) * magnitude
                x = np.abs(x) if "log" in name or "sqrt" in name else x
                arrays = [x.astype(kind), np.empty(TIMED, kind)]
                for form in forms:
                    kernel = ffi.addressof(held[form], f"{dtype}_{name}")
                    found[name].cycles.setdefault((dtype, form), []).append(
                        min(watch.cycles(kernel, arrays), default=float("inf")) / TIMED
                    )
    return found


def table(judged: dict[str, dict[str, Errors]], timed: dict[str, Timing]) -> str:
    rows = [
        (
            "| function | form | largest error, ulp | at | nearest float, % | wrong | of inputs | f32, cycles | f64,"
            " cycles |"
        ),
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, forms in judged.items():
        for form, e in forms.items():
            cycles = " | ".join(f"{timed[name].median(dtype, form):.2f}" for dtype in ("f32", "f64"))
            rows.append(
                f"| `{name}` | {form} | {e.most:.3f} | {e.at:.9g} | {100 * e.rounded / e.count:.2f} | {e.wrong} |"
                f" {'all' if e.count == 1 << 32 else f'{e.count / 1e6:.1f} M'} | {cycles} |"
            )
    return "\n".join(rows) + "\n"


def by_magnitude(names: tuple[str, ...], forms: list[str], rounds: int = 7) -> str:
    """Cycles for each element, and the slowest over those of the least magnitude."""
    found = {m: timings(names, forms, rounds, m) for m in MAGNITUDES}
    heads = " | ".join(f"x {m:g}" for m in MAGNITUDES)
    rows = [f"| function | form | {heads} | slowest over moderate |", f"|---|---|{'---|' * (len(MAGNITUDES) + 1)}"]
    for name in names:
        for form in forms:
            for dtype in ("f32", "f64"):
                cycles = [found[m][name].median(dtype, form) for m in MAGNITUDES]
                text = " | ".join(f"{each:.2f}" for each in cycles)
                rows.append(f"| `{name}` | {form} {dtype} | {text} | {max(cycles) / cycles[0]:.2f} |")
    return "\n".join(rows) + "\n"


def publish(text: str) -> None:
    page = PAGE.read_text()
    head, rest = page.split(BEGIN)
    PAGE.write_text(head + BEGIN + text + END + rest.split(END)[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="one input in so many")
    parser.add_argument("--only", action="append", choices=FUNCTIONS)
    parser.add_argument("--forms", action="append", choices=tuple(FORMS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--publish", action="store_true", help="write the table of docs/reference/functions.md")
    parser.add_argument("--magnitudes", action="store_true", help="times alone, by magnitude")
    options = parser.parse_args()
    names, forms = tuple(options.only or FUNCTIONS), options.forms or available()
    if options.magnitudes:
        print(by_magnitude(names, forms))
        return
    judged = {name: errors(name, forms, options.every, options.threads) for name in names}
    for name, found in judged.items():
        for form, e in found.items():
            if e.wrong:
                print(f"{name} {form}: {e.wrong} wrong, one at {e.wrong_at!r}")
    text = table(judged, timings(names, forms))
    print(text)
    if options.publish:
        publish(text)


if __name__ == "__main__":
    main()

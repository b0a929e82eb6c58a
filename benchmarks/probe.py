"""Small C probes: a library from a source text, and the length of a cycle."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

CLOCK = """
#include <stdint.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Seconds of one of 16 x count additions, each waiting for the one before: a cycle. */
double cycle(int64_t count)
{
    double from = now();
    int64_t x = 1;
    for (int64_t i = 0; i < count; i++) {
#define ADD x += i; __asm__ volatile("" : "+r"(x));  /* no immediates: some cores add those while they rename */
        ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
    }
    return (now() - from) / count / 16;
}
"""


def build(source: str, flags: tuple[str, ...]) -> ctypes.CDLL:
    """The functions of CLOCK and of `source`; of type double(..) until said otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        text, library = Path(folder) / "probe.c", Path(folder) / "probe.so"
        text.write_text(CLOCK + source)
        subprocess.run(
            [shutil.which("cc") or "gcc", "-O2", "-shared", "-fPIC", *flags, "-o", library, text], check=True
        )
        return ctypes.CDLL(str(library))


def cycle(library: ctypes.CDLL) -> float:
    """Seconds."""
    library.cycle.restype = ctypes.c_double
    return library.cycle(ctypes.c_int64(40_000))

"""sum(mul(sigmoid(x), y), axis=0) with sigmoid's constants in a table that compilers do not look into, so that they
stay in memory as operands; beside the C as it is, where each is spread into a register of its own at each use.

    python docs/lab/race/columns.py [ROWS COLUMNS]
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cffi
import griotte as gt
import numpy as np
from griotte.runtime import timing

SPLATS = ("1.4426950408889634f", "1572864.0f", "0.693115234375f", "3.1946183e-05f", "0.1666686f", "0.5000646f", "1.0f")
LOOKED_UP = r"look_up_f32x8\(moved, \(f32x8\)(\{%s[^}]*\})\)"
SIGMOID = """static inline __attribute__((always_inline, unused)) f32x8 sigmoid_by(f32x8 x, const f32x8 *k)
{
    f32x8 z = minus_f32x8(x), given = x;
    if (__builtin_expect(any_below_f32x8(z, k[9]), 0)) return sigmoid_f32x8(given);
    f32x8 moved = z * k[0] + k[1], n = moved - k[1], r = (z - n * k[2]) - n * k[3], square = r * r;
    f32x8 power = (f32x8)((u32x8)look_up_f32x8(moved, k[7]) + ((u32x8)moved << 20));
    z = power * ((k[4] * r + k[5]) * square + (r + look_up_f32x8(moved, k[8]))) + power;
    f32x8 whole = z + k[6], lost = z - (whole - k[6]);
    return quotient_f32x8(select_lt_f32x8(given, (f32x8){0}, z, k[6]), whole, lost);
}

"""


def by_table(text: str) -> str:
    """The C with the constants of sigmoid in a table whose address is hidden at each step of the rows."""
    tables = [re.search(LOOKED_UP % re.escape(first), text) for first in ("1.0f, 0.9827", "0.0f, (-1.199")]
    entries = [f"{{{', '.join([each] * 8)}}}" for each in SPLATS]
    entries += [found.group(1) for found in tables if found] + [f"{{{', '.join(['-43.0f'] * 8)}}}"]
    held = f"static const f32x8 HELD[] __attribute__((aligned(32))) = {{{', '.join(entries)}}};\n"
    place = text.index("/* y[i1] = add of mul(sigmoid")
    text = text[:place] + held + SIGMOID + text[place:]
    text = re.sub(r"hold_f32x8\(sigmoid_f32x8\((x0_\d+)\)\)", r"hold_f32x8(sigmoid_by(\1, k))", text)
    text = re.sub(r"(static void combine_[^{]*\{\n)", r"\1    const f32x8 *k = HELD;\n", text)
    return re.sub(r"(        \{\n)(            const f32x8 x0_0)", r'\1            __asm__("" : "+r"(k));\n\2', text)


def main() -> None:
    rows, columns = (int(word) for word in sys.argv[1:3] or (77, 897))
    program = gt.synthesize(f"sum(mul(sigmoid(f32[{rows},{columns}]), f32[{rows},{columns}]), axis=0)", table="none")
    text, random = program.to_c(), np.random.default_rng(0)
    name = re.findall(r"^void (\w+)\(const float", text, re.M)[-1]
    x, y = (random.standard_normal((rows, columns)).astype(np.float32) for _ in range(2))
    out, ffi, calls = np.zeros(columns, np.float32), cffi.FFI(), {}
    ffi.cdef(f"void {name}(const float *, const float *, float *);")
    with tempfile.TemporaryDirectory() as folder:
        for way, source in (("as it is", text), ("by a table", by_table(text))):
            path = Path(folder) / f"{way.replace(' ', '_')}.c"
            path.write_text(source)
            words = [
                "gcc",
                "-O3",
                "-mavx2",
                "-mfma",
                "-mf16c",
                "-shared",
                "-fPIC",
                str(path),
                "-o",
                f"{path}.so",
                "-lm",
            ]
            subprocess.run(words, check=True)
            library = ffi.dlopen(f"{path}.so")
            given = [ffi.from_buffer("float[]", each) for each in (x, y, out)]
            calls[way] = lambda library=library, given=given: getattr(library, name)(*given)
            calls[way]()
            assert np.allclose(out, (y / (1 + np.exp(-x.astype(np.float64)))).sum(0), rtol=1e-3, atol=1e-3), way
        for way, found in timing.interleaved(calls, 1.0).items():
            print(f"{way}: {found.median_us:.1f} us, least {found.min_us:.1f}")


if __name__ == "__main__":
    main()

"""Programs of one Spec that ask for their lines otherwise (`[prefetch]` of a target), in turns, beside a plain sum over
as many bytes as the inputs have.

    asked.py SPEC light_panel=2048 far_panel=4096,far_rows=0 ...   each argument is a way; the target's own is first
    asked.py SPEC --copies 3 --threads 2 ...

Of several copies each call takes the next: what is larger than a shared cache together comes from memory, as a model's
weights do. An element of 4 bits counts as a byte there.
"""

from __future__ import annotations

import argparse
import itertools
from dataclasses import fields, replace

from speed import turns


def main() -> None:
    import griotte as gt
    import numpy as np
    from griotte.lang.meaning.samples import random_arrays
    from griotte.machine import Prefetch, resolve
    from griotte.runtime.timing import read_bandwidth

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("spec", metavar="SPEC")
    parser.add_argument("ways", nargs="*", metavar="FIELD=N,...")
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_intermixed_args()
    own, spec, kinds = resolve("native"), gt.parse(asked.spec), {f.name: type(f.default) for f in fields(Prefetch)}
    arrays = random_arrays(spec, np.random.default_rng(0))
    copies = [[array.copy(order="K") for array in arrays] for _ in range(asked.copies)]

    def bound(way: str):
        changed = {
            name: kinds[name](value) for name, _, value in (each.partition("=") for each in way.split(",") if each)
        }
        program = gt.synthesize(
            spec, threads=asked.threads, target=replace(own, prefetch=replace(own.prefetch, **changed)), table="none"
        )
        out = program.compile()(*arrays)
        calls = itertools.cycle([program.compile().bind(*each, out=out) for each in copies])

        def one() -> None:
            next(calls)()

        return one

    read = sum(t.bytes for t in spec.inputs)
    probe = read_bandwidth(asked.copies * read, own, asked.threads)
    found = turns(
        {"own": bound(""), **{way: bound(way) for way in asked.ways}, "read": probe}, asked.rounds, asked.threads
    )["median_us"]
    found["read"] *= read / probe.work
    for name, us in found.items():
        print(f"{name:40} {us:9.1f} us {found['own'] / us:6.2f} x own {found['read'] / us:6.2f} of the sum")


if __name__ == "__main__":
    main()

"""JAX's own cases of its primitives through `from_jax`: how many are right, wrong and refused.

    python benchmarks/jax_lax.py OUT.jsonl [--match WORD] [--every 1] [--limit 30] [--kernel]
    python benchmarks/jax_lax.py OUT.jsonl --only-table [--docs docs/lab/jax/README.md]

Cases are those that JAX's package has: `test_harnesses` (a function of one primitive, with what it is called with) and
`lax_test_util` (operations of lax, each with shapes that go together and the dtypes that it takes). Of them every
`--every`th is run. Graphs are evaluated by griotte's reference; with `--kernel` it is `griotte.jax.jit`, which compiles
them. OUT.jsonl has a line for each case, and a run goes on behind the last one. It is one process, which starts itself
anew when it holds more than `--memory` GiB. Needs jax and absl-py, which JAX's harnesses want.

Right is where each element is within `sampled.WITHIN` of what `jax.jit` gives, relative to it and to the largest of
the result, and dtypes and shapes are JAX's. A result of 16 bits that is as near to JAX's of the same numbers in
f32 is right as well. Of an order that says nothing of equal elements (`isstable_False`) rows are compared in an order
of their own, and of `approx_top_k`, which says as little, what stands at its places. What is computed while a function
is read alone is `folded`.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import jax
import numpy as np
from sampled import anew, apart, are_places, by_name, into_page, timed

BEGIN = "<!-- by benchmarks/jax_lax.py -->\n"
WHAT = ("right", "folded", "refused", "wrong", "error", "jax")
NARROW = ("bfloat16", "float16")


@dataclass(frozen=True)
class Case:
    """A function of arrays, and how its arrays are made.

    Attributes:
        group: the primitive.
        name: of the case, of its own.
        function: of the arrays.
        arrays: makes them, by a generator of random numbers.
    """

    group: str
    name: str
    function: Callable[..., Any]
    arrays: Callable[[np.random.RandomState], Any]


def harnesses() -> Iterator[Case]:
    """Cases of primitives, those that JAX has on CPUs."""
    from jax._src.internal_test_util.test_harnesses import all_harnesses

    for each in all_harnesses:
        if each.filter("cpu"):
            yield Case(each.group_name, f"harness {each.fullname}", each.dyn_fun, each.dyn_args_maker)


def operations() -> Iterator[Case]:
    """Operations of lax, by shapes and dtypes."""
    from jax._src.internal_test_util.lax_test_util import compatible_shapes, lax_ops

    for record in lax_ops():
        function = getattr(jax.lax, record.op)
        for shapes, dtype in product(compatible_shapes, record.dtypes):
            for own in dict.fromkeys(product(shapes, repeat=record.nargs)):
                if len({len(shape) for shape in own}) == 1:
                    given = ", ".join(f"{np.dtype(dtype).name}{list(shape)}" for shape in own)
                    yield Case(record.op, f"lax {record.op}({given})", function, partial(_drawn, record, own, dtype))


def _drawn(record: Any, shapes: Any, dtype: Any, rng: np.random.RandomState) -> list[Any]:
    draw = record.rng_factory(rng)
    return [draw(shape, dtype) for shape in shapes]


def wrong(found: np.ndarray, wanted: np.ndarray, finer: np.ndarray | None) -> str:
    """What is wrong with a result; "" where it is right."""
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return f"{found.dtype}{list(found.shape)} in place of {wanted.dtype}{list(wanted.shape)}"
    if not jax.numpy.issubdtype(wanted.dtype, np.floating):
        return "" if np.array_equal(found, wanted) else f"{int((found != wanted).sum())} of {wanted.size} elements"
    off = apart(found, wanted, wanted.dtype.name)
    if off > 1 and finer is not None and finer.shape == wanted.shape:
        off = min(off, apart(found, finer, wanted.dtype.name))
    return "" if off <= 1 else f"{off:.3g} times what is allowed"


def in_f32(case: Case, arrays: list[Any]) -> list[Any] | None:
    """What JAX gives of the same numbers in f32; None where it has no such result."""
    try:
        wide = [each.astype(np.float32) if each.dtype.name in NARROW else each for each in arrays]
        return [np.asarray(each) for each in jax.tree_util.tree_leaves(jax.jit(case.function)(*wide))]
    except Exception:
        return None


def run_by(case: Case, arrays: list[Any], by_kernel: bool) -> tuple[str, Any]:
    """("found", what griotte gives), or (what became of it, why)."""
    import griotte as gt
    import griotte.jax
    from griotte.models.reference import interpret

    if by_kernel:
        fast = griotte.jax.jit(case.function, table="none")
        found = jax.tree_util.tree_leaves(fast(*arrays))
        (row,) = fast.rows
        return ("found", found) if row.taken else ("refused", row.why[:300])
    try:
        graph = gt.from_jax(case.function, *arrays)
    except gt.GriotteError as why:
        return "refused", str(why)[:300]
    if lacking := graph.unsupported():
        return "refused", "; ".join(f"{each.operator}: {each.why}" for each in lacking[:3])[:300]
    if not graph.calls and not graph.outputs:
        return "folded", "no element is given"
    given = [np.asarray(each) for each in arrays if each.size]
    return "found", interpret(graph, *given)


def rows_in_order(results: Any) -> list[np.ndarray]:
    """Several results of one axis, each element with those of the others, in one order of all; one result as it is."""
    arrays = [np.asarray(each) for each in results]
    if len(arrays) == 1 or arrays[0].ndim != 1:
        return arrays
    order = np.lexsort(arrays[::-1])
    return [each[order] for each in arrays]


def tried(case: Case, by_kernel: bool) -> tuple[str, str]:
    """(what became of a case, why)."""
    import zlib

    rng = np.random.RandomState(zlib.crc32(case.name.encode()))
    try:
        arrays = [jax.numpy.asarray(each) for each in case.arrays(rng)]
        wanted = [np.asarray(each) for each in jax.tree_util.tree_leaves(jax.jit(case.function)(*arrays))]
    except Exception as why:
        return "jax", f"{type(why).__name__}: {str(why)[:200]}"
    if not arrays:
        return "folded", "no array is given"
    became, found = run_by(case, arrays, by_kernel)
    if became != "found":
        return became, found
    if len(found) != len(wanted):
        return "wrong", f"{len(found)} results in place of {len(wanted)}"
    if "isstable_False" in case.name:
        found, wanted = rows_in_order(found), rows_in_order(wanted)
    if case.group == "approx_top_k" and are_places(found[1], wanted[1], [np.asarray(arrays[0])], [wanted[0]]):
        found = [found[0], wanted[1]]
    is_narrow = any(each.dtype.name in NARROW for each in wanted)
    finer = in_f32(case, arrays) if is_narrow else None
    for place, (one, other) in enumerate(zip(found, wanted)):
        if told := wrong(np.asarray(one), other, finer and finer[place]):
            return "wrong", f"result {place}: {told}"
    return "right", ", ".join(f"{each.dtype}{list(each.shape)}" for each in arrays)


def run(given: argparse.Namespace, done: dict[str, Any]) -> None:
    """Every case that is not done, a line each."""
    cases = [case for case in (*harnesses(), *operations()) if given.match in case.name][:: given.every]
    for number, case in enumerate(cases):
        if case.name in done:
            continue
        row = timed(partial(tried, case, given.kernel), given.limit)
        with given.out.open("a") as file:
            file.write(json.dumps([case.group, case.name, *row]) + "\n")
        if row[0] in ("wrong", "error"):
            print(row[0], case.name, row[1][-300:], flush=True)
        if number % 200 == 199:
            print(f"{number + 1} of {len(cases)}", flush=True)
            jax.clear_caches()
            anew(given.memory)


def read(out: Path) -> dict[str, Any]:
    """(group, what became of it, why, seconds) by the name of a case."""
    lines = out.read_text().splitlines() if out.exists() else []
    return {name: (group, *rest) for group, name, *rest in map(json.loads, lines)}


def reason(row: Any) -> str:
    return row[2].split("; ")[0][:140]


def summary(done: dict[str, Any]) -> str:
    by_source: dict[str, Counter[str]] = defaultdict(Counter)
    for name, row in done.items():
        by_source[SOURCES[name.split()[0]]][row[1]] += 1
    lines = [f"| {of} | " + " | ".join(str(count[what]) for what in WHAT) + " |" for of, count in by_source.items()]
    return "\n".join([f"| cases of | {' | '.join(WHAT)} |", "|---|" + "---:|" * len(WHAT), *lines])


SOURCES = {"harness": "primitives (test_harnesses)", "lax": "operations (lax_test_util)"}


def table(done: dict[str, Any]) -> str:
    """For each primitive or operation how many cases are right, refused and wrong."""
    by_group: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in done.values():
        by_group[row[0]].append((row[1], reason(row) if row[1] == "refused" else ""))
    return by_name("primitive or operation", by_group)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, help="what became of cases, a line each")
    parser.add_argument("--match", default="", help="in the name of a case")
    parser.add_argument("--every", type=int, default=1, help="of so many cases one is run")
    parser.add_argument("--limit", type=float, default=30, help="seconds of a case")
    parser.add_argument("--memory", type=float, default=3, help="GiB at which the process starts anew")
    parser.add_argument("--kernel", action="store_true", help="compile graphs, by griotte.jax.jit")
    parser.add_argument("--only-table", action="store_true", help="run nothing")
    parser.add_argument("--docs", type=Path, help="a page that the table of primitives is written into")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    if not given.only_table:
        run(given, read(given.out))
    done = read(given.out)
    for name, row in done.items():
        if row[1] in ("wrong", "error"):
            print(f"{row[1]} {name}: {row[2][-400:]}")
    for why, count in Counter(reason(row) for row in done.values() if row[1] == "refused").most_common(80):
        print(f"{count:5} {why}")
    print(summary(done))
    if given.docs:
        into_page(given.docs, BEGIN, f"{summary(done)}\n\n{table(done)}\n")


if __name__ == "__main__":
    main()

"""The table of solved families: what it takes to keep a problem, to ask again, and to solve one that overlaps.

Sizes are of the file alone, its log written back. Points are (sizes, limits) pairs of all families, those that a search
solved; the patches hold as many.
"""

from __future__ import annotations

import functools
import os
import statistics
import tempfile
import time

import child
from griotte.engine.canonical.canonical import canonical_form
from row import Result, Row, Run

CUBE, DOUBLE = "matmul(f32[1024,1024], f32[1024,1024])", "matmul(f32[2048,2048], f32[2048,2048])"
HALF, AWKWARD = "matmul(f32[512,512], f32[512,512])", "matmul(f32[500,512], f32[512,512])"
DYNAMIC = "matmul(f32[<=512,768], const f32[768,768])"
MIB = 1 << 20


def rows() -> list[Row]:
    return [
        Row("table-boxes", "f32 1024^3: points a box", ">= 100", _boxes),
        Row("table-file", "f32 1024^3: file, bytes a solved Spec", "<= 10 MB, 0.2 bytes", _file),
        Row("table-write", "f32 1024^3: boxes made and written", "<= 3 s", _write),
        Row("table-again", "f32 1024^3: opened and asked again", "<= 50 ms", _again),
        Row(
            "table-overlap",
            "2048^3 after 1024^3: points solved again",
            "<= 0.7 of 2048^3 alone",
            functools.partial(_overlap, CUBE, DOUBLE, 0.7),
        ),
        Row(
            "table-awkward",
            "500x512x512 after 512^3: points solved again",
            "< 1 of it alone",
            functools.partial(_overlap, HALF, AWKWARD, 1.0),
        ),
        Row("table-memory", "f32 4096^3, peak memory", "<= 3 GiB", _memory),
        Row("table-bound", "f32 1024^3 within --memory 256MiB", "<= 256 MiB", _bound),
        Row("table-dynamic", "any m <= 512 (x 768 x 768) against m alone", "<= 1.05 by the model", _dynamic),
    ]


@functools.cache
def _solved() -> dict:
    """One solve of the cube into a new file; asked again by a second process."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.griotte")
        child.call("tables:ask", "matmul(f32[64,64], f32[64,64])", "none")  # Numba's cache on disk
        first = child.call("tables:ask", CUBE, path)
        again = [child.call("tables:ask", CUBE, path) for _ in range(3)]
        alone = [child.call("tables:ask", CUBE, "none") for _ in range(3)]
        return {"first": first, "again": again, "alone": alone}


def ask(text: str, table: str, memory: int | None = None) -> dict:
    """In a child: the program of a Spec, with times of making boxes and of writing; the file's size at the end."""
    import griotte as gt
    import griotte.engine.table.store
    import griotte.support.folders
    from griotte.engine.search import solve, solved  # noqa: F401
    from griotte.engine.table.file import opened
    from griotte.engine.table.table import Table

    spent = {"cover": 0.0, "keep": 0.0}
    solve.cover, Table.keep = _timed(solve.cover, spent, "cover"), _timed(Table.keep, spent, "keep")
    spec = gt.parse(text)
    gt.targets.resolve("native")
    started = time.perf_counter()
    program = gt.synthesize(spec, table=table, **({} if memory is None else {"memory": memory}))
    seconds = time.perf_counter() - started
    if table != "none":
        opened(table).close()
    size = os.path.getsize(table) if table != "none" else 0
    return {
        "seconds": seconds,
        "cost": program.cost,
        "bytes": size,
        "peak_mib": child.peak_mib(),
        "spent": spent,
        **program.stats,
    }


def _timed(function, spent: dict, name: str):
    def timed(*args):
        started = time.perf_counter()
        try:
            return function(*args)
        finally:
            spent[name] += time.perf_counter() - started

    return timed


def _boxes(run: Run) -> Result:
    found = _solved()["first"]
    return Result(
        f"{found['compression']:.0f} ({found['specs_solved']:,} points in {found['rectangles']:,} boxes)",
        found["compression"] >= 100,
        found,
    )


def _file(run: Run) -> Result:
    found = _solved()["first"]
    each = found["bytes"] / found["specs_solved"]
    return Result(f"{found['bytes'] / 1e6:.1f} MB, {each:.3f} bytes", found["bytes"] <= 10e6 and each <= 0.2, found)


def _write(run: Run) -> Result:
    """Seconds of its threads together: more than what passes on the clock."""
    spent = _solved()["first"]["spent"]
    took = spent["cover"] + spent["keep"]
    wall, alone = _solved()["first"]["seconds"], statistics.median(f["seconds"] for f in _solved()["alone"])
    return Result(f"{took:.2f} s of CPU time ({wall:.1f} s in all, {alone:.1f} s without a file)", took <= 3, spent)


def _again(run: Run) -> Result:
    found = _solved()["again"]
    took = statistics.median(f["seconds"] for f in found)
    right = all(f["specs_solved"] == 0 and f["cost"] == _solved()["first"]["cost"] for f in found)
    return Result(
        f"{1e3 * took:.0f} ms in a new process, imports apart" + ("" if right else "; not the same answer"),
        took <= 0.05 and right,
        {"runs": found},
    )


def _overlap(first: str, second: str, bar: float, run: Run) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.griotte")
        child.call("tables:ask", first, path)
        after = child.call("tables:ask", second, path)
    alone = child.call("tables:ask", second, "none")
    share = after["specs_solved"] / alone["specs_solved"]
    measured = (
        f"{share:.2f} ({after['specs_solved']:,} of {alone['specs_solved']:,}); {after['seconds']:.1f} s against"
        f" {alone['seconds']:.1f} s"
    )
    return Result(measured, share <= bar and after["cost"] == alone["cost"], {"after": after, "alone": alone})


def _memory(run: Run) -> Result:
    found = child.call("tables:ask", "matmul(f32[4096,4096], f32[4096,4096])", "none")
    return Result(f"{found['peak_mib'] / 1024:.2f} GiB", found["peak_mib"] <= 3 * 1024, found)


def _bound(run: Run) -> Result:
    found, free = child.call("tables:ask", CUBE, "none", 256 * MIB), _solved()["alone"][0]
    measured = (
        f"{found['peak_mib']:.0f} MiB, {found['seconds']:.1f} s (without a bound {free['peak_mib']:.0f} MiB,"
        f" {free['seconds']:.1f} s)"
    )
    return Result(measured, found["peak_mib"] <= 256 and found["cost"] == free["cost"], found)


def _dynamic(run: Run) -> Result:
    found = child.call("tables:dynamic", DYNAMIC)
    measured = (
        f"{found['worst']:.3f} at m = {found['at']}; {found['groups']} groups, solved in {found['seconds']:.0f} s,"
        f" {found['peak_mib'] / 1024:.1f} GiB"
    )
    return Result(measured, found["worst"] <= 1.05, found)


def dynamic(text: str) -> dict:
    """In a child: the dearest of all sizes of a dynamic Spec, against the program of least cost for that size alone
    (the same home level, the same table)."""
    import griotte as gt
    from griotte.engine.search.rebuild import Rebuild
    from griotte.engine.search.solved import Solved
    from griotte.engine.table.store import Store

    with tempfile.TemporaryDirectory() as folder:
        path, target = os.path.join(folder, "t.griotte"), gt.targets.resolve("native")
        program = gt.synthesize(text, table=path)
        solved = Solved(canonical_form(gt.parse(text)), target, 1, Store(path, target))
        rebuild, goal, dim = Rebuild(solved.table), solved.start.goal, solved.dynamic.dim
        ratios = {
            m: program.at(m).cost / rebuild.best(goal, {**solved.start.sizes, dim: m}).cost
            for m in range(1, solved.start.sizes[dim] + 1)
        }
    worst = max(ratios, key=ratios.get)
    return {
        "worst": ratios[worst],
        "at": worst,
        "groups": len(program.groups),
        "seconds": program.stats["synthesis_s"],
        "peak_mib": program.stats["peak_rss_mb"],
    }

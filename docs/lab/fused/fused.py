"""Fused or not: what the search chooses for a graph of a few nests, beside other ways to schedule the same graph: what
each is predicted to take, and what it takes.

    python docs/lab/fused/fused.py [--only attention] [--threads 1] [--seconds 4] [--programs] [--markdown FILE]

Four kinds of way:
  search   the program of least cost
  whole    the one of least cost whose softmax is not cut into shards, where the search's is
  by hand  the first steps are given (tiles, where a buffer lies), the rest is the cheapest there is
  apart    the calls one after the other over whole arrays, each the cheapest program of its own, as a library without
           fusing runs them (of causal attention without the mask)

By the process's own time where there is one thread: what else the machine does still disturbs caches and clock, so
least and median are both told.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import griotte as gt
import numpy as np
from griotte.engine.program.nodes import Shards
from griotte.engine.search.solved import Solved
from griotte.lang.meaning.samples import random_arrays
from griotte.runtime.timing import Timing, interleaved
from griotte.support.errors import GriotteError

Steps = Callable[[Any], Any]


@dataclass(frozen=True)
class Graph:
    """A Spec, ways to begin it by hand, and its calls apart, where they are compared: each reads what is given (by
    number) or what came before it (by -1, -2, ..)."""

    text: str
    hand: dict[str, Steps]
    apart: tuple[tuple[str, tuple[int, ...]], ...] = ()


@dataclass(frozen=True)
class Way:
    """Its price in cycles, its call, its program as printed."""

    cost: float
    call: Callable[[], Any]
    program: str


def rows(block: int, level: str, tensor: str = "scores") -> Steps:
    """A head, then so many rows of it at a time, their scores in that cache."""
    return lambda spec: gt.schedule(spec).tile("h", 1).tile("m", block).bufferize(tensor, level)


def rounds(block: int) -> Steps:
    """A head, its keys and values in L2, then so many rows of it at a time in rounds of 256 keys."""
    return lambda spec: (
        gt.schedule(spec).tile("h", 1).move(1, "L2").move(2, "L2").tile("m", block).factor("div").online(256, "L2")
    )


def skip(block: int) -> Steps:
    """A head, then blocks of so many rows of it, each over the columns that it sees; 0: over all."""
    return lambda spec: gt.schedule(spec).tile("h", 1).skip(block)


def halo(block: int) -> Steps:
    """Blocks of so many rows, each with its halo; 0: all rows at once."""
    return lambda spec: gt.schedule(spec).halo(block)


def at_whole(tensor: str) -> Steps:
    """That tensor a whole array, before what reads it."""
    return lambda spec: (begun := gt.schedule(spec)).bufferize(tensor, begun.target.levels[begun.home].name)


def depthwise(rows: int, project: bool, residual: bool = False) -> Graph:
    """16 channels become 96 by a 1x1 convolution, a depthwise 3x3 convolution follows and, where it is asked for, a 1x1
    one to as many channels."""
    expand = f"relu(conv2d(%x: f32[1,16,{rows},{rows}], const f32[96,16,1,1]))"
    text = f"relu(conv2d({expand}, const f32[96,1,3,3], padding=1, groups=96))"
    text = f"conv2d({text}, const f32[16,96,1,1])" if project else text
    ways = {"all rows at once": halo(0) if project else at_whole("relu")} | {
        f"blocks of {block} rows": halo(block) for block in ((7, 14) if project else (7, 14, 28))
    }
    return Graph(f"add({text}, %x)" if residual else text, ways)


def stem() -> Graph:
    """A ResNet's first convolution and the pooling after it."""
    return Graph(
        "max_pool2d(relu(conv2d(f32[1,3,224,224], const f32[64,3,7,7], stride=2, padding=3)), window=3, stride=2,"
        " padding=1)",
        {"all rows at once": halo(0)} | {f"blocks of {block} rows": halo(block) for block in (7, 14, 28)},
    )


def residual() -> Graph:
    """Two 3x3 convolutions and a shortcut."""
    inner = "relu(add(conv2d(%x: f32[1,64,56,56], const f32[64,64,3,3], padding=1), const f32[64,1,1]))"
    return Graph(
        f"relu(add(add(conv2d({inner}, const f32[64,64,3,3], padding=1), const f32[64,1,1]), %x))",
        {f"blocks of {block} rows": halo(block) for block in (14, 28)},
    )


def whole(program: gt.Program) -> gt.Program:
    """The program of least cost that does not begin with shards."""
    solved = Solved(program.canonical, program.target, program.threads)
    return replace(program, root=next(root for root in solved.kinds() if not isinstance(root, Shards)))


def attention(s: int, t: int, heads: int = 12, mask: bool = False) -> Graph:
    """Without a mask, or with one of floats that is added to the scores of all heads."""
    q, k, p = f"f32[{heads},{s},64]", f"f32[{heads},{t},64]", f"f32[{heads},{s},{t}]"
    by_rows = {
        f"{b} rows of scores in {level}": rows(b, level, "add" if mask else "scores")
        for b, level in ((6, "L1"), (24, "L2"), (96, "L2"))
    }
    by_rounds = {f"{b} rows in rounds of 256": rounds(b) for b in (6, 24, 96) if t > 256 and not mask}
    given = f"{q}, {k}, {k}, mask=f32[{s},{t}]" if mask else f"{q}, {k}, {k}"
    softmax = (f"softmax(add({p}, f32[{s},{t}]))", (-1, 3)) if mask else (f"softmax({p})", (-1,))
    return Graph(
        f"attention({given})",
        by_rows | by_rounds if heads > 1 else {},
        ((_scores(q, p), (0, 1)), softmax, (f"matmul({p}, {k})", (-1, 2))),
    )


def _scores(q: str, p: str) -> str:
    """The product of queries `q` and keys, these by columns, that gives `p`."""
    heads, _, keys = p[4:-1].split(",")
    return f"matmul({q}, f32[{heads},64,{keys}]{{1,2,0}}) -> {p}"


def causal(s: int) -> Graph:
    """What a causal mask hides, skipped or not."""
    q, p = f"f32[12,{s},64]", f"f32[12,{s},{s}]"
    ways = {f"blocks of {b} rows" if b else "nothing skipped": skip(b) for b in (0, s // 2, s // 4)}
    return Graph(
        f"attention({q}, {q}, {q}, causal=true)",
        ways,
        ((_scores(q, p), (0, 1)), (f"softmax({p})", (-1,)), (f"matmul({p}, {q})", (-1, 2))),
    )


def softmax(m: int, n: int) -> Graph:
    x = f"f32[{m},{n}]"
    return Graph(
        f"softmax({x})",
        {
            "exponentials kept": lambda spec: gt.schedule(spec).bufferize("max", "L1").at(1).bufferize("exp", "L2"),
            "computed twice": lambda spec: gt.schedule(spec).inline("exp"),
            "kept where the result goes": lambda spec: in_place(gt.schedule(spec).tile("i0", 1), "L2"),
            "kept there, viewed in L1": lambda spec: in_place(gt.schedule(spec).tile("i0", 1), "L1"),
            "kept there, no view": lambda spec: in_place(gt.schedule(spec).tile("i0", 1)),
            "in rounds of 1024": lambda spec: gt.schedule(spec).tile("i0", 1).online(1024, "L1"),
            "by pairs": lambda spec: gt.schedule(spec).tile("i0", 1).pairs(),
        },
        (
            (f"max({x}, axis=1, keepdims=true)", (0,)),
            (f"exp(sub({x}, f32[{m},1]))", (0, -1)),
            (f"sum({x}, axis=1, keepdims=true)", (-1,)),
            (f"div({x}, f32[{m},1])", (-2, -1)),
        ),
    )


def in_place(rows: Any, level: str = "") -> Any:
    """Exponentials of the rows where the result goes, which is near then, if a level is given."""
    rows = rows.move("y", level) if level else rows
    return rows.bufferize("max", "L1").at(1).bufferize("exp", "y")


def epilogue(m: int, k: int, n: int) -> Graph:
    product = f"matmul(f32[{m},{k}], const f32[{k},{n}])"
    return Graph(
        f"gelu(add({product}, const f32[{n}]))",
        {
            "done as it is stored": lambda spec: gt.schedule(spec).ahead(1, panel=16).finish("matmul"),
            "6 rows of the product in L2": (
                lambda spec: gt.schedule(spec).ahead(1, panel=16).tile("m", 6).bufferize("matmul", "L2")
            ),
            "24 rows of the product in L2": (
                lambda spec: gt.schedule(spec).ahead(1, panel=16).tile("m", 24).bufferize("matmul", "L2")
            ),
        },
        ((product, (0, 1)), (f"gelu(add(f32[{m},{n}], const f32[{n}]))", (-1, 2))),
    )


def norm(m: int, k: int, n: int) -> Graph:
    return Graph(
        f"matmul(layer_norm(f32[{m},{k}], f32[{k}], f32[{k}]), const f32[{k},{n}])",
        {},
        (
            (f"layer_norm(f32[{m},{k}], f32[{k}], f32[{k}])", (0, 1, 2)),
            (f"matmul(f32[{m},{k}], const f32[{k},{n}])", (-1, 3)),
        ),
    )


GRAPHS = {
    "attention 12x128x64": attention(128, 128),
    "attention 12x512x64": attention(512, 512),
    "attention 12x2048x64": attention(2048, 2048),
    "attention, one query, 2048 keys": attention(1, 2048),
    "one query of one head, 8192 keys": attention(1, 8192, 1),
    "causal attention 12x128x64": causal(128),
    "causal attention 12x512x64": causal(512),
    "causal attention 12x2048x64": causal(2048),
    "masked attention 12x128x64": attention(128, 128, mask=True),
    "masked attention 12x512x64": attention(512, 512, mask=True),
    "masked attention 12x2048x64": attention(2048, 2048, mask=True),
    "softmax 128x1024": softmax(128, 1024),
    "softmax 4096x128": softmax(4096, 128),
    "softmax 64x50257": softmax(64, 50257),
    "bias and gelu 128x768x3072": epilogue(128, 768, 3072),
    "bias and gelu 1024x64x4096": epilogue(1024, 64, 4096),
    "layer_norm, matmul 128x768x768": norm(128, 768, 768),
    "windows: 1x1, depthwise 3x3, 96x224x224": depthwise(224, False),
    "windows: 1x1, depthwise 3x3, 96x112x112": depthwise(112, False),
    "windows: 1x1, depthwise 3x3, 96x56x56": depthwise(56, False),
    "windows: 1x1, depthwise 3x3, 1x1, 96x112x112": depthwise(112, True),
    "windows: 1x1, depthwise 3x3, 1x1, shortcut, 96x56x56": depthwise(56, True, True),
    "windows: conv 7x7, max_pool 3x3, 64x112x112": stem(),
    "windows: two conv 3x3 and a shortcut, 64x56x56": residual(),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each way of a graph")
    parser.add_argument(
        "--programs", action="store_true", help="also the search's program, and that of the fastest other way"
    )
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    table = [
        (
            "| graph | way | predicted, 1000 cycles | of the search's | least, us | of the search's | median, us | of"
            " the search's |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    clock = time.thread_time if options.threads == 1 else time.perf_counter
    for name, graph in GRAPHS.items():
        if name.startswith(options.only):
            ways = ways_of(name, graph, options.threads)
            timings = interleaved({label: way.call for label, way in ways.items()}, options.seconds, clock)
            found = measured(name, ways, timings)
            table += found
            print("\n".join(found), flush=True)
            if options.programs:
                others = sorted(set(ways) - {"search"}, key=lambda label: timings[label].median_us)
                print("".join(f"\n{label}:\n{ways[label].program}\n" for label in ("search", *others[:1])), flush=True)
    if options.markdown:
        options.markdown.write_text("\n".join(table) + "\n")


def ways_of(name: str, graph: Graph, threads: int) -> dict[str, Way]:
    """The search's way first; one that does not apply is told and left out."""
    spec = gt.parse(graph.text)
    arrays = random_arrays(spec, np.random.default_rng(0))
    ways: dict[str, Way] = {}
    for label, steps in {"search": None, **graph.hand}.items():
        try:
            program = gt.synthesize(spec, threads=threads) if steps is None else gt.synthesize(steps(spec), threads=1)
        except GriotteError as why:
            print(f"{name}, {label}: {why}")
            continue
        for way, each in (
            {label: program} | ({"whole": whole(program)} if isinstance(program.root, Shards) else {})
        ).items():
            ways[way] = Way(
                each.cost, each.compile().bind(*arrays, out=np.empty(spec.output.shape, np.float32)), str(each)
            )
    return ways | ({"apart": apart(graph, arrays, threads)} if graph.apart else {})


def measured(name: str, ways: dict[str, Way], timings: dict[str, Timing]) -> list[str]:
    """A row of the table for each way."""
    cost, own = ways["search"].cost, timings["search"]
    rows = []
    for label, way in ways.items():
        least, median = timings[label].min_us, timings[label].median_us
        rows.append(
            f"| {name if label == 'search' else ''} | {label} | {way.cost / 1e3:,.0f} | {way.cost / cost:.2f} |"
            f" {least:,.0f} | {least / own.min_us:.2f} | {median:,.0f} | {median / own.median_us:.2f} |"
        )
    return rows


def apart(graph: Graph, arrays: list[np.ndarray], threads: int) -> Way:
    """The calls one after the other."""
    made: list[np.ndarray] = []
    calls, texts, cost = [], [], 0.0
    for text, reads in graph.apart:
        spec = gt.parse(text)
        program = gt.synthesize(spec, threads=threads)
        given = [arrays[i] if i >= 0 else made[i] for i in reads]
        given = [a if a.shape == t.shape else a.swapaxes(-1, -2) for a, t in zip(given, spec.inputs)]
        out = np.zeros(spec.output.shape, np.float32)
        calls.append(program.compile().bind(*given, out=out))
        made.append(out)
        cost += program.cost
        texts.append(f"{text}\n{program}")

    def run() -> None:
        for call in calls:
            call()

    return Way(cost, run, "\n".join(texts))


if __name__ == "__main__":
    main()

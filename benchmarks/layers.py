"""Where a network's time goes, layer by layer, beside onnxruntime.

    python benchmarks/layers.py MODEL.onnx --title NAME [--threads 1] [--json FILE] [--picture FILE.svg]
    python benchmarks/layers.py --json FILE --drawn --picture FILE.svg     draws what was measured

A layer here is all that gives tensors of one size of image, as ResNet's stages do; what gives none is the head. Both
engines' parts are timed within whole calls: griotte's by the clock between them, onnxruntime's by its profile. Both are
scaled to whole calls without either, in turns side by side (benchmarks/models.py).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

CALLS = 50
HEAD = "head"
NAMES = ("griotte", "onnxruntime")

# ---- measuring -------------------------------------------------------------------------------------------------------


def layer(shape: Sequence[int]) -> str:
    """By the shape of a result, images in NCHW: 56x56."""
    return "x".join(map(str, shape[2:])) if len(shape) == 4 and max(shape[2:]) > 1 else HEAD


def by_griotte(path: Path, threads: int) -> tuple[dict[str, float], Any, dict[str, Any]]:
    """Microseconds of each layer; the kernel, and the arrays that it was given, by name."""
    import griotte as gt
    from griotte.models.measuring import measured
    from models import arrays

    graph = gt.from_onnx(path)
    program = gt.synthesize(graph, threads=threads, effort=2)
    given = arrays(graph, path)
    found: dict[str, float] = defaultdict(float)
    for each, us in zip(program.parts, measured(program, given).parts, strict=True):
        if us is not None:
            found[layer(each.part.gives[-1].type.shape)] += us
    return dict(found), program.compile(), {value.name: array for value, array in zip(graph.inputs, given, strict=True)}


def by_onnxruntime(path: Path, threads: int, feed: dict[str, Any]) -> dict[str, float]:
    """Microseconds of each layer."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.enable_profiling = threads, True
    with tempfile.TemporaryDirectory() as folder:
        options.profile_file_prefix = f"{folder}/profile"
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        for _ in range(CALLS):
            session.run(None, feed)
        events = json.loads(Path(session.end_profiling()).read_text())
    found: dict[str, float] = defaultdict(float)
    for event in events:
        shapes = event.get("args", {}).get("output_type_shape")
        if event.get("cat") == "Node" and event["name"].endswith("_kernel_time") and shapes:
            ((_, shape),) = shapes[0].items()
            found[layer(shape)] += event["dur"] / CALLS
    return dict(found)


def measure(path: Path, title: str, threads: int) -> dict[str, Any]:
    import machine
    import models

    ours, kernel, feed = by_griotte(path, threads)
    theirs = by_onnxruntime(path, threads, feed)
    outs = kernel(*feed.values())
    calls = {
        "griotte": lambda: kernel(*feed.values(), out=outs),
        "onnxruntime": models.by_onnxruntime(path, threads, feed),
    }
    whole = {name: 1e6 * s for name, s in models.raced(calls).items()}
    scaled = {
        name: {each: us * whole[name] / sum(parts.values()) for each, us in parts.items()}
        for name, parts in zip(NAMES, (ours, theirs), strict=True)
    }
    told = {"title": title, "threads": threads, "machine": machine.lines(machine.describe())[0]}
    return told | {"layers": list(ours), "us": scaled}


# ---- the picture -----------------------------------------------------------------------------------------------------

WIDTH, LEFT, RIGHT, BAR, ROW, TOP = 640, 84, 96, 13, 42, 30
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 } .note { fill: #666; font-size: 12px }
.griotte { fill: #9b1b3b } .onnxruntime { fill: #b9adb1 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .note { fill: #aaa } .griotte { fill: #e0567d }
    .onnxruntime { fill: #6f6569 } }
"""


def picture(found: dict[str, Any]) -> str:
    """A pair of bars a layer, in the order in which layers run, and one for the whole call, at its own scale."""
    us, layers = found["us"], found["layers"]
    most = max(us[name].get(each, 0.0) for name in NAMES for each in layers)
    shapes = [_legend(found)]
    for n, each in enumerate(layers):
        shapes += _pair(n, each, {name: us[name].get(each, 0.0) for name in NAMES}, most)
    whole = {name: sum(us[name].values()) for name in NAMES}
    shapes += _pair(len(layers), "in all", whole, max(whole.values()))
    height = TOP + ROW * (len(layers) + 1) + 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        f' aria-label="{escape(found["title"])} by layer"><style>{STYLE}</style>\n' + "\n".join(shapes) + "\n</svg>\n"
    )


def _legend(found: dict[str, Any]) -> str:
    threads = f"{found['threads']} thread{'s' * (found['threads'] > 1)}"
    words = f"{found['title']}, {threads}, us; in all at a scale of its own"
    return f'<text x="4" y="15">{escape(words)}</text>'


def _pair(n: int, label: str, us: dict[str, float], most: float) -> list[str]:
    top = TOP + n * ROW
    shapes = [f'<text x="{LEFT - 8}" y="{top + BAR + 5}" text-anchor="end">{escape(label)}</text>']
    for place, name in enumerate(NAMES):
        y, wide = top + place * (BAR + 2), (WIDTH - LEFT - RIGHT) * us[name] / most
        told = f"{us[name]:,.0f}" + (f" {name}" if n == 0 else "")
        shapes.append(f'<rect class="{name}" x="{LEFT}" y="{y}" width="{wide:.1f}" height="{BAR}" rx="2"/>')
        shapes.append(f'<text class="note" x="{LEFT + wide + 6:.1f}" y="{y + 11}">{told}</text>')
    return shapes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--title", default="a network")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where the measurement is kept")
    parser.add_argument("--drawn", action="store_true", help="measure nothing")
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    if options.drawn:
        found = json.loads(options.json.read_text())
    else:
        found = measure(options.model, options.title, options.threads)
        text = json.dumps(found, indent=1) + "\n"
        options.json.write_text(text) if options.json else print(text)
    if options.picture:
        options.picture.write_text(picture(found))


if __name__ == "__main__":
    main()

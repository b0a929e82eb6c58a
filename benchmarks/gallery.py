"""The gallery: programs of several kinds with their pictures, rooflines, C, and times beside rivals.

    python benchmarks/gallery.py                      writes docs/gallery from what is kept
    python benchmarks/gallery.py --measure [NAME ..]  finds and times exhibits of gallery.toml, keeps them in
                                                      benchmarks/results/gallery, then writes the pages
    .. --found FILE                                   takes times from a file of race.py or models.py --json

`make gallery` is the first; `make gallery GALLERY=--measure` the second. Times of operations and graphs are race.py's,
of networks models.py's, on one thread.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
EXHIBITS = tomllib.loads((HERE / "gallery.toml").read_text())
KEPT = HERE / "results/gallery"
PAGES = HERE.parent / "docs/gallery"
LEAST = 0.05
"""Of the cost: what takes less is left out of a program's outline on its page."""
LONGEST = 12
"""Lines of a program's outline on its page."""
LONGEST_C = 150_000
"""Characters of C that are kept; of what is longer, the part that costs most."""


# ---- measuring -------------------------------------------------------------------------------------------------------


def measure(names: list[str], found: Path | None) -> None:
    for name in names:
        exhibit = EXHIBITS[name]
        kept = _operation(exhibit, found) if "problem" in exhibit else _network(exhibit, found)
        print(f"{name}: {kept['us']}", flush=True)
        texts = kept.pop("texts")
        folder = KEPT / name
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.iterdir():
            file.unlink()
        for file, text in texts.items():
            (folder / file).write_text(text)
        (folder / "exhibit.json").write_text(json.dumps(kept, indent=1) + "\n")


def _operation(exhibit: dict[str, str], found: Path | None) -> dict[str, Any]:
    import griotte as gt
    from racing import kept

    if found is None:
        found = HERE / "scratch/race-gallery.json"
        command = [str(HERE / "race.py"), "--only", exhibit["problem"], "--threads", "1", "--begin", "line"]
        subprocess.run([sys.executable, *command, "--name", "gallery"], check=True)
    run = kept.condensed(kept.read(found))
    (heat,) = (each for each in run["heats"] if each["problem"]["name"] == exhibit["problem"] and each["threads"] == 1)
    program = gt.synthesize(heat["problem"]["spec"])
    return {
        "spec": heat["problem"]["spec"],
        "machine": run["machine_lines"][0],
        "date": run["finished"][:10],
        "commit": run["commit"],
        "us": heat["us"],
        "title": program.explain().split("\n", 1)[0],
        "texts": _texts(program),
    }


def _network(exhibit: dict[str, str], found: Path | None) -> dict[str, Any]:
    import griotte as gt
    import machine
    import models

    ((name, (path, shapes)),) = models.models([exhibit["model"]], Path()).items()
    if found is None:
        found = HERE / "scratch/models-gallery.json"
        command = [str(HERE / "models.py"), name, "--threads", "1", "--json", str(found)]
        subprocess.run([sys.executable, *command], check=True)
    run = json.loads(found.read_text())[f"{name} 1"]
    program = gt.synthesize(gt.from_onnx(path, shapes=shapes), threads=1, effort=2)
    here = machine.describe()
    return {
        "spec": f"{path.name}, {', '.join(f'{key}: {list(shape)}' for key, shape in shapes.items())}",
        "machine": machine.lines(here)[0],
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "commit": here["commit"],
        "us": {rival: 1e3 * ms for rival, ms in run["ms"].items()},
        "title": program.explain().split("\n", 1)[0],
        "texts": _texts(program),
    }


def _texts(program: Any) -> dict[str, str]:
    """A program's outline, pictures and C, by the names of their files."""
    from griotte.compiler.reports import ceilings, drawing, graph, model, model_html

    parts = [each.program for each in getattr(program, "parts", ()) if each.program is not None]
    c, largest = program.to_c(), max(parts, key=lambda each: each.cost, default=program)
    if isinstance(program.report, model_html.ModelReport):
        picture = model_html.drawing(model.rows(program, None), model_html.links(program))
    else:
        picture = drawing.svg(graph.picture(largest))
    outline = program.report.text(LEAST)
    plotted = ceilings.ceilings(largest)
    texts = {"program.txt": outline + "\n", "picture.svg": picture, "program.c": c}
    if len(c) > LONGEST_C:
        texts["program.c"] = f"/* The part that costs most. */\n{largest.to_c()}"
    return texts | ({"roofline.svg": ceilings.plot(plotted)} if plotted else {})


# ---- pages -----------------------------------------------------------------------------------------------------------


def pages() -> dict[str, str]:
    """The text of each page of docs/gallery, by its file."""
    kept = {name: json.loads((KEPT / name / "exhibit.json").read_text()) for name in EXHIBITS if (KEPT / name).exists()}
    found = {f"{name}.md": "\n".join(_page(name, each)) for name, each in kept.items()}
    return found | {"README.md": "\n".join(_index(kept))}


def _page(name: str, kept: dict[str, Any]) -> Iterator[str]:
    folder = f"../../benchmarks/results/gallery/{name}"
    exhibit = EXHIBITS[name]
    yield f"# {exhibit['title']}\n"
    yield f"{exhibit['words']}\n"
    kind = "network" if "model" in exhibit else "text"
    yield f"```text\n{_broken(kept['spec'])}\n```\n" if kind == "text" else f"File: `{kept['spec']}`.\n"
    yield "## Time\n"
    yield f"{kept['machine'].partition(';')[0]}; one thread, {kept['date']}, commit {kept['commit']}.\n"
    yield from _times(kept["us"])
    outline = (KEPT / name / "program.txt").read_text().rstrip().split("\n")
    shown = [line for line in outline if line and not line.startswith("cut at")]
    yield "## Program\n"
    yield f"```text\n{chr(10).join(shown[:LONGEST])}\n```\n"
    if len(outline) > LONGEST:
        yield f"[All {len(outline)} lines]({folder}/program.txt). [The C]({folder}/program.c).\n"
    else:
        yield f"[The C]({folder}/program.c).\n"
    yield "## Picture\n"
    yield f"![{exhibit['title']} as boxes]({folder}/picture.svg)\n"
    if (KEPT / name / "roofline.svg").exists():
        yield "## Roofline\n"
        yield f"![Roofline of {exhibit['title'].lower()}]({folder}/roofline.svg)\n"
        if " parts" in kept["title"]:
            yield "Of the part that costs most.\n"


def _times(us: dict[str, float]) -> Iterator[str]:
    """A table, fastest first."""
    ours = us["griotte"]
    rivals = {name: each for name, each in us.items() if name not in ("peak", "read")}
    yield "| | us | times as long as griotte |\n|---|---|---|"
    for name, each in sorted(rivals.items(), key=lambda pair: pair[1]):
        ratio = f"{each / ours:.2f}"
        yield f"| {name} | {_us(each)} | {f'**{ratio}**' if each < ours else ratio} |"
    yield ""


def _index(kept: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield "# Gallery\n"
    yield "Read here which programs griotte finds for seven kinds of work, and how long they take beside rivals.\n"
    yield "| exhibit | griotte us | best rival | its time over griotte's |\n|---|---|---|---|"
    for name, each in kept.items():
        rivals = {rival: us for rival, us in each["us"].items() if rival not in ("griotte", "peak", "read")}
        best = min(rivals, key=rivals.__getitem__)
        ratio = f"{rivals[best] / each['us']['griotte']:.2f}"
        told = f"**{ratio}**" if rivals[best] < each["us"]["griotte"] else ratio
        yield f"| [{EXHIBITS[name]['title']}]({name}.md) | {_us(each['us']['griotte'])} | {best} | {told} |"
    machines = sorted({each["machine"].partition(";")[0] for each in kept.values()})
    yield f"\nMeasured on {'; '.join(machines)}; one thread, medians of turns side by side. Bold: griotte is slower."
    yield "Rooflines are of the cost model; the thick line is the level where the data rests.\n"
    yield "`make gallery` writes these pages from [what was measured](../../benchmarks/results/gallery);"
    yield "`make gallery GALLERY=--measure` measures anew.\n"


def _us(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def _broken(spec: str, width: int = 110) -> str:
    """A Spec in lines, broken behind commas."""
    lines, line = [], ""
    for piece in spec.replace(", ", ",\0 ").split("\0"):
        if line and len(line) + len(piece) > width:
            lines.append(line.rstrip())
            line = "  "
        line += piece.lstrip() if line == "  " else piece
    return "\n".join([*lines, line])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="exhibits; all where none is named")
    parser.add_argument("--measure", action="store_true", help="find and time them first")
    parser.add_argument("--found", type=Path, help="a file of race.py or of models.py --json with their times")
    options = parser.parse_args()
    if options.measure:
        measure(options.names or list(EXHIBITS), options.found)
    PAGES.mkdir(exist_ok=True)
    for page, text in pages().items():
        (PAGES / page).write_text(text)


if __name__ == "__main__":
    main()

"""The programs that griotte finds for the problems, made before the race: kernels for it, and texts to compare between
versions.

A text is written anew only where it differs, so that a diff of the folder shows what a change in the search changed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path


def make(problems: list[dict], threads: int, kernels: str, target: str) -> Iterator[dict]:
    """In a child: each problem's program, from nothing; its kernel saved under `kernels`."""
    import griotte as gt
    from priced import target_named

    named = target_named(target)
    for problem in problems:
        folder = Path(kernels) / problem["name"]
        folder.parent.mkdir(parents=True, exist_ok=True)
        started = time.perf_counter()
        try:
            program = gt.synthesize(problem["spec"], named, threads, table="none")
            seconds = time.perf_counter() - started
            program.compile().save(folder)
        except Exception as error:  # a search that breaks off is told, and the race goes on without it
            folder.mkdir(exist_ok=True)
            (folder / "why_not").write_text(f"{type(error).__name__}: {error}")
            yield {"name": problem["name"], "error": str(error) or type(error).__name__}
            continue
        yield {"name": problem["name"], "cost": program.cost, "seconds": seconds, "text": str(program)}


def text_of(spec: str, threads: int, found: dict) -> str:
    if "error" in found:
        return f"{spec}\nthreads {threads}\nno program: {found['error']}\n"
    return f"{spec}\nthreads {threads}\ncost {found['cost']:.0f} cycles\n\n{found['text']}\n"


def keep(path: Path, text: str) -> bool:
    """Written where it differs from what is there; whether something else was there."""
    before = path.read_text() if path.exists() else None
    if before != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return before is not None and before != text

"""What a tree of griotte says to the problems of same.py, in a process of its own on that tree's modules.

They call the public face of griotte alone, and `parse_graph`, so that rooms may move between two trees.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import griotte as gt
import same_functions

Answer = dict[str, Any]
HERE = str(Path(__file__).parent)  # which JAX writes into the names of what it traced
DOORS = {"numpy": "graph", "torch": "from_torch", "jax": "from_jax"}


def found(path: str, start: int) -> Iterator[Answer]:
    """The answers to the problems of a file from number `start` on. An error is one too: the other tree is to fail
    alike."""
    for name, kind, text, target, threads in json.loads(Path(path).read_text())[start:]:
        try:
            yield KINDS[kind](name, text, target, threads)
        except Exception as error:
            yield {"error": f"{type(error).__name__}: {error}"}


def of_spec(name: str, text: str, target: str, threads: int) -> Answer:
    return solved(gt.synthesize(text, target, threads=threads, table="none"))


def of_schedule(name: str, text: str, target: str, threads: int) -> Answer:
    """A Spec in the first line, the steps by hand in the second."""
    spec, steps = text.splitlines()
    schedule = eval(f"begun{steps}", {"begun": gt.schedule(spec, target)})
    return {"schedule": str(schedule), **solved(gt.synthesize(schedule, threads=threads, table="none"))}


def of_model(name: str, text: str, target: str, threads: int) -> Answer:
    from griotte.models import parse_graph

    return of_graph(parse_graph(text), target, threads)


def of_function(name: str, text: str, target: str, threads: int) -> Answer:
    """The graph that a reader makes of one of same_functions, which is named `<door>/<name>`; the text is its own."""
    function, examples = getattr(same_functions, name.replace("/", "_"))()
    door = getattr(gt, DOORS[name.partition("/")[0]])
    return of_graph(door(function, *(examples if isinstance(examples, tuple) else (examples,))), target, threads)


def of_graph(graph: gt.ModelGraph, target: str, threads: int) -> Answer:
    program = gt.synthesize(graph, target, threads=threads, table="none")
    cut = "\n".join(f"{each.part.title}: {each.part.text}" for each in program.parts)
    found = {"graph": str(graph), "simple": str(program.simple), "cut": cut, **solved(program)}
    return {k: v.replace(HERE, "") if isinstance(v, str) else v for k, v in found.items()}


def solved(program: Any) -> Answer:
    took = program.stats.get("synthesis_s", 0.0)
    return {"program": str(program), "cost": program.cost.hex(), "C": program.to_c(), "search_s": took}


KINDS: dict[str, Callable[[str, str, str, int], Answer]] = {
    "spec": of_spec,
    "schedule": of_schedule,
    "model": of_model,
    "function": of_function,
}

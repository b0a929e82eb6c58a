"""griotte bench of a model: its kernel and others' runtimes, timed in turns in one process on the same data."""

from __future__ import annotations

from typing import Any

import numpy as np
from griotte_peers import MODEL_CONTESTANTS, quickest

from ...errors import SpecError
from ...ir.reference import empty
from ...printable import printable
from ...runtime import timing
from ...targets import detect
from ...targets.target import Target
from ..output import duration, echo, status
from .data import arrays_of
from .facts import facts
from .kernels import kernel_of
from .progress import watched
from .reading import ModelFile
from .references import REFERENCES, apart, available, fed, tolerance

TRYING = 0.3  # of the seconds for each contestant, in which its settings are tried


def measure_model(
    file: ModelFile,
    target: Target,
    threads: int,
    names: list[str],
    seconds: float,
    table: str | None,
    effort: int,
    host: str | None,
    as_json: bool,
) -> dict[str, Any]:
    """One result of the bench. The kernel's results are compared with those of every contestant; where there is none,
    with the reference's. `settings`: those of a contestant that were the quickest."""
    if names and file.path is None:
        raise SpecError(
            f"expected an .onnx file to bench against {', '.join(names)}, found the text {file}; write --against none"
        )
    with watched(as_json, table) as observer:
        kernel = kernel_of(file, target, threads, table, effort, host, observer)
    arrays = arrays_of(file.graph, "random", np.random.default_rng(0))
    out = tuple(empty(value.type) for _, value in file.graph.results)
    with status("measuring", as_json):
        call = kernel.bind(*arrays, out=out)
        call()
        chosen, missing = _contestants(file, arrays, threads, names, TRYING * seconds)
        within = tolerance(file)
        results = {name: each.results() for name, (_, each) in chosen.items()}
        results |= {} if results else {name: REFERENCES[name](file, arrays) for name in available(file)[:1]}
        errors = {name: max(map(apart, out, given)) for name, given in results.items()}
        runs: dict[str, Any] = {"griotte": call}
        times = timing.interleaved(runs | {name: each.run for name, (_, each) in chosen.items()}, seconds)
    ours, flops = times["griotte"], sum(value.spec.flops for value in file.graph.calls)
    wrong = [
        f"expected results within {within:g} of {n}'s, found {e:.2g}" for n, e in errors.items() if not e <= within
    ]
    return {
        **facts(file, kernel.stats, table),
        "max_rel_err": max(errors.values(), default=0.0),
        "tolerance": within,
        "ok": not wrong,
        "median_us": ours.median_us,
        "min_us": ours.min_us,
        "gflops": flops / ours.median_us / 1e3,
        "against": {
            name: {
                "median_us": times[name].median_us,
                "min_us": times[name].min_us,
                "ratio": times[name].median_us / ours.median_us,
                "settings": words,
            }
            for name, (words, _) in chosen.items()
        },
        **({"not_measured": missing} if missing else {}),
        **({"error": wrong[0]} if wrong else {}),
    }


def names_of(against: str | None) -> list[str]:
    """The contestants of a model that --against names; onnxruntime where it is left out."""
    words = [word.strip() for word in (against or "onnxruntime").split(",")]
    names = [word for word in words if word and word != "none"]
    for name in names:
        if name not in MODEL_CONTESTANTS:
            raise SpecError(
                f"expected {', '.join(MODEL_CONTESTANTS)} or none after --against of a model, found {name!r}; leave it"
                " out"
            )
    return list(dict.fromkeys(names))


def _contestants(
    file: ModelFile, arrays: list[np.ndarray], threads: int, names: list[str], seconds: float
) -> tuple[dict[str, Any], dict[str, str]]:
    """Contestants at their best settings, by name, each with the words of those; and why others are not there."""
    found, missing = {}, {}
    outputs = [name for name, _ in file.graph.results]
    for name in names:
        assert file.path is not None
        try:
            ways = MODEL_CONTESTANTS[name](file.path, fed(file, arrays), outputs, threads)
            if ways:
                found[name] = quickest(ways, seconds)
            else:
                missing[name] = "not installed"
        except Exception as error:  # of another library: it has no such operator, or dtype
            missing[name] = printable(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}")
    return found, missing


def show_model(found: dict[str, Any]) -> None:
    """The result, a line for each contestant."""
    threads = f"{found['threads']} thread{'s' * (found['threads'] > 1)}"
    echo(f"{found['spec']}   {threads}, {found['target']}, {detect().name}")
    echo(
        f"  {'griotte':11} {duration(found['median_us']):>10} median {duration(found['min_us']):>10} least  "
        f" {found['gflops']:.1f} GFLOP/s"
    )
    for name, other in found["against"].items():
        echo(
            f"  {name:11} {duration(other['median_us']):>10} median {duration(other['min_us']):>10} least  "
            f" {other['ratio']:.2f} x griotte's time ({other['settings']})"
        )
    for name, why in found.get("not_measured", {}).items():
        echo(f"  {name:11} not measured: {why}")
    if not found["ok"]:
        echo(f"  WRONG       {found['error']}")

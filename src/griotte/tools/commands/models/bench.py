"""griotte bench of a model: its kernel and others' runtimes, timed in turns in one process on the same data."""

from __future__ import annotations

from typing import Any

import numpy as np
from griotte_peers import MODEL_CONTESTANTS, quickest

from ....compiler.session import Session
from ....lang.meaning.reference import part
from ....machine import detect
from ....models.data import arrays_of
from ....models.sizes import at
from ....runtime import timing
from ....support.errors import SpecError
from ....support.printable import printable
from ..output import duration, echo, status
from ..subject import BenchOptions
from .check import Verdict
from .facts import facts
from .kernels import kernel_of
from .progress import watched
from .reading import ModelFile
from .references import apart, available, fed, tolerance

TRYING = 0.3  # of the seconds for each contestant, in which its settings are tried


def measure_model(
    file: ModelFile, session: Session, names: list[str], how: BenchOptions, as_json: bool
) -> dict[str, Any]:
    """One result of the bench. The kernel's results are compared with those of every contestant; where there is none,
    or one differs, with the references'. A dynamic size is `size`, or its bound. `settings`: those of a contestant that
    were the quickest."""
    bound, size = file.graph.bound, how.size
    if size is not None and not (bound and size <= bound):
        told = f"one up to {bound}" if bound else "a model with a dynamic size"
        raise SpecError(f"expected {told} beside --size, found {size}, for {file}; leave --size out")
    size = size or bound
    if names and file.path is None:
        raise SpecError(
            f"expected an .onnx file to bench against {', '.join(names)}, found the text {file}; write --against none"
        )
    with watched(as_json, session.table) as observer:
        kernel = kernel_of(file, session, how.host, observer)
    arrays = arrays_of(file.graph, "timed", np.random.default_rng(0), size)
    out = tuple(part(value.type, size or 0) for _, value in file.graph.results)
    with status("measuring", as_json):
        call = kernel.bind(*arrays, out=out)
        call()
        chosen, missing = _contestants(file, arrays, session.threads, names, TRYING * how.seconds)
        verdict = _verdict(file, arrays, out, {name: each.results() for name, (_, each) in chosen.items()})
        runs: dict[str, Any] = {"griotte": call}
        times = timing.interleaved(runs | {name: each.run for name, (_, each) in chosen.items()}, how.seconds)
    ours, flops = times["griotte"], at(file.graph, size or 0).flops
    return {
        **facts(file, kernel.stats, session.table),
        **({} if size is None else {"size": size}),
        **verdict,
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
    }


def _verdict(file: ModelFile, arrays: list[np.ndarray], out: Any, given: dict[str, Any]) -> dict[str, Any]:
    """What --json tells of results: right where those of all contestants are as near as they have to be. Else, as one
    of them may be wrong as well, the references are asked as by `check`."""
    within = tolerance(file)
    errors = {name: max(map(apart, out, found)) for name, found in given.items()}
    if errors and all(error <= within for error in errors.values()):
        return {"max_rel_err": max(errors.values()), "tolerance": within, "ok": True, "references": errors}
    verdict = Verdict(file, available(file), within)
    verdict.compare("the data that was timed", arrays, out)
    found = verdict.keys()
    far = {name: error for name, error in errors.items() if not error <= verdict.within}
    return found | ({"apart": far} if far else {})


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
    for name, error in found.get("apart", {}).items():
        echo(f"  {name:11} gives other results: {error:.2g} apart")
    if not found["ok"]:
        echo(f"  WRONG       {found['error']}")

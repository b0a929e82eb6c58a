"""onnx's own tests of its operators, through `griotte.onnx.Backend`: how many run and are right.

    python benchmarks/onnx_nodes.py [--match WORD] [--workers 2] [--limit 180] [--interpret] [--json out.json]
    python benchmarks/onnx_nodes.py --given out.json --docs

Each test runs in a worker process with a limit of seconds. What is computed while a model is read alone is `folded`, no
run. `--interpret` evaluates graphs by their reference in NumPy instead of compiling kernels: what operators mean, fast.
`--docs` writes the table of operators of docs/reference/onnx-operators.md, of a run or of one whose file is `--given`.
"""

from __future__ import annotations

import argparse
import glob
import json
import multiprocessing
import os
import tempfile
import time
import traceback
import unittest
import warnings
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

DOCS = Path(__file__).parents[1] / "docs/reference/onnx-operators.md"
BEGIN, END = "<!-- by benchmarks/onnx_nodes.py -->\n", "\n<!-- end -->\n"
KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")


def cases(match: str) -> dict[str, Any]:
    """The tests, by kind and name."""
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {f"{kind}/{test.name}": test for kind in KINDS for test in load_model_tests(kind=kind)}
    return {name: test for name, test in found.items() if match in name}


def data_of(test: Any) -> tuple[Any, list[tuple[list, list]]]:
    """The model of a test, or its file, and pairs of inputs and outputs."""
    from onnx.backend.test.runner import _normalize_tensor

    if test.model is not None:
        return test.model, [([*map(_normalize_tensor, x)], [*map(_normalize_tensor, y)]) for x, y in test.data_sets]
    sets = []
    for folder in sorted(glob.glob(os.path.join(test.model_dir, "test_data_set_*"))):
        read = lambda kind, folder=folder: [
            _tensor(os.path.join(folder, f"{kind}_{i}.pb")) for i in range(len(glob.glob(f"{folder}/{kind}_*.pb")))
        ]
        sets.append((read("input"), read("output")))
    return os.path.join(test.model_dir, "model.onnx"), sets


def _tensor(path: str) -> np.ndarray:
    import onnx

    tensor = onnx.TensorProto()
    tensor.ParseFromString(Path(path).read_bytes())
    return onnx.numpy_helper.to_array(tensor)


def run(test: Any, interpret: bool) -> tuple[str, str]:
    """(what became of a test, why)."""
    from griotte.models.reference import interpret as evaluated
    from griotte.onnx import Backend
    from onnx.backend.test.runner import Runner

    class Evaluating(Backend):
        compiled = staticmethod(lambda graph, **_: partial(evaluated, graph))

    try:
        model, sets = data_of(test)
        prepared = (Evaluating if interpret else Backend).prepare(model, table="none")
        found = [(prepared.run(inputs), outputs) for inputs, outputs in sets]
        for ours, theirs in found:
            Runner.assert_similar_outputs(theirs, ours, test.rtol, test.atol)
    except unittest.SkipTest as why:
        return "refused", str(why)
    except AssertionError as why:
        return "wrong", " ".join(str(why).split())
    except Exception as why:
        return "error", "".join(traceback.format_exception(why)[-3:])
    graph = prepared.graph
    is_read = graph is not None and any(graph.readers[value] for value in graph.inputs)
    return ("right" if is_read else "folded"), " ".join(v.call for v in graph.calls)


def serve(tests: dict[str, Any], interpret: bool, connection: Any) -> None:
    """A worker: runs the tests that it is told."""
    warnings.simplefilter("ignore")
    while (name := connection.recv()) is not None:
        connection.send(run(tests[name], interpret))


def feed(tests: dict[str, Any], names: list[str], interpret: bool, limit: float, found: dict[str, Any]) -> None:
    """Has one worker run tests until none is left; one that takes too long is ended and replaced."""
    worker = None
    while names:
        name = names.pop()
        if worker is None:
            ours, theirs = multiprocessing.Pipe()
            worker = multiprocessing.get_context("fork").Process(target=serve, args=(tests, interpret, theirs))
            worker.start()
            theirs.close()
        started = time.perf_counter()
        try:
            ours.send(name)
            outcome = ours.recv() if ours.poll(limit) else ("error", f"more than {limit:g} s")
        except (EOFError, OSError):
            outcome = "error", "the process ended"
        found[name] = (*outcome, time.perf_counter() - started)
        if outcome[0] == "error" and outcome[1].startswith(("more than", "the process")):
            worker.kill()
            worker = None
    if worker is not None:
        ours.send(None)
        worker.join()


def run_all(tests: dict[str, Any], given: argparse.Namespace) -> dict[str, Any]:
    """What became of all tests."""
    names, found = sorted(tests, reverse=True), {}
    arguments = tests, names, given.interpret, given.limit, found
    feeders = [Thread(target=feed, args=arguments) for _ in range(given.workers)]
    for each in feeders:
        each.start()
    for each in feeders:
        each.join()
    return found


def reasons(found: dict[str, Any]) -> Counter[str]:
    """Of refused tests, how many by operator and reason."""
    count: Counter[str] = Counter()
    for what, why, _ in found.values():
        if what == "refused":
            first = why.split("; ")[0]
            operator, _, reason = first.partition(" ")
            count[f"{operator}: {reason.partition(': ')[2] or reason}"] += 1
    return count


def table(tests: dict[str, Any], found: dict[str, Any]) -> str:
    """For each operator of ONNX how it is covered: a table in Markdown."""
    import onnx
    from griotte.onnx.node import OLDEST
    from griotte.onnx.operators import OPERATORS

    outcomes, calls, why = defaultdict(Counter), defaultdict(Counter), defaultdict(Counter)
    for name, (outcome, told, _) in found.items():
        test = tests.get(name)
        if test is None or test.model is None or len(test.model.graph.node) != 1:
            continue
        operator = test.model.graph.node[0].op_type
        outcomes[operator][outcome] += 1
        if outcome == "right":
            calls[operator].update(set(told.split()))
        if outcome == "refused":
            why[operator][told.split("; ")[0].partition(": ")[2] or told] += 1
    rows = []
    for schema in sorted(onnx.defs.get_all_schemas(), key=lambda s: s.name):
        if schema.domain:
            continue
        operator, count = schema.name, outcomes[schema.name]
        versions = [
            s.since_version for s in onnx.defs.get_all_schemas_with_history() if (s.domain, s.name) == ("", operator)
        ]
        is_declared = ("ai.onnx", operator) in OPERATORS
        has_body = schema.has_function or schema.has_context_dependent_function
        how = "declared" if is_declared else "by its body" if has_body else "known" if count["folded"] else "refused"
        often = sorted(calls[operator], key=lambda call, of=calls[operator]: (-of[call], call))
        used = " ".join(f"`{call}`" for call in often[:8]) or ("known while it is read" if count["folded"] else "")
        reasons = "; ".join(reason for reason, _ in why[operator].most_common(3)).replace("|", "/")
        counted = f"{count['right'] + count['folded']} / {sum(count.values())}" if count else ""
        rows.append(f"| {operator} | {max(OLDEST, min(versions))} | {how} | {counted} | {used} | {reasons[:160]} |")
    head = "| operator | from opset | how | tests | calls | refused |\n|---|---|---|---|---|---|\n"
    return "\n" + head + "\n".join(rows) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--match", default="")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=float, default=180)
    parser.add_argument("--interpret", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--given")
    parser.add_argument("--docs", action="store_true")
    given = parser.parse_args()
    os.environ.setdefault("GRIOTTE_CACHE", tempfile.mkdtemp())
    from griotte.onnx import Backend  # here, before workers are forked

    assert Backend.supports_device("CPU")
    tests = cases(given.match)
    found = json.loads(Path(given.given).read_text()) if given.given else run_all(tests, given)
    for what in ("wrong", "error"):
        for name, (outcome, why, _) in sorted(found.items()):
            if outcome == what:
                print(f"{what} {name}: {why[-600:]}")
    for reason, n in reasons(found).most_common():
        print(f"{n:5} refused: {reason[:150]}")
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    for name, (outcome, *_) in found.items():
        by_kind[name.partition("/")[0]][outcome] += 1
    for kind, count in by_kind.items():
        print(kind, dict(count))
    if given.json:
        Path(given.json).write_text(json.dumps(found, indent=1))
    if given.docs:
        before, _, after = DOCS.read_text().partition(BEGIN)
        DOCS.write_text(before + BEGIN + table(tests, found) + END + after.partition(END)[2])


if __name__ == "__main__":
    main()

"""Recurrences beside onnxruntime and torch: right, and timed.

    python benchmarks/recurrences.py [NAME ..] [--steps 100] [--calls 15] [--cache FOLDER] [--json FILE]

NAME is like lstm_512_b8, gru_256_b1, lstm_512_b1_two (directions) or lstm_256_b1_x2 (layers on top of each other);
without one LSTMs of 256 and 512, batch 1 and 8, one direction and two, and the same GRUs. Inputs are as wide as the
state, weights are constants. One thread, whose CPU time is told, so that it does not count where others run instead;
what they leave in the caches hits all, for their calls alternate. Ratios are of medians, theirs over ours, and beside
them those of the quickest calls. It needs onnx and onnxruntime; torch takes part where it is installed. With --costs
nothing is timed: it tells what griotte's prices say of the input's product made ahead of the loop, which is the rule,
and of the same made step by step.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import statistics
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from models import by_onnxruntime, off

GATES = {"lstm": 4, "gru": 3, "rnn": 1}
ALL = [
    f"{kind}_{size}_b{batch}{two}"
    for kind, size, batch, two in product(["lstm", "gru"], [256, 512], [1, 8], ["", "_two"])
]


def words_of(name: str) -> re.Match[str]:
    found = re.fullmatch(r"(lstm|gru|rnn)_(\d+)_b(\d+)(_two)?(?:_x(\d+))?", name)
    if found is None:
        raise SystemExit(f"expected a name like lstm_512_b8_two_x2, found {name}")
    return found


def made(name: str, steps: int) -> Any:
    """The ONNX model of a name."""
    import onnx
    from onnx import helper, numpy_helper

    found = words_of(name)
    kind, size, batch, layers = found[1], int(found[2]), int(found[3]), int(found[5] or 1)
    ways, rng = 1 + bool(found[4]), np.random.default_rng(0)
    draw = lambda *shape: (rng.uniform(-1, 1, shape) / np.sqrt(size)).astype(np.float32)
    nodes, known, last, width = [], {}, "x", size
    for n in range(layers):
        shapes = {"w": (GATES[kind] * size, width), "r": (GATES[kind] * size, size), "b": (2 * GATES[kind] * size,)}
        known |= {f"{key}{n}": draw(ways, *shape) for key, shape in shapes.items()}
        if n:
            nodes += [
                helper.make_node("Transpose", [last], [f"t{n}"], perm=[0, 2, 1, 3]),
                helper.make_node("Reshape", [f"t{n}", f"shape{n}"], [f"x{n}"]),
            ]
            known[f"shape{n}"] = np.array([steps, batch, width])
            last = f"x{n}"
        more = {"direction": "bidirectional" if ways == 2 else "forward", "hidden_size": size}
        more |= {"linear_before_reset": 1} if kind == "gru" else {}
        nodes.append(helper.make_node(kind.upper(), [last, f"w{n}", f"r{n}", f"b{n}"], [f"y{n}"], **more))
        last, width = f"y{n}", ways * size
    typed = lambda name, shape: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
    tensors = [numpy_helper.from_array(array, key) for key, array in known.items()]
    outputs = [typed(last, (steps, ways, batch, size))]
    graph = helper.make_graph(nodes, name, [typed("x", (steps, batch, size))], outputs, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model


COSTS = [f"lstm_{size}_b{batch}" for size, batch in product([64, 256, 512], [1, 8, 64])]
ORDER = {"lstm": (0, 2, 3, 1), "gru": (1, 0, 2), "rnn": (0,)}
"""Of torch's gates the numbers that they have in ONNX: i f g o of i o f c, r z n of z r h."""


def by_torch(name: str, proto: Any, x: np.ndarray) -> Any:
    """The same recurrence of torch, its weights the model's: a call that gives the states, and what they are as ONNX
    has them."""
    import torch
    from onnx import numpy_helper

    torch.set_num_threads(1)
    words = words_of(name)
    kind, size, ways = words[1], int(words[2]), 1 + bool(words[4])
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in proto.graph.initializer}
    layers = sum(key.startswith("w") for key in known)
    module = getattr(torch.nn, kind.upper())(size, size, layers, bidirectional=ways == 2).eval()
    turned = lambda t: np.concatenate([np.split(t, GATES[kind])[n] for n in ORDER[kind]])
    given = {}
    for layer in range(layers):
        for way, suffix in enumerate(["", "_reverse"][:ways]):
            both = np.split(known[f"b{layer}"][way], 2)
            own = [known[f"w{layer}"][way], known[f"r{layer}"][way], *both]
            for key, t in zip(("weight_ih", "weight_hh", "bias_ih", "bias_hh"), own):
                given[f"{key}_l{layer}{suffix}"] = torch.from_numpy(turned(t))
    module.load_state_dict(given)
    whole = torch.from_numpy(x)

    def call() -> Any:
        with torch.inference_mode():
            return module(whole)[0]

    def result() -> np.ndarray:
        steps, batch, _ = x.shape
        return call().numpy().reshape(steps, batch, ways, size).transpose(0, 2, 1, 3)

    return call, result


def alternated(calls: list[Any], count: int) -> list[list[float]]:
    """Seconds of CPU of so many calls of each, in turns."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(count + 2):
        for call, own in zip(calls, times):
            started = time.thread_time()
            call()
            own.append(time.thread_time() - started)
    return [own[2:] for own in times]


def timed(name: str, steps: int, count: int) -> dict[str, Any]:
    """One recurrence: how long it takes to find, how far off it is, and milliseconds of both."""
    import griotte as gt
    import onnx

    proto = made(name, steps)
    started = time.perf_counter()
    kernel = gt.compile(gt.from_onnx(proto))
    found = time.perf_counter() - started
    shape = tuple(d.dim_value for d in proto.graph.input[0].type.tensor_type.shape.dim)
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        onnx.save(proto, path)
        theirs = by_onnxruntime(path, 1, {"x": x})
    calls, given = {"griotte": kernel.bind(x), "onnxruntime": theirs}, {"onnxruntime": theirs()[0]}
    if importlib.util.find_spec("torch") is not None:
        calls["torch"], result = by_torch(name, proto, x)
        given["torch"] = result()
    seconds = dict(zip(calls, alternated(list(calls.values()), count)))
    ms = {who: [statistics.median(s) * 1e3, min(s) * 1e3] for who, s in seconds.items()}
    ratio = {who: [their / our for our, their in zip(ms["griotte"], ms[who])] for who in given}
    found_off = {who: off(kernel(x), [theirs]) for who, theirs in given.items()}
    return {"found_s": found, "off": found_off, "ms": ms, "ratio": ratio}


def costs(name: str, steps: int) -> tuple[float, float]:
    """Cycles of an LSTM of one direction by griotte's prices: the input's product ahead of the loop, and in each
    step."""
    import griotte as gt
    from griotte.models.simplify import loops

    words, found = words_of(name), []
    for rule in (loops._ahead, lambda loop, body: (body, [], [])):
        with mock.patch.object(loops, "_ahead", rule):
            found.append(gt.synthesize(in_steps(int(words[2]), int(words[3]), steps)).cost)
    return found[0], found[1]


def in_steps(size: int, batch: int, steps: int) -> Any:
    """An LSTM of one direction whose steps each make the product of their own input."""
    from griotte.lang.types.tensor import tensor
    from griotte.models.graph import GraphBuilder
    from griotte.models.loops import LoopBuilder

    builder, rng = GraphBuilder(), np.random.default_rng(0)
    call = builder.call
    w, r = (builder.constant(rng.standard_normal((size, 4 * size), np.float32)) for _ in range(2))
    zeros = builder.constant(np.zeros((batch, size), np.float32))
    loop = LoopBuilder(builder, steps)
    h, c, x = (
        loop.carried(zeros),
        loop.carried(zeros),
        loop.each(builder.input(tensor((steps, batch, size), "f32"), "x")),
    )
    gates = call("add", call("matmul", h, r), call("matmul", x, w))
    part = lambda n: call("slice", gates, starts=(0, n * size), limits=(batch, (n + 1) * size))
    i, o, f = (call("sigmoid", part(n)) for n in range(3))
    new = call("add", call("mul", f, c), call("mul", i, call("tanh", part(3))))
    then = call("mul", o, call("tanh", new))
    return builder.graph({"y": loop.scan([then, new], [(then, False)])[2]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--calls", type=int, default=15)
    parser.add_argument("--cache", help="a folder that keeps what is found")
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.cache:
        os.environ["GRIOTTE_CACHE"] = options.cache
    if options.costs:
        for name in options.names or COSTS:
            ahead, inside = costs(name, options.steps)
            print(f"{name:<20}{ahead:>14,.0f}{inside:>14,.0f} cycles{inside / ahead:>8.3f}", flush=True)
        return
    print(f"{options.steps} steps, 1 thread; in brackets theirs over ours, of medians and of the quickest calls")
    told = {}
    for name in options.names or ALL:
        told[name] = row = timed(name, options.steps, options.calls)
        theirs = "".join(
            f"  {who} {row['ms'][who][0]:.3f} ms ({ratio:.2f}, {quickest:.2f}), off {row['off'][who]:.0e}"
            for who, (ratio, quickest) in row["ratio"].items()
        )
        print(f"{name:<16} found in {row['found_s']:.1f} s, {row['ms']['griotte'][0]:.3f} ms{theirs}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()

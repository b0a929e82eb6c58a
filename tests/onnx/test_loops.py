"""Recurrences, Loop and Scan: loops whose bodies are read once."""

from __future__ import annotations

from itertools import product

import griotte as gt
import numpy as np
import pytest
from griotte.models.value import SCAN
from onnx_models import body as of_body
from onnx_models import evaluated, model, node, typed

STEPS, BATCH, INPUTS, SIZE = 5, 3, 4, 6
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
DIRECTIONS = {"forward": 1, "reverse": 1, "bidirectional": 2}

sigmoid = lambda x: 1 / (1 + np.exp(-x))
ACTIVATIONS = {"Sigmoid": sigmoid, "Tanh": np.tanh, "Relu": lambda x: np.maximum(x, 0)}
DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}


def one_way(kind, x, w, r, b, h, c, peepholes, linear, clip, names):
    """A recurrence in one direction, as the operator's page has it: rows, and the last states."""
    acts = [lambda v, f=ACTIVATIONS[name]: f(np.clip(v, -clip, clip)) for name in names]
    w, r = (np.split(t, GATES[kind]) for t in (w, r))
    wb, rb = (np.split(t, GATES[kind]) for t in np.split(b, 2))
    of_x = lambda x, g: x @ w[g].T + wb[g]
    of_h = lambda h, g: h @ r[g].T + rb[g]
    rows = []
    for now in x:
        if kind == "RNN":
            h = acts[0](of_x(now, 0) + of_h(h, 0))
        elif kind == "GRU":
            z, gate = (acts[0](of_x(now, g) + of_h(h, g)) for g in (0, 1))
            new = acts[1](of_x(now, 2) + (gate * of_h(h, 2) if linear else of_h(gate * h, 2)))
            h = (1 - z) * new + z * h
        else:
            pi, po, pf = np.split(peepholes, 3)
            i, o, f, g = (of_x(now, n) + of_h(h, n) for n in range(4))
            c = acts[0](f + pf * c) * c + acts[0](i + pi * c) * acts[1](g)
            h = acts[0](o + po * c) * ACTIVATIONS[names[2]](c)
        rows.append(h)
    return np.stack(rows), h, c


def recurrence(kind: str, direction: str, steps: int = STEPS, layout: int = 0, states: bool = True, **options):
    """A node with all its inputs, the array that it runs on, and what it gives."""
    rng = np.random.default_rng(len(kind) + steps)
    draw = lambda *shape: rng.uniform(-1, 1, shape).astype(np.float32)
    ways = DIRECTIONS[direction]
    known = {
        "w": draw(ways, GATES[kind] * SIZE, INPUTS),
        "r": draw(ways, GATES[kind] * SIZE, SIZE),
        "b": draw(ways, 2 * GATES[kind] * SIZE),
    }
    x, h, c = draw(steps, BATCH, INPUTS), draw(ways, BATCH, SIZE), draw(ways, BATCH, SIZE)
    peepholes = draw(ways, 3 * SIZE) if options.pop("peepholes", False) else np.zeros((ways, 3 * SIZE), np.float32)
    h, c = (h, c) if states else (np.zeros_like(h), np.zeros_like(c))
    names = options.get("activations", DEFAULTS[kind] * ways)
    found = []
    for way, backward in enumerate({"forward": [0], "reverse": [1], "bidirectional": [0, 1]}[direction]):
        own = [known[name][way] for name in "wrb"]
        given = x[::-1] if backward else x
        linear, clip = options.get("linear_before_reset", 0), options.get("clip", np.inf)
        per = len(DEFAULTS[kind])
        more = peepholes[way], linear, clip, names[way * per : (way + 1) * per]
        y, *ends = one_way(kind, given, *own, h[way], c[way], *more)
        found.append((y[::-1] if backward else y, *ends))
    y, last, cell = (np.stack(each, axis) for each, axis in zip(zip(*found), (1, 0, 0)))
    turn = lambda t: np.ascontiguousarray(np.swapaxes(t, 0, 1)) if layout else t
    if layout:
        y = y.transpose(2, 0, 1, 3)
    reads, outputs = "x w r b", "y last"
    if states or np.any(peepholes):
        known |= {"h": turn(h)} | ({"c": turn(c)} if kind == "LSTM" else {})
        reads += "  h" + " c" * (kind == "LSTM")
    if np.any(peepholes):
        known["p"] = peepholes
        reads += " p"
    wanted = [y, turn(last)]
    if kind == "LSTM":
        outputs, wanted = "y last cell", [*wanted, turn(cell)]
    given = turn(x)
    attributes = {"hidden_size": SIZE, "direction": direction, "layout": layout, **options}
    made = node(kind, reads, outputs, **attributes)
    return model([made], [typed("x", given.shape)], outputs.split(), opset=21, **known), given, wanted


OPTIONS = [
    *product(GATES, DIRECTIONS, [{}, {"layout": 1}, {"states": False}, {"clip": 0.5}]),
    ("GRU", "forward", {"linear_before_reset": 1}),
    ("GRU", "bidirectional", {"linear_before_reset": 1, "states": False}),
    ("LSTM", "reverse", {"peepholes": True}),
    ("LSTM", "forward", {"activations": ["Sigmoid", "Relu", "Tanh"]}),
    ("RNN", "bidirectional", {"activations": ["Relu", "Tanh"]}),
    *((kind, "bidirectional", {"steps": 1}) for kind in GATES),
]


@pytest.mark.parametrize(("kind", "direction", "options"), OPTIONS, ids=str)
def test_a_recurrence_is_what_its_page_says(kind, direction, options):
    proto, x, wanted = recurrence(kind, direction, **options)
    for mine, right in zip(evaluated(proto, x), wanted, strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-5, atol=1e-6)
    loops = [value.opaque for value in gt.from_onnx(proto).calls if value.call == SCAN]
    assert {loop.trips for loop in loops} == ({STEPS} if options.get("steps") != 1 else set())


@pytest.mark.parametrize(("kind", "direction"), [("GRU", "bidirectional"), ("LSTM", "reverse"), ("RNN", "forward")])
def test_the_kernel_of_a_recurrence(kind, direction):
    proto, x, wanted = recurrence(kind, direction)
    kernel = gt.compile(gt.from_onnx(proto), target="avx2", table="none", effort=1)
    for mine, right in zip(kernel(x), wanted, strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-5, atol=1e-6)


def test_recurrences_of_many_steps_have_one_body():
    proto, x, wanted = recurrence("LSTM", "forward", steps=1000)
    graph = gt.from_onnx(proto)
    assert len(graph.calls) < 20
    for mine, right in zip(evaluated(proto, x), wanted, strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-4, atol=1e-5)


def test_a_recurrence_of_sizes_up_to_a_bound_is_refused_by_name():
    proto, *_ = recurrence("GRU", "forward")
    proto.graph.input[0].type.tensor_type.shape.dim[1].dim_param = "batch"
    proto.graph.node[0].input.pop()  # a state of one batch
    graph = gt.from_onnx(proto, shapes={"x": (STEPS, "<=4", INPUTS)})
    assert [each.operator for each in graph.unsupported()] == ["GRU"]
    assert "a loop of what has the size" in graph.unsupported()[0].why


X = typed("x", (2, 3))
ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3) - 2


def calls(proto) -> list[str]:
    return [value.call for value in gt.from_onnx(proto).calls]


def test_a_loop_knows_its_turn_and_what_is_around_it():
    nodes = [
        node("Cast", "i", "f", to=1),
        node("Mul", "f x", "part"),
        node("Add", "v part", "w"),
        node("Identity", "c", "d"),
        node("Identity", "w", "row"),
    ]
    body = of_body(nodes, ["i", "c", "v"], ["d", "w", "row"])
    proto = model([node("Loop", "n t x", "y rows", body=body)], [X], ["y", "rows"], n=np.array(9), t=np.array(True))
    last, rows = evaluated(proto, ARRAY)
    wanted = np.stack([ARRAY * (1 + t * (t + 1) // 2) for t in range(9)])
    np.testing.assert_array_equal(rows, wanted)
    np.testing.assert_array_equal(last, wanted[-1])
    assert SCAN in calls(proto) and len(calls(proto)) == 2
    found = gt.compile(gt.from_onnx(proto), target="portable", table="none")(ARRAY)
    np.testing.assert_array_equal(found[1], wanted)


def test_a_loop_whose_turns_differ_is_read_turn_by_turn():
    """What is carried grows; or whether it goes on follows from the turn."""
    grows = of_body([node("Concat", "v x", "w", axis=0), node("Identity", "c", "d")], ["i", "c", "v"], ["d", "w"])
    proto = model([node("Loop", "n t x", body=grows)], [X], ["y"], n=np.array(6), t=np.array(True))
    assert evaluated(proto, ARRAY)[0].shape == (14, 3) and SCAN not in calls(proto)
    ends = of_body([node("Add", "v x", "w"), node("Less", "i three", "d")], ["i", "c", "v"], ["d", "w"])
    proto = model([node("Loop", "n t x", body=ends)], [X], ["y"], n=np.array(9), t=np.array(True), three=np.array(3))
    np.testing.assert_array_equal(evaluated(proto, ARRAY)[0], 5 * ARRAY)
    assert SCAN not in calls(proto) and gt.from_onnx(proto).unsupported() == []


def test_a_loop_of_what_is_known_is_known():
    body = of_body([node("Mul", "v two", "w"), node("Identity", "c", "d")], ["i", "c", "v"], ["d", "w"])
    known = {"n": np.array(9), "t": np.array(True), "one": np.array(1), "two": np.array(2)}
    nodes = [node("Loop", "n t one", "p", body=body), node("Cast", "p", "f", to=1), node("Mul", "x f")]
    proto = model(nodes, [X], ["y"], **known)
    assert calls(proto) == ["mul"]
    np.testing.assert_array_equal(evaluated(proto, ARRAY)[0], 512 * ARRAY)


@pytest.mark.parametrize("backward", [0, 1])
@pytest.mark.parametrize("length", [3, 7])
def test_a_scan_goes_along_any_axis_either_way(length, backward):
    x = np.random.default_rng(0).integers(-3, 4, (2, length, 4)).astype(np.float32)
    body = of_body([node("Add", "s r", "t"), node("Mul", "t two", "o")], ["s", "r"], ["t", "o"])
    ways = {"scan_input_directions": [backward], "scan_output_directions": [1 - backward]}
    axes = {"scan_input_axes": [-2], "scan_output_axes": [2]}
    scan = node("Scan", "z x", "last y", body=body, num_scan_inputs=1, **ways, **axes)
    given = {"z": np.ones((2, 4), np.float32), "two": np.float32(2)}
    proto = model([scan], [typed("x", x.shape)], ["last", "y"], **given)
    last, y = evaluated(proto, x)
    sums = 1 + np.cumsum(x[:, ::-1] if backward else x, 1)
    np.testing.assert_array_equal(last, sums[:, -1])
    np.testing.assert_array_equal(y, 2 * (sums if backward else sums[:, ::-1]).transpose(0, 2, 1))
    assert (SCAN in calls(proto)) == (length == 7)


def test_loops_within_loops_have_so_many_turns_together():
    body = of_body([node("Relu", "v", "w"), node("Identity", "c", "d")], ["i", "c", "v"], ["d", "w"])
    again = node("Loop", "n t v", "w", body=body)
    outer = of_body([again, node("Identity", "c", "d")], ["i", "c", "v"], ["d", "w"])
    proto = model([node("Loop", "n t x", body=outer)], [X], ["y"], n=np.array(100), t=np.array(True))
    (value,) = (value for value in gt.from_onnx(proto).calls if value.call == SCAN)
    assert [inner.call for inner in value.opaque.body.calls] == [SCAN]
    np.testing.assert_array_equal(evaluated(proto, ARRAY)[0], np.maximum(ARRAY, 0))
    proto = model([node("Loop", "n t x", body=outer)], [X], ["y"], n=np.array(4000), t=np.array(True))
    (refused,) = gt.from_onnx(proto).unsupported()[:1]
    assert "turns" in refused.why

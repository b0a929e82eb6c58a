"""Recurrences as onnxruntime runs them: lengths, activations and their parameters, peepholes; loops of no turns."""

from __future__ import annotations

from itertools import product

import griotte as gt
import numpy as np
import pytest
from onnx_models import body, by_onnxruntime, evaluated, helper, model, node, typed

STEPS, BATCH, INPUTS, SIZE = 5, 4, 3, 6
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FUNCTIONS = {"RNN": 1, "GRU": 2, "LSTM": 3}
WAYS = {"forward": 1, "reverse": 1, "bidirectional": 2}
SOME, NONE = [5, 3, 1, 4], [0, 5, 2, 0]


def recurrence(kind, direction, lengths=None, given=True, peepholes=False, states=True, dtype=np.float32, **options):
    """A model of one node, and its inputs; lengths are an input where they are not `given`."""
    rng = np.random.default_rng(len(kind) + len(direction))
    draw = lambda *shape: rng.uniform(-0.5, 0.5, shape).astype(dtype)
    ways, gates = WAYS[direction], GATES[kind]
    known = {
        "w": draw(ways, gates * SIZE, INPUTS),
        "r": draw(ways, gates * SIZE, SIZE),
        "b": draw(ways, 2 * gates * SIZE),
    }
    inputs, arrays, reads = [typed("x", (STEPS, BATCH, INPUTS), dtype)], [4 * draw(STEPS, BATCH, INPUTS)], "x w r b"
    if lengths is not None and given:
        known["l"] = np.array(lengths, np.int32)
    elif lengths is not None:
        inputs.append(typed("l", (BATCH,), np.int32))
        arrays.append(np.array(lengths, np.int32))
    reads += " " if lengths is None else " l"
    names = ["h", "c"][: 1 + (kind == "LSTM")]
    known |= {name: draw(ways, BATCH, SIZE) for name in names if states}
    reads += "".join(f" {name if states else ''}" for name in names)
    if peepholes:
        known["p"] = draw(ways, 3 * SIZE)
        reads += " p"
    outputs = ["y", "last", "cell"][: 2 + (kind == "LSTM")]
    made = node(kind, reads.rstrip(), " ".join(outputs), hidden_size=SIZE, direction=direction, **options)
    return model([made], inputs, outputs, opset=21, **known), arrays


def check(proto, arrays, rtol=2e-5, atol=2e-6) -> None:
    for mine, other in zip(evaluated(proto, *arrays), by_onnxruntime(proto, *arrays), strict=True):
        np.testing.assert_allclose(mine, other, rtol=rtol, atol=atol)


@pytest.mark.parametrize(("kind", "direction"), list(product(GATES, WAYS)))
def test_sequences_have_lengths(kind, direction):
    """Known ahead of the call or not; with sequences of no steps."""
    for lengths, given, states in product((SOME, NONE, [5] * 4, [2] * 4), (True, False), (True, False)):
        check(*recurrence(kind, direction, lengths, given, states=states))


PARAMETERS = {
    "Relu": {},
    "Tanh": {},
    "Sigmoid": {},
    "Softplus": {},
    "Softsign": {},
    "LeakyRelu": {"alpha": 0.3},
    "ThresholdedRelu": {"alpha": 0.3},
    "Elu": {"alpha": 0.7},
    "HardSigmoid": {"alpha": 0.3, "beta": 0.4},
    "Affine": {"alpha": 0.3, "beta": 0.1},
    "ScaledTanh": {"alpha": 0.6, "beta": 0.8},
}
DEFAULTS = ["LeakyRelu", "Elu", "HardSigmoid"]


def functions(names: list[str], told: bool = True) -> dict:
    """The attributes of activations, a number for each that takes one."""
    of = lambda word: [PARAMETERS[name][word] for name in names if word in PARAMETERS[name]] if told else []
    numbers = {f"activation_{word}": of(word) for word in ("alpha", "beta")}
    return {"activations": names} | {key: found for key, found in numbers.items() if found}


@pytest.mark.parametrize("kind", GATES)
def test_every_activation_in_every_place(kind):
    names, count = list(PARAMETERS), FUNCTIONS[kind]
    for n in range(len(names)):
        for direction, several in (("reverse", count), ("bidirectional", 2 * count)):
            chosen = [names[(n + 4 * place) % len(names)] for place in range(several)]
            check(*recurrence(kind, direction, **functions(chosen)))


@pytest.mark.parametrize("name", DEFAULTS)
def test_parameters_that_are_left_out(name):
    check(*recurrence("RNN", "forward", **functions([name], told=False)))
    check(*recurrence("LSTM", "forward", activations=["HardSigmoid", "Tanh", name], activation_alpha=[0.3]))


@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize("lengths", [None, NONE])
def test_peepholes(direction, lengths):
    check(*recurrence("LSTM", direction, lengths, peepholes=True))
    check(
        *recurrence(
            "LSTM",
            direction,
            lengths,
            peepholes=True,
            clip=0.7,
            **functions(["HardSigmoid", "Softsign", "Relu"] * WAYS[direction]),
        )
    )


@pytest.mark.parametrize("direction", WAYS)
def test_an_input_gate_that_is_the_forget_gate_too(direction):
    check(*recurrence("LSTM", direction, input_forget=1))
    check(*recurrence("LSTM", direction, NONE, input_forget=1, states=False))


def test_of_doubles():
    proto, arrays = recurrence("GRU", "bidirectional", NONE, False, dtype=np.float64, linear_before_reset=1)
    wide = evaluated(proto, *arrays)
    narrow, others = recurrence("GRU", "bidirectional", NONE, False, linear_before_reset=1)
    for mine, other in zip(wide, evaluated(narrow, *others), strict=True):
        assert mine.dtype == np.float64
        np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", GATES)
def test_the_kernel(kind):
    more = {"LSTM": {"peepholes": True, **functions(["HardSigmoid", "Softsign", "Elu"] * 2)}}.get(kind, {})
    proto, arrays = recurrence(kind, "bidirectional", NONE, False, **more)
    kernel = gt.compile(gt.from_onnx(proto), target="portable", table="none", effort=1)
    for lengths in (NONE, SOME, [5] * 4, [0] * 4):
        arrays[1][:] = lengths
        for mine, other in zip(kernel(*arrays), by_onnxruntime(proto, *arrays), strict=True):
            np.testing.assert_allclose(mine, other, rtol=2e-5, atol=2e-6)


REFUSED = {
    "NoSuch": {"activations": ["NoSuch", "Tanh", "Tanh"]},
    "3 activations": {"activations": ["Tanh", "Tanh"]},
    "without alpha": {"activations": ["ThresholdedRelu", "Tanh", "Tanh"]},
    "without beta": {"activations": ["ScaledTanh", "Tanh", "Tanh"], "activation_alpha": [1.0]},
    "lengths from 0 to 5": {"lengths": [6, 1, 1, 1]},
    "4 lengths": {"lengths": [5, 5]},
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_a_recurrence_lacks_is_told(why):
    proto, _ = recurrence("LSTM", "forward", **REFUSED[why])
    (found,) = gt.from_onnx(proto).unsupported()
    assert why in found.why


# ---- no turns --------------------------------------------------------------------------------------------------------

X = np.arange(12, dtype=np.float32).reshape(3, 4) - 5


@pytest.mark.parametrize(("trips", "goes"), [(0, True), (-3, True), (5, False), (0, False), (None, False), (0, None)])
def test_a_loop_that_does_not_run(trips, goes):
    """It gives what is carried as it came, and rows of which there are none."""
    nodes = [
        node("Identity", "c", "d"),
        node("Mul", "v x", "w"),
        node("ReduceSum", "w", "row"),
        node("Cast", "w", "i8", to=3),
    ]
    own = body(nodes, ["i", "c", "v"], ["d", "w", "row", "i8"])
    known = {"n": np.array(trips)} if trips is not None else {}
    known |= {"t": np.array(goes)} if goes is not None else {}
    reads = f"{'n' if trips is not None else ''} {'t' if goes is not None else ''} x"
    loop = node("Loop", reads, "v1 rows i8s", body=own)
    more = [node("Neg", "v1", "y"), node("Concat", "rows rows", "both", axis=0), node("Shape", "i8s", "s")]
    proto = model([loop, *more], [typed("x", (3, 4))], ["y", "rows", "i8s", "both", "s"], **known)
    found = evaluated(proto, X)
    kernel = gt.compile(gt.from_onnx(proto))(X)
    np.testing.assert_array_equal(found[0], -X)
    for mine, compiled, shape, dtype in zip(
        found[1:], kernel[1:], [(0, 1, 1), (0, 3, 4), (0, 1, 1), (3,)], "f1 i1 f1 i8".split()
    ):
        for each in (mine, compiled):
            assert each.shape == shape and each.dtype.str[1:2] == dtype[0]


def test_the_rows_of_a_body_that_is_not_covered_are_as_the_model_tells_them():
    own = body(
        [helper.make_node("NoSuch", ["v"], ["w"], domain="own"), node("Identity", "c", "d")],
        ["i", "c", "v"],
        ["d", "v", "w"],
    )
    own.output[2].CopyFrom(typed("w", (2, 5), np.int64))
    proto = model([node("Loop", "n  x", "y rows", body=own)], [typed("x", (3, 4))], ["y", "rows"], n=np.array(0))
    last, rows = evaluated(proto, X)
    np.testing.assert_array_equal(last, X)
    assert rows.shape == (0, 2, 5) and rows.dtype == np.int64


@pytest.mark.parametrize("backward", [0, 1])
def test_a_scan_along_nothing(backward):
    own = body([node("Add", "s r", "t"), node("Mul", "t two", "o")], ["s", "r"], ["t", "o"])
    more = {"scan_input_axes": [1], "scan_output_axes": [-1], "scan_input_directions": [backward]}
    scan = node("Scan", "x nothing", "last y", body=own, num_scan_inputs=1, **more)
    given = {"nothing": np.zeros((3, 0, 4), np.float32), "two": np.float32(2)}
    proto = model([scan], [typed("x", (3, 4))], ["last", "y"], **given)
    for found in (evaluated(proto, X), gt.compile(gt.from_onnx(proto))(X)):  # onnxruntime divides by 0
        np.testing.assert_array_equal(found[0], X)
        assert found[1].shape == (3, 4, 0) and found[1].dtype == np.float32

"""The graph of a model: what its builder makes one, and that nothing of it recurs."""

import pickle
import time

import numpy as np
import pytest
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder
from griotte.models.graph import over
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from griotte.support.errors import SpecError


def chain(length):
    """x + 1 + 1 .. as a graph, with every other call an exp so that no two terms meet."""
    builder = GraphBuilder()
    value = builder.input(tensor((4,)), "x")
    one = builder.constant(np.ones(4, np.float32))
    for i in range(length):
        value = builder.call("add", value, one) if i % 2 else builder.call("tanh", value)
    return builder.graph({"y": value})


def test_equal_calls_are_one_value():
    builder = GraphBuilder()
    x = builder.input(tensor((2, 3)), "x")
    assert builder.call("exp", x) is builder.call("exp", x, name="again", origin="other")
    assert builder.call("sum", x, axis=0) is not builder.call("sum", x, axis=1)
    assert builder.call("sum", x, axis=[0, 1]) is builder.call("sum", x, axis=(0, 1), keepdims=None)


def test_equal_constants_are_one_value():
    builder = GraphBuilder()
    one = builder.constant(np.ones((2, 3), np.float32))
    assert one is builder.constant(np.ones((4, 3), np.float32)[::2])
    other = builder.constant(np.ones((3, 2), np.float32).T)
    assert other is not one and other.type.minor_to_major == (0, 1)
    assert one is not builder.constant(np.ones((3, 2), np.float32))
    assert one is not builder.constant(np.ones((2, 3), np.int32))
    assert builder.constant(0.5) is builder.constant(np.float64(0.5))


def test_equal_inputs_are_several():
    builder = GraphBuilder()
    assert builder.input(tensor((2,)), "x") is not builder.input(tensor((2,)), "x")


def test_what_leads_to_no_output_is_left_out_and_inputs_stay():
    builder = GraphBuilder()
    x, y = (builder.input(tensor((2,)), name) for name in "xy")
    builder.call("add", builder.call("exp", y), builder.constant(np.ones(2, np.float32)))
    graph = builder.graph({"z": builder.call("exp", x)})
    assert [value.call for value in graph.calls] == ["exp"]
    assert graph.inputs == (x, y)
    assert not graph.constants


def test_readers_count_outputs():
    builder = GraphBuilder()
    x = builder.input(tensor((2,)), "x")
    e = builder.call("exp", x)
    graph = builder.graph({"a": builder.call("mul", e, e), "b": e})
    assert len(graph.readers[e]) == 3


def test_a_call_that_is_none_is_refused():
    builder = GraphBuilder()
    x = builder.input(tensor((2, 3)), "x")
    with pytest.raises(SpecError, match="expected a call of the language, found 'frobnicate'"):
        builder.call("frobnicate", x)
    with pytest.raises(SpecError, match="matmul"):
        builder.call("matmul", x, x)


def test_tensors_by_name_are_read():
    builder = GraphBuilder()
    q, mask = builder.input(tensor((1, 4, 8)), "q"), builder.input(tensor((4, 4)), "mask")
    value = builder.call("attention", q, q, q, mask=mask, scale=0.5)
    assert value.reads == (q, q, q, mask)
    assert "mask=" in str(value.spec)
    (result,) = interpret(builder.graph({"y": value}), np.ones((1, 4, 8), np.float32), np.zeros((4, 4), np.float32))
    assert np.allclose(result, 1)


def test_the_reference_runs_call_by_call():
    builder = GraphBuilder()
    x = builder.input(tensor((2, 3)), "x")
    w = builder.constant(np.arange(6, dtype=np.float32).reshape(3, 2), "w")
    product = builder.call("matmul", x, w)
    graph = builder.graph({"p": product, "s": builder.call("sum", product, axis=1)})
    given = np.ones((2, 3), np.float32)
    first, second = interpret(graph, given)
    assert np.array_equal(first, given @ w.array)
    assert np.array_equal(second, (given @ w.array).sum(1))


def test_calls_are_read_in_as_many_steps():
    """Twice the calls take about twice the time, and nothing recurs."""
    took = []
    for length in (1_000, 2_000):
        started = time.process_time()
        graph = chain(length)
        assert len(graph.calls) == length == len(over(graph, lambda b, v, reads: b.rebuilt(v, reads)).calls)
        assert len(simplify(graph).calls) == length
        took.append(time.process_time() - started)
    assert took[1] < 4 * took[0] + 0.5


def test_a_pickle_has_no_depth():
    graph = chain(8_000)
    again = pickle.loads(pickle.dumps(graph))
    assert [v.call for v in again.calls] == [v.call for v in graph.calls]
    assert again.inputs[0].name == "x" and again.results[0][0] == "y"
    assert len(again.constants) == 1
    assert again.values[-1].reads[0] in again.values

"""The bits of elements as another dtype: what the call means, and its kernels."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.lang.types.dtypes import dtype
from griotte.models import parse_graph
from griotte.models.reference import interpret
from griotte.support.errors import SpecError
from model_harness import ran


def graph_of(given: str, shape: str, wanted: str):
    return parse_graph(f"model(%x: {given}[{shape}]) {{ %y = bits(%x, dtype={wanted}) return y=%y }}")


def drawn(given: str, shape: tuple[int, ...]) -> np.ndarray:
    """Any bits."""
    row = dtype(given)
    return np.random.default_rng(0).integers(0, 256, (*shape, row.bytes), np.uint8).view(row.numpy).reshape(shape)


CASES = {
    ("f32", "3,5", "s32"): (3, 5),
    ("s32", "3,5", "f32"): (3, 5),
    ("bf16", "7", "u16"): (7,),
    ("s16", "2,3", "f16"): (2, 3),
    ("f64", "4", "u64"): (4,),
    ("f8e5m2", "5,3", "u8"): (5, 3),
    ("f32", "3,5", "u8"): (3, 5, 4),
    ("u16", "3,5,2", "f32"): (3, 5),
    ("s8", "8", "f64"): (),
    ("f32", "", "bf16"): (2,),
}


@pytest.mark.parametrize(("given", "shape", "wanted"), CASES)
def test_the_kernel_gives_the_same_bytes(given: str, shape: str, wanted: str, tmp_path):
    """Under sanitizers."""
    graph = graph_of(given, shape, wanted)
    (x,) = (drawn(given, value.type.shape) for value in graph.inputs)
    (type,) = (value.type for _, value in graph.results)
    assert type.shape == CASES[given, shape, wanted]
    (meant,) = interpret(graph, x)
    (found,) = ran(gt.synthesize(graph, target="portable", table="none"), [x], tmp_path)
    for each in (meant, found):
        assert each.dtype == dtype(wanted).numpy and each.shape == type.shape and each.tobytes() == x.tobytes()


def test_threads_share_stretches():
    graph = graph_of("f32", "1000,1001", "u32")
    one, two = (gt.synthesize(graph, target="avx2", threads=threads, table="none") for threads in (1, 2))
    assert one.cost > two.cost and "griotte_share_out" in two.to_c() and "griotte_share_out" not in one.to_c()
    x = drawn("f32", (1000, 1001))
    (found,) = (two.compile()(x),)
    assert found.tobytes() == x.tobytes()


def test_signs_are_turned_between_other_calls():
    """-x, of all that x may be, by its bits."""
    graph = parse_graph("""model(%x: f32[40,9]) {
      %a = abs(%x)
      %b = bits(%a, dtype=s32)
      %c = bitwise_or(%b, -2147483648)
      %d = bits(%c, dtype=f32)
      %y = mul(%d, 2.0)
      return y=%y }""")
    x = np.random.default_rng(0).standard_normal((40, 9)).astype(np.float32)
    np.testing.assert_array_equal(gt.compile(graph, target="avx2", table="none")(x), -2 * np.abs(x))


WRONG = {
    ("f32[4,8]", "f64"): "expected a last axis of 2 of f32.4,8.",
    ("f32[]", "f64"): "expected a last axis of 2 of f32",
    ("pred[4]", "u8"): "expected an array of fixed sizes and of whole bytes",
    ("s4[4]", "u8"): "expected an array of fixed sizes and of whole bytes",
    ("f32[4]", "pred"): "expected dtype=u8 or s8 or u16",
}


@pytest.mark.parametrize(("type", "wanted"), WRONG)
def test_what_does_not_fit_is_told(type: str, wanted: str):
    with pytest.raises(SpecError, match=WRONG[type, wanted]):
        parse_graph(f"model(%x: {type}) {{ %y = bits(%x, dtype={wanted}) return y=%y }}")

"""A value between parts may lie with its channels in blocks of lanes; what is computed stays."""

from dataclasses import replace
from types import SimpleNamespace

import griotte as gt
import numpy as np
import pytest
from features import skip_without
from griotte.machine import BUILT_IN, Layouts, resolve
from griotte.models.custom.picked import rows_of
from griotte.models.custom.pooled import PooledByRows
from griotte.models.graph import ModelGraph
from griotte.models.layouts import CHANNELS_LAST, ValueLayout, copied, layouts_of
from griotte.models.parts import part_of
from griotte.models.reference import interpret
from griotte.models.text import parse_graph
from spaces import by_turns

LANES = 8  # of vectors of f32 on avx2
OWN = (3, 2, 1, 0)
TEXT = """
model(
  %x: f32[2,3,5,7],
  %w0: const f32[16,3,1,1],
  %w1: const f32[16,1,3,3],
  %w2: const f32[8,16,1,1],
  %w3: const f32[24,8,1,1],
  %w4: const f32[24,1,5,5],
  %w5: const f32[5,24,1,1],
) {
  %a = relu(conv2d(%x, %w0)) -> f32[2,16,5,7]
  %b = conv2d(%a, %w1, padding=1, groups=16) -> f32[2,16,5,7]
  %s = sigmoid(mean(%b, axis=(2,3), keepdims=true)) -> f32[2,16,1,1]
  %c = mul(%b, %s) -> f32[2,16,5,7]
  %d = conv2d(%c, %w2) -> f32[2,8,5,7]
  %e = relu(conv2d(%d, %w3)) -> f32[2,24,5,7]
  %f = conv2d(%e, %w4, stride=2, padding=2, groups=24) -> f32[2,24,3,4]
  %g = conv2d(relu(%f), %w5) -> f32[2,5,3,4]
  return y=%g
}
"""


def value_of(graph: ModelGraph, call: str, shape: tuple[int, ...]):
    return [value for value in graph.calls if value.call == call and value.type.shape == shape]


def test_blocks_are_offered_near_convolutions_of_each_channel():
    """Of what these read and give, and of maps between; where channels are several whole blocks."""
    graph = parse_graph(TEXT)
    (d,) = value_of(graph, "conv2d", (2, 8, 5, 7))
    offered = {
        value.call: layouts_of(graph, value, LANES)[1] for value in graph.calls if value.type.shape[1:3] == (16, 5)
    }
    image = ValueLayout(OWN, LANES)
    assert {offered[call] for call in ("conv2d", "relu", "mul")} == {image}
    assert layouts_of(graph, d, LANES)[1] == ValueLayout(CHANNELS_LAST)  # one block: that is channels last
    assert all(layouts_of(graph, v)[1:] in ((), (ValueLayout(CHANNELS_LAST),)) for v in graph.calls)
    of_16 = {layouts_of(graph, v, 16)[1] for v in value_of(graph, "relu", (2, 24, 5, 7))}
    assert of_16 == {ValueLayout(CHANNELS_LAST)}  # 24 channels are no whole blocks


def test_what_may_be_filtered_has_channels_last():
    """Another convolution of windows reads what one of each channel gives."""
    graph = parse_graph("""
    model(%x: f32[1,16,6,6], %w: const f32[16,1,3,3], %v: const f32[16,16,3,3], %u: const f32[16,1,3,3]) {
      %a = conv2d(%x, %w, padding=1, groups=16) -> f32[1,16,6,6]
      %b = conv2d(%a, %v, padding=1) -> f32[1,16,6,6]
      %c = conv2d(%b, %u, padding=1, groups=16) -> f32[1,16,6,6]
      return c=%c
    }
    """)
    assert {layouts_of(graph, v, LANES)[1] for v in graph.calls[:2]} == {ValueLayout(CHANNELS_LAST)}


@pytest.mark.parametrize("now", [ValueLayout(OWN), ValueLayout(CHANNELS_LAST), ValueLayout(OWN, 4)])
@pytest.mark.parametrize("then", [ValueLayout(OWN), ValueLayout(CHANNELS_LAST), ValueLayout(OWN, 4)])
def test_a_copy_is_of_the_same_value(now, then):
    type = gt.tensor((2, 12, 3, 5))
    x = np.arange(type.elements, dtype=np.float32).reshape(type.shape)
    spec = copied(type, now, then)
    assert spec.output == then.lying(type) and spec.inputs == (now.lying(type),)
    np.testing.assert_array_equal(gt.interpret(spec, lying(x, now)), lying(x, then))


def lying(x: np.ndarray, layout: ValueLayout) -> np.ndarray:
    if not layout.block:
        return x
    n, c, h, w = x.shape
    return x.reshape(n, c // layout.block, layout.block, h, w).transpose(0, 1, 3, 4, 2)


@pytest.mark.parametrize("threads, caution", by_turns((2, 1), (0.01, 100.0)))
def test_a_model_means_what_it_did(threads: int, caution: float):
    """Where other layouts cost next to nothing all that may lie in blocks does; where they cost much, nothing does."""
    skip_without(BUILT_IN["avx2"].features)
    graph, target = parse_graph(TEXT), resolve("avx2")
    target = replace(target, layouts=Layouts(blocked=caution, copied=caution))
    program = gt.synthesize(graph, target, threads=threads, table="none")
    blocks = [t for each in program.parts for t in each.part.spec.outputs if t.rank == 5]
    assert bool(blocks) == (caution < 1)
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(value.type.shape, np.float32) for value in graph.inputs]
    (expected,) = interpret(graph, *arrays)
    np.testing.assert_allclose(program.compile()(*arrays), expected, rtol=2e-5, atol=2e-5)


def test_custom_kernels_know_blocks():
    """Rows of images are picked in blocks, channels are not; pools of rows are of row-major images alone."""
    graph = parse_graph("""
    model(%x: f32[1,16,6,6]) {
      %a = exp(%x) -> f32[1,16,6,6]
      %b = resize(%a, size=(12,12), mode=nearest) -> f32[1,16,12,12]
      %c = max_pool2d(%b, window=2, stride=2) -> f32[1,16,6,6]
      return c=%c
    }
    """)
    _, b, c = graph.calls
    stored = {value: ValueLayout(OWN, LANES) for value in graph.calls}
    found = rows_of(part_of(graph, (b,), stored))
    assert found is not None and found[1].sizes == (2, 6, 6, 8)
    pooled = part_of(graph, (c,), stored)
    assert PooledByRows().implementation(pooled, SimpleNamespace(target=BUILT_IN["avx2"], threads=1)) is None

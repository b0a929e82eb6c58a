"""What lies with its channels in blocks is read and written where it is."""

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Hole
from griotte.engine.search.problem import problem
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from hypothesis import given
from hypothesis import strategies as st
from machines import machine
from strategies import examples


def blocked(blocks: int, height: int, width: int, lanes: int, name: str = "", images: int = 1):
    """An image that comes in blocks of channels."""
    x = gt.tensor((images, blocks, height, width, lanes), name=name)
    return gt.reshape(gt.transpose(x, perm=(0, 1, 4, 2, 3)), shape=(images, blocks * lanes, height, width))


def in_blocks(y, lanes: int):
    """An image that goes out so."""
    images, channels, *size = y.output.shape
    apart = gt.reshape(y, shape=(images, channels // lanes, lanes, *size))
    return gt.transpose(apart, perm=(0, 1, 3, 4, 2))


def weights(*shape: int):
    return gt.tensor(shape, constant=True)


def each(x, window: int = 3, stride: int = 1):
    """A convolution of each channel."""
    channels = x.output.shape[1]
    return gt.conv2d(x, weights(channels, 1, window, window), stride, window // 2, groups=channels)


def point(x, channels: int):
    return gt.conv2d(x, weights(channels, x.output.shape[1], 1, 1))


def holds(spec) -> None:
    """The form that the search sees means what the Spec does."""
    found = problem(canonical_form(spec), machine("two"))
    state = State(found.goal, tuple(found.sizes.values()))
    arrays = random_arrays(spec, np.random.default_rng(0))
    agrees(spec, arrays, interpret(Hole(state), spec, *arrays))


CALLS = {
    "each": each,
    "stride": lambda x: each(x, 5, 2),
    "point": lambda x: point(x, x.output.shape[1]),
    "relu": gt.relu,
    "twice": lambda x: gt.add(x, gt.relu(x)),
    "scaled": lambda x: gt.mul(x, gt.mean(x, axis=(2, 3), keepdims=True)),
    "turned": lambda x: gt.transpose(gt.transpose(x, perm=(0, 1, 3, 2)), perm=(0, 1, 3, 2)),
}


@examples(80)
@given(
    st.lists(st.sampled_from(sorted(CALLS)), min_size=1, max_size=3),
    st.tuples(st.integers(1, 3), st.integers(1, 6), st.integers(1, 7), st.integers(2, 5), st.integers(1, 2)),
    st.booleans(),
    st.booleans(),
)
def test_the_meaning_stays(calls, sizes, comes, goes):
    blocks, height, width, lanes, images = sizes
    x = blocked(blocks, height, width, lanes, images=images)
    if not comes:
        x = gt.reshape(
            gt.tensor((images, blocks * lanes, height, width)), shape=(images, blocks * lanes, height, width)
        )
    for call in calls:
        x = CALLS[call](x)
    holds(in_blocks(x, lanes) if goes else x)


@pytest.mark.parametrize("call", ["each", "point", "relu", "twice"])
def test_nothing_is_copied(call):
    """A convolution of what lies in blocks, to blocks, is one nest; its operands are what comes in, as it lies."""
    spec = canonical_form(in_blocks(CALLS[call](blocked(3, 5, 7, 4)), 4))
    assert spec.operation.is_lone and len(spec.operation.accesses) <= 3


def test_what_is_read_besides_is_read_in_place():
    """A sum of two images in blocks, one of which a convolution gives."""
    image = blocked(3, 5, 7, 4, name="x")
    spec = canonical_form(in_blocks(gt.relu(gt.add(image, each(image))), 4))
    assert "copy" not in str(spec.operation)
    holds(in_blocks(gt.relu(gt.add(image, each(image))), 4))


def test_a_result_that_is_read_is_copied():
    """Of two results one is read by the other, as the language has it: that into blocks stays a copy."""
    y = each(blocked(2, 4, 5, 4))
    spec = gt.outputs(in_blocks(y, 4), gt.relu(y))
    holds(spec)


def test_a_plain_transpose_stays():
    """Whether to lay an array out anew before it is read is the search's to say."""
    x = gt.transpose(gt.tensor((1, 6, 7, 8)), perm=(0, 3, 1, 2))
    assert not canonical_form(each(x)).operation.is_lone


def test_weights_are_packed_from_how_they_lie():
    """A constant is copied ahead of the call."""
    w = gt.reshape(gt.transpose(gt.tensor((2, 3, 4), constant=True), perm=(0, 2, 1)), shape=(8, 3))
    x = gt.tensor((5, 8))
    assert not canonical_form(gt.matmul(x, w)).operation.is_lone
    holds(gt.matmul(x, w))

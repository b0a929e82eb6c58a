"""Networks of images with channels last: what a reader wraps around each convolution meets what takes it back."""

import pytest
from simplifying import Network, calls

FIRST, LAST = (0, 3, 1, 2), (0, 2, 3, 1)


class ChannelsLast(Network):
    """A network as converters write it: values are [n, h, w, c], and each call on images stands between transposes."""

    def __init__(self, *shape: int):
        super().__init__()
        self.x = self.input("x", *shape)

    def wrapped(self, call, x, *operands, **given):
        found = self.call(call, self.call("transpose", x, perm=FIRST), *operands, **given)
        return self.call("transpose", found, perm=LAST)

    def conv(self, x, channels: int, window: int = 1, **given):
        found = self.wrapped("conv2d", x, self.known(channels, x.type.shape[3], window, window), **given)
        return self.call("add", found, self.known(channels))

    def normed(self, x):
        factor, term = self.known(x.type.shape[3]), self.known(1, 1, 1, x.type.shape[3])
        return self.call("add", self.call("mul", x, factor), term)

    def residual(self, x):
        inner = self.call("relu", self.normed(self.conv(x, 6, 3, padding=1)))
        return self.call("relu", self.call("add", x, self.normed(self.conv(inner, x.type.shape[3]))))

    def gate(self, x):
        means = self.call("mean", x, axis=(1, 2), keepdims=True)
        return self.call("mul", x, self.call("sigmoid", self.conv(means, x.type.shape[3])))

    def padded(self, x):
        wide = self.call("pad", x, before=(0, 0, 1, 0), after=(0, 1, 1, 0))
        return self.call("clip", self.conv(wide, 5, 2), low=0.0, high=6.0)

    def pooled(self, x):
        return self.wrapped("max_pool2d", x, window=2, stride=2)

    def joined(self, x):
        return self.call("concat", self.conv(x, 3), x, self.call("tanh", self.conv(x, 2)), axis=3)


BLOCKS = ("residual", "gate", "padded", "pooled", "joined")


@pytest.mark.parametrize("blocks", [*((block,) for block in BLOCKS), BLOCKS, BLOCKS[::-1]])
def test_of_an_image_network_two_transposes_are_left(blocks):
    """One where an image comes in, one where it goes out."""
    net = ChannelsLast(2, 6, 8, 4)
    x = net.call("relu", net.conv(net.x, 4))
    for block in blocks:
        x = getattr(net, block)(x)
    simpler = net.simpler(x)
    assert calls(simpler).count("transpose") == 2
    assert simpler.calls[0].call == simpler.calls[-1].call == "transpose"


@pytest.mark.parametrize("head", ["mean", "reshape"])
def test_what_follows_of_an_image_as_one_row_needs_no_transpose(head):
    """Means are rows as they are; weights of all elements of an image have theirs moved."""
    net = ChannelsLast(1, 4, 5, 1)  # of one channel: what comes in is as well [n, c, h, w]
    x = net.call("relu", net.conv(net.x, 6, 3))
    rows = net.call("mean", x, axis=(1, 2)) if head == "mean" else net.call("reshape", x, shape=(1, 36))
    simpler = net.simpler(net.call("matmul", rows, net.known(rows.type.shape[1], 7)))
    assert "transpose" not in calls(simpler)


def test_pads_are_those_of_the_convolution():
    net = ChannelsLast(2, 6, 8, 4)
    simpler = net.simpler(net.padded(net.conv(net.x, 4)))
    assert "pad" not in calls(simpler)


def test_heads_that_several_read_are_transposed_once():
    """What moves no channels may not be taken back: it stays one."""
    net = Network()
    moved = net.call("transpose", net.input("x", 2, 5, 3, 4), perm=(0, 2, 1, 3))
    simpler = net.simpler(**{call: net.call(call, moved) for call in ("exp", "tanh")})
    assert calls(simpler).count("transpose") == 1


def test_what_a_transpose_is_added_to_element_by_element_stays():
    """Of two values of which one moved each has its own order."""
    net = Network()
    x, y = net.input("x", 2, 3, 4, 5), net.input("y", 2, 4, 5, 3)
    assert calls(net.simpler(net.call("add", net.call("transpose", x, perm=LAST), y))) == ["transpose", "add"]

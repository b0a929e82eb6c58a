"""Rows that alone are read: what is computed for them alone, and what is not."""

import pytest
from griotte.lang.types.tensor import tensor
from griotte.models.custom.arrays import array_call
from griotte.models.simplify import simplify
from simplifying import Network, calls

BATCH, ROWS, HEADS, SIZE = 2, 6, 2, 4
WIDTH = HEADS * SIZE


class Encoder(Network):
    """A block of a transformer."""

    def __init__(self):
        super().__init__()
        self.x = self.input("x", BATCH, ROWS, WIDTH)

    def line(self, x, width: int = WIDTH):
        return self.call("add", self.call("matmul", x, self.known(x.type.shape[-1], width)), self.known(width))

    def norm(self, x):
        return self.call("layer_norm", x, self.known(WIDTH), self.known(WIDTH))

    def heads(self, x):
        return self.call("transpose", self.call("reshape", x, shape=(BATCH, ROWS, HEADS, SIZE)), perm=(0, 2, 1, 3))

    def attended(self, x, causal: bool, mask=None):
        q, k, v = (self.heads(self.line(x)) for _ in range(3))
        found = self.call("attention", q, k, v, causal=causal, mask=mask)
        return self.line(self.call("reshape", self.call("transpose", found, perm=(0, 2, 1, 3)), shape=x.type.shape))

    def block(self, x, causal: bool = False, mask=None):
        x = self.call("add", x, self.attended(self.norm(x), causal, mask))
        return self.call("add", x, self.line(self.call("gelu", self.line(self.norm(x), 3 * WIDTH))))

    def row(self, x, at: int):
        return self.call("slice", x, starts=(0, at, 0), limits=(BATCH, at + 1, WIDTH))


def rows(graph, call: str):
    """How many rows each call gives, of each batch."""
    return sorted(value.type.elements // value.type.shape[-1] // BATCH for value in graph.calls if value.call == call)


@pytest.mark.parametrize("masked", [False, True])
def test_of_the_last_block_one_row_is_computed(masked):
    net = Encoder()
    mask = net.known(BATCH, 1, ROWS, ROWS) if masked else None
    x = net.norm(net.block(net.block(net.x), mask=mask))
    simpler = net.simpler(net.line(net.row(x, 0), 5))
    # of the first block all, but for keys and values of the second; of that one row of q, out, both lines and the head
    assert rows(simpler, "matmul") == [1] * 5 + [ROWS] * (6 + 2)
    assert rows(simpler, "attention") == [HEADS, HEADS * ROWS]
    assert rows(simpler, "layer_norm") == [1, 1, ROWS, ROWS, ROWS]


@pytest.mark.parametrize(("at", "asked"), [(ROWS - 1, HEADS), (0, HEADS * ROWS)])
def test_of_causal_attention_the_last_rows_are(at, asked):
    """Which keys a query sees is told from the last on."""
    net = Encoder()
    simpler = net.simpler(net.row(net.block(net.x, causal=True), at))
    assert rows(simpler, "attention") == [asked]


def test_what_others_read_is_computed_as_a_whole():
    net = Encoder()
    x = net.block(net.x)
    assert 1 not in rows(net.simpler(all=x, first=net.row(x, 0)), "matmul")


def test_a_part_of_what_a_convolution_stores_stays():
    """The map is computed as the convolution stores, and a part is read where it lies."""
    net = Network()
    conv = net.call("conv2d", net.input("x", 1, 4, 6, 6), net.known(4, 4, 1, 1))
    part = net.call("slice", net.call("relu", conv), starts=(0, 0, 0, 0), limits=(1, 2, 6, 6))
    assert calls(net.simpler(part)) == ["conv2d", "relu", "slice"]


def test_a_part_of_what_no_nest_gives_stays():
    """A scatter is computed as a whole, and so is a loop."""
    net = Network()
    builder, x, rows = net.builder, net.input("x", 4, 6), net.input("rows", 3, 6)
    at = builder.input(tensor((3,), "s32"), "at")
    (into,) = builder.make(array_call("scatter", (x, at, rows), how="set", axes=1), x, at, rows, names=["into"])
    part = builder.call("slice", builder.call("exp", into), starts=(1, 0), limits=(2, 6))
    assert "scatter" in [value.call for value in simplify(builder.graph({"y": part})).calls]

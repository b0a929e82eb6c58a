"""Queries, keys and values that are one product, in the forms that exporters write."""

import pytest
from simplifying import Network, calls

BATCH, ROWS, HEADS, SIZE = 2, 5, 3, 4
WIDTH = HEADS * SIZE


class Joined(Network):
    """Attention of x to itself, of which queries, keys and values are parts of one product."""

    def __init__(self, batch: int = BATCH, rows: int = ROWS):
        super().__init__()
        self.batch, self.rows = batch, rows
        product = self.call("matmul", self.input("x", batch, rows, WIDTH), self.known(WIDTH, 3 * WIDTH))
        self.product = self.call("add", product, self.known(3 * WIDTH))

    def part(self, x, axis: int, first: int, limit: int):
        starts = tuple(first if i == axis else 0 for i in range(x.type.rank))
        return self.call(
            "slice", x, starts=starts, limits=tuple(limit if i == axis else n for i, n in enumerate(x.type.shape))
        )

    def parts(self, x, axis: int):
        size = x.type.shape[axis] // 3
        return [self.part(x, axis, i * size, (i + 1) * size) for i in range(3)]

    def heads(self, x):
        apart = self.call("reshape", x, shape=(self.batch, self.rows, HEADS, SIZE))
        return self.call("transpose", apart, perm=(0, 2, 1, 3))

    def chunks(self):
        return map(self.heads, self.parts(self.product, 2))

    def stacked(self):
        apart = self.call("reshape", self.product, shape=(self.batch, self.rows, 3, HEADS, SIZE))
        moved = self.call("transpose", apart, perm=(2, 0, 3, 1, 4))
        return (self.call("reshape", each, shape=each.type.shape[1:]) for each in self.parts(moved, 0))

    def within_heads(self):
        apart = self.call("reshape", self.product, shape=(self.batch, self.rows, HEADS, 3 * SIZE))
        return self.parts(self.call("transpose", apart, perm=(0, 2, 1, 3)), 3)

    def within_heads_first(self):
        apart = self.call("reshape", self.product, shape=(self.batch, self.rows, HEADS, 3 * SIZE))
        return (self.call("transpose", each, perm=(0, 2, 1, 3)) for each in self.parts(apart, 3))

    def rows_first(self):
        apart = self.call("reshape", self.product, shape=(1, self.batch, self.rows, 3, WIDTH))
        moved = self.call("transpose", apart, perm=(3, 1, 2, 0, 4))
        for each in self.parts(self.call("reshape", moved, shape=(3, self.batch, self.rows, WIDTH)), 0):
            yield self.heads(self.call("reshape", each, shape=(self.batch, self.rows, WIDTH)))

    def attended(self, form: str, **more):
        """Attention of this form, simplified."""
        q, k, v = getattr(self, form)()
        turned = self.call("transpose", k, perm=(0, 1, 3, 2))
        scores = self.call("mul", self.call("matmul", q, turned), self.known())
        found = self.call("matmul", self.call("softmax", scores, axis=-1), v)
        back = self.call("transpose", found, perm=(0, 2, 1, 3))
        rows = self.call("reshape", back, shape=(self.batch, self.rows, WIDTH))
        return self.simpler(rows, **more)


FORMS = ("chunks", "stacked", "within_heads", "within_heads_first", "rows_first")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("batch", [1, BATCH])
def test_each_is_a_product_with_its_own_weights(form, batch):
    simpler = Joined(batch).attended(form)
    found = calls(simpler)
    assert found.count("matmul") == 3 and found.count("attention") == 1
    assert not {"slice", "softmax", "broadcast"} & {*found}
    assert found.count("transpose") == 4
    shapes = sorted(value.type.shape for value in simpler.constants if value.type.rank == 2)
    assert shapes == [(WIDTH, WIDTH)] * 3


def test_parts_of_one_row_are_read_where_they_lie():
    one = Joined(1, 1)
    found = calls(one.simpler(**dict(zip("qkv", one.parts(one.product, 2)))))
    assert found == ["matmul", "add", "slice", "slice", "slice"]


def test_a_product_that_is_read_as_a_whole_as_well_stays():
    one = Joined()
    found = calls(one.attended("chunks", whole=one.product))
    assert found.count("matmul") == 1 and "attention" in found


def test_parts_that_overlap_are_not_computed_twice():
    one = Joined()
    parts = [one.part(one.product, 2, first, first + 20) for first in (0, 10)]
    found = calls(one.simpler(**dict(zip("ab", parts))))
    assert found == ["matmul", "add", "slice", "slice"]

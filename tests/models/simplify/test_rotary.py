"""Rotary embeddings: in the forms that exporters write, and what only looks like one."""

import pytest
from simplifying import Network, calls

ROWS, HEADS, SIZE = 5, 5, 8  # as many heads as rows: what is of which is told by its place alone


class Turning(Network):
    """A graph in which one tensor is turned by tables that are known."""

    def __init__(self, table: tuple[int, ...]):
        super().__init__()
        self.x = self.input("x", 2, HEADS, ROWS, SIZE)
        self.cos, self.sin = self.known(*table), self.known(*table)

    def part(self, first: int, limit: int, step: int = 1):
        """Elements of the last axis."""
        front, steps = self.x.type.shape[:-1], None if step == 1 else (1, 1, 1, step)
        return self.call("slice", self.x, starts=(0, 0, 0, first), limits=(*front, limit), steps=steps)

    def turned(self, u, v):
        real = self.call("sub", self.call("mul", u, self.cos), self.call("mul", v, self.sin))
        return real, self.call("add", self.call("mul", v, self.cos), self.call("mul", u, self.sin))

    def halves(self):
        u, v = self.part(0, SIZE // 2), self.part(SIZE // 2, SIZE)
        return self.simpler(self.call("concat", *self.turned(u, v), axis=3))

    def neighbours(self):
        u, v = self.part(0, SIZE, 2), self.part(1, SIZE, 2)
        apart = [self.call("reshape", each, shape=(*each.type.shape, 1)) for each in self.turned(u, v)]
        joined = self.call("concat", *apart, axis=4)
        return self.simpler(self.call("reshape", joined, shape=self.x.type.shape))


@pytest.mark.parametrize("form", ["halves", "neighbours"])
@pytest.mark.parametrize("table", [(ROWS, 4), (1, 1, ROWS, 4), (HEADS, 1, 4), (1, HEADS, 1, 4)])
def test_rows_are_told_by_their_place(form, table):
    """Tables of [5, 4] are of the last axis but one, those of [5, 1, 4] of the one before."""
    simpler = getattr(Turning(table), form)()
    before = ["transpose"] * (1 in table[1:3] and table[-2] == 1)
    assert calls(simpler) == [*before, "rope", *before]
    (rope,) = (value for value in simpler.calls if value.call == "rope")
    assert dict(rope.attributes).get("interleaved", False) == (form == "neighbours")


@pytest.mark.parametrize("table", [(2, 1, ROWS, 4), (4,), (1, ROWS, ROWS, 4)])
def test_tables_of_more_or_fewer_than_rows_stay(table):
    assert "rope" not in calls(Turning(table).halves())


def test_a_pair_that_is_turned_the_other_way_stays():
    one = Turning((ROWS, 4))
    u, v = one.part(0, 4), one.part(4, 8)
    assert "rope" not in calls(one.simpler(one.call("concat", *reversed(one.turned(u, v)), axis=3)))


def test_pairs_that_overlap_stay():
    one = Turning((ROWS, 4))
    assert "rope" not in calls(one.simpler(one.call("concat", *one.turned(one.part(0, 4), one.part(3, 7)), axis=3)))


def test_sines_that_differ_within_a_pair_stay():
    one = Turning((ROWS, SIZE))
    aside = one.call("concat", one.call("neg", one.part(4, 8)), one.part(0, 4), axis=3)
    total = one.call("add", one.call("mul", one.x, one.cos), one.call("mul", aside, one.sin))
    assert "rope" not in calls(one.simpler(total))

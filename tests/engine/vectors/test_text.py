"""Places by which lines are asked for."""

import re
from itertools import pairwise

import griotte as gt
from griotte.engine.vectors.text import on_lines
from hypothesis import given
from hypothesis import strategies as st
from machines import described, three


@given(st.sets(st.integers(0, 300), min_size=1).map(sorted), st.sampled_from([8, 16, 64]), st.data())
def test_each_line_is_asked_for_and_no_other(places, line, data):
    start = data.draw(st.integers(0, line - 1))  # where on a line the first element lies
    lines = lambda elements: [(start + each) // line for each in elements]
    found = on_lines(places, line)
    assert set(lines(found)) == set(lines(places))
    gaps = sum(b - a > line for a, b in pairwise(found))
    assert len(found) <= min(len(places), len(set(lines(places))) + gaps + 1)


def test_rows_that_lie_one_behind_the_other_ask_for_no_line_twice():
    """13 rows of 21 results are 1,092 bytes: 17 lines or 18."""
    target = described(f'name = "memory"\nbase = "avx512"\n{three(1 << 10, 1 << 11)}')
    s = gt.schedule("avg_pool2d(f32[1,1,15,23], window=3, stride=1)", target)
    text = gt.synthesize(s.move("y", "registers", lanes="x"), table="none").to_c()
    asked = [int(place or 0) for place in re.findall(r"__builtin_prefetch\(y(?: \+ (\d+))?, 1\)", text)]
    assert asked == [*range(0, 13 * 21 - 1, 16), 13 * 21 - 1]

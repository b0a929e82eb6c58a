"""Specs are drawn by a seed, of every kind, and again the same."""

from griotte.tools.learn.collecting import operation
from griotte.tools.learn.problems import KINDS, drawn


def test_a_seed_gives_the_same_specs_and_more_begin_alike():
    few, many = list(map(str, drawn(10, 3))), list(map(str, drawn(40, 3)))
    assert few == many[:10] and len(set(many)) == 40
    assert few != list(map(str, drawn(10, 4)))


def test_every_kind_gives_specs_of_a_moderate_size():
    specs = list(drawn(4 * len(KINDS), 1))
    operations = {operation(spec) for spec in specs}
    assert {"matmul", "conv2d", "softmax", "transpose", "attention", "graph:matmul", "graph:conv2d"} <= operations
    assert all(1e3 < spec.flops < 1e9 or not spec.flops for spec in specs)
    assert all(spec.bytes < 1 << 26 for spec in specs)

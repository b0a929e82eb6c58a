"""Random graphs and small networks of layers: each has a program, within the bound, that is right.

benchmarks/bounded.py draws two thousand of them, and times their searches."""

import griotte as gt
import numpy as np
import pytest
from drawn.graphs import random_graph
from drawn.networks import random_network
from griotte.compiler.session import Session
from griotte.machine import resolve
from griotte.tools.commands.specs import examine


def some(count, long):
    return [pytest.param(n, marks=[pytest.mark.long] * (n >= count)) for n in range(long)]


@pytest.mark.parametrize("seed", range(40))
def test_a_network_is_its_own_text(seed):
    spec = gt.parse(random_network(np.random.default_rng(seed)))
    assert gt.parse(str(spec)) == spec and len(spec.graph.calls) > 1


@pytest.mark.parametrize("seed", some(8, 60))
def test_a_graph_has_a_right_program(seed):
    text = random_graph(np.random.default_rng((37, seed)), 12, 1 + seed % 12)
    found = examine(text, Session(resolve("portable"), 1 + seed % 2, "none"), 0)
    assert found["ok"], found


@pytest.mark.parametrize("seed", some(6, 40))
def test_a_network_has_a_right_program(seed):
    text = random_network(np.random.default_rng((37, 1, seed)), 3)
    found = examine(text, Session(resolve("portable"), 1 + seed % 2, "none"), 0)
    assert found["ok"], found

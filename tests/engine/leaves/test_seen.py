"""What the price of a leaf, or of a view, sees of a family stands for all that has it."""

from collections import defaultdict

import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.leaves import price
from griotte.engine.leaves.forms import fits, form_of
from griotte.engine.search.graph import reach
from griotte.engine.search.problem import problem
from griotte.lang.nests.access import Mesh
from griotte.lang.text.text import parse
from machines import machine

TEXTS = (
    "matmul(f32[48,512], f32[512,40])",
    "matmul(f32[20,33], f32[33,40]{0,1})",
    "softmax(f32[16,2000], axis=-1)",
    "transpose(f32[40,1024])",
    "conv2d(u8[1,8,9,9], s8[16,8,3,3], padding=1)",
)


@pytest.mark.parametrize("name", ("avx512", "narrow", "tiles"))
@pytest.mark.parametrize("text", TEXTS)
def test_it_is_priced_as_the_family_is_and_fits_where_it_does(text, name):
    target = machine(name)
    start = problem(canonical_form(parse(text)), target)
    merged = 0
    for node in reach(target, start.goal):
        size = {d: np.array([1, 3, 16, 64, 500]) for d in node.family.operation.dims}
        for edge in node.edges:
            if edge.key[0] != "leaf":
                continue
            kernel, lane = next(k for k in target.kernels if k.name == edge.rewrite.kernel), edge.rewrite.lane
            merged += edge.key[3] != node.family
            assert np.array_equal(
                *(
                    np.broadcast_to(found, 5)
                    for found in (edge.fits(size), fits(kernel, lane, node.family, target, size))
                )
            )
            found, wanted = edge.features(size), price.features(kernel, lane, node.family, target, size)
            assert list(found) == list(wanted) and all(np.array_equal(found[f], wanted[f]) for f in wanted)
    assert merged


@pytest.mark.parametrize("name", ("avx512", "narrow", "tiles"))
@pytest.mark.parametrize("text", TEXTS)
def test_ports_see_of_a_family_what_its_cycles_and_its_fit_follow_from(text, name):
    """And what operands count over a mesh is that of their family, whichever family asked first."""
    target = machine(name)
    start = problem(canonical_form(parse(text)), target)
    meshes, near = {}, set()
    for node in reach(target, start.goal):
        family, dims = node.family, node.family.operation.dims
        size = {d: np.array([1, 3, 16, 64, 500]) for d in dims}
        mesh = meshes.setdefault(dims, Mesh(size))
        for edge in (edge for edge in node.edges if edge.key[0] == "leaf"):
            kernel, lane = next(k for k in target.kernels if k.name == edge.rewrite.kernel), edge.rewrite.lane
            seen = price.in_ports(kernel, edge.key[3])
            near.add((kernel.name, lane, seen))
            for of in (form_of(kernel).price.cycles, fits):
                found, wanted = (np.broadcast_to(of(kernel, lane, f, target, size), 5) for f in (seen, family))
                assert np.array_equal(found, wanted)
            found, wanted = edge.features(mesh), price.features(kernel, lane, family, target, size)
            assert list(found) == list(wanted) and all(np.array_equal(found[f], wanted[f]) for f in wanted)
            assert np.array_equal(edge.fits(mesh), edge.fits(size))
    assert near


def test_views_of_equal_keys_cost_the_same():
    """Of families that differ in what a view's price does not see, each is priced as it is."""
    target = machine("avx512")
    start = problem(canonical_form(parse("attention(f32[2,64,32], f32[2,64,32], f32[2,64,32])")), target)
    size = defaultdict(lambda: np.array([1, 3, 16, 64, 500]))
    prices, shared = {}, 0
    for node in reach(target, start.goal):
        for edge in node.edges:
            if edge.key[0] != "view":
                continue
            price = np.broadcast_to(target.cost(edge.features(size)), 5)
            shared += edge.key in prices
            assert np.array_equal(prices.setdefault(edge.key, price), price)
    assert shared

"""Atoms: what joins elements, with the maps behind it."""

from griotte.engine.cutting import atoms_of
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder
from griotte.models.atoms import cut_calls


def words(*outputs, builder):
    graph = builder.graph({f"y{n}": value for n, value in enumerate(outputs)})
    return [[graph.calls[n].call for n in atom] for atom in atoms_of(cut_calls(graph))]


def test_a_map_joins_what_it_would_have_to_read_the_most_of():
    """A product, not the row that is taken off it, though that is computed after it."""
    builder = GraphBuilder()
    x, w, row = (builder.input(tensor(shape), name) for shape, name in (((5, 8), "x"), ((8, 7), "w"), ((7,), "r")))
    whole = builder.call("sub", builder.call("matmul", x, w), builder.call("exp", row))
    assert words(whole, builder=builder) == [["exp"], ["matmul", "sub"]]


def test_of_two_alike_it_joins_the_last():
    builder = GraphBuilder()
    x, w, v = (builder.input(tensor(shape), name) for shape, name in (((5, 8), "x"), ((8, 7), "w"), ((8, 7), "v")))
    whole = builder.call("add", builder.call("matmul", x, w), builder.call("matmul", x, v))
    assert words(whole, builder=builder) == [["matmul"], ["matmul", "add"]]


def test_what_others_read_is_stored():
    builder = GraphBuilder()
    x, w, row = (builder.input(tensor(shape), name) for shape, name in (((5, 8), "x"), ((8, 7), "w"), ((7,), "r")))
    product = builder.call("matmul", x, w)
    whole = builder.call("sub", product, builder.call("exp", row))
    assert words(whole, product, builder=builder) == [["matmul"], ["exp", "sub"]]

"""A graph is made of named tensors, which are numbered once."""

from griotte.lang.nests.access import Access
from griotte.lang.nests.builder import NestBuilder, SizedBuilder, by_use
from griotte.lang.nests.family import Held, Layout
from griotte.lang.nests.operation import Nest, Operation
from griotte.lang.types.expr import Arg

ROW, TURNED = Access.of("m n"), Access.of("n m")
COPY, TURN = (Operation("copy", ("m", "n"), (access,), ROW, Arg(0)) for access in (ROW, TURNED))


def chain(builder, write):
    write("b", Nest(COPY, ("x",), "f32"))
    write("c", Nest(COPY, ("b",), "f32"))
    return builder.graph("copies", ("m", "n"), ["b"])


def test_an_output_before_the_last_is_an_operand_after_the_inputs():
    builder = NestBuilder()
    builder.input("x", ROW, 48)
    graph = chain(builder, lambda name, nest: builder.nest(name, nest, Held("f32", Layout((1, 0))), 48))
    assert [nest.reads for nest in graph.nests] == [(0,), (2,)]
    assert graph.placed == ((2, 1),) and graph.bytes == (48,) * 4 and len(graph.held) == 1


def test_sizes_and_dtypes_say_what_tensors_hold():
    builder = SizedBuilder({"m": 4, "n": 3})
    builder.come("x", ROW, "f64")
    graph = chain(builder, lambda name, nest: builder.write(name, nest, "f32"))
    assert graph.bytes == (96, 48, 48, 48)
    assert graph.held[0].dtype == "f32" and graph.held[0].layout.order == (1, 0)


def test_a_tensor_that_is_read_in_two_ways_is_two_operands():
    nests = {"b": Nest(COPY, ("x",), "f32"), "c": Nest(TURN, ("x",), "f32"), "d": Nest(COPY, ("b",), "f32")}
    assert [nest.reads for nest in by_use(nests).values()] == [(("x", ROW, -1),), (("x", TURNED, -1),), ("b",)]
    assert by_use(nests, ["x"])["b"].reads == (("x", ROW, "b"),)

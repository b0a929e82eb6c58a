"""What StableHLO's text may say, and what is said of a text that is none."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from griotte.readers.stablehlo.parser import parsed
from hypothesis import given
from hypothesis import strategies as st

MAIN = """
module @m attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32> {jax.arg_info = "x"}) -> (tensor<2x3xf32> {jax.result_info = ""}) {
    BODY
    return %0 : tensor<2x3xf32>
  }
}
"""
TANH = MAIN.replace("BODY", "%0 = stablehlo.tanh %arg0 : tensor<2x3xf32>")
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def graph_of(body: str):
    return gt.from_stablehlo(MAIN.replace("BODY", body))


def evaluated(body: str) -> np.ndarray:
    graph = graph_of(body)
    assert graph.unsupported() == []
    return interpret(graph, X)[0]


def test_a_module_becomes_a_kernel():
    kernel = gt.compile(gt.from_stablehlo(TANH), target="portable", table="none", effort=1)
    assert np.allclose(kernel(X), np.tanh(X), rtol=1e-6)


def test_inputs_and_results_have_names():
    graph = gt.from_stablehlo(TANH)
    assert [value.name for value in graph.inputs] == ["arg0"] and list(graph.names) == ["y"]


def test_a_function_by_itself():
    graph = gt.from_stablehlo("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    assert np.array_equal(interpret(graph, X[0, :2])[0], X[0, :2])


GENERIC = {
    '%0 = "stablehlo.tanh"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>': np.tanh(X),
    """%p = "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = #stablehlo<comparison_direction LT>}> :
         (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
       %0 = "stablehlo.select"(%p, %arg0, %arg0) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>)
         -> tensor<2x3xf32>""": X,
    """%c = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
       %b = "stablehlo.broadcast_in_dim"(%c) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x3xf32>
       %0 = "stablehlo.multiply"(%arg0, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>""": 2 * X,
    """%t = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
       %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>""": X[
        :, ::-1
    ],
    """%t = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
       %d = "stablehlo.dot_general"(%arg0, %t) <{dot_dimension_numbers = #stablehlo.dot<
         lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = []}>
         : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
       %0 = stablehlo.dot %d, %arg0 : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>""": X @ X.T @ X,
    """%z = stablehlo.constant dense<0.0> : tensor<f32>
       %s = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 0, 0>,
         strides = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<2x2xf32>
       %0 = "stablehlo.pad"(%s, %z) <{edge_padding_high = array<i64: 0, 1>, edge_padding_low = array<i64: 0, 0>,
         interior_padding = array<i64: 0, 0>}> : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x3xf32>""": X
    * np.array([1, 1, 0], np.float32),
    """%z = stablehlo.constant dense<0.0> : tensor<f32>
       %r = "stablehlo.reduce"(%arg0, %z) <{dimensions = array<i64: 1>}> ({
         ^bb0(%a: tensor<f32>, %b: tensor<f32>):
           %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
           "stablehlo.return"(%s) : (tensor<f32>) -> ()
       }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
       %0 = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>""": np.repeat(
        X.sum(1, keepdims=True), 3, 1
    ),
}


@pytest.mark.parametrize("body", GENERIC, ids=range(len(GENERIC)))
def test_the_generic_form(body):
    assert np.allclose(evaluated(body), GENERIC[body], rtol=1e-6)


CONSTANTS = {
    ("dense<[[1.0, 2.0, -3.0], [4.5e1, 0x7FC00000, 0xFF800000]]>", "f32"): [[1, 2, -3], [45, np.nan, -np.inf]],
    ('dense<"0x0000803F000000400000404000008040000080BF00000000">', "f32"): [[1, 2, 3], [4, -1, 0]],
    ("dense<2.5>", "f32"): np.full((2, 3), 2.5),
    ('dense<"0x0000C03F">', "f32"): np.full((2, 3), 1.5),
    ("dense<[[1, -2, 3], [4, 5, 6]]>", "i8"): [[1, -2, 3], [4, 5, 6]],
    ('dense<"0x01FE03040506">', "i8"): [[1, -2, 3], [4, 5, 6]],
    ("dense<[[true, false, true], [false, false, true]]>", "i1"): [[1, 0, 1], [0, 0, 1]],
    ("dense<true>", "i1"): np.ones((2, 3)),
    ("dense<[[1, 2, 3], [4, 5, 255]]>", "ui8"): [[1, 2, 3], [4, 5, 255]],
    ("dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 0x7F80]]>", "bf16"): [[1, 2, 3], [4, 5, np.inf]],
}


@pytest.mark.parametrize("text, dtype", CONSTANTS)
def test_constants(text, dtype):
    body = f"""%c = stablehlo.constant {text} : tensor<2x3x{dtype}>
               %0 = stablehlo.convert %c : (tensor<2x3x{dtype}>) -> tensor<2x3xf32>"""
    assert np.array_equal(evaluated(body), np.asarray(CONSTANTS[text, dtype], np.float32), equal_nan=True)


WRONG = {
    "": "expected func.func, found 'the end', at line 1",
    "module {": "expected 'func.func', found 'the end', at line 1",
    "model(%x: f32[8])": "expected 'func.func', found 'model'",
    TANH[:150]: "found 'the end', at line",
    TANH.replace(
        "tensor<2x3xf32>\n", "tensor<2x?xf32>\n", 1
    ): r"expected sizes that are numbers, found tensor<2x\?xf32>",
    TANH.replace("%arg0 :", "%arg9 :"): r"expected a value that is given before, found %arg9, at line 4",
    TANH.replace("return %0", "return %7"): "expected a value that is given before, found %7",
    TANH.replace(
        "stablehlo.tanh %arg0", "call @f(%arg0)"
    ): r"expected a function of 1 operands and 1 results, found @f",
    TANH.replace("stablehlo.tanh %arg0", "call @main(%arg0)"): "expected at most 64 regions and calls in each other",
    TANH.replace("stablehlo.tanh", "\0"): "expected a token of MLIR",
    TANH + TANH: "found 'module', at line",
    "func.func @f() { return }\nfunc.func @f() { return }": "found @f twice",
    TANH.replace("stablehlo.tanh", "stablehlo.constant dense<[1.0, 2.0]>"): "expected 6 numbers of f32",
    TANH.replace("stablehlo.tanh", "stablehlo.constant dense<[1.0, x]>"): "expected numbers of f32",
    TANH.replace("%0 =", "%0:99999999 ="): "expected 1 to 65,536 results, found 99,999,999",
    TANH.replace("%arg0 :", f"%arg0, {'[' * 100} :"): "expected .* at line 4",
    TANH.replace("%arg0 :", f"%arg0, a = {'[' * 100} :"): "expected at most 64 regions and lists in each other",
    TANH.replace("stablehlo.tanh %arg0", "stablehlo.slice %arg0 [0:2:1:1]"): "expected a slice, start:limit",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_what_is_no_module(text):
    with pytest.raises(gt.SpecError, match=WRONG[text]) as error:
        gt.from_stablehlo(text)
    assert "\n" not in str(error.value)


def test_what_is_no_text():
    with pytest.raises(gt.SpecError, match="expected the text of a StableHLO module, found bytes"):
        gt.from_stablehlo(b"module")


REFUSED = {
    "%0 = stablehlo.custom_call @f(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>": "a call of Python, or of another",
    "%0 = other.thing %arg0 : tensor<2x3xf32>": "no such operation here",
    "%0 = stablehlo.rng %arg0, distribution = NORMAL : tensor<2x3xf32>": "drawn by chance",
    "%0 = stablehlo.no_such %arg0 : tensor<2x3xf32>": "no such operation here",
    "%0 = chlo.polygamma %arg0, %arg0 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>": "no such function here",
    "%0 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<9x9xf32>": "",
    "%0 = stablehlo.transpose %arg0, dims = [7, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>": "",
    "%0 = stablehlo.transpose %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>": "expected dims of stablehlo.transpose",
    "%0 = stablehlo.concatenate %arg0, %arg0, dim = 9 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>": "",
    "%0 = stablehlo.add %arg0 : tensor<2x3xf32>": "it is given other operands than it has",
    "%0 = stablehlo.subtract %arg0 : tensor<2x3xf32>": "it is given other operands than it has",
}


@pytest.mark.parametrize("body", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused_is_named(body):
    (refused,) = graph_of(body).unsupported()
    assert refused.name == "line 4" and REFUSED[body] in refused.why and "\n" not in refused.why


def test_large_arrays_are_not_made():
    body = """%c = stablehlo.constant dense<1.0> : tensor<4000000x4000000xf32>
              %0 = stablehlo.tanh %arg0 : tensor<2x3xf32>"""
    assert [value.call for value in graph_of(body).calls] == ["tanh"]
    part = "stablehlo.slice %c [0:2, 0:3] : (tensor<4000000x4000000xf32>) -> tensor<2x3xf32>"
    read = body.replace("%0 = stablehlo.tanh %arg0", f"%1 = {part}\n%0 = stablehlo.tanh %1")
    with pytest.raises(gt.SpecError, match="that are computed while a model is read, found more, at line 4"):
        graph_of(read)
    with pytest.raises(gt.SpecError, match="that are computed while a model is read, found more"):
        graph_of("""%i = stablehlo.iota dim = 0 : tensor<999999999x9999999xf32>
                    %1 = stablehlo.slice %i [0:2, 0:3] : (tensor<999999999x9999999xf32>) -> tensor<2x3xf32>
                    %0 = stablehlo.add %1, %arg0 : tensor<2x3xf32>""")


def test_calls_that_double_are_bounded(monkeypatch):
    monkeypatch.setattr("griotte.readers.stablehlo.reader.MOST_OPERATIONS", 1 << 10)
    functions = "\n".join(
        f"func.func private @f{n}(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{\n"
        f"  %a = call @f{n + 1}(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
        f"  %b = call @f{n + 1}(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>\n  return %b : tensor<2x3xf32>\n}}"
        for n in range(30)
    )
    last = "func.func private @f30(%x: tensor<2x3xf32>) -> tensor<2x3xf32> { return %x : tensor<2x3xf32> }"
    main = last.replace("private @f30", "@main").replace("{ return %x", "{ %y = call @f0(%x) : (T) -> T return %y")
    main = main.replace("(T) -> T", "(tensor<2x3xf32>) -> tensor<2x3xf32>")
    text = f"{main}\n{functions}\n{last}"
    with pytest.raises(gt.SpecError, match="expected at most .* operations, found more"):
        gt.from_stablehlo(text)


@given(st.integers(0, len(TANH)), st.integers(0, 40), st.text(max_size=6))
def test_a_text_that_is_cut_is_told_in_a_line(start, length, put):
    text = TANH[:start] + put + TANH[start + length :]
    try:
        parsed(text)
        gt.from_stablehlo(text)
    except gt.SpecError as error:
        assert "expected" in str(error) and str(error).isprintable()

"""Layers of transformers as onnxruntime optimises and quantises them."""

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from onnx_models import by_onnxruntime, model, node, onnx, typed
from onnx_networks import decoder, dynamic, encoder, of_few_bits

F32 = np.float32
X = np.random.default_rng(3).standard_normal((1, 7, 16)).astype(F32)


def agree(proto, *arrays, within=1e-4):
    """The graph, which does what onnxruntime does, and what it is simplified to."""
    wanted = by_onnxruntime(proto, *arrays)
    graph = gt.from_onnx(proto)
    assert graph.unsupported() == []
    simple = simplify(graph)
    for each in (graph, simple):
        for ours, theirs in zip(interpret(each, *arrays), wanted, strict=True):
            assert np.abs(ours - theirs).max() <= within
    return graph, [value.call for value in simple.calls]


@pytest.mark.parametrize("level", ["BASIC", "EXTENDED"])
@pytest.mark.parametrize("is_dynamic", [False, True])
def test_what_the_optimiser_makes_of_an_encoder(level, is_dynamic, tmp_path):
    proto = dynamic(encoder(), tmp_path) if is_dynamic else encoder()
    by_onnxruntime(proto, X, level=f"ENABLE_{level}", path=tmp_path / "optimised.onnx")
    optimised = onnx.load(tmp_path / "optimised.onnx")
    assert (level == "EXTENDED") == any(each.domain == "com.microsoft" for each in optimised.graph.node)
    _, calls = agree(optimised, X)
    assert calls.count("attention") == 1 and calls.count("gelu") == 1 and calls.count("layer_norm") == 2


def test_an_encoder_that_quantises_as_it_goes(tmp_path):
    proto = dynamic(encoder(), tmp_path)
    _, calls = agree(proto, X)
    assert calls.count("quantize") == 4 and calls.count("matmul") == 6


@pytest.mark.long  # many small parts, each a search of its own
def test_the_kernel_of_an_encoder_that_quantises_as_it_goes(tmp_path):
    proto = dynamic(encoder(), tmp_path)
    kernel = gt.compile(gt.from_onnx(proto), table="none", effort=1)
    assert np.abs(kernel(X) - by_onnxruntime(proto, X)[0]).max() <= 1e-3


def given(new):
    """What comes into a layer of a decoder."""
    rng = np.random.default_rng(5)
    past = [rng.standard_normal((1, 2, 5, 16)).astype(F32) for _ in range(2)]
    return [rng.standard_normal((1, new, 64)).astype(F32), np.ones((1, 5 + new), np.int64), *past]


@pytest.mark.parametrize("new", [1, 3])
@pytest.mark.parametrize(("bits", "block", "symmetric"), [(4, 32, True), (4, 16, False), (8, 32, False)])
def test_a_decoder_with_weights_of_few_bits(new, bits, block, symmetric):
    proto = of_few_bits(decoder(new=new), bits, block, symmetric)
    _, calls = agree(proto, *given(new))
    assert calls.count("group_matmul") == 7 and calls.count("attention") == 1 and calls.count("rope") == 2


def test_the_kernel_of_a_decoder():
    proto = of_few_bits(decoder(), 4, 32, True)
    kernel = gt.compile(gt.from_onnx(proto), table="none", effort=1)
    for ours, theirs in zip(kernel(*given(1)), by_onnxruntime(proto, *given(1)), strict=True):
        assert np.abs(ours - theirs).max() <= 1e-4


@pytest.mark.parametrize("dtype", ["uint4", "int4"])
def test_weights_of_few_bits_between_floats(dtype):
    """As onnxruntime's quantiser writes them where it does not write its own operators."""
    import ml_dtypes

    rng = np.random.default_rng(9)
    low = 0 if dtype == "uint4" else -8
    own = getattr(ml_dtypes, dtype)
    known = {
        "w": rng.integers(low, low + 16, (64, 5)).astype(own),
        "z": rng.integers(low, low + 16, (4, 5)).astype(own),
        "s": rng.uniform(0.1, 1, (4, 5)).astype(F32),
    }
    nodes = [node("DequantizeLinear", "w s z", "f", axis=0, block_size=16), node("MatMul", "x f")]
    x = rng.standard_normal((3, 64)).astype(F32)
    graph, calls = agree(model(nodes, [typed("x", x.shape)], ["y"], 21, **known), x)
    assert calls == ["group_matmul", "reshape", "sum", "matmul", "add"]
    assert "s4" in {value.type.dtype for value in simplify(graph).constants}


def test_what_is_laid_out_for_one_machine_is_refused(tmp_path):
    proto = model(
        [node("Conv", "x w", pads=[1] * 4)], [typed("x", (1, 16, 7, 7))], ["y"], 17, w=np.ones((16, 16, 3, 3), F32)
    )
    by_onnxruntime(proto, np.ones((1, 16, 7, 7), F32), level="ENABLE_ALL", path=tmp_path / "optimised.onnx")
    refused = gt.from_onnx(tmp_path / "optimised.onnx").unsupported()
    assert refused and "save the model optimised at ORT_ENABLE_EXTENDED" in refused[0].why

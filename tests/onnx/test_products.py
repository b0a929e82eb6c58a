"""Products with what comes before and after them, and activations, beside onnxruntime."""

import griotte as gt
import numpy as np
import pytest
from onnx_models import alone, beside, evaluated, microsoft, model, of_node, typed

RNG = np.random.default_rng(11)
F32 = np.float32


def drawn(*shape, dtype=F32):
    return RNG.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("operator", ["FusedMatMul", "TransposeMatMul"])
@pytest.mark.parametrize(("a", "b", "more"), [(0, 0, 0.5), (1, 0, 1.0), (0, 1, 1.0), (1, 1, -2.0)])
def test_products_of_what_is_transposed(operator, a, b, more):
    x, y = drawn(2, 3, 5, 7), drawn(3, 7, 4)
    arrays = {"a": x.swapaxes(-1, -2).copy() if a else x, "b": y.swapaxes(-1, -2).copy() if b else y}
    beside(microsoft(operator, "a b", transA=a, transB=b, alpha=more), arrays, {})


@pytest.mark.parametrize("more", [{}, {"transA": 1}, {"transB": 1}])
def test_products_whose_first_axis_stands_before_the_last(more):
    a, b = (5, 2, 3, 7), (7, 2, 3, 4)
    a = (7, 2, 3, 5) if "transA" in more else a
    b = (4, 2, 3, 7) if "transB" in more else b
    beside(microsoft("FusedMatMul", "a b", transBatchA=1, transBatchB=1, **more), {"a": drawn(*a), "b": drawn(*b)}, {})


ACTIVATIONS = [("Relu", ()), ("Sigmoid", ()), ("Tanh", ()), ("LeakyRelu", (0.2,)), ("HardSigmoid", (0.3, 0.4))]


@pytest.mark.parametrize(("name", "numbers"), ACTIVATIONS)
def test_gemm_with_an_activation(name, numbers):
    given = dict(zip(("activation_alpha", "activation_beta"), numbers))
    made = microsoft("FusedGemm", "a b c", activation=name, transB=1, alpha=0.5, beta=2.0, **given)
    beside(made, {"a": drawn(3, 7)}, {"b": drawn(5, 7), "c": drawn(5)})


@pytest.mark.parametrize(("name", "numbers"), [*ACTIVATIONS, ("Clip", (-0.5, 0.7))])
def test_a_convolution_with_an_activation(name, numbers):
    made = microsoft(
        "FusedConv",
        "x w b",
        activation=name,
        **({"activation_params": numbers} if numbers else {}),
        group=2,
        pads=[1] * 4,
    )
    beside(made, {"x": drawn(1, 4, 5, 7)}, {"w": drawn(6, 2, 3, 3), "b": drawn(6)})


def test_a_convolution_with_a_sum():
    made = microsoft("FusedConv", "x w b z", activation="Relu", pads=[1] * 4)
    beside(made, {"x": drawn(1, 4, 5, 7), "z": drawn(1, 6, 5, 7)}, {"w": drawn(6, 4, 3, 3), "b": drawn(6)})


@pytest.mark.parametrize("operator", ["NhwcConv", "NhwcFusedConv"])
def test_a_convolution_where_channels_are_last(operator):
    x, w, b, z = drawn(1, 5, 7, 4), drawn(6, 4, 3, 3), drawn(6), drawn(1, 5, 7, 6)
    is_fused = operator == "NhwcFusedConv"
    reads, more = ("x w b z", {"activation": "Relu"}) if is_fused else ("x w b", {})
    arrays = {"x": x, "z": z} if is_fused else {"x": x}
    (found,) = of_node(microsoft(operator, reads, pads=[1] * 4, **more), arrays, {"w": w, "b": b})
    wide = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    wanted = sum(wide[:, i : i + 5, j : j + 7] @ w[:, :, i, j].T for i in range(3) for j in range(3)) + b
    assert np.allclose(found, np.maximum(wanted + z, 0) if is_fused else wanted, atol=1e-5)


def packed(whole, bits):
    """Numbers along the last axis as bytes, the lowest bits first."""
    each = 8 // bits
    padded = np.pad(whole, (*[(0, 0)] * (whole.ndim - 1), (0, -whole.shape[-1] % each)))
    parts = padded.reshape(*padded.shape[:-1], -1, each) << (np.arange(each) * bits)
    return parts.sum(-1).astype(np.uint8)


@pytest.mark.parametrize(("bits", "zeros"), [(4, ""), (4, "packed"), (4, "floats"), (8, ""), (8, "packed")])
@pytest.mark.parametrize(("k", "block"), [(64, 16), (96, 32), (50, 16), (130, 128)])
def test_weights_of_few_bits(bits, k, block, zeros):
    n, blocks = 5, -(-k // block)
    known = {
        "w": packed(RNG.integers(0, 2**bits, (n, blocks, block)), bits),
        "s": RNG.uniform(0.5, 1.5, (n, blocks)).astype(F32) / 2**bits,
        "z": packed(RNG.integers(0, 2**bits, (n, blocks)), bits),
        "b": drawn(n),
    }
    known["z"] = known["z"] if zeros == "packed" else RNG.uniform(0, 2**bits, (n, blocks)).astype(F32)
    given = {"K": k, "N": n, "bits": bits, "block_size": block, "accuracy_level": 0}
    reads = f"x w s {'z' if zeros else ''}"
    for shape in ((3, k), (2, 3, k)):
        beside(microsoft("MatMulNBits", reads.strip(), **given), {"x": drawn(*shape)}, known, within=1e-3)
    beside(microsoft("MatMulNBits", f"{reads}  b", **given), {"x": drawn(3, k)}, known, within=1e-3)


def by_bits(reads="x w s", x=F32, level=0, **known):
    given = {"w": np.full((5, 2, 16), 0x79, np.uint8), "s": np.full((5, 2), 0.125, x)} | known
    made = microsoft("MatMulNBits", reads, K=64, N=5, bits=4, block_size=32, accuracy_level=level)
    return model([made], [typed("x", (3, 64), x)], ["y"], 17, **given)


def test_weights_of_few_bits_are_read_as_they_are():
    graph = gt.from_onnx(by_bits())
    assert [value.call for value in graph.calls] == ["group_matmul"]
    assert [str(value.type) for value in graph.constants] == ["const s4[5,2,32]", "const f32[5,2]"]
    zeros = gt.from_onnx(by_bits("x w s z", z=np.full((5, 1), 0x38, np.uint8)))
    assert "s4" in {value.type.dtype for value in zeros.constants} and len(zeros.calls) > 1


def test_weights_of_few_bits_beside_floats_of_16():
    x = drawn(3, 64, dtype=np.float16)
    (found,) = evaluated(by_bits(x=np.float16), x)
    weights = np.tile([1, -1], 32)  # 0x79 is 9 and 7
    wanted = x.astype(F32) @ weights * 0.125
    assert found.dtype == np.float16 and np.allclose(found, wanted[:, None], atol=1e-2)


@pytest.mark.parametrize("level", range(5))
def test_activations_are_rounded_to_bytes_at_that_accuracy_level_alone(level):
    x = drawn(3, 64)
    blocks = x.reshape(3, 2, 32).astype(np.float64)
    own = np.abs(blocks).max(-1, keepdims=True) / 127
    rounded = (np.rint(blocks / own) * own).reshape(3, 64)
    (found,) = evaluated(by_bits(level=level), x)
    wanted = (rounded if level == 4 else x) @ np.tile([1, -1], 32) * 0.125  # 0x79 is 9 and 7
    assert np.allclose(found, wanted[:, None], atol=1e-5) and not np.allclose(rounded, x, atol=1e-3)


@pytest.mark.parametrize("reads", ["x w s", "x w s z"])
@pytest.mark.parametrize("x", [F32, np.float16])
def test_rounded_activations_beside_zeros_and_floats_of_16(reads, x):
    zeros = {"z": np.full((5, 1), 0x38, np.uint8)} if reads.endswith("z") else {}
    given = drawn(3, 64, dtype=x)
    (exact,), (found,) = (evaluated(by_bits(reads, x, level, **zeros), given) for level in (0, 4))
    assert found.dtype == x and np.allclose(found, exact, atol=0.1)


def test_weights_in_another_order_are_refused():
    (refused,) = gt.from_onnx(by_bits("x w s  g", g=np.zeros(64, np.int32))).unsupported()
    assert "g_idx" in refused.why


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("has_zeros", [False, True])
def test_rows_of_few_bits(bits, has_zeros):
    whole, zeros = RNG.integers(0, 2**bits, (7, 32)), RNG.integers(0, 2**bits, (7, 2))
    known = {"w": packed(whole, bits), "s": RNG.uniform(0.1, 1, (7, 2)).astype(F32), "z": packed(zeros, bits)}
    reads = "w i s z" if has_zeros else "w i s"
    made = microsoft("GatherBlockQuantized", reads, bits=bits, block_size=16)
    beside(made, {"i": np.array([[3, 0, -1], [6, 2, 3]])}, known)


@pytest.mark.parametrize("operator", ["Gelu", "FastGelu", "QuickGelu"])
def test_activations(operator):
    beside(microsoft(operator, "x"), {"x": np.linspace(-5, 5, 77, dtype=F32)}, {})


@pytest.mark.parametrize("operator", ["FastGelu", "BiasGelu"])
def test_activations_of_sums(operator):
    beside(microsoft(operator, "x b"), {"x": drawn(3, 5, 7)}, {"b": drawn(7)})


def test_sums_that_onnxruntime_has_on_gpus_alone():
    x, b, z = drawn(2, 5, 6), drawn(6), drawn(2, 5, 6)
    (found,) = of_node(microsoft("BiasAdd", "x b z"), {"x": x, "z": z}, {"b": b})
    assert np.allclose(found, x + b + z)
    (found,) = of_node(microsoft("BiasSplitGelu", "x b"), {"x": x}, {"b": b})
    left, right = np.split(x + b, 2, -1)
    assert np.allclose(found, left * gt.interpret(gt.gelu(gt.tensor(right.shape)), right), atol=1e-6)


@pytest.mark.parametrize(("alpha", "beta", "limit"), [(1.0, 0.0, 0.0), (1.7, 1.0, 0.5)])
def test_gates(alpha, beta, limit):
    """Which onnxruntime has on GPUs alone."""
    gate, up = drawn(3, 6), drawn(3, 6)
    given = {"activation_alpha": alpha, "activation_beta": beta, "limit": limit}
    one, other = (np.minimum(gate, limit), np.clip(up, -limit, limit)) if limit else (gate, up)
    wanted = one / (1 + np.exp(-alpha * one)) * (other + beta)
    for arrays in ({"g": gate, "u": up}, {"g": np.concatenate([gate, up], -1)}):
        (found,) = of_node(microsoft("SwiGLU", " ".join(arrays), **given), arrays)
        assert np.allclose(found, wanted, atol=1e-6)


def test_moves():
    x = drawn(3, 5)
    beside(microsoft("Trilu", "x k", upper=0), {"x": x}, {"k": np.array(1)})
    beside(microsoft("Pad", "x p v"), {"x": x}, {"p": np.array([1, 0, 0, 2]), "v": F32(0.5)})
    beside(microsoft("GatherND", "x i"), {"x": x}, {"i": np.array([[1, 2], [0, 4]], np.int32)})
    beside(microsoft("ExpandDims", "x a"), {"x": x}, {"a": np.array(-1, np.int32)})


def test_inverses_are_refused():
    (refused,) = gt.from_onnx(alone(microsoft("Inverse", "x"), {"x": drawn(3, 3)})).unsupported()
    assert refused.operator == "Inverse"

"""A user's file that takes every public name once: type checkers pass over it, and it runs."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, assert_type

import griotte as gt
import numpy as np

# What calls take: types of tensors, and other calls

x = gt.tensor((8, 16), np.float32)
w = gt.tensor((16, 4), "f32", layout=(0, 1), constant=True)
rows = gt.tensor(("<=8", np.int64(16)), np.dtype("float32"), name="rows")
image, channel = gt.tensor((1, 3, 8, 8)), gt.tensor((3,))
p = gt.tensor((8, 16), "pred")
bytes_, scale = gt.tensor((8, 16), np.uint8), gt.tensor(())
assert_type(x, gt.TensorType)
assert_type(x.shape, tuple[int, ...])
assert_type(x.strides(), tuple[int, ...])

product = gt.matmul(x, w, dtype=np.float64)
assert_type(product, gt.Spec)

maps: list[gt.Spec] = [
    gt.neg(x), gt.abs(x), gt.round(x), gt.exp(x), gt.log(x), gt.sqrt(x), gt.rsqrt(x), gt.tanh(x), gt.erf(x),
    gt.sigmoid(x), gt.relu(x), gt.gelu(x, approximate="tanh"), gt.silu(x),
    gt.add(x, x), gt.sub(x, x), gt.mul(x, x), gt.div(x, x), gt.maximum(x, x), gt.minimum(x, x),
    gt.where(gt.cast(x, "pred"), x, x), gt.floor(x), gt.ceil(x), gt.sign(x), gt.reciprocal(x), gt.sin(x), gt.cos(x),
    gt.asin(x), gt.acos(x), gt.atan(x), gt.bitwise_and(bytes_, 7), gt.bitwise_or(bytes_, 8),
    gt.bitwise_xor(bytes_, bytes_),
    gt.log1p(x), gt.expm1(x), gt.power(x, 0.5), gt.mod(x, 2), gt.fmod(1, x), gt.clip(x, low=0, high=6),
    gt.leaky_relu(x), gt.prelu(x, scale), gt.elu(x, alpha=0.5), gt.softplus(x), gt.hard_sigmoid(x), gt.hard_swish(x),
]  # fmt: skip
conditions: list[gt.Spec] = [
    gt.equal(x, x), gt.not_equal(x, 0), gt.less(x, 0.5), gt.less_equal(1, x), gt.greater(x, x), gt.greater_equal(x, x),
    gt.logical_and(p, gt.less(x, x)), gt.logical_or(p, p), gt.logical_xor(p, p), gt.logical_not(p),
]  # fmt: skip
shapes: list[gt.Spec] = [
    gt.copy(x, layout=(0, 1)),
    gt.cast(x, np.int8),
    gt.transpose(x, perm=(1, 0)),
    gt.reshape(x, (4, 32)),
    gt.broadcast(scale, (8, 16)),
    gt.slice(x, starts=(0, 15), limits=(4, -1), steps=(1, -1)),
    gt.concat(x, x, x, axis=0),
    gt.take(x, gt.tensor((3,), "s32"), axis=1),
    gt.pad(x, before=(1, 0), after=(0, 2), mode="edge"),
    gt.resize(image, (16, 12), mode="linear"),
]
reductions: list[gt.Spec] = [
    gt.sum(x, axis=-1, keepdims=True),
    gt.max(x, axis=(0, 1)),
    gt.min(x, axis=None),
    gt.prod(x, axis=1),
    gt.cumsum(x, axis=1, exclusive=True),
    gt.mean(x, axis=np.int64(0)),
    gt.argmax(x, keepdims=True),
    gt.softmax(x, axis=-1),
    gt.log_softmax(x),
]
layers: list[gt.Spec] = [
    gt.layer_norm(x, gt.tensor((16,)), gt.tensor((16,)), epsilon=1e-6),
    gt.rms_norm(x, gt.tensor((16,))),
    gt.batch_norm(image, channel, channel, channel, channel),
    gt.group_norm(image, 3, channel, channel),
    gt.instance_norm(image, channel, channel),
    gt.lrn(image, size=3),
    gt.attention(image, image, image, causal=True, mask=gt.tensor((8, 8), "pred")),
    gt.rope(x, gt.tensor((8, 8)), gt.tensor((8, 8))),
    gt.conv2d(image, gt.tensor((4, 3, 3, 3)), stride=(2, 1), padding=1),
    gt.conv_transpose2d(image, gt.tensor((3, 4, 2, 2)), stride=2, padding=((1, 0), (0, 1))),
    gt.max_pool2d(image, window=2),
    gt.avg_pool2d(image, stride=(2, 2)),
]
quantised: list[gt.Spec] = [
    gt.quantize(x, scale, 128, np.uint8),
    gt.dequantize(bytes_, scale, 128),
    gt.requantize(gt.matmul(bytes_, gt.tensor((16, 4), "s8")), scale, 0, "s8"),
    gt.qmatmul(bytes_, scale, 128, gt.tensor((16, 4), "s8"), scale, 0, scale, 128),
    gt.qconv2d(gt.cast(image, "u8"), scale, 128, gt.tensor((4, 3, 3, 3), "s8"), scale, 0, scale, 128, padding=1),
    gt.group_matmul(x, gt.tensor((4, 2, 8), "s4"), gt.tensor((4, 2))),
]
both = gt.outputs(gt.exp(product), gt.sum(product, axis=0))
assert_type(both.outputs, tuple[gt.TensorType, ...])

# From a Spec to a call

spec = gt.parse("matmul(f32[8,16], f32[16,4])")
a, b = np.ones((8, 16), np.float32), np.ones((16, 4), np.float32)
reference: np.ndarray[Any, Any] = gt.interpret(spec, a, b)

program = gt.synthesize(spec, target="native", threads=1, table="none")
assert_type(program, gt.Program)
assert_type(program.cost, float)
assert_type(program.stats, dict[str, Any])
assert_type(program.target, gt.Target)
assert_type(program.alternatives(2), list[gt.Program])
assert_type(program.to_c(), str)
assert_type(program.target.name, str)

kernel = gt.compile(spec, table="none")
assert_type(kernel, gt.Kernel)
y: np.ndarray[Any, Any] = kernel(a, b)
fixed = kernel.bind(None, b)
call = kernel.bind(a, b, out=y)
assert call() is y and np.array_equal(fixed(a), reference)
assert_type(kernel.source, str)


def save(folder: Path) -> Path:
    """The kernel as files for C."""
    return kernel.save(folder)


schedule = gt.schedule(spec, target="portable")
assert_type(schedule.tile("m", 4), gt.Schedule)
assert_type(schedule.tile("m", 4).move("x1", "L1", panel=16).at(0), gt.Schedule)


def why(text: str) -> str:
    """What is wrong with a Spec, or with this machine."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gt.TableWarning)
            gt.compile(text)
    except gt.SpecError as error:
        return f"a Spec: {error}"
    except (gt.NoProgramError, gt.TableError, gt.TargetError, gt.ToolchainError) as error:
        return f"a machine: {error}"
    except gt.GriotteError as error:
        return str(error)
    return "nothing"


assert why("matmul(f32[8,8], f32[9,8])").startswith("a Spec: ")


# Models: what reads them is an extra, so this is for checkers alone


def read(path: Path) -> Any:
    graph = gt.from_onnx(path, shapes={"x": (1, 3, 48, 192)})
    assert_type(graph, gt.ModelGraph)
    return gt.compile(graph, threads=2)


def of_torch(module: Any, example: Any) -> Any:
    graph = gt.from_torch(module, example)
    assert_type(graph, gt.ModelGraph)
    return gt.compile(graph)


def of_stablehlo(text: str) -> Any:
    graph = gt.from_stablehlo(text)
    assert_type(graph, gt.ModelGraph)
    return gt.compile(graph)


def of_jax(function: Any, example: Any) -> Any:
    graph = gt.from_jax(function, example)
    assert_type(graph, gt.ModelGraph)
    return gt.compile(graph)


# Functions of NumPy's arrays


@gt.jit
def mlp(x: Any, w: Any) -> Any:
    return gt.gelu(x @ w)


@gt.jit(threads=1, measure=True, fallback=True, table="none")
def total(x: Any) -> Any:
    return np.sum(x, axis=1)


assert_type(gt.graph(total.function, "f32[8,4]"), gt.ModelGraph)
gt.set_num_threads(None)
assert_type(gt.get_num_threads(), int)
assert np.array_equal(total(a), a.sum(axis=1)) and str(gt.report())

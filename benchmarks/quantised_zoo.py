"""Quantised networks as onnxruntime's own quantisers write them, of those that benchmarks/model_zoo.py left in a zoo,
and of networks that are made here.

    python benchmarks/quantised_zoo.py ZOO [NAME ..]

    resnet18_qdq, mobilenet_v3_qdq     static, QuantizeLinear and DequantizeLinear around what is quantised: activations
                                       u8, weights s8 with a scale for each output channel
    resnet18_qop                       the same by operators of integers (QLinearConv ..)
    bert_layer_dynamic                 dynamic: MatMulInteger behind DynamicQuantizeLinear
    gpt2_step_4bit                     MatMulNBits: weights of 4 bits in groups of 32
    gpt2_step_4bit_s8                  the same at an accuracy level of 4: activations may be rounded to 8 bits
    text_lines_dynamic                 dynamic: a reader of text lines, ConvInteger, DynamicQuantizeLSTM, MatMulInteger
    lstm_256_b1_two_x2_dynamic         dynamic: LSTMs of benchmarks/recurrences.py, 64 turns: two layers both ways
    lstm_400_b1_x3_dynamic             the same: three layers, one way

benchmarks/models.py times them beside onnxruntime. It needs onnx and onnxruntime.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
import recurrences
from onnx import helper, numpy_helper
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_dynamic,
    quantize_static,
)

SAMPLES = 4  # on which scales are found


class _Samples(CalibrationDataReader):
    """Inputs like those beside a model."""

    def __init__(self, path: Path):
        kept = np.load(path.with_suffix(".npz"))
        graph = onnx.load(path, load_external_data=False).graph
        constants = {each.name for each in graph.initializer}
        given = {each.name: kept[each.name] for each in graph.input if each.name not in constants}
        self._each = self._drawn(given)

    @staticmethod
    def _drawn(given: dict[str, np.ndarray]) -> Iterator[dict[str, np.ndarray]]:
        rng = np.random.default_rng(0)
        yield given
        for _ in range(SAMPLES - 1):
            floats = lambda x: rng.standard_normal(x.shape).astype(x.dtype) if x.dtype.kind == "f" else x
            yield {name: floats(array) for name, array in given.items()}

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self._each, None)


def static(form: QuantFormat) -> Callable[[Path, Path], None]:
    def write(path: Path, out: Path) -> None:
        quantize_static(
            path,
            out,
            _Samples(path),
            quant_format=form,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )

    return write


def dynamic(path: Path, out: Path) -> None:
    quantize_dynamic(path, out, weight_type=QuantType.QInt8)


class _Layers:
    """A network that is made layer by layer."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.known: list[onnx.TensorProto] = []
        self._rng = np.random.default_rng(0)

    def add(self, call: str, *reads: str, **attributes: object) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(call, reads, [name], **attributes))
        return name

    def weights(self, *shape: int) -> str:
        array = self._rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]) if len(shape) > 2 else shape[0])
        return self.constant(array.astype(np.float32))

    def constant(self, array: np.ndarray) -> str:
        self.known.append(numpy_helper.from_array(array, f"w{len(self.known)}"))
        return self.known[-1].name

    def conv(self, x: str, outputs: int, inputs: int, size: int, stride: int = 1) -> str:
        pads = {"pads": [size // 2] * 4, "strides": [stride] * 2, "kernel_shape": [size] * 2}
        return self.add("Conv", x, self.weights(outputs, inputs, size, size), self.weights(outputs), **pads)

    def silu(self, x: str) -> str:
        return self.add("Mul", x, self.add("Sigmoid", x))


def text_lines() -> onnx.ModelProto:
    """Inverted bottlenecks over an image of 64 by 160, an LSTM of 512 both ways, a product by 8,210 classes."""
    net, channels, height, width = _Layers(), 24, 64, 160
    x = net.silu(net.conv("x", channels, 1, 3, 2))
    for outputs, wider, stride in ((24, 24, 1), (48, 96, 2), (48, 192, 1), (48, 192, 1), (64, 192, 2), (64, 256, 1)):
        inner = net.silu(net.conv(x, wider, channels, 3, stride))
        inner = net.conv(inner, outputs, wider, 1)
        x, channels = (net.add("Add", x, inner) if stride == 1 and channels == outputs else inner), outputs
    steps, depth, size = width // 8, channels * height // 8, 512
    x = net.add("Transpose", x, perm=[3, 0, 1, 2])
    x = net.add("Reshape", x, net.constant(np.array([steps, 1, depth])))
    w, r = net.weights(2, 4 * size, depth), net.weights(2, 4 * size, size)
    x = net.add("LSTM", x, w, r, net.weights(2, 8 * size), hidden_size=size, direction="bidirectional")
    x = net.add("Reshape", net.add("Transpose", x, perm=[0, 2, 1, 3]), net.constant(np.array([steps, 2 * size])))
    x = net.add("Add", net.add("MatMul", x, net.weights(2 * size, 8210)), net.weights(8210))
    typed = lambda name, shape: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
    ends = [typed("x", (1, 1, height, width))], [typed(x, (steps, 8210))]
    graph = helper.make_graph(net.nodes, "text_lines", *ends, net.known)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model


def made_here(model: Callable[[], onnx.ModelProto]) -> Callable[[Path, Path], None]:
    """A network of this file, quantised as it is by default: weights of convolutions in u8, with a zero."""

    def write(_: Path, out: Path) -> None:
        own = model()
        floats = out.with_suffix(".floats.onnx")
        onnx.save(own, floats)
        quantize_dynamic(floats, out, weight_type=QuantType.QInt8, op_types_to_quantize=["LSTM", "MatMul"])
        if any(node.op_type == "Conv" for node in own.graph.node):
            quantize_dynamic(out, out, weight_type=QuantType.QUInt8, op_types_to_quantize=["Conv"])
        floats.unlink()
        shape = [d.dim_value for d in own.graph.input[0].type.tensor_type.shape.dim]
        np.savez(out.with_suffix(".npz"), x=np.random.default_rng(1).standard_normal(shape).astype(np.float32))

    return write


def of_turns(name: str) -> tuple[str, Callable[[Path, Path], None]]:
    return "", made_here(lambda: recurrences.made(name, 64))


def four_bits(level: int) -> Callable[[Path, Path], None]:
    """Weights of 4 bits, products at an accuracy level of onnxruntime's: 1 is f32, 4 bytes."""

    def write(path: Path, out: Path) -> None:
        from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

        quantizer = MatMulNBitsQuantizer(onnx.load(path), block_size=32, is_symmetric=True, accuracy_level=level)
        quantizer.process()
        quantizer.model.save_model_to_file(str(out))

    return write


MADE: dict[str, tuple[str, Callable[[Path, Path], None]]] = {
    "resnet18_qdq": ("resnet18", static(QuantFormat.QDQ)),
    "resnet18_qop": ("resnet18", static(QuantFormat.QOperator)),
    "mobilenet_v3_qdq": ("mobilenet_v3", static(QuantFormat.QDQ)),
    "bert_layer_dynamic": ("bert_layer", dynamic),
    "gpt2_step_4bit": ("gpt2_step", four_bits(1)),
    "gpt2_step_4bit_s8": ("gpt2_step", four_bits(4)),
    "text_lines_dynamic": ("", made_here(text_lines)),
    "lstm_256_b1_two_x2_dynamic": of_turns("lstm_256_b1_two_x2"),
    "lstm_400_b1_x3_dynamic": of_turns("lstm_400_b1_x3"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zoo", type=Path)
    parser.add_argument("names", nargs="*", default=list(MADE))
    options = parser.parse_args()
    for name in options.names:
        source, write = MADE[name]
        out = options.zoo / f"{name}.onnx"
        write(options.zoo / f"{source}.onnx", out)
        if source:
            out.with_suffix(".npz").write_bytes((options.zoo / f"{source}.npz").read_bytes())
        print(f"{out}: {out.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()

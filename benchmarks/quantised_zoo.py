"""Quantised networks as onnxruntime's own quantisers write them, of those that benchmarks/model_zoo.py left in a zoo.

    python benchmarks/quantised_zoo.py ZOO [NAME ..]

    resnet18_qdq, mobilenet_v3_qdq     static, QuantizeLinear and DequantizeLinear around what is quantised: activations
                                       u8, weights s8 with a scale for each output channel
    resnet18_qop                       the same by operators of integers (QLinearConv ..)
    bert_layer_dynamic                 dynamic: MatMulInteger behind DynamicQuantizeLinear
    gpt2_step_4bit                     MatMulNBits: weights of 4 bits in groups of 32
    gpt2_step_4bit_s8                  the same at an accuracy level of 4: activations may be rounded to 8 bits

benchmarks/models.py times them beside onnxruntime. It needs onnx and onnxruntime.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
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
        kept = options.zoo / f"{source}.npz"
        out.with_suffix(".npz").write_bytes(kept.read_bytes())
        print(f"{out}: {out.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()

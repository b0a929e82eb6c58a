"""A kernel as a custom operator of onnxruntime: C around it (ort_op.c), compiled into a library of its own."""

from __future__ import annotations

import textwrap
from importlib.resources import files
from pathlib import Path

from ..lang.types.dtypes import dtype
from ..support.errors import SpecError
from .saved import Library
from .signature import Signature, TensorArg
from .toolchain import compile_shared

WEIGHTS_BEGIN = 64  # bytes; packed weights begin on a line
TYPES = {
    "f32": 1,
    "u8": 2,
    "s8": 3,
    "u16": 4,
    "s16": 5,
    "s32": 6,
    "s64": 7,
    "pred": 9,
    "f16": 10,
    "f64": 11,
    "u32": 12,
    "u64": 13,
    "bf16": 16,
    "f8e4m3fn": 17,
    "f8e4m3fnuz": 18,
    "f8e5m2": 19,
    "f8e5m2fnuz": 20,
}
"""onnxruntime's numbers of dtypes, which are ONNX's."""


def domain_of(signature: Signature) -> str:
    """The domain of a kernel's operator: its own, for a session takes a domain from one library alone."""
    return f"griotte.{signature.function}"


def source_of(library: Library) -> str:
    """C of a kernel and of its operator, whose inputs are the kernel's after, of a model, its packed weights.

    Raises:
        SpecError: a size is dynamic, an array is not row-major, or a dtype is none of onnxruntime's.
    """
    signature = library.signature
    _require_plain(signature)
    inputs = [_row(arg.name, TYPES[arg.dtype], arg.shape, dtype(arg.dtype).numpy.itemsize) for arg in signature.inputs]
    if library.weights is not None:
        inputs.insert(0, _row("weights", TYPES["u8"], (max(1, library.weights),), WEIGHTS_BEGIN))
    outputs = [_row(arg.name, TYPES[arg.dtype], arg.shape, 1) for arg in signature.outputs]
    most = max(1, *(len(arg.shape) for arg in (*signature.inputs, *signature.outputs)))
    given = [*(f"in[{i}]" for i in range(len(inputs))), *(f"out[{i}]" for i in range(len(outputs)))]
    tables = "\n".join(
        f"#define GRIOTTE_{name.upper()}PUTS {len(rows)}\n"
        f"static const struct griotte_ort_tensor griotte_{name}[] = {{\n{textwrap.indent(''.join(rows), '    ')}}};"
        for name, rows in (("in", inputs), ("out", outputs))
    )
    text = files(__package__).joinpath("ort_op.c").read_text(encoding="utf-8")
    text = text.replace("GRIOTTE_MOST_AXES", str(most)).replace("@DOMAIN@", domain_of(signature))
    text = text.replace("@CALL@", f"@FUNCTION@({', '.join(given)});").replace("@TABLES@", tables)
    return f"{library.source}\n{text.replace('@FUNCTION@', signature.function)}"


def library_of(library: Library) -> Path:
    """The compiled operator, in the cache of kernels.

    Raises:
        SpecError: as of `source_of`.
        ToolchainError: there is no C compiler, or it failed.
    """
    text = source_of(library)
    assert library.build is not None
    return compile_shared(text, library.build.flags, extra_flags=library.build.more, needs=library.needs)


def _row(name: str, number: int, shape: tuple[int, ...], alignment: int) -> str:
    sizes = ", ".join(map(str, shape)) or "0"
    return f'{{"{name}", {number}, {len(shape)}, {{{sizes}}}, {alignment}}},\n'


def _require_plain(signature: Signature) -> None:
    for arg in (*signature.inputs, *signature.outputs):
        if wrong := _wrong(arg):
            raise SpecError(
                f"expected row-major arrays of fixed sizes and of onnxruntime's dtypes, found {arg}, {wrong}, for"
                f" {arg.name} of a custom operator; compile a model for the sizes at hand"
            )


def _wrong(arg: TensorArg) -> str:
    if arg.dynamic is not None:
        return "a size up to a bound"
    if arg.axes is not None:
        return "another layout"
    if arg.packing is not None:
        return "a constant that is packed ahead"
    return "" if arg.dtype in TYPES else "another dtype"

"""Networks of benchmarks/model_zoo.py in small sizes; where torch is not installed tests of them are left out."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ZOO = Path(__file__).parents[2] / "benchmarks" / "model_zoo.py"


def _bert_layer(zoo: Any, torch: Any) -> Any:
    seen = (torch.arange(16) < 12).to(torch.float32)
    mask = (1 - seen)[None, None, None] * torch.finfo(torch.float32).min
    return zoo.BertLayer(64, 4), (torch.randn(1, 16, 64), mask)


def _gpt2_step(zoo: Any, torch: Any) -> Any:
    caches = [torch.randn(1, 4, 15, 16) for _ in range(4)]
    return zoo.Gpt2Step(2, 64, 4, 200), (torch.tensor([[11]]), torch.tensor([[15]]), *caches)


def _mobilenet(zoo: Any, torch: Any) -> Any:
    rows = ((3, 16, 8, 0, 0, 2), (3, 24, 8, 0, 0, 1), (5, 24, 12, 1, 1, 2))
    blocks, given = [zoo.normed(3, 8, 3, 2, act=torch.nn.Hardswish())], 8
    for window, within, out, gated, hard, stride in rows:
        blocks.append(zoo.Inverted(given, window, within, out, bool(gated), bool(hard), stride))
        given = out
    last = [torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(12, 10)]
    return torch.nn.Sequential(*blocks, *last), (torch.randn(1, 3, 33, 33),)


def _resnet(zoo: Any, torch: Any) -> Any:
    first = [zoo.normed(3, 8, 7, 2, act=torch.nn.ReLU()), torch.nn.MaxPool2d(3, 2, 1)]
    blocks = [zoo.Residual(8, 8, 1), zoo.Residual(8, 16, 2)]
    last = [torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(16, 10)]
    return torch.nn.Sequential(*first, *blocks, *last), (torch.randn(1, 3, 37, 37),)


SMALL: dict[str, Callable[[Any, Any], Any]] = {
    "mlp": lambda zoo, torch: zoo.mlp(),
    "lenet": lambda zoo, torch: (zoo.LeNet(), (torch.randn(1, 1, 28, 28),)),
    "bert_layer": _bert_layer,
    "gpt2_step": _gpt2_step,
    "mobilenet": _mobilenet,
    "resnet": _resnet,
    "unet": lambda zoo, torch: (zoo.UNet((4, 8, 16)), (torch.randn(1, 3, 24, 24),)),
    "llama_block": lambda zoo, torch: (
        zoo.LlamaBlock(64, 4, 2, 96),
        (torch.randn(1, 9, 64), torch.arange(9)[None]),
    ),
}


def exported(name: str, folder: Path) -> Path:
    """One of them as an ONNX file."""
    torch = pytest.importorskip("torch", reason="the package torch is not installed")
    pytest.importorskip("onnxscript", reason="the package onnxscript is not installed")
    spec = importlib.util.spec_from_file_location("model_zoo", ZOO)
    assert spec and spec.loader
    zoo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(zoo)
    zoo.ZOO[name] = lambda: SMALL[name](zoo, torch)
    zoo.export(name, folder)
    return folder / f"{name}.onnx"

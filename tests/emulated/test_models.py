"""Whole models, compiled for NEON, do in the emulator what references of ONNX do."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
from griotte.compiler.session import Session
from griotte.machine import resolve
from griotte.tools.commands.models import ModelSubject
from griotte.tools.commands.reading import parse_all
from onnx_networks import decoder, encoder, lenet, mobile, perceptron, quantised, residual

from .emulator import compiler
from .zoo import SMALL, exported

pytestmark = pytest.mark.long

NETWORKS = {
    "perceptron": perceptron,
    "lenet": lenet,
    "residual": residual,
    "mobile": mobile,
    "encoder": encoder,
    "decoder": decoder,
}


def right(path: Path, threads: int = 1) -> None:
    (file,) = parse_all((str(path),))
    found = ModelSubject(file).check(Session(resolve("neon"), threads, "none", effort=1), 0, None)
    assert found["ok"], found
    assert found["references"]


def written(name: str, folder: Path) -> Path:
    onnx.save(NETWORKS[name](), folder / f"{name}.onnx")
    return folder / f"{name}.onnx"


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_is_right(arm, name, tmp_path):
    right(written(name, tmp_path))


@pytest.mark.parametrize("name", ["lenet", "encoder"])
def test_a_network_of_two_threads_is_right(arm, name, tmp_path):
    right(written(name, tmp_path), 2)


@pytest.mark.parametrize("name", ["clang", "zig"])
def test_other_compilers_are_right(arm, monkeypatch, name, tmp_path):
    monkeypatch.setenv("CC", compiler(name))
    right(written("mobile", tmp_path))


@pytest.mark.parametrize(("name", "form"), [("residual", "QDQ"), ("mobile", "QOperator"), ("encoder", "QDQ")])
def test_a_network_of_integers_is_right(arm, name, form, tmp_path):
    quantised(NETWORKS[name](), tmp_path, form, "u8", "s8", True)
    right(tmp_path / "quantised.onnx")


@pytest.mark.parametrize("name", SMALL)
def test_a_network_of_the_zoo_is_right(arm, name, tmp_path):
    right(exported(name, tmp_path))

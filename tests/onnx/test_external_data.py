"""Data beside a model's file: where it may lie, and how."""

from __future__ import annotations

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from onnx_models import TensorProto, helper, model, node, onnx, typed

COUNT = 20_000  # elements: of more than LARGE bytes, in loading.py


def product(dtype=np.float32):
    """x * w, of which w is a large constant."""
    return model([node("Mul", "x w")], [typed("x", (COUNT,), dtype)], ["y"]), np.arange(COUNT).astype(dtype)


def outside(tensor, array: np.ndarray, location: str, offset: int) -> None:
    """Make an initializer one whose data lies in a file."""
    kind = helper.np_dtype_to_tensor_dtype(array.dtype)
    tensor.CopyFrom(TensorProto(name="w", dims=array.shape, data_type=kind, data_location=TensorProto.EXTERNAL))
    for key, value in {"location": location, "offset": str(offset), "length": str(array.nbytes)}.items():
        tensor.external_data.add(key=key, value=value)


def downloaded(folder, proto, data: bytes | None = None, name: str = "onnx/model.onnx"):
    """A model as a cache of downloads keeps it: files named by what is in them, and links to them."""
    blobs, snapshot = folder / "blobs", (folder / "snapshots" / "0123" / name).parent
    blobs.mkdir(parents=True), snapshot.mkdir(parents=True)
    (blobs / "aaaa").write_bytes(proto.SerializeToString())
    up = "../" * (1 + name.count("/") + 1)
    (snapshot / "model.onnx").symlink_to(up + "blobs/aaaa")
    if data is not None:
        (blobs / "bbbb").write_bytes(data)
        (snapshot / "model.onnx_data").symlink_to(up + "blobs/bbbb")
    return snapshot / "model.onnx"


def check(path, array: np.ndarray) -> None:
    graph = gt.from_onnx(path)
    np.testing.assert_array_equal(graph.constants[0].array, array, strict=True)
    x = np.ones(COUNT, array.dtype)
    np.testing.assert_array_equal(gt.compile(graph, target="portable")(x), array, strict=True)


@pytest.mark.parametrize("name", ["model.onnx", "onnx/model.onnx"])
def test_data_lies_beside_a_link_as_a_link(tmp_path, name):
    proto, w = product()
    outside(proto.graph.initializer.add(), w, "model.onnx_data", 0)
    check(downloaded(tmp_path, proto, w.tobytes(), name), w)


def test_large_data_lies_within_a_file_that_a_link_leads_to(tmp_path):
    proto, w = product()
    proto.graph.initializer.append(onnx.numpy_helper.from_array(w, "w"))
    check(downloaded(tmp_path, proto), w)


def test_data_lies_beside_the_file_that_a_link_leads_to(tmp_path):
    proto, w = product()
    outside(proto.graph.initializer.add(), w, "own_data", 0)
    path = downloaded(tmp_path, proto)
    (tmp_path / "blobs" / "own_data").write_bytes(w.tobytes())
    check(path, w)


def test_a_location_is_the_file_of_the_model_itself(tmp_path):
    """A file may go on with a field that is not known, here the data."""
    proto, w = product()
    tensor = proto.graph.initializer.add()
    outside(tensor, w, "model.onnx", 0)
    for _ in range(3):  # the offset's own digits move it
        head = proto.SerializeToString() + b"\xfa\x3f" + varint(w.nbytes)  # field 1023, with its length
        outside(tensor, w, "model.onnx", len(head))
    (tmp_path / "model.onnx").write_bytes(head + w.tobytes())
    check(tmp_path / "model.onnx", w)


def varint(value: int) -> bytes:
    return (bytes([value & 0x7F | 0x80]) + varint(value >> 7)) if value > 0x7F else bytes([value])


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.float64, np.int64, np.int32])
def test_an_offset_is_no_multiple_of_the_element(tmp_path, dtype):
    proto, w = product(dtype)
    outside(proto.graph.initializer.add(), w, "data", 1)
    (tmp_path / "data").write_bytes(b" " + w.tobytes())
    (tmp_path / "model.onnx").write_bytes(proto.SerializeToString())
    check(tmp_path / "model.onnx", w)


@pytest.mark.parametrize(
    "location", ["../../secret", "../secret", "link", "../../blobs/bbbb", "/etc/passwd", "", ".", "a/../../model.onnx"]
)
def test_data_elsewhere_is_not_read(tmp_path, location):
    proto, w = product()
    outside(proto.graph.initializer.add(), w, location, 0)
    path = downloaded(tmp_path / "hub", proto, w.tobytes())
    for secret in (tmp_path / "secret", tmp_path / "hub" / "secret", path.parent.parent / "secret"):
        secret.write_bytes(w.tobytes())
    (path.parent / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(gt.SpecError, match="model's folder"):
        gt.from_onnx(path)

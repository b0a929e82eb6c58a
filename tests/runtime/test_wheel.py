"""Wheels of kernels, used by an interpreter that loads neither griotte nor cffi."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import griotte as gt
import ml_dtypes  # noqa: F401 (np.load of bfloat16 needs its name)
import numpy as np
import pytest
from griotte.lang.meaning.samples import random_arrays
from griotte.runtime.wheel import wheel_of
from verbs import refused, run

USE = """
import json, sys
from pathlib import Path
import numpy as np
import my_kernel
here, dtypes = Path(sys.argv[1]), json.loads(sys.argv[2])
def read(n, told):
    dtype, shape, strides = told
    import importlib
    kind = np.dtype(dtype) if dtype in ("float32", "int32", "uint8", "int8", "bool") else np.dtype(
        getattr(importlib.import_module("ml_dtypes"), dtype))
    data = np.frombuffer((here / f"{n}.bin").read_bytes(), np.uint8).copy()
    return np.ndarray(shape, kind, data, strides=strides)
arrays = [read(n, told) for n, told in enumerate(dtypes)]
found = my_kernel.kernel(*arrays)
again = my_kernel.kernel.bind(*[None, *arrays[1:]])(arrays[0])
for each, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, again))):
    assert each.tobytes() == other.tobytes()
for n, each in enumerate(found if isinstance(found, tuple) else (found,)):
    (here / f"out{n}.bin").write_bytes(np.ascontiguousarray(each).tobytes())
assert not {"griotte", "cffi"} & set(sys.modules), "expected NumPy alone"
"""
SPECS = [
    "matmul(f32[3,64], const f32[64,48])",
    "add(matmul(bf16[3,64], const bf16[64,48]{0,1}), bf16[48]) -> bf16[3,48]",
    "matmul(u8[5,32], const s8[32,24]) -> s32[5,24]",
    "transpose(f32[4,6]{0,1}, perm=(1,0))",
]


def memory(array: np.ndarray) -> np.ndarray:
    """An array as it lies."""
    return array.transpose(np.argsort([-s for s in array.strides], kind="stable"))


def extracted(wheel: Path, to: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        archive.extractall(to)
    return to


def saved(kernel, to: Path, name: str = "my_kernel") -> Path:
    (found,) = kernel.save(to, wheel=name).glob(f"{name}-*.whl")
    return found


def used(site: Path, room: Path, arrays: list[np.ndarray]) -> None:
    for n, array in enumerate(arrays):
        (room / f"{n}.bin").write_bytes(memory(array).tobytes())
    told = json.dumps([(a.dtype.name, a.shape, a.strides) for a in arrays])
    environment = {"PYTHONPATH": str(site), "PATH": ""}  # no compiler
    done = subprocess.run(
        [sys.executable, "-c", USE, str(room), told], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", SPECS)
def test_a_wheel_runs_by_numpy_alone_and_gives_the_same_bytes(text, tmp_path):
    spec = gt.parse(text)
    kernel = gt.compile(spec, target="portable", table="none")
    wheel = saved(kernel, tmp_path / "saved")
    arrays = random_arrays(spec, np.random.default_rng(0))
    room = tmp_path / "room"
    room.mkdir()
    used(extracted(wheel, tmp_path / "site"), room, arrays)
    assert (room / "out0.bin").read_bytes() == np.ascontiguousarray(kernel(*arrays)).tobytes()


def test_a_model_brings_its_weights(tmp_path):
    w = np.random.default_rng(1).standard_normal((16, 8), np.float32)
    graph = gt.graph(lambda x: (gt.relu(x @ w), x + 1), gt.tensor((4, 16), "f32"))
    kernel = gt.compile(graph, target="portable", table="none")
    wheel = saved(kernel, tmp_path / "saved")
    room = tmp_path / "room"
    room.mkdir()
    x = np.random.default_rng(2).standard_normal((4, 16), np.float32)
    used(extracted(wheel, tmp_path / "site"), room, [x])
    for n, expected in enumerate(kernel(x)):
        assert (room / f"out{n}.bin").read_bytes() == expected.tobytes()


def test_its_record_holds_each_file(tmp_path):
    folder = gt.compile("exp(f32[8])", target="portable", table="none").save(tmp_path / "saved")
    wheel = wheel_of(folder, "my_kernel")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        record = archive.read("my_kernel-1.0.0.dist-info/RECORD").decode()
    assert {line.split(",")[0] for line in record.splitlines()} == names
    first = wheel.read_bytes()
    assert wheel_of(folder, "my_kernel").read_bytes() == first


def test_pip_installs_it(tmp_path):
    wheel = wheel_of(gt.compile("exp(f32[8])", target="portable", table="none").save(tmp_path / "saved"), "my_kernel")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(tmp_path / "site")]
    done = subprocess.run([*pip, str(wheel)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site/my_kernel/kernel.so").exists()


@pytest.mark.parametrize("name", ["", "1st", "a-b", "class", "a/b", "é", "a_"])
def test_a_name_that_is_no_package_is_refused(name, tmp_path):
    with pytest.raises(gt.SpecError, match="expected the name of a package"):
        gt.compile("exp(f32[8])", target="portable", table="none").save(tmp_path / "saved", wheel=name)
    assert not (tmp_path / "saved").exists()


def test_a_size_up_to_a_bound_is_refused(tmp_path):
    kernel = gt.compile("exp(f32[<=8])", target="portable", table="none")
    with pytest.raises(gt.SpecError, match=r"expected fixed sizes for a wheel, found f32\[<=8\] for x0"):
        kernel.save(tmp_path, wheel="my_kernel")


def test_integers_of_4_bits_are_refused(tmp_path):
    kernel = gt.compile("neg(s4[8])", target="portable", table="none")
    with pytest.raises(gt.SpecError, match="expected dtypes of 8 bits or more for a wheel, found s4 for x0"):
        kernel.save(tmp_path, wheel="my_kernel")


def test_a_folder_without_a_kernel_is_told(tmp_path):
    with pytest.raises(gt.ToolchainError, match="expected to write a wheel, found No such file"):
        wheel_of(tmp_path, "my_kernel")


def test_what_does_not_fit_is_told_by_the_kernel_in_the_wheel(tmp_path, monkeypatch):
    wheel = saved(gt.compile("exp(f32[8])", target="portable", table="none"), tmp_path / "saved", "a_kernel_of_exp")
    monkeypatch.syspath_prepend(str(extracted(wheel, tmp_path / "site")))
    from a_kernel_of_exp import kernel

    x = np.zeros(8, np.float32)
    for wrong in (x.astype(np.float64), x[:4], np.zeros(16, np.float32)[::2]):
        with pytest.raises(ValueError, match=r"expected x0: f32\[8\], found"):
            kernel(wrong)
    with pytest.raises(ValueError, match="expected 1 arrays, found 2"):
        kernel(x, x)
    with pytest.raises(ValueError, match="expected out apart from the inputs"):
        kernel(x, out=x)
    assert kernel(x, out=np.empty(8, np.float32)).tolist() == [1.0] * 8


def test_the_command_line_writes_one(tmp_path):
    out = tmp_path / "out"
    told = run("compile", "exp(f32[8])", "--target", "portable", "--table", "none", "-o", str(out), "--wheel", "exp8")
    (wheel,) = out.glob("exp8-*.whl")
    assert f"wrote {wheel}" in told
    assert "expected -o DIR and no --emit beside" in refused("compile", "exp(f32[8])", "--wheel", "exp8")

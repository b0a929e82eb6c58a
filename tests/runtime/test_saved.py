import json
import os
import subprocess

import griotte as gt
import numpy as np
import pytest
from griotte.runtime.compilers import find_compiler
from griotte.runtime.model import load
from griotte.runtime.signature import Packing, TensorArg
from griotte.support.errors import ToolchainError
from griotte.support.folders import cache_dir

FILES = ["kernel.c", "kernel.h", "kernel.json", "kernel.so"]
MAIN = """
#include <stdio.h>
#include "kernel.h"
int main(void) {
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {6, 5, 4, 3, 2, 1}, z[6];
    subtract(x, y, z);
    for (int i = 0; i < 6; i++) printf("%g ", z[i]);
    return 0;
}
"""


@pytest.fixture
def folder(subtract, tmp_path):
    return subtract.save(tmp_path / "deep" / "out")


def test_four_files_are_written(folder, subtract):
    assert sorted(os.listdir(folder)) == FILES
    assert (folder / "kernel.c").read_text() == subtract.source
    assert (folder / "kernel.h").read_text() == subtract.header
    description = json.loads((folder / "kernel.json").read_text())
    assert description["signature"]["function"] == "subtract"
    assert description["signature"]["inputs"][1]["shape"] == [2, 3]
    assert description["metadata"] == {"cost": 1}


@pytest.mark.parametrize("part", ["kernel.so", "kernel.c"])
def test_a_c_program_can_use_it(folder, part):
    (folder / "main.c").write_text(MAIN)
    words = [*find_compiler().command, "main.c", f"./{part}", "-o", "main", "-lm"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    done = subprocess.run(["./main"], cwd=folder, check=True, capture_output=True, text=True)
    assert done.stdout == "-5 -3 -1 1 3 5 "


def test_a_saved_kernel_can_be_loaded(folder, subtract):
    x, y = np.random.default_rng(0).random((2, 2, 3)).astype("f4")
    kernel = load(folder)
    assert (kernel(x, y) == x - y).all()
    assert kernel.signature == subtract.signature
    assert kernel.metadata == subtract.metadata
    assert kernel.source == subtract.source


def test_what_the_cache_gave_up_is_compiled_again(tmp_path):
    kernel = gt.compile("neg(f32[5])", "portable", table="none")
    code = kernel.save(tmp_path / "before").joinpath("kernel.so").read_bytes()
    (library,) = [path for path in cache_dir().rglob("*.so") if path.read_bytes() == code]
    library.unlink()
    assert kernel.save(tmp_path / "after").joinpath("kernel.so").read_bytes() == code
    assert load(tmp_path / "after")(np.ones(5, np.float32))[0] == -1


def test_a_packing_survives(make_kernel, tmp_path):
    source = """
    void p(const int *x, int *q) { *q = *x + 1; }
    void f(const int *q, int *y) { *y = *q; }
    """
    x = TensorArg("x", "s32", (), (), constant=True, packing=Packing("p", 4))
    kernel = make_kernel(source, "f", [x], TensorArg("y", "s32", (), ()))
    assert load(kernel.save(tmp_path))(np.int32(4)) == 5


def test_saving_again_replaces(folder, subtract):
    (folder / "kernel.c").write_text("old")
    subtract.save(folder)
    assert (folder / "kernel.c").read_text() == subtract.source
    assert sorted(os.listdir(folder)) == FILES


def test_a_directory_that_cannot_be_made_is_one_line(subtract, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ToolchainError, match="expected to save a kernel, found .*file"):
        subtract.save(tmp_path / "file" / "out")


def test_nothing_half_written_is_left(subtract, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ToolchainError, match="No space left on device"):
        subtract.save(tmp_path)
    assert os.listdir(tmp_path) == []


def test_metadata_may_hold_more_than_json_knows(make_kernel, tmp_path):
    arg = TensorArg("x", "f32", (), ())
    kernel = make_kernel("void f(const float *x, float *y) { *y = *x; }", "f", [arg], arg)
    kernel.metadata["path"] = tmp_path
    kernel.save(tmp_path)
    assert load(tmp_path).metadata["path"] == str(tmp_path)


def edit(folder, change):
    path = folder / "kernel.json"
    description = json.loads(path.read_text())
    change(description)
    path.write_text(json.dumps(description))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("signature"),
        lambda d: d.update(format=99),
        lambda d: d.update(signature=[]),
        lambda d: d.update(metadata=None),
        lambda d: d["signature"].update(function="f; system"),
        lambda d: d["signature"].update(inputs={"a": 1}),
        lambda d: d["signature"]["output"].update(shape=[-1, 3]),
        lambda d: d["signature"]["output"].update(shape=7),
        lambda d: d["signature"]["output"].update(dtype=["f32"]),
        lambda d: d["signature"]["output"].update(packing={"function": "f"}),
        lambda d: d["signature"]["output"].update(minor_to_major=["0", "1"]),
    ],
)
def test_a_description_that_was_edited_is_refused(folder, change):
    edit(folder, change)
    with pytest.raises(ToolchainError, match="expected a kernel that Kernel.save wrote"):
        load(folder)


def test_a_damaged_or_missing_file_is_refused(folder):
    with open(folder / "kernel.so", "ab") as library:
        library.write(b"x")
    with pytest.raises(ToolchainError, match="not the one kernel.json describes"):
        load(folder)
    (folder / "kernel.json").write_text("[" * 100_000)
    with pytest.raises(ToolchainError, match="save it again"):
        load(folder)
    (folder / "kernel.so").unlink()
    with pytest.raises(ToolchainError, match="save it again"):
        load(folder)
    with pytest.raises(ToolchainError, match="No such file"):
        load(folder / "nowhere")

"""What is loaded when: a bare import almost nothing, a kernel that was saved no language and no search."""

from __future__ import annotations

import pickle
import subprocess
import sys

import griotte as gt
import numpy as np
import pytest
from griotte.models import GraphBuilder
from griotte.support.later import later
from onnx_models import model as model_of
from onnx_models import node, typed

PACKAGES = (
    "griotte",
    "griotte.models",
    "griotte.onnx",
    "griotte.runtime",
)
SEARCHES = ("codegen", "compiler.partition", "engine.cost", "engine.program", "engine.rewrites", "engine.search")


def loaded(code: str, *words: str) -> set[str]:
    """The modules of a process after it ran this, with griotte's rooms and files from the package on."""
    code = f"import sys\n{code}\nprint(*(m.removeprefix('griotte.') for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_a_bare_import_loads_errors_alone():
    found = loaded("import griotte") - loaded("from typing import TYPE_CHECKING")
    assert not found & {"numpy", "numba", "cffi", "ml_dtypes"}
    assert {"support.errors", "support.later", "griotte"} <= found and not found & {"lang", *SEARCHES}


def test_what_states_specs_loads_no_search():
    found = loaded("import griotte as gt; gt.matmul(gt.tensor((2, 3)), gt.tensor((3, 4))); gt.parse('exp(f32[8])')")
    assert "lang.constructors.operations" in found and not found & {"numba", "cffi", "machine", *SEARCHES}


@pytest.fixture
def model(tmp_path):
    b = GraphBuilder()
    x = b.input(gt.tensor((3, 4)), "x")
    return b.graph({"y": b.call("matmul", x, b.constant(np.eye(4, dtype=np.float32)))})


def test_a_model_from_the_cache_is_loaded_without_a_search(model):
    gt.compile(model)
    code = (
        "import pickle, griotte as gt, numpy as np\nkernel = gt.compile(pickle.loads(bytes.fromhex(sys.argv[1])))\n"
        "assert kernel.stats['parts_solved'] == 0 and kernel(np.ones((3, 4), np.float32)).sum() == 12"
    )
    found = loaded(code, pickle.dumps(model).hex())
    assert "runtime.model" in found and not found & {"numba", "sqlite3", "models.solving", *SEARCHES}


def test_a_saved_kernel_is_loaded_without_the_language(model, tmp_path):
    gt.compile(model).save(tmp_path / "model")
    gt.compile("exp(f32[8])").save(tmp_path / "spec")
    for name in ("model", "spec"):
        found = loaded("from griotte.runtime import load; load(sys.argv[1])", str(tmp_path / name))
        language = {"lang.text", "lang.constructors.forms", "lang.constructors.composites"}
        assert not found & {"numba", "sqlite3", "models", *language, *SEARCHES}


def test_a_model_is_read_without_what_makes_it_simpler(tmp_path):
    proto = model_of(
        [node("Relu", "x", "h"), node("Add", "h w")], [typed("x", (2, 3))], ["y"], w=np.ones(3, np.float32)
    )
    (tmp_path / "m.onnx").write_bytes(proto.SerializeToString())
    found = loaded("import griotte as gt; gt.from_onnx(sys.argv[1])", str(tmp_path / "m.onnx"))
    assert "models.graph" in found and not found & {"models.simplify", "models.solving", "onnx.reference", *SEARCHES}


@pytest.mark.parametrize("package", PACKAGES)
def test_each_public_name_is_there(package):
    """Each is loaded by itself, in a process where nothing else was."""
    code = f"import {package} as room\nassert room.__all__ and all(hasattr(room, name) for name in room.__all__)"
    assert package.removeprefix("griotte.") in loaded(code)


def test_what_is_not_there_is_told():
    with pytest.raises(AttributeError, match="module 'griotte' has no attribute 'matmull'"):
        _ = gt.matmull  # type: ignore[attr-defined]
    assert later("griotte", {"lang.types.tensor": "tensor"})("tensor") is gt.tensor

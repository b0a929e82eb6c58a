"""A cache that a CPU with more features filled: a smaller one loads no code of its."""

import os
import shutil
import subprocess
import sys

import pytest
from features import skip_without

SCRIPT = """
import os, pickle, subprocess, sys
import griotte as gt, numpy as np
from griotte.models.graph import GraphBuilder
from griotte.runtime import load

folder, is_first = sys.argv[1], sys.argv[2] == "first"
rng = np.random.default_rng(0)
a, b = rng.random((32, 48), np.float32), rng.random((48, 40), np.float32)
w, image = rng.random((64, 64, 3, 3), np.float32), rng.random((1, 64, 16, 16), np.float32)

def check(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)

for threads in (1, 2):
    check(gt.compile("matmul(f32[32,48], f32[48,40])", threads=threads)(a, b), a @ b)
    check(gt.compile("exp(f32[32,48])", threads=threads)(a), np.exp(a))
check(gt.compile("matmul(f32[32,48], f32[48,40])", tune=3)(a, b), a @ b)
check(gt.compile("sum(f32[<=64,48], axis=1)")(a), a.sum(1))
check(gt.jit(lambda x: np.tanh(x) @ b)(a), np.tanh(a) @ b)
builder = GraphBuilder()
x = builder.input(gt.tensor(image.shape), "x")
model = gt.compile(builder.graph({"y": builder.call("conv2d", x, builder.constant(w))}))  # by Winograd
model(image)

kept = {name: os.path.join(folder, name) for name in ("spec", "model", "pickled")}
if is_first:
    gt.compile("exp(f32[32,48])").save(kept["spec"])
    model.save(kept["model"])
    with open(kept["pickled"], "wb") as file:
        pickle.dump(model, file)
else:
    again = lambda: pickle.load(open(kept["pickled"], "rb"))
    for found in (lambda: load(kept["spec"]), lambda: load(kept["model"]), again):
        try:
            found()
        except gt.TargetError as error:
            assert "avx512f" in str(error) and "\\n" not in str(error)
        else:
            raise AssertionError("loaded")

cache = os.environ["GRIOTTE_CACHE"]
libraries = {line.split()[-1] for line in open("/proc/self/maps") if cache in line and line.strip().endswith(".so")}
wide = set()
for library in libraries:
    told = subprocess.run(["objdump", "-d", library], capture_output=True, text=True, check=True).stdout
    if "%zmm" in told or "%k1" in told:
        wide.add(library)
assert len(libraries) > 5 and bool(wide) == is_first, (libraries, wide)
"""


@pytest.mark.long
@pytest.mark.parametrize("left", ["avx2", "portable"])
def test_code_for_features_that_a_cpu_lacks_is_not_loaded(tmp_path, left):
    skip_without(frozenset({"avx512f"}))
    if not shutil.which("objdump") or not os.path.exists("/proc/self/maps"):
        pytest.skip("no objdump, or no /proc, to look into libraries")
    given = os.environ | {"GRIOTTE_CACHE": str(tmp_path / "cache")}
    for number, more in (("first", {}), ("then", {"GRIOTTE_CPU": left})):
        command = [sys.executable, "-c", SCRIPT, str(tmp_path), number]
        done = subprocess.run(command, capture_output=True, text=True, env=given | more, timeout=280)
        assert done.returncode == 0, done.stderr[-3000:]

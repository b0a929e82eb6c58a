"""Machines where little can be written: a uid without a name, no home, read-only file systems.

Each row runs in a mount namespace of its own, as another user with an empty environment. Needs root and
`unshare`, `setpriv`; skipped, and said, where those are missing or refused.
"""

import os
import subprocess
import sys
from pathlib import Path

import griotte
import pytest

UID = 12345  # has no name

BOX = """
mount --make-rprivate / && mount -t tmpfs -o mode=755 none /mnt || exit 77
mkdir -m 1777 /mnt/tmp && mkdir -m 700 /mnt/cache && chown {uid}:0 /mnt/cache || exit 77
for folder in /tmp /var/tmp /dev/shm; do mount -t tmpfs -o ro none $folder || exit 77; done
mount -o remount,bind,ro / || exit 77
{more}
cd / && exec setpriv --reuid {uid} --regid 0 --clear-groups --inh-caps +dac_read_search \
    --ambient-caps +dac_read_search env -i PATH=/usr/bin:/bin PYTHONPATH={source} {variables} {python} -c "$SCRIPT"
"""

PRODUCT = """
import griotte as gt, numpy as np
a = np.ones((2, 8, 8), np.float32)
kernel = gt.compile("matmul(f32[8,8], f32[8,8])")
assert kernel(*a)[0, 0] == 8
assert gt.compile("matmul(f32[8,8], f32[8,8])")(*a)[0, 0] == 8
"""

DOORS = """
import griotte as gt, numpy as np
x = np.linspace(-1, 1, 6, dtype=np.float32)
assert np.allclose(gt.jit(lambda x: x * 2 + 1)(x), x * 2 + 1)
from griotte.tools.cli import main
try:
    main(["compile", "exp(f32[8])"])
except SystemExit as end:
    assert not end.code, end.code
"""


def boxed(script: str, more: str = ":", **variables: str) -> str:
    """What a script says on stderr in a container; fails where it does."""
    text = BOX.format(
        uid=UID,
        more=more,
        source=Path(griotte.__file__).parent.parent,
        variables=" ".join(f"{name}={value}" for name, value in variables.items()),
        python=sys.executable,
    )
    try:
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", text],
            env={"PATH": os.environ["PATH"], "SCRIPT": script},
            capture_output=True,
            text=True,
            timeout=240,
        )
    except FileNotFoundError:
        pytest.skip("no unshare on PATH: no container can be made")
    if os.geteuid() or done.returncode == 77 or "unshare:" in done.stderr or "setpriv:" in done.stderr:
        pytest.skip(f"this user may not mount or change its uid: {done.stderr.strip()[-200:]}")
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stderr


DOCTOR = """
import sys
from griotte.tools.commands.machine import _cache, _search
for finding in (_cache(), _search()):
    print(finding.name, finding.found, finding.do, file=sys.stderr)
"""

FRAMEWORKS = {
    "onnx": """
import griotte as gt, numpy as np
from onnx import TensorProto as T, helper as h
x, y = (h.make_tensor_value_info(name, T.FLOAT, [4, 5]) for name in "xy")
graph = h.make_graph([h.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
a = np.linspace(-1, 1, 20, dtype=np.float32).reshape(4, 5)
assert np.array_equal(gt.compile(gt.from_onnx(h.make_model(graph)))(a), np.maximum(a, 0))
""",
    "torch": """
import torch
run = torch.compile(lambda x: torch.relu(x) * 2 + 1, backend="griotte")
x = torch.linspace(-1, 1, 20).reshape(4, 5)
for _ in range(3):
    assert torch.allclose(run(x), torch.relu(x) * 2 + 1)
""",
    "jax": """
import griotte as gt, jax.numpy as jnp, numpy as np
from griotte.jax import jit
x = np.linspace(-1, 1, 20, dtype=np.float32).reshape(4, 5)
assert np.allclose(jit(lambda x: jnp.maximum(x, 0) * 2 + 1)(x), np.maximum(x, 0) * 2 + 1)
""",
}

WARNED = {
    "temporary files": (
        "found neither; what is compiled is kept in /mnt/tmp/griotte-12345",
        {"TMPDIR": "/mnt/tmp"},
        ":",
    ),
    "the root as home": ("found /.cache/griotte", {"TMPDIR": "/mnt/tmp", "HOME": "/"}, ":"),
    "no such home": ("found /nowhere/.cache/griotte", {"TMPDIR": "/mnt/tmp", "HOME": "/nowhere"}, ":"),
    "a cache that is read-only": ("found /opt/x", {"TMPDIR": "/mnt/tmp", "GRIOTTE_CACHE": "/opt/x"}, ":"),
    "a cache without code": (
        "found /mnt/data/c/kernels on a file system that is mounted noexec; kernels are kept in /mnt/tmp/griotte-12345",
        {"TMPDIR": "/mnt/tmp", "GRIOTTE_CACHE": "/mnt/data/c"},
        "mkdir /mnt/data; mount -t tmpfs -o noexec,mode=700,uid=12345 none /mnt/data",
    ),
    "memory": ("kept in this process alone", {"HOME": "/nowhere"}, "umount /dev/shm"),
}


@pytest.mark.long
@pytest.mark.parametrize("row", WARNED)
def test_a_place_is_found_and_one_line_says_so(row):
    told, variables, more = WARNED[row]
    heard = boxed(PRODUCT, more, **variables)
    assert heard.count("Warning: expected") == 1 and told in heard


@pytest.mark.long
def test_a_cache_alone_is_enough():
    assert boxed(PRODUCT, GRIOTTE_CACHE="/mnt/cache", HOME="/") == ""


@pytest.mark.long
def test_other_doors_find_a_place_too():
    assert boxed(DOORS, TMPDIR="/mnt/tmp").count("Warning: expected") == 1


@pytest.mark.long
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_frameworks_find_a_place_too(framework):
    pytest.importorskip(framework)
    heard = boxed(FRAMEWORKS[framework], TMPDIR="/mnt/tmp")
    assert heard.count("Warning: expected") == 1 and "/mnt/tmp/griotte-12345" in heard


@pytest.mark.long
@pytest.mark.parametrize("row", (*WARNED, None))
def test_doctor_says_where_things_are_kept_and_what_to_do(row):
    _, variables, more = WARNED[row] if row else ("", {}, ":")
    heard = boxed(DOCTOR, more, **variables)
    lines = [line for line in heard.splitlines() if line.startswith(("cache", "search"))]
    place = "/mnt/tmp/griotte-12345" if "TMPDIR" in variables else "this process"
    assert len(lines) == 2 and place in lines[0] and "set GRIOTTE_CACHE" in lines[0]
    search = {"a cache without code": "/mnt/data/c/search"}.get(
        row, place if "TMPDIR" in variables else "in every process"
    )
    assert search in lines[1]


def test_without_any_place_programs_are_found_and_one_line_refuses_to_compile():
    script = """
import griotte as gt
assert str(gt.synthesize("exp(f32[8])"))
try:
    gt.compile("exp(f32[8])")
except gt.GriotteError as error:
    assert "set TMPDIR" in str(error) and "\\n" not in str(error)
else:
    raise AssertionError("compiled without a place for files")
"""
    assert boxed(script).count("Warning: expected") == 1


@pytest.mark.long
def test_without_a_place_for_code_one_line_says_so():
    script = """
import griotte as gt
try:
    gt.compile("exp(f32[8])")
except gt.ToolchainError as error:
    assert "mounted noexec; set GRIOTTE_CACHE or TMPDIR" in str(error) and "\\n" not in str(error)
else:
    raise AssertionError("compiled without a place for code")
"""
    boxed(
        script,
        "mkdir /mnt/data; mount -t tmpfs -o noexec,mode=700,uid=12345 none /mnt/data",
        TMPDIR="/mnt/data",
        GRIOTTE_CACHE="/mnt/data/c",
    )


@pytest.mark.long
def test_a_folder_that_another_user_made_is_not_believed():
    script = (
        """
import griotte as gt
from griotte.support.folders import spare_dir
assert spare_dir() is None
"""
        + PRODUCT
    )
    heard = boxed(script, "mkdir -m 777 /mnt/tmp/griotte-12345; chown 54321 /mnt/tmp/griotte-12345", TMPDIR="/mnt/tmp")
    assert "kept in this process alone" in heard
    heard = boxed(
        script,
        "mkdir -m 700 /mnt/elsewhere; chown 12345 /mnt/elsewhere; ln -s /mnt/elsewhere /mnt/tmp/griotte-12345",
        TMPDIR="/mnt/tmp",
    )
    assert "kept in this process alone" in heard


@pytest.mark.long
def test_what_was_compiled_there_is_found_again():
    script = (
        PRODUCT
        + """
from griotte.runtime import toolchain
toolchain._build = None  # would be called to compile
kernel = gt.compile("matmul(f32[8,8], f32[8,8])")
from griotte.support.inner_loops import _own
assert _own() and _own().startswith("/mnt/tmp/griotte-12345/")
"""
    )
    boxed(script, TMPDIR="/mnt/tmp")

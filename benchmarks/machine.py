"""The machine and the software that a table was measured on."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import child

FLAGS = (
    "avx avx2 fma f16c avx_vnni avx512f avx512bw avx512dq avx512vl avx512_vnni avx512_bf16 avx512_fp16 avx512_vbmi2"
    " amx_tile amx_bf16 amx_int8".split()
)
PACKAGES = ("griotte", "numpy", "numba", "llvmlite", "ml_dtypes", "cffi", "scikit-learn")


def describe() -> dict:
    """CPU, caches, compiler, versions, NumPy's BLAS; for people, and for a reader of the JSON file."""
    return {
        **child.call("machine:seen_by_griotte"),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "commit": _commit(),
        "load_at_start": [round(x, 2) for x in os.getloadavg()],
    }


def lines(machine: dict) -> list[str]:
    """The description as a few lines of text."""
    caches = " ".join(f"L{level} {size >> 10} KiB" for level, size in machine["caches"].items())
    versions = " ".join(f"{name} {version}" for name, version in machine["packages"].items())
    return [
        f"{machine['cpu']}, {machine['cores']} cores, {caches}; {machine['system']}",
        f"flags: {' '.join(machine['flags'])}",
        f"{machine['compiler']}; Python {machine['python']} {versions}; commit {machine['commit']}",
        f"NumPy's BLAS as installed: {machine['blas']}; load average {' '.join(map(str, machine['load_at_start']))}",
    ]


def blas() -> dict:
    """NumPy's BLAS in this process: name, version, the kernels it picked, threads."""
    import numpy  # noqa: F401 - loads the BLAS that is asked about
    from threadpoolctl import threadpool_info

    found = next((info for info in threadpool_info() if info["user_api"] == "blas"), {})
    return {key: found.get(key) for key in ("internal_api", "version", "architecture", "num_threads")}


def seen_by_griotte() -> dict:
    from importlib.metadata import PackageNotFoundError, version

    from griotte.machine.detect import detect
    from griotte.runtime import find_compiler

    def version_of(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "absent"

    machine, library = detect(), blas()
    return {
        "cpu": machine.name,
        "cores": machine.cores,
        "caches": {str(level): size for level, size in sorted(machine.caches.items())},
        "flags": [flag for flag in FLAGS if flag in machine.flags],
        "compiler": find_compiler().version,
        "packages": {name: version_of(name) for name in PACKAGES},
        "blas": f"{library['internal_api']} {library['version']}, {library['architecture']} kernels",
    }


def _commit() -> str:
    root = Path(__file__).resolve().parent.parent
    try:
        head = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=root, capture_output=True, text=True, check=True
        )
        return head.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def has_avx512() -> bool:
    """Whether the CPU can run NumPy's AVX-512 kernels, so that forcing them is no illegal instruction."""
    try:
        return "avx512f" in Path("/proc/cpuinfo").read_text()
    except OSError:
        return False


if __name__ == "__main__":
    print("\n".join(lines(describe())), file=sys.stdout)

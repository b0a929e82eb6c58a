"""Who takes part, at which setting, and how each is installed: into an environment of its own under
benchmarks/.rivals/."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
RIVALS = HOME / ".rivals"
TORCH_WHEELS = "https://download.pytorch.org/whl/cpu"
TIMEOUT = 1800  # seconds for an installation


class NotInstalled(Exception):
    """A rival that cannot be had here; the text says why."""


@dataclass(frozen=True)
class Entry:
    """`packages` come from pip, `debs` from apt (unpacked beside, not installed); neither: this Python runs it.

    `env` steers it; `needs` names the CPU flags without which it is left out; `tiles`: it may use tile registers (AMX).
    """

    name: str
    module: str
    setting: str
    packages: tuple[str, ...] = ()
    debs: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    tiles: bool = False
    kind: str = "rival"  # or "ours", or "probe"
    place: str = ""  # the environment, where it is shared with another entry

    @property
    def root(self) -> Path:
        return RIVALS / (self.place or self.name)


ONEDNN = dict(module="onednn", packages=("numpy", "cffi", "onednn-devel-cpu-gomp==2023.2.0"), place="onednn")
TORCH = dict(module="pytorch", packages=("numpy", "cffi", "torch==2.13.0+cpu"), place="torch")
MKL = dict(module="mkl", packages=("numpy", "cffi", "mkl==2026.2.0", "mkl-include==2026.2.0"), place="mkl")
NO_WORKERS = {"TORCHINDUCTOR_COMPILE_THREADS": "1"}  # that compile beside the turns
NO_TILES = "AVX512_CORE_BF16"
HIDING = "GRIOTTE_CPU"
AVX2 = {
    "OPENBLAS_CORETYPE": "Haswell",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "LIBXSMM_TARGET": "hsw",
    "BLIS_ARCH_TYPE": "haswell",
    "XLA_FLAGS": "--xla_cpu_max_isa=AVX2",
}
"""What hides AVX-512 from the rivals where GRIOTTE_CPU=avx2 hides it from griotte. onnxruntime and OpenVINO have no
such switch, and keep it."""

ENTRIES = (
    Entry("griotte", "griotte_kernel", "the program of least cost, bound to its arrays", kind="ours"),
    Entry("numpy", "numpy_blas", "as installed"),
    Entry(
        "numpy-avx512",
        "numpy_blas",
        "OPENBLAS_CORETYPE=SkylakeX",
        env={"OPENBLAS_CORETYPE": "SkylakeX"},
        needs=("avx512f",),
    ),
    Entry(
        "numpy-avx2", "numpy_blas", "OPENBLAS_CORETYPE=Haswell", env={"OPENBLAS_CORETYPE": "Haswell"}, needs=("avx2",)
    ),
    Entry(
        "torch",
        setting="out=; linear packed by oneDNN or MKL; graphs call by call and compiled; the quickest",
        env=NO_WORKERS,
        tiles=True,
        **TORCH,
    ),
    Entry(
        "mkl",
        setting="through C; packed, gemv, jit, as it is: the quickest",
        env={"MKL_THREADING_LAYER": "INTEL"},
        tiles=True,
        **MKL,
    ),
    Entry(
        "onednn", setting="through C; layout of its choice, as given, inner product: the quickest", tiles=True, **ONEDNN
    ),
    Entry(
        "onednn-vectors",
        setting="the same without tile registers",
        env={"ONEDNN_MAX_CPU_ISA": NO_TILES},
        needs=("amx_tile",),
        **ONEDNN,
    ),
    Entry("libxsmm", "libxsmm", "through C; kernels made for the shape", ("numpy", "cffi"), ("libxsmm-dev",)),
    Entry("blis", "blis", "through C", ("numpy", "cffi"), ("libblis4-openmp",)),
    Entry(
        "onnxruntime",
        "ort",
        "a graph, bound; of one node, or a node a call",
        ("numpy", "cffi", "onnxruntime==1.31.1", "onnx==1.23.2"),
    ),
    Entry(
        "openvino",
        "openvino_graph",
        "a graph, bound, latency hint",
        ("numpy", "cffi", "openvino==2026.4.1"),
        tiles=True,
    ),
    Entry(
        "jax",
        "jax_xla",
        "XLA:CPU, a jitted function; graphs alone",
        ("numpy", "cffi", "jax==0.10.2"),
        env={"JAX_PLATFORMS": "cpu"},
    ),
    Entry("hand", "hand", "a plain loop in C, matrix-vector only"),
    Entry("peak", "probes:peak", "multiply-adds in vector registers", kind="probe"),
    Entry("tiles", "probes:tiles", "multiplications in tile registers", kind="probe", needs=("amx_tile",), tiles=True),
    Entry("read", "probes:read", "a sum over as many bytes", kind="probe"),
)


def environment(entry: Entry, threads: int, base: dict[str, str]) -> dict[str, str]:
    """Equal threads for all. Waiting threads stay awake between the calls of a turn, and sleep when the next one's
    begins."""
    counts = {f"{name}_NUM_THREADS": str(threads) for name in ("OMP", "OPENBLAS", "MKL", "BLIS")} | {
        "NPROC": str(threads)
    }
    hidden = AVX2 if os.environ.get(HIDING) == "avx2" else {}
    return {**base, **hidden, **counts, "KMP_BLOCKTIME": "20", "RACE_DEBS": str(entry.root / "debs"), **entry.env}


def cpu_flags() -> set[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    found = set(next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), []))
    return (
        {flag for flag in found if not flag.startswith(("avx512", "amx"))}
        if os.environ.get(HIDING) == "avx2"
        else found
    )


def python(entry: Entry) -> str:
    """The interpreter that runs it, installed first where it is not; NotInstalled with the reason."""
    missing = set(entry.needs) - cpu_flags()
    if missing:
        raise NotInstalled(f"this CPU has no {', '.join(sorted(missing))}")
    if not entry.packages:
        return sys.executable
    mark, wanted = entry.root / ".ready", "\n".join((*entry.packages, *entry.debs, ""))
    found = entry.root / "bin" / "python"
    if mark.exists() and mark.read_text() == wanted:
        return str(found)
    print(f"installing {entry.name}: {' '.join((*entry.packages, *entry.debs))}", file=sys.stderr, flush=True)
    _run([sys.executable, "-m", "venv", "--clear", str(entry.root)])
    _install(found, entry.packages)
    for deb in entry.debs:
        _unpack(deb, entry.root / "debs")
    mark.write_text(wanted)
    return str(found)


def _install(interpreter: Path, packages: tuple[str, ...]) -> None:
    pip = [str(interpreter), "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]
    try:
        _run(pip)
    except NotInstalled:
        if not any(p.startswith("torch") for p in packages):
            raise
        _run([*pip, "--extra-index-url", TORCH_WHEELS])


def _unpack(package: str, folder: Path) -> None:
    """A Debian package's files, without installing it."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise NotInstalled("it comes from Debian's packages, and there is no apt-get here")
    folder.mkdir(parents=True, exist_ok=True)
    _run(["apt-get", "download", "-q", package], folder)
    for deb in folder.glob(f"{package}_*.deb"):
        _run(["dpkg-deb", "-x", str(deb), str(folder)])


def _run(command: list[str], folder: Path | None = None) -> None:
    try:
        found = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, env={**os.environ, "LC_ALL": "C"}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(str(error)) from error
    if found.returncode:
        lines = [x.strip() for x in (found.stderr + found.stdout).splitlines() if x.strip()]
        raise NotInstalled(
            next(
                (x for x in lines if x.startswith(("ERROR", "E:"))),
                lines[-1] if lines else f"status {found.returncode}",
            )
        )

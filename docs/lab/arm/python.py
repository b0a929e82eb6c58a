"""griotte itself in the emulator: Debian's CPython for arm64, wheels for it, and the cross compiler, unpacked into a
folder (nothing is installed) and run.

    dpkg --add-architecture arm64 && apt-get update
    python docs/lab/arm/python.py FOLDER doctor
    python docs/lab/arm/python.py FOLDER calibrate --seconds 0.01 --leaves none -o here.toml

All that follows the folder is griotte's own command line. The first run fetches some 100 MB.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EMULATOR, CC, PYTHON = "qemu-aarch64", "aarch64-linux-gnu-gcc", "3.11"
PACKAGES = (
    *(
        f"{name}{PYTHON}-{part}"
        for name, part in (("python", "minimal"), ("libpython", "minimal"), ("libpython", "stdlib"))
    ),
    *("libc6", "libgcc-s1", "libstdc++6", "zlib1g", "libexpat1", "libffi8", "libssl3", "libsqlite3-0", "libbz2-1.0"),
    *("liblzma5", "libuuid1"),
)
WHEELS = ("numpy", "numba", "ml_dtypes", "cffi", "click", "rich", "platformdirs")
PLATFORMS = ("manylinux2014_aarch64", "manylinux_2_27_aarch64", "manylinux_2_28_aarch64")
SOURCE = Path(__file__).parents[3] / "src"


def unpacked(folder: Path) -> tuple[Path, Path]:
    """Where the system's files for arm64 and the wheels are."""
    root, site = folder / "root", folder / "site"
    if not site.exists():
        root.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-q", *(f"{name}:arm64" for name in PACKAGES)], cwd=root, check=True)
        for package in root.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package.name, "."], cwd=root, check=True)
        words = [sys.executable, "-m", "pip", "install", "-q", "--only-binary=:all:", "--python-version", PYTHON]
        words += [word for each in PLATFORMS for word in ("--platform", each)]
        subprocess.run([*words, "--target", str(site), *WHEELS], check=True)
    return root, site


def main() -> None:
    folder, *words = sys.argv[1:]
    root, site = unpacked(Path(folder).resolve())
    kept = {"GRIOTTE_CACHE": f"{folder}/cache", "NUMBA_CACHE_DIR": f"{folder}/numba", "PYTHONDONTWRITEBYTECODE": "1"}
    there = {**os.environ, **kept, "CC": CC, "PYTHONPATH": f"{SOURCE}:{site}"}
    python = [EMULATOR, "-L", str(root), str(root / f"usr/bin/python{PYTHON}")]
    program = "import sys; from griotte.tools.cli import main; main(sys.argv[1:])"
    sys.exit(subprocess.run([*python, "-c", program, *words], env=there, check=False).returncode)


if __name__ == "__main__":
    main()

"""A wheel of a saved kernel: a package that runs it with NumPy alone.

The wheel has the files of the folder as they are, and standalone.py, which calls the library through ctypes. Format of
wheels: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
"""

from __future__ import annotations

import base64
import hashlib
import json
import keyword
import platform
import re
import sysconfig
import zipfile
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

from ..lang.types.dtypes import dtype
from ..support.errors import SpecError, ToolchainError
from ..support.folders import write_atomically
from .saved import DESCRIPTION, HEADER, LIBRARY, SOURCE, WEIGHTS
from .signature import Signature

VERSION = "1.0.0"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # of all files in it, so that the same kernel gives the same bytes
OLDEST_GLIBC = 17  # the first minor version that a tag names: 2.17
PURE = """\"\"\"{spec}

{how}
\"\"\"

from pathlib import Path

from ._kernel import Kernel

kernel = Kernel(Path(__file__).parent)
__all__ = ["kernel"]
"""


def check(name: str, signature: Signature) -> None:
    """SpecError for a name that is no package's, and for what NumPy alone does not call: a dynamic size, or a dtype of
    less than 8 bits."""
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) or keyword.iskeyword(name) or name.endswith("_"):
        raise SpecError(f"expected the name of a package to import, found {name!r}; name one like my_kernel")
    for arg in (*signature.inputs, *signature.outputs):
        if arg.dynamic is not None:
            raise SpecError(
                f"expected fixed sizes for a wheel, found {arg} for {arg.name}; compile it for the size at hand"
            )
        if dtype(arg.dtype).bits < 8:
            raise SpecError(f"expected dtypes of 8 bits or more for a wheel, found {arg.dtype} for {arg.name}")


def wheel_of(directory: Path, name: str) -> Path:
    """Write a wheel of the kernel that was saved to `directory` beside its files.

    Args:
        directory: of a saved kernel, or model.
        name: of the package, which `check` has seen: `import name`, `name.kernel(x)`.

    Returns:
        The wheel's path.

    Raises:
        ToolchainError: it cannot be written.
    """
    try:
        told = json.loads((directory / DESCRIPTION).read_bytes())
        code = (directory / LIBRARY).read_bytes()
        own = (SOURCE, HEADER, DESCRIPTION, LIBRARY, *[WEIGHTS] * (told.get("weights") is not None))
        contents = {f"{name}/{file}": (directory / file).read_bytes() for file in own}
        path = directory / f"{name}-{VERSION}-py3-none-{_platform(code)}.whl"
        write_atomically(path, _zipped(name, told, contents, path.stem.split("-", 2)[2]))
    except OSError as error:
        raise ToolchainError(
            f"expected to write a wheel, found {error.strerror or error}, in {error.filename or directory}; name a"
            " directory that can be written"
        ) from error
    return path


def _tensors(told: dict[str, Any]) -> list[dict[str, Any]]:
    signature = told["signature"]
    return [*signature["inputs"], signature["output"], *signature["further"]]


def _platform(code: bytes) -> str:
    """The tag of the systems that a library runs on: of Linux by the newest version of glibc that it names."""
    if platform.libc_ver()[0] != "glibc":
        return re.sub(r"[-.]", "_", sysconfig.get_platform())
    versions = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", code)]
    return f"manylinux_2_{max([OLDEST_GLIBC, *versions])}_{platform.machine().lower()}"


def _zipped(name: str, told: dict[str, Any], contents: dict[str, bytes], tag: str) -> bytes:
    spec, needs = str(told["metadata"].get("spec", told["signature"]["function"])), ["numpy"]
    if any(dtype(each["dtype"]).numpy.isbuiltin != 1 for each in _tensors(told)):
        needs.append("ml_dtypes")
    shapes = lambda tensors: ", ".join(f"{t['dtype']}{t['shape']}" for t in tensors)
    signature = told["signature"]
    how = f"kernel({shapes(signature['inputs'])}) gives {shapes([signature['output'], *signature['further']])}."
    words = spec.replace("\\", "\\\\").replace('"', "'")
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {VERSION}\nSummary: {' '.join(spec.split())[:200]}\n"
    metadata += "Requires-Python: >=3.9\n" + "".join(f"Requires-Dist: {each}\n" for each in needs)
    info = f"{name}-{VERSION}.dist-info"
    contents = contents | {
        f"{name}/__init__.py": PURE.format(spec=words, how=how).encode(),
        f"{name}/_kernel.py": files(__package__).joinpath("standalone.py").read_bytes(),
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: griotte\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
    }
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in contents.items())
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    room = BytesIO()
    with zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in contents.items():
            entry = zipfile.ZipInfo(path, LONG_AGO)
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return room.getvalue()


def _digest(data: bytes) -> str:
    """As RECORD has it: of base64 for addresses, without its padding."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()

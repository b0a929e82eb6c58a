"""A kernel of griotte's by NumPy alone: it needs neither griotte nor a compiler.

    kernel(x, w)                  # arrays as they lie, of the dtypes and sizes that str(kernel) tells
    fixed = kernel.bind(None, w)  # inputs fixed now; constants are packed here, once: fixed(x)

Beside it lie kernel.so, kernel.json, which says what it takes, and of a model its packed constants, model.bin.
"""

from __future__ import annotations

import ctypes
import json
import mmap
from pathlib import Path
from typing import Any

import numpy as np

LINE = 64  # bytes; what is packed begins on one
DTYPES = {"f": "float", "s": "int", "u": "uint"}


def numpy_dtype(name: str) -> np.dtype[Any]:
    """NumPy's dtype of griotte's name; what NumPy lacks is of ml_dtypes."""
    if name == "pred":
        return np.dtype(bool)
    if name[0] in DTYPES and name[1:].isdigit():
        return np.dtype(DTYPES[name[0]] + name[1:])
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, "bfloat16" if name == "bf16" else f"float8_{name[2:]}"))


class Argument:
    """An input or an output: its dtype, its sizes, how it lies, and how it is packed."""

    def __init__(self, told: dict[str, Any], library: Any) -> None:
        self.name, self.dtype, self.told = told["name"], numpy_dtype(told["dtype"]), told
        self.shape, self.axes = tuple(told["shape"]), tuple(told["minor_to_major"])[::-1]
        packing = told["packing"]
        self.packed = packing and packing["bytes"]
        self.pack = packing and getattr(library, packing["function"])
        if self.pack:
            self.pack.argtypes, self.pack.restype = [ctypes.c_void_p] * 2, None

    def __str__(self) -> str:
        layout = "{" + ",".join(map(str, self.axes[::-1])) + "}" if list(self.axes) != sorted(self.axes) else ""
        return f"{self.name}: {self.told['dtype']}[{','.join(map(str, self.shape))}]{layout}"

    def rows(self, array: Any) -> np.ndarray:
        """An array as row-major memory; ValueError where it does not fit."""
        if not isinstance(array, np.ndarray):
            array = np.from_dlpack(array) if hasattr(array, "__dlpack__") else np.asarray(array, self.dtype)
        rows = array.transpose(self.axes) if array.ndim == len(self.axes) else array
        if (
            array.dtype != self.dtype
            or array.shape != self.shape
            or not (rows.flags.c_contiguous and rows.flags.aligned)
        ):
            raise ValueError(
                f"expected {self}, found {array.dtype}{list(array.shape)} with strides {array.strides}; convert or copy"
                " it"
            )
        return rows

    def new(self) -> np.ndarray:
        """An array of it."""
        return np.empty([self.shape[axis] for axis in self.axes], self.dtype).transpose(np.argsort(self.axes))

    def given(self, array: Any) -> np.ndarray:
        """What C takes for an array: its memory, or that packed."""
        rows = self.rows(array)
        if not self.pack:
            return rows
        room = np.empty(self.packed + LINE, np.uint8)
        start = -room.ctypes.data % LINE
        room = room[start : start + self.packed]
        self.pack(rows.ctypes.data, room.ctypes.data)
        return room


class Kernel:
    """The kernel of a folder. It may be called from many threads at once; a call lets other threads of Python run.

    Raises:
        OSError: there is none, or it is of another system.
        RuntimeError: this CPU lacks a feature that its code needs.
    """

    def __init__(self, folder: Path) -> None:
        told = json.loads((folder / "kernel.json").read_text())
        signature = told["signature"]
        library = ctypes.CDLL(str(folder / "kernel.so"))
        check = getattr(library, signature["function"] + "_check")
        check.restype = ctypes.c_char_p
        if lacking := check():
            raise RuntimeError(
                f"expected a CPU with the features that {signature['function']} needs, found one without"
                f" {lacking.decode()}; take a wheel for target portable"
            )
        self.spec = told["metadata"].get("spec", signature["function"])
        self.inputs = [Argument(each, library) for each in signature["inputs"]]
        self.outputs = [Argument(each, library) for each in (signature["output"], *signature["further"])]
        self._first = []
        if told.get("weights") is not None:
            with (folder / "model.bin").open("rb") as file:
                weights = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._first = [np.frombuffer(weights, np.uint8)]
        self._function = getattr(library, signature["function"])
        self._function.restype = None
        count = len(self._first) + len(self.inputs) + len(self.outputs)
        self._function.argtypes = [ctypes.c_void_p] * count

    def __repr__(self) -> str:
        return f"<kernel ({', '.join(map(str, self.inputs))}) -> ({', '.join(map(str, self.outputs))})>"

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Run it: an array, or of several outputs a tuple.

        Args:
            *arrays: one for each input, by its order. A constant that is packed is packed at each call.
            out: where the result goes, apart from the inputs; of several outputs a tuple. None: new arrays.

        Raises:
            ValueError: an array does not fit.
        """
        return self._run([arg.given(array) for arg, array in zip(self.inputs, self._counted(arrays))], out)

    def bind(self, *arrays: Any) -> Any:
        """A function of the inputs for which None is given, the others fixed, and packed, now.

        Raises:
            ValueError: an array does not fit.
        """
        fixed = [a if a is None else arg.given(a) for arg, a in zip(self.inputs, self._counted(arrays))]
        open_ = [place for place, array in enumerate(fixed) if array is None]

        def call(*given: Any, out: Any = None) -> Any:
            if len(given) != len(open_):
                raise ValueError(f"expected {len(open_)} arrays, found {len(given)}; pass those that are open")
            now = list(fixed)
            for place, array in zip(open_, given):
                now[place] = self.inputs[place].given(array)
            return self._run(now, out)

        return call

    def _counted(self, arrays: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(arrays) != len(self.inputs):
            raise ValueError(f"expected {len(self.inputs)} arrays, found {len(arrays)}; pass one for each of {self}")
        return arrays

    def _run(self, given: list[Any], out: Any) -> Any:
        if out is None:
            found = tuple(arg.new() for arg in self.outputs)
        else:
            found = out if isinstance(out, tuple) else (out,)
            if len(found) != len(self.outputs):
                raise ValueError(f"expected {len(self.outputs)} arrays as out, found {len(found)}; pass those")
        results = [arg.rows(array) for arg, array in zip(self.outputs, found)]
        for array in results:
            if not array.flags.writeable:
                raise ValueError("expected arrays as out that can be written, found a read-only one; pass others")
            if any(np.may_share_memory(array, each) for each in given):
                raise ValueError("expected out apart from the inputs, found shared memory; pass another array")
        self._function(*(array.ctypes.data for array in (*self._first, *given, *results)))
        return found[0] if len(found) == 1 else found

"""Builds one shared library per instruction set that calls every helper of `VectorLibrary` over arrays."""

from __future__ import annotations

import ctypes
import fcntl
import functools
import subprocess
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
from features import skip_without
from griotte.engine.vectors.convert import is_identity
from griotte.engine.vectors.library import VectorLibrary
from griotte.lang.functions import COMBINERS, FUNCTIONS, over_vectors
from griotte.lang.functions.kit import COMPUTE, bits

DTYPES = tuple("f64 f32 f16 bf16 s4 s8 u8 s16 u16 s32 u32 s64 u64 pred".split())
# a body may not need all that its helper is given
FLAGS = "-fwrapv -ffp-contract=fast -fno-math-errno -std=gnu11 -Wall -Wextra -Werror".split()
HELD = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.uint16,
    "bf16": np.uint16,
    "s4": np.int8,
    "s8": np.int8,
    "u8": np.uint8,
    "s16": np.int16,
    "u16": np.uint16,
    "s32": np.int32,
    "u32": np.uint32,
    "s64": np.int64,
    "u64": np.uint64,
    "pred": np.uint8,
}
MEANT = {**HELD, "f16": np.float16, "bf16": ml_dtypes.bfloat16}


@dataclass(frozen=True)
class Config:
    """An instruction set to test: what the library is told, what the compiler is told, the register's size in bytes."""

    name: str
    features: frozenset[str]
    flags: tuple[str, ...]
    register: int

    def lanes(self, *dtypes: str) -> int:
        """Lanes of the widest of these types that fill a register."""
        return self.register * 8 // max(map(bits, dtypes))


def _config(name: str, features: str, register: int) -> Config:
    return Config(name, frozenset(features.split()), tuple(f"-m{feature}" for feature in features.split()), register)


CONFIGS = {
    config.name: config
    for config in (
        _config("plain", "", 16),
        _config("avx2", "avx avx2 fma f16c", 32),
        _config("avx512", "avx avx2 fma f16c avx512f avx512bw avx512vl avx512dq", 64),
    )
}


def tail_lanes(config: Config, dtype: str) -> tuple[int, ...]:
    """A full register, as many lanes as 32-bit ones fill it, and two: narrower than any register."""
    return tuple(sorted({config.lanes(dtype), config.lanes("f32"), 2}))


class Source:
    """The C text: exported loops `name(in..., out, count)` over whole vectors, around each helper."""

    def __init__(self, config: Config):
        self.library = VectorLibrary(config.features)
        self.config = config
        self.exported: list[str] = []
        self._memory()
        self._arithmetic()
        self._conversions()

    def text(self) -> str:
        return self.library.definitions() + "\n".join(self.exported)

    def _over(
        self, name: str, call: str, takes: tuple[str, ...], gives: str, lanes: int, step: int | None = None
    ) -> None:
        """One loop: out[i] = call(in0[i], ...); `step` elements out per vector, as many as come in where left out."""
        library = self.library
        arguments = ", ".join(f"const {library.scalar(dtype)} *a{i}" for i, dtype in enumerate(takes))
        loads = ", ".join(f"{library.load(dtype, lanes)}(a{i} + k)" for i, dtype in enumerate(takes))
        result = f"{call}({loads})" if call else loads
        written = f"out[k / {lanes}] = {result}" if step else f"{library.store(gives, lanes)}(out + k, {result})"
        self.exported.append(
            f"void {name}({arguments}, {library.scalar(gives)} *out, int64_t count)\n"
            f"{{ for (int64_t k = 0; k < count; k += {lanes}) {written}; }}"
        )

    def _memory(self) -> None:
        library = self.library
        for dtype in DTYPES:
            scalar = library.scalar(dtype)
            for lanes in tail_lanes(self.config, dtype):
                load, store = library.load(dtype, lanes), library.store(dtype, lanes)
                for kind, extra, passed in (("tail", "", ""), ("strided", "int64_t stride, ", "stride, ")):
                    head = f"{kind}_{dtype}_{lanes}(const {scalar} *a, {scalar} *out, {extra}int n)"
                    loader = getattr(library, f"load_{kind}")(dtype, lanes)
                    storer = getattr(library, f"store_{kind}")(dtype, lanes)
                    self.exported.append(f"void load_{head} {{ {store}(out, {loader}(a, {passed}n)); }}")
                    self.exported.append(f"void store_{head} {{ {storer}(out, {load}(a), {passed}n); }}")
                self._known(dtype, lanes)
            lanes = self.config.lanes(dtype)
            splat, store = library.splat(dtype, lanes), library.store(dtype, lanes)
            self.exported.append(f"void splat_{dtype}({scalar} x, {scalar} *out) {{ {store}(out, {splat}(x)); }}")
            self._over(f"hold_{dtype}", library.hold(dtype, lanes), (dtype,), dtype, lanes)
            self._over(f"select_{dtype}", library.select(dtype, lanes), ("u8", dtype, dtype), dtype, lanes)

    def _known(self, dtype: str, lanes: int) -> None:
        """Tails of each length that the compiler knows."""
        library, scalar = self.library, self.library.scalar(dtype)
        head = f"known_{dtype}_{lanes}(const {scalar} *a, {scalar} *out, int n)"
        load = f"{library.store(dtype, lanes)}(out, {library.load_tail(dtype, lanes)}(a, @))"
        store = f"{library.store_tail(dtype, lanes)}(out, {library.load(dtype, lanes)}(a), @)"
        for side, call in (("load", load), ("store", store)):
            cases = " ".join(f"case {n}: {call.replace('@', str(n))}; break;" for n in range(lanes + 1))
            self.exported.append(f"void {side}_{head} {{ switch (n) {{ {cases} }} }}")

    def _arithmetic(self) -> None:
        library = self.library
        for dtype in COMPUTE:
            lanes = self.config.lanes(dtype)
            for name in over_vectors(1, integers=dtype[0] != "f"):
                self._over(f"{name}_{dtype}", library.unary(name, dtype, lanes), (dtype,), dtype, lanes)
            for name in over_vectors(2, integers=dtype[0] != "f"):
                self._over(f"{name}_{dtype}", library.binary(name, dtype, lanes), (dtype, dtype), dtype, lanes)
            for name in (f.name for f in FUNCTIONS.values() if f.test):
                self._over(f"select_{name}_{dtype}", library.select_by(name, dtype, lanes), (dtype,) * 4, dtype, lanes)
            for name in COMBINERS:
                self._over(f"reduce_{name}_{dtype}", library.reduce(name, dtype, lanes), (dtype,), dtype, lanes, step=1)

    def _conversions(self) -> None:
        library = self.library
        for source in DTYPES:
            for to in DTYPES:
                lanes = self.config.lanes(source, to)
                self._over(f"convert_{source}_{to}", library.convert(source, to, lanes), (source,), to, lanes)
                call = library.convert_scalar(source, to)
                self.exported.append(
                    f"void convert_one_{source}_{to}(const {library.scalar(source)} *a, {library.scalar(to)} *out,"
                    f" int64_t count)\n{{ for (int64_t k = 0; k < count; k++) out[k] = {call}(a[k]); }}"
                )
                assert bool(call) != is_identity(source, to)


def compile_c(text: str, directory: Path, name: str, *flags: str) -> Path:
    """Compile `text` with gcc into directory/name; a warning is an error."""
    source, result = directory / f"{name}.c", directory / name
    source.write_text(text)
    done = subprocess.run(
        ["gcc", *FLAGS, *flags, str(source), "-o", str(result), "-lm"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[:4000]
    return result


class Kernels:
    """The compiled loops; arrays go in as the held types, and are padded to whole vectors with their last value."""

    def __init__(self, config: Config, directory: Path):
        self.config = config
        library = directory / f"{config.name}.so"
        if not library.exists():
            compile_c(Source(config).text(), directory, library.name, "-O1", "-shared", "-fPIC", *config.flags)
        self._library = ctypes.CDLL(str(library))

    def __getitem__(self, name: str):
        function = getattr(self._library, name)
        function.restype = None
        return function

    def over(self, name: str, arrays: list[np.ndarray], gives: str, per: int = 1) -> np.ndarray:
        """The loop `name` over arrays of one length; `per` elements in for each element out."""
        count = len(arrays[0])
        padded = [np.ascontiguousarray(np.pad(array, (0, -count % 64), mode="edge")) for array in arrays]
        out = np.empty(len(padded[0]) // per, HELD[gives])
        self[name](*(array.ctypes.data_as(ctypes.c_void_p) for array in (*padded, out)), ctypes.c_int64(len(padded[0])))
        return out[: count // per]


@functools.cache
def built(config: Config, directory: Path) -> Kernels:
    """The compiled helpers, once for all test modules and processes; skips where the machine cannot run them."""
    skip_without(config.features)
    with open(directory / f"{config.name}.lock", "w") as lock:  # of several processes one compiles, and the others wait
        fcntl.flock(lock, fcntl.LOCK_EX)
        return Kernels(config, directory)

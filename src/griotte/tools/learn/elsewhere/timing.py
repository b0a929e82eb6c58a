"""The programs of one Spec of a batch compiled, run and timed; in a process of their own, so that a death is reported,
and the next Spec taken. And the machine's own words for itself: they are read where the batch was made."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from .turns import Pace, cold, warm

LINE, PAGE = 64, 4096  # bytes
MAPPED = 32 * PAGE  # of a result that begins in the middle of a page
BUILT = "built"  # a folder of the batch: libraries that were made before


def timed(folder: Path, batch: dict[str, Any], number: int, built: Path, compiler: FoundCompiler) -> dict[str, Any]:
    """The report of a Spec: for each program the digest of its C, samples of its results, and times."""
    spec, flags, pace = batch["specs"][number], batch["flags"][compiler.kind], Pace(*batch["pace"])
    programs, started = spec["programs"], time.perf_counter()
    driver = _driver(folder, batch, built, compiler)
    libraries = _compiled(folder, programs, built, flags, compiler)
    inputs = [_filled(driver, folder, each) for each in spec["inputs"]]
    outputs = [result_room(each["elements"] * each["size"]) for each in spec["outputs"]]
    runs, samples = [], []
    for program, library in zip(programs, libraries):
        run = BoundProgram(driver, library, program, inputs, outputs, batch["threads"])
        for output in outputs:
            ctypes.memset(output, 1, ctypes.sizeof(output))  # not the result of the one before
        run(1)
        samples.append(
            [_sample(output, each["size"], each["sampled"]) for output, each in zip(outputs, spec["outputs"])]
        )
        runs.append(run)
    load, at = os.getloadavg()[0], time.time()
    warm_times, spans = warm(runs, pace), [*inputs, *outputs]
    flush = lambda: [driver.flush(span, ctypes.sizeof(span)) for span in spans]
    cold_times = cold(runs, flush, pace) if all(flush()) else [None] * len(runs)
    found = [
        {"c": _digest(folder / program["c"]), "results": sample, "warm": list(astuple(times)), "cold": in_memory}
        for program, sample, times, in_memory in zip(programs, samples, warm_times, cold_times)
    ]
    return {"load": load, "at": at, "seconds": time.perf_counter() - started, "programs": found}


def _driver(folder: Path, batch: dict[str, Any], built: Path, compiler: FoundCompiler) -> Any:
    path = built / "driver.so"
    if not path.exists():
        compiler.library(folder / "elsewhere" / "driver.c", batch["flags"]["driver"], path)
    if batch["threads"] > 1:  # one team for all libraries, which find it first
        team = built / "team.so"
        if not team.exists():
            compiler.library(folder / "elsewhere" / "team.c", batch["flags"]["driver"], team)
        ctypes.CDLL(str(team), mode=os.RTLD_NOW | os.RTLD_GLOBAL)
    driver = ctypes.CDLL(str(path))
    driver.seconds.restype = ctypes.c_double
    driver.seconds.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_int]
    driver.fill.argtypes = [
        ctypes.c_void_p,
        ctypes.c_int64,
        ctypes.c_int64,
        ctypes.c_char_p,
        ctypes.c_int64,
        ctypes.c_int64,
    ]
    driver.flush.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    return driver


def _compiled(
    folder: Path, programs: list[dict[str, Any]], built: Path, flags: list[str], compiler: FoundCompiler
) -> list[ctypes.CDLL]:
    def made(number: int) -> Path:
        before, path = library_of(folder, programs[number], flags, compiler), built / f"{number}.so"
        if before.exists():
            return before
        compiler.library(folder / programs[number]["c"], flags, path)
        return path

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return [ctypes.CDLL(str(path)) for path in pool.map(made, range(len(programs)))]


def library_of(folder: Path, program: dict[str, Any], flags: list[str], compiler: FoundCompiler) -> Path:
    """The place of a program's library if it was made before: by its C, its flags and the compiler."""
    said = "\n".join([*flags, compiler.version, _digest(folder / program["c"])])
    return folder / BUILT / f"{sha256(said.encode()).hexdigest()[:32]}.so"


def _room(size: int) -> Any:
    """Memory that begins on a cache line."""
    return _begun_at(size, LINE, 0)


def result_room(size: int) -> Any:
    """Memory of a result, that begins where a kernel's own do (griotte/runtime/placing.py says why)."""
    return _begun_at(size, PAGE, PAGE // 2) if size >= MAPPED else _room(size)


def _begun_at(size: int, span: int, begin: int) -> Any:
    """Memory whose address is `begin` more than a multiple of `span`."""
    room = ctypes.create_string_buffer(size + span)
    return (ctypes.c_char * size).from_buffer(room, (begin - ctypes.addressof(room)) % span)


def _filled(driver: Any, folder: Path, told: dict[str, Any]) -> Any:
    array, palette = _room(told["elements"] * told["size"]), (folder / told["palette"]).read_bytes()
    driver.fill(array, told["elements"], told["size"], palette, len(palette) // told["size"], told["seed"])
    return array


class BoundProgram:
    """A program on arrays, its constants packed: called, it gives the seconds of one of so many calls. Stopped where
    this CPU does not run it."""

    def __init__(
        self, driver: Any, library: Any, program: dict[str, Any], inputs: list[Any], outputs: list[Any], threads: int
    ) -> None:
        _must_run(library, program["function"])
        given = list(inputs)
        for place, (name, size) in program["packs"].items():
            given[int(place)], pack = _room(size), getattr(library, name)
            pack.restype, pack.argtypes = None, [ctypes.c_void_p, ctypes.c_void_p]
            pack(inputs[int(place)], given[int(place)])
        self._arrays = [*given, *outputs]
        self._pointers = (ctypes.c_void_p * len(self._arrays))(*map(ctypes.addressof, self._arrays))
        self._function = ctypes.cast(getattr(library, program["function"]), ctypes.c_void_p)
        self._seconds, self._alone = driver.seconds, int(threads == 1)

    def __call__(self, calls: int) -> float:
        return float(self._seconds(self._function, self._pointers, len(self._arrays), calls, self._alone))


def _must_run(library: Any, function: str) -> None:
    check = getattr(library, f"{function}_check")
    check.restype = ctypes.c_char_p
    if (lacking := check()) is not None:
        raise Stopped(f"expected a CPU with {lacking.decode()}, found one without; make the batch for another target")


def _sample(output: Any, size: int, places: list[int]) -> str:
    """Some elements of a result, as their bytes."""
    return b"".join(output[place * size : (place + 1) * size] for place in places).hex()


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
SAID = (
    *("vendor_id", "cpu family", "model", "model name", "flags"),
    *("CPU implementer", "CPU architecture", "CPU part", "Features"),
)
LONGEST = 1 << 14  # characters of what is said of a CPU
COMPILE_SECONDS = 600


# ---- the machine and its compiler ------------------------------------------------------------------------------------


class Stopped(Exception):
    """Why a batch cannot be timed here, in a line."""


def machine() -> dict[str, Any]:
    """The lines of /proc/cpuinfo on the first CPU that never change; type, size and level of each cache; the CPUs that
    this process may use."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    words = ("type", "size", "level")
    caches = [[_read(index / word).strip() for word in words] for index in sorted(CACHES.glob("index*"))]
    lines = _read(Path("/proc/cpuinfo")).partition("\n\n")[0].splitlines()
    said = "\n".join(line for line in lines if line.partition(":")[0].strip() in SAID)
    return {"cpuinfo": said[:LONGEST], "caches": caches, "cores": cpus}


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


@dataclass(frozen=True)
class FoundCompiler:
    """A C compiler, and the first line of its words for itself."""

    command: tuple[str, ...]
    version: str

    @property
    def kind(self) -> str:
        return "clang" if "clang" in self.version else "gcc"

    def library(self, source: Path, flags: list[str], path: Path) -> None:
        """Compile C to a shared library; Stopped where that fails."""
        command = [*self.command, *flags, str(source), "-o", str(path), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if "error" in line] or ["no message"]
            raise Stopped(f"expected C that {self.version} compiles, found: {lines[0].strip()}; set CC to another one")


def found_compiler() -> FoundCompiler:
    """$CC where it is set, else the first of gcc, clang and cc; Stopped where there is none."""
    chosen = shlex.split(os.environ.get("CC", ""))
    for command in [tuple(chosen)] if chosen else [(name,) for name in ("gcc", "clang", "cc") if shutil.which(name)]:
        try:
            done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
        except OSError:
            continue
        if done.returncode == 0 and done.stdout.strip():
            return FoundCompiler(command, done.stdout.strip().splitlines()[0].strip())
    raise Stopped("expected a C compiler, found none; install gcc or clang, or set CC to one")

"""A kernel as a package for C and C++ programs: its static library for several targets, and the files beside it.

Each target has an object file. One more chooses among them; it needs no CPU feature.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..codegen.teams import OPENMP, TEAM, is_shared_out, shared_elsewhere, team_text
from ..lang.functions.kit import SCALARS, element
from ..lang.types.dynamic import is_pitched
from ..machine.architectures import ARCHITECTURES, architecture_of
from ..machine.target import Target
from ..support.errors import SpecError
from . import wheel
from .compilers import BASE_FLAGS, HIDDEN, find_compiler
from .compilers import OPENMP as COMPILED_BY_OPENMP
from .leaves import resolved
from .packaging.dispatch import dispatcher, embedded, embedding, shared_by
from .packaging.files import texts
from .packaging.package import INSIDE, NONE, Code, Package, PackageArray, PackageOptions, Packed, form_of, in_c
from .packaging.sources import TEAM as TEAM_FILE
from .packaging.sources import Flags, elsewhere
from .saved import WEIGHTS, Library
from .signature import TensorArg
from .toolchain import archive, compile_object

_COMMENT = re.compile(r"/\*.*?\*/", re.S)
WeightsOf = Callable[[Library], Any]
"""The packed constants of a model's library, as bytes."""


def save(
    library: Library,
    directory: str | os.PathLike[str],
    options: PackageOptions = NONE,
    weights: WeightsOf | None = None,
) -> Path:
    """Write the files of a kernel, and all others that are asked for. Returns the directory.

    Raises:
        SpecError: as of `packaged`, or there can be no wheel of it.
        TargetError: as of `packaged`.
        ToolchainError: as of `packaged`, or the files cannot be written.
    """
    if options.weights is not None and library.weights is None:
        raise SpecError(f"expected no weights for a kernel of a Spec, found {options.weights!r}; leave it out")
    more = packaged(library, options, weights)
    if library.weights is not None and weights is not None:
        more[WEIGHTS] = weights(library)
    if options.wheel is not None:
        wheel.check(options.wheel, library.signature)
    saved = library.save(directory, more)
    if options.wheel is not None:
        wheel.wheel_of(saved, options.wheel)
    return saved


def packaged(own: Library, options: PackageOptions, weights: WeightsOf | None = None) -> dict[str, Any]:
    """The files of a package by their names, as bytes, its library among them; none where none is asked for. `weights`
    gives a model's constants.

    Raises:
        SpecError: the name or a target is none.
        TargetError: there is no such target.
        ToolchainError: there is no compiler or archiver, or one failed.
    """
    if not options.are_asked_for:
        return {}
    name = options.named(own.signature.function)
    libraries = _of_targets(own, options.targets)
    package = _package(name, own, libraries, options)
    flags = Flags(BASE_FLAGS, (HIDDEN,), (COMPILED_BY_OPENMP,) * (package.threads_by == OPENMP))
    written = texts(package, options.cmake, options.pkgconfig, flags)
    files: dict[str, Any] = {file: text.encode() for file, text in written}
    sources = _sources(package, libraries)
    header, objects, here = files[f"{name}.h"], dict[str, bytes](), _machine()
    for (file, source), code in zip(sources.items(), (None, *package.codes, None)):
        if code is None or code.machine in ("", here):
            objects[f"{file}.o"] = _object(package, file, source, header, code)
    for code, library in zip(package.codes, libraries):
        if weights is None or library.weights is None:
            continue
        if package.has_weights:
            objects[f"{embedded(code)}.o"] = _embedding(code, weights(library))
        elif code.file != WEIGHTS:
            files[code.file] = weights(library)
    if not package.machines:
        return {**files, f"lib{name}.a": archive(objects)}
    files |= {f"{file}.c": source.encode() for file, source in sources.items()}
    return {**files, f"{here}/lib{name}.a": archive(objects)}


# Its description -------------------------------------------------------------------------


def _of_targets(own: Library, targets: Sequence[str | Target] | None) -> list[Library]:
    """The libraries of all targets, those that need most of a CPU first."""
    if targets is None:
        return [own]
    if isinstance(targets, str) or not targets:
        raise SpecError(f"expected a list of targets, found {targets!r}; write one such as ['native', 'portable']")
    found = [own if target == own.metadata.get("target") else _other(own, target) for target in targets]
    names = [_target(library) for library in found]
    if len(set(names)) < len(names):
        raise SpecError(f"expected targets of different names, found {', '.join(names)}; name each once")
    return sorted(found, key=lambda library: -len(library.needs))


def _other(own: Library, target: str | Target) -> Library:
    """The same for another target."""
    if own.others is None:
        raise SpecError(
            "expected a kernel that this process compiled from a Spec or a graph that is still there, found another,"
            " which has no code for other targets; compile it again, or leave targets out"
        )
    return own.others(resolved(target, None if isinstance(target, Target) else own.metadata.get("math")))


def _target(library: Library) -> str:
    return in_c(str(library.metadata.get("target", "own")))


def _package(name: str, own: Library, libraries: list[Library], options: PackageOptions) -> Package:
    signature, told, is_model = own.signature, own.metadata, own.weights is not None
    arrays = [_array(arg, f"x{i}", is_packed=arg.constant) for i, arg in enumerate(signature.inputs)]
    outputs = ["y"] if not signature.further else [f"y{n}" for n in range(len(signature.outputs))]
    arrays += [_array(arg, y, is_output=True) for arg, y in zip(signature.outputs, outputs)]
    shares_out = any(is_shared_out(library.source) for library in libraries)
    machines = len({each.name for library in libraries if (each := architecture_of(library.needs))}) > 1
    if machines and options.weights == INSIDE:
        raise SpecError(
            "expected constants in files beside a library for several architectures, found weights='inside'; leave it"
            " out"
        )
    most = lambda key, least: max(int(library.metadata.get(key) or least) for library in libraries)
    return Package(
        name,
        str(told.get("spec", f"a model of {told.get('parts', 'some')} parts")),
        tuple(arrays),
        tuple(_code(name, library, arrays, library is own, machines) for library in libraries),
        form_of(*(library.source for library in libraries)),
        signature.bound,
        options.threads_by if shares_out else "",
        most("threads", 1),
        most("thread_bytes", 0),
        is_model,
        is_model and options.weights == INSIDE,
        signature.least,
    )


def _array(arg: TensorArg, name: str, is_packed: bool = False, is_output: bool = False) -> PackageArray:
    dynamic = tuple(axis for axis in (arg.dynamic, arg.tied) if axis is not None)
    return PackageArray(
        name,
        SCALARS[element(arg.dtype)],
        str(arg) if arg.name == name else f"{arg.name}: {arg}",
        arg.shape,
        arg.nbytes,
        dynamic,
        is_pitched(arg.shape, arg.minor_to_major, *dynamic),
        is_output,
        is_packed,
    )


def _code(name: str, library: Library, arrays: Sequence[PackageArray], is_own: bool, machines: bool) -> Code:
    """The code of a target; a constant that it takes as given is copied where others pack it."""
    if library.build is None:
        raise SpecError(
            f"expected a kernel that says how it is compiled, found {library.signature.function}, which an earlier"
            " version saved; compile its Spec again"
        )
    target = _target(library)
    old, new = library.signature.function, f"{name}_{target}"
    packed = {
        array.name: Packed(arg.packing.function.replace(old, new, 1), arg.packing.bytes)
        if arg.packing is not None
        else Packed("", array.bytes)
        for array, arg in zip(arrays, library.signature.inputs)
        if array.is_packed
    }
    bytes_ = 0 if library.weights is None else max(1, library.weights)
    for_one = architecture_of(library.needs) if machines else None
    machine, condition = ("", "") if for_one is None else (for_one.compiled.machines[0], for_one.compiled.condition)
    return Code(
        target,
        new,
        tuple(sorted(library.needs)),
        packed,
        bytes_,
        WEIGHTS if is_own else f"{name}-{target}.bin",
        library.build.flags,
        machine,
        condition,
    )


# Its code --------------------------------------------------------------------------------


def _sources(package: Package, libraries: Sequence[Library]) -> dict[str, str]:
    """The C of all files, by their names without suffixes: the one that chooses, each target's, the team's."""
    found = {package.name: dispatcher(package)}
    for code, library in zip(package.codes, libraries):
        function = library.signature.function
        source = renamed(shared_elsewhere(library.source, function, shared_by(package)), function, code.function)
        found[code.function] = elsewhere(code, source)
    return found | ({TEAM_FILE: team_text()} if package.threads_by == TEAM else {})


def _object(package: Package, file: str, source: str, header: bytes, code: Code | None) -> bytes:
    """The object file of a file's C, which may be that of a target."""
    files = {f"{file}.c": source.encode(), f"{package.name}.h": header}
    if code is not None:
        return compile_object(files, code.flags, extra_flags=(HIDDEN,), needs=frozenset(code.needs))
    return compile_object(files, extra_flags=(COMPILED_BY_OPENMP,) * (package.threads_by == OPENMP))


def _machine() -> str:
    """The machine that the compiler compiles for, as packages call it."""
    found = find_compiler().machine or platform.machine()
    return next((each.compiled.machines[0] for each in ARCHITECTURES if found in each.compiled.machines), found)


def _embedding(code: Code, weights: Any) -> bytes:
    """The object file of a target's constants."""
    text = embedding(code, hashlib.sha256(weights).hexdigest())
    return compile_object({f"{embedded(code)}.c": text.encode(), "weights.bin": weights})


def renamed(source: str, old: str, new: str) -> str:
    """C whose exported functions begin with another name; SpecError where it uses that one already."""
    if re.search(rf"\b{new}(?=_|\b)", _COMMENT.sub("", source)):
        raise SpecError(f"expected a name that the C of a kernel does not use, found {new}; take another")
    return re.sub(rf"\b{old}(?=_|\b)", new, source)

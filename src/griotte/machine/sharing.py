"""A machine that was measured as the text of a file of machines, which `measured.load` reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from ..lang.nests.family import Spans
from . import leaves
from .architectures import architecture_of
from .core import Prefetch
from .detect import Machine
from .measured import MeasuredPrices
from .target import Target


def text(
    machine: Machine,
    target: Target,
    plain: Target,
    parameters: Mapping[str, float],
    held: Mapping[str, int],
    when: str = "",
    check: Mapping[str, float] | None = None,
    remarks: Iterable[str] = (),
) -> str:
    """The text of a machine's file. `target` was measured on the machine; `plain` is the same target as no machine in
    particular has it. The file holds the parameters, the bytes of each cache that a thread had (`held`, by name), and
    what the target has that does not follow from them. `check`: of programs, as SPEC@THREADS, predicted cycles to
    measured ones; `remarks` become comments."""
    cpu = machine.cpu
    header = {
        "architecture": _architecture(machine),
        "vendor": cpu.vendor,
        "family": cpu.family,
        "model": cpu.model,
        "clock": round(machine.clock, 2),
        "vector_bytes": [target.vector_bytes],
        "guest": machine.is_guest,
        "measured": when,
    }
    lines = [f"# {''.join(c for c in remark if c.isprintable())}" for remark in remarks]
    lines += [f"{key} = {json.dumps(value)}" for key, value in header.items()]
    tables: dict[str, Mapping[str, Any]] = {
        "caches": {f"L{level}": size for level, size in sorted(machine.caches.items()) if level in (1, 2, 3)},
        "held": {name: size for name, size in held.items() if size != _counted_on(machine, plain, name)},
        "machine": parameters,
        **_beside(target, plain, parameters),
        "check": check or {},
    }
    for title, table in tables.items():
        lines += (
            ["", f"[{title}]", *(f"{json.dumps(key)} = {value!r}" for key, value in table.items())] if table else []
        )
    lines += ["", leaves.text(target.leaves)] if target.leaves else []
    return "\n".join(lines) + "\n"


def _counted_on(machine: Machine, plain: Target, name: str) -> int | None:
    """Bytes of a cache that programs count on where no file says what a thread has of it; None where these are fewer
    than it has."""
    whole = machine.caches.get(int(name[1:]))
    return whole if any(level.name == name and level.capacity == whole for level in plain.levels) else None


def _architecture(machine: Machine) -> str:
    found = architecture_of(machine.flags | machine.hidden)
    return found.name if found else "x86"


def _beside(target: Target, plain: Target, parameters: Mapping[str, float]) -> dict[str, Mapping[str, Any]]:
    """What the target has that does not follow from the parameters."""
    prices = MeasuredPrices(dict(parameters), {}, {}, {}, target.prefetch, {}, {}, {}, {}, None, target.spans)
    usual = prices.of(plain, {})
    kernels = {kernel.name: kernel for kernel in usual.kernels}
    found: dict[str, Mapping[str, Any]] = {
        "coefficients": _apart(target.coefficient, usual.coefficient),
        "ports": _apart(_fields(target.ports), _fields(usual.ports)),
        "crossing": _apart(_fields(target.crossing), _fields(usual.crossing)),
        "prefetch": _apart(_fields(target.prefetch), _fields(Prefetch())),
        "spans": _apart(_fields(target.spans), _fields(Spans())),
    }
    functions = _apart(target.function, usual.function)
    found["functions"] = {name: [slots.all, slots.multiplying] for name, slots in functions.items()}
    conversions = _apart(target.conversion, usual.conversion)
    found["conversions"] = {" ".join(pair): slots for pair, slots in conversions.items()}
    for slot in ("uops", "interleave"):
        own = {kernel.name: getattr(kernel, slot) for kernel in target.kernels if kernel.name in kernels}
        found[slot] = _apart(own, {name: getattr(kernels[name], slot) for name in own})
    return found


def _fields(of: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, without other attributes."""
    return {field.name: getattr(of, field.name) for field in fields(of)}


def _apart(values: Mapping[Any, Any], usual: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: value for key, value in values.items() if usual.get(key) != value}

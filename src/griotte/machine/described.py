"""A target as the text of a description."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace

from . import BUILT_IN, leaves
from .coefficients import SLOTS, Priced
from .core import CONVERSIONS, Handling, function_slots
from .instructions import Kernel
from .kernels import PORTABLE
from .target import Target


def text(target: Target, parameters: Mapping[str, float] | None = None) -> str:
    """A Target as TOML that `load` makes an equal Target of; it must have been built on one of the bases. Where the
    machine's parameters are given, they stand in the text, and values that follow from them stand there only where the
    target differs."""
    name, base = _base_of(target)
    kernels = {k.name: k for k in base.kernels}
    optional = [feature for feature in base.optional_flags if feature in target.features]
    width = [f"vector_bytes = {target.vector_bytes}"] if base is PORTABLE else []
    lines = [f"name = {_toml(target.name)}", f"base = {_toml(name)}", f"features = {_toml(optional)}", *width]
    lines += [
        f"{key} = {_toml(value)}"
        for key, value in (("registers", target.registers), ("kernels", [k.name for k in target.kernels]))
    ]
    lines += [f"panel_vectors = {_toml(target.panel_vectors)}", f"tile_sizes = {_toml(target.tile_sizes)}"]
    lines += [f"largest_cache = {target.largest_cache}"] if target.largest_cache else []
    for level in target.levels[1:]:
        capacity = [f"capacity = {level.capacity}"] if level.capacity is not None else []
        lines += [
            "",
            "[[levels]]",
            f"name = {_toml(level.name)}",
            *capacity,
            f"share = {level.share!r}",
            f"prefetch = {_toml(level.prefetch)}",
        ]
    tables = (
        _whole(target, kernels)
        if parameters is None
        else {"machine": dict(parameters)}
        | _beside(target, kernels, Priced(parameters, target.prefetch.far_panel, target.spans.line))
    )
    for title, table in tables.items():
        lines += ["", f"[{title}]", *(f"{_toml(key)} = {float(value)!r}" for key, value in table.items())]
    for title in ("prefetch", "writing", "layouts", "spans"):
        of = getattr(target, title)
        lines += ["", f"[{title}]", *(f"{f.name} = {getattr(of, f.name)!r}" for f in fields(of))]
    lines += _of_functions(target, name)
    lines += ["", leaves.text(target.leaves)] if target.leaves else []
    return "\n".join(lines) + "\n"


def _of_functions(target: Target, base: str) -> list[str]:
    """The tables of functions and conversions, of those that the base has otherwise."""
    usual = function_slots(base, BUILT_IN[base].slots)
    functions = {name: [slots.all, slots.multiplying] for name, slots in target.functions if usual.get(name) != slots}
    conversions = {" ".join(pair): n for pair, n in target.conversions if CONVERSIONS.get(pair) != n}
    found = []
    for title, table in (("functions", functions), ("conversions", conversions)):
        if table:
            found += ["", f"[{title}]", *(f"{_toml(key)} = {_toml(value)}" for key, value in table.items())]
    return found


def _whole(target: Target, kernels: Mapping[str, Kernel]) -> dict[str, dict]:
    """The tables of numbers of a target, on a base of such kernels."""
    own = {
        field: {
            k.name: getattr(k, field) for k in target.kernels if getattr(k, field) != getattr(kernels[k.name], field)
        }
        for field in SLOTS
    }
    calls = target.calls
    of_calls = {"curve": {str(count): cycles for count, cycles in calls.curve}}
    of_calls |= {"shared": dict(calls.shared), "written": dict(calls.written)}
    return (
        {
            "coefficients": target.coefficient,
            "ports": vars(target.ports),
            "crossing": vars(target.crossing),
            "handling": vars(target.handling),
        }
        | own
        | {title: table for title, table in of_calls.items() if table}
    )


def _beside(target: Target, kernels: Mapping[str, Kernel], priced: Priced) -> dict[str, dict]:
    """The values of those tables that do not follow from the machine's parameters."""
    usual = _whole(
        replace(
            target,
            handling=Handling(),
            coefficients=tuple(priced.coefficients.items()),
            ports=priced.ports,
            crossing=priced.crossing,
            calls=priced.calls,
        ),
        kernels,
    )
    found = _whole(target, {name: replace(k, latency=priced.slot(k, "latency")) for name, k in kernels.items()})
    own = {
        title: (
            table
            if title in SLOTS
            else {key: value for key, value in table.items() if usual.get(title, {}).get(key) != value}
        )
        for title, table in found.items()
    }
    return {title: table for title, table in own.items() if table}


def _base_of(target: Target):
    """(name, module) of the richest base that the target has all features of."""
    fitting = [
        (name, base)
        for name, base in BUILT_IN.items()
        if base.features <= target.features and (base is PORTABLE or base.vector_bytes == target.vector_bytes)
    ]
    return max(fitting, key=lambda found: len(found[1].features))


def _toml(value) -> str:
    """A string, a number, or a list of either, as TOML."""
    return json.dumps(list(value) if isinstance(value, tuple) else value)

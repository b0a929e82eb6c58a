"""Kernels every machine has: their C is a body emitted over GNU vectors. Targets add their own instructions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..lang.functions import COMBINERS
from .architecture import Base
from .instructions import Kernel

MULTIPLY = "mul(x0, x1)"


def taken(c, x):
    """x: what a copy does."""
    return x


def multiplied(c, x, y):
    """c + x y."""
    return c + x * y


COMMON = (
    Kernel("map", "map", "{c} = {body};", None, combine=(None,)),
    Kernel("pack", "pack", "", taken, combine=(None,), body="x0"),
    Kernel("window", "window", "", taken, combine=(None,), body="x0"),
    Kernel("transpose", "transpose", "", taken, combine=(None,), body="x0"),
    *(
        Kernel(
            f"multiply_add{suffix}",
            "reduce",
            "{c} += {x0} * {x1};",
            multiplied,
            combine=("add",),
            body=MULTIPLY,
            compute=compute,
            uops=uops,
            latency=latency,
        )
        for suffix, compute, uops, latency in (
            ("", ("f32", "f64"), 1.0, 4.0),
            ("_32", ("s32", "u32"), 3.0, 11.0),
            ("_64", ("s64", "u64"), 4.0, 16.0),
        )
    ),
    Kernel("pairs", "pairs", "", None, combine=("add",)),
    Kernel("combine", "reduce", "{c} = {combine}({c}, {body});", None, combine=tuple(COMBINERS)),
)


PORTABLE = Base(frozenset(), (), vector_bytes=16, registers=16, kernels=COMMON)
"""Plain C for any CPU: GNU vectors of 16 bytes, no instruction beyond what the compiler assumes by itself."""


def serving(kernels: tuple[Kernel, ...]) -> tuple[Kernel, ...]:
    """The kernels; those that call a combiner's function serve all combiners that are declared now."""
    return tuple(replace(k, combine=tuple(COMBINERS)) if "{combine}" in k.c else k for k in kernels)


def grouped_product(
    name: str, c: str, inputs: tuple[str, str], compute: str, feature: str, header: str, **more: Any
) -> Kernel:
    """A product whose group of neighbours is summed in each lane, by an instruction that `header` declares and that a
    CPU with `feature` has; `more` are fields of the kernel."""
    return Kernel(
        name,
        "reduce",
        c,
        dot,
        combine=("add",),
        body=MULTIPLY,
        inputs=inputs,
        compute=(compute,),
        needs=frozenset({feature}),
        headers=(header,),
        **more,
    )


def dot(c, x, y):
    """c + the sum over the group of x * y, in the accumulator's dtype: what the dot instructions compute."""
    return c + np.sum(x.astype(c.dtype) * y.astype(c.dtype), axis=-1)

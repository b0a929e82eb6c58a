"""Every kernel of every target, alone: its C against its own NumPy meaning and against the reference, on hostile
data."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import griotte as gt
import numpy as np
import pytest
from batch import kernels_of
from checked import agrees
from features import having
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import KernelCall, walk
from griotte.lang.meaning.agreement import compare, tolerance
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.operation import Operation
from griotte.lang.types.expr import Arg, Call, Const
from griotte.machine import BUILT_IN
from griotte.machine.instructions import Kernel
from griotte.machine.target import Target
from griotte.machine.x86 import nibbles
from griotte.runtime import kernel as runtime
from griotte.support.errors import NoProgramError

COMPUTE_INPUT = {"f32": "f32", "f64": "f64", "s32": "s32", "u32": "u32", "s64": "s64", "u64": "u64"}
MAPS = (
    "copy neg abs relu round exp log sqrt rsqrt tanh erf sigmoid gelu silu".split(),
    "add sub mul div maximum minimum".split(),
)
SIZES = ((5, 37, 19), (1, 64, 33), (7, 1, 130), (3, 16, 4))  # m, n, k: odd, whole, one column, one step
# whole registers, one more, six across, parts of all
MATRIX_SIZES = ((32, 32, 128), (33, 47, 65), (16, 96, 64), (100, 20, 31))


def contraction_specs(kernel: Kernel) -> list[str]:
    """Matmuls that a reduce kernel over products serves: both ways of putting the lanes, tails in each dimension. Of
    several dtypes each has half the sizes in either way, its neighbour the others."""
    if kernel.inputs:
        x, y = kernel.inputs
        out = kernel.compute[0]
        pairs = [(x, y, out)]
    else:
        pairs = [(COMPUTE_INPUT[c], COMPUTE_INPUT[c], c) for c in kernel.compute] + [
            ("bf16", "bf16", "f32"),
            ("f16", "f32", "f32"),
            ("s8", "u8", "s32"),
        ]
        pairs = [p for p in pairs if p[2] in kernel.compute]
    layouts = (
        [("{0,1}", "", "{0,1}"), ("", "", "{0,1}")]
        if (kernel.matrix or kernel.by_lane) and kernel.columns == 0
        else [("", "", ""), ("", "{0,1}", "")]
    )
    return [
        f"matmul({x}[{m},{k}]{i}, {y}[{k},{n}]{j}) -> {out}[{m},{n}]{o}"
        for p, (x, y, out) in enumerate(pairs)
        for s, (m, n, k) in enumerate((*SIZES, *MATRIX_SIZES[: 4 * bool(kernel.matrix)]))
        for l, (i, j, o) in enumerate(layouts)
        if len(pairs) == 1 or (p + s + l) % 2 == 0
    ]


def specs(kernel: Kernel, turn: int | None = None) -> list:
    """Small Specs whose best program needs nothing but this kernel and those that move data. Of maps, each target has a
    third of the functions' dtypes in its turn, or all where no turn is given; a kernel that writes past the caches has
    a third of all: it computes as the one that does not."""
    if kernel.form == "map":
        unary, binary = MAPS
        found = [f"{name}({dtype}[3,37])" for name in unary for dtype in ("f32", "f64", "bf16", "f16")]
        found += [
            f"{name}({dtype}[3,37], {dtype}[3,37])"
            for name in binary
            for dtype in ("f32", "f64", "s32", "u32", "s64", "bf16", "s8", "u16")
        ]
        found = found if turn is None and not kernel.nontemporal else found[(turn or 0) % 3 :: 3]
        found += ["add(f16[3,37], f16[3,37])"] if kernel.name == "map_f16" else []
        return found + ["where(pred[5,21], f32[5,21], f32[21])", "cast(f32[99]) -> s8[99]", "cast(f64[99]) -> bf16[99]"]
    if kernel.form == "transpose":
        given, wanted = ("f32", "f64", "bf16", "u8", "s4"), ("f32", "bf16", "s16", "f64")
        sizes = (37, 21), (1, 130), (16, 32), (5, 3)
        return [
            f"cast({x}[{m},{n}]{{0,1}}) -> {y}[{m},{n}]"
            for i, x in enumerate(given)
            for j, y in enumerate(wanted)
            for m, n in sizes[(i + j) % 2 :: 2]
        ]
    if kernel.form == "window":
        return [
            f"conv2d({x}[2,3,6,{n}]{order}, {y}[4,3,3,3], padding=(1,2), stride=2) ->"
            f" f32[2,4,3,{(n + 1) // 2 + 1}]{order}"
            for i, x in enumerate(("f32", "bf16", "s8"))
            for j, y in enumerate(("f32", "bf16"))
            for s, n in enumerate((7, 21))
            for o, order in enumerate(("", "{1,3,2,0}"))
            if (i + j + s + o) % 2 == 0  # each dtype in all four ways, beside one of the other's
        ]
    if kernel.form == "pack":
        return []  # met in every contraction below whose panels it fills
    if kernel.form == "pairs":
        return ["softmax(f32[13,1999])", "log_softmax(f32[67,301])"]
    if kernel.body is None:
        return [
            f"{name}({dtype}[13,37], axis={axis})"
            for name in ("sum", "max", "min")
            for dtype in ("f32", "f64", "bf16", "s32", "s8", "s64")
            for axis in (0, 1)
        ]
    return group_specs(kernel) if kernel.addresses else contraction_specs(kernel)


def group_specs(kernel: Kernel) -> list:
    """Products with constant weights of few bits, for part and whole panels, several rows, and groups of one step and
    of several; of scales that are converted as any other input the first alone. Of whole numbers by themselves, as one
    nest."""
    x, weights, scale, *own = kernel.inputs
    sizes = ((3, 37, 2, 8), (1, 64, 3, 32), (2, 130, 4, 16))[: 3 if scale == "f32" else 1]
    if own:
        return [whole_groups(kernel, *size) for size in sizes]
    return [
        f"group_matmul({x}[{m},{g * s}], const {weights}[{n},{g},{s}], const {scale}[{n},{g}]) -> f32[{m},{n}]"
        for m, n, g, s in sizes
    ]


def whole_groups(kernel: Kernel, m: int, n: int, g: int, s: int) -> gt.Spec:
    """What such a kernel computes: the sum over each group of x * w, times two scales; of x in s32 within bounds."""
    bounded = Call("maximum", (Call("minimum", (Arg(0), Const(nibbles.MOST))), Const(-nibbles.MOST)))
    first = bounded if kernel.inputs[0] == "s32" else Arg(0)
    product = reduce(lambda before, x: Call("mul", (before, x)), map(Arg, range(1, 4)), first)
    nest = Operation.of("group_matmul", "m n g s", ("m g s", "n g s", "n g", "m g"), "m n", product, "add")
    nest = replace(nest, keep=("n",))
    shapes = (m, g, s), (n, g, s), (n, g), (m, g)
    inputs = [
        gt.tensor(shape, dtype, constant=i in (1, 2)) for i, (shape, dtype) in enumerate(zip(shapes, kernel.inputs))
    ]
    return gt.Spec(nest, (m, n, g, s), tuple(inputs), gt.tensor((m, n)))


CASES = [(name, kernel.name) for name, module in BUILT_IN.items() for kernel in module.kernels if kernel.form != "pack"]


def only(target: Target, kernel: Kernel) -> Target:
    """The target with this kernel, and with the two that move data; one that writes past the caches where there are
    none."""
    if kernel.nontemporal:
        return replace(target, levels=(target.levels[0], target.levels[-1]), kernels=(kernel,), largest_cache=1)
    return replace(
        target,
        kernels=tuple(
            k
            for k in target.kernels
            if k.name in ("map", "pack", "combine" if kernel.form == "window" or kernel.addresses else "map")
            or k.name == kernel.name  # a machine's file may say how long it takes
        ),
    )


def programs_of(target: Target, texts: list) -> list[gt.Program]:
    """The best programs of the kernel's Specs; a grouped kernel has nothing for a single column or an unsuitable
    layout."""
    found = []
    for text in texts:
        try:
            found.append(gt.synthesize(text, target))
        except NoProgramError:
            continue
    return found


@pytest.mark.parametrize(("name", "kernel_name"), CASES, ids=lambda word: word)
def test_kernel_is_its_meaning(name, kernel_name, request):
    kernel = next(k for k in BUILT_IN[name].kernels if k.name == kernel_name)
    target = only(having(name, kernel.needs), kernel)
    texts = specs(kernel, None if request.config.getoption("--all") else list(BUILT_IN).index(name))
    programs = programs_of(target, texts)
    used = [
        program
        for program in programs
        if any(isinstance(n, KernelCall) and n.kernel == kernel_name for n in walk(program.root))
    ]
    assert len(used) >= min(2, len(texts)), f"{kernel_name} was met in {len(used)} programs"
    for i, (program, compiled) in enumerate(zip(programs, kernels_of(programs))):
        for hostile in (False, True):
            arrays = random_arrays(program.spec, np.random.default_rng(i), hostile)
            bounds = tolerance(program.spec, arrays)
            agrees(program.spec, arrays, compiled(*arrays), bounds)
            meant = interpret(program.root, program.spec, *arrays, target=target)
            _, right, message = compare(program.spec, arrays, meant, bounds)
            assert right, f"{kernel_name} as its meaning has it: {message}"


def test_a_kernel_that_leaves_an_element_is_caught(monkeypatch, request):
    def harmed(kernel, *arrays):
        result = call(kernel, *arrays)
        result.reshape(-1)[-1:] = -1
        return result

    call = runtime.Kernel.__call__
    monkeypatch.setattr(runtime.Kernel, "__call__", harmed)
    with pytest.raises(AssertionError, match="1 of .* elements are wrong"):
        test_kernel_is_its_meaning("portable", "multiply_add", request)

"""The functions of leaves in C, and their calls: each distinct leaf (kernel, sizes, strides) is one static function."""

from __future__ import annotations

from dataclasses import replace

from ..engine.leaves.form import kernel_of
from ..engine.leaves.forms import form_of
from ..engine.program.nodes import KernelCall, Move, Node, written_by
from ..engine.program.view import View
from ..engine.vectors.library import VectorLibrary
from ..engine.vectors.text import braced, offset
from ..lang.functions import COMBINERS
from ..lang.nests.pending import OneLeaf
from ..lang.types.dynamic import numbers
from .emitter import Emitter


def leaf(emitter: Emitter, node: KernelCall, views: list[View]) -> list[str]:
    """The call of a leaf that leaves nothing in registers."""
    return call_of_leaf(emitter, node, node, views)


def formal(views: list[View]) -> list[View]:
    """The views with the names that pointers, and what their tiles reach, have inside a leaf function."""
    named = [v.at("y" if i == len(views) - 1 else f"p{i}") for i, v in enumerate(views)]
    return [
        replace(v, beyond=tuple(replace(reach, start=((f"{v.name}_{reach.axis}", 1),)) for reach in v.beyond))
        for v in named
    ]


def call_of_leaf(emitter: Emitter, node: KernelCall | Move, call: KernelCall, views: list[View]) -> list[str]:
    """The call of a leaf's function; `node` is the leaf, or the move that takes its result into registers."""
    family, kernel = node.state.family, kernel_of(call, emitter.target)
    leaf = form_of(kernel).code(node, formal(views), emitter.target, emitter.library)
    sizes = tuple("any" if d == call.open else n for d, n in node.state.size.items())
    key = (
        call.kernel,
        call.lane,
        family.operation,
        family.accumulate,
        sizes,
        leaf.follows if call.open else None,
        tuple(v.geometry for v in views),
        call.supplies,
        call.chains,
    )
    known = [emitter.library.number(number) for number in numbers(family.operation)]
    if kernel.begin or kernel.end:
        emitter.unbegun[kernel.begin, kernel.end] = None
    if kernel.preamble:
        emitter.unit.preambles.add(kernel.preamble)
    if key not in emitter.unit.leaves:
        emitter.unit.headers.update(kernel.headers)
        name = f"{call.kernel}_{'x'.join(map(str, sizes))}_{len(emitter.unit.leaves)}"
        formals = ["int64_t size"] * bool(call.open) + [f"double {number}" for number in known]
        formals += _pointers(formal(views), written_by(node), emitter.library)
        head = f"static {'__attribute__((noinline)) ' * leaf.apart}void {name}({', '.join(formals)})"
        text = [f"/* {_meaning(node, call)} */", head, *braced(leaf.statements())]
        emitter.unit.leaves[key] = name, "\n".join(text)
    args = [emitter.size.extent] * bool(call.open) + known + reached(views) + [v.name for v in views]
    return [f"{emitter.unit.leaves[key][0]}({', '.join(args)});"]


def reached(views: list[View]) -> list[str]:
    """The arguments that say where tiles begin which may reach beyond their tensors."""
    return [offset(*reach.start) or "0" for v in views for reach in v.beyond]


def reaches(views: list[View]) -> list[str]:
    """The parameters of a function for these, of formal views."""
    return [f"int64_t {offset(*reach.start)}" for v in views for reach in v.beyond]


def _meaning(node: Node, call: KernelCall) -> str:
    """What a leaf computes, for a reader: "y[m n] += mul(p0[m k], p1[k n]), m=6 n=64 k=128, lanes along n"."""
    op, graph = call.state.family.nest, call.state.family.operation
    if OneLeaf.of(graph):
        return (
            f"{', '.join(f'p{i}' for i in graph.written)}, y = {', '.join(nest.operation.name for nest in graph.nests)}"
            f" of p0, {' '.join(f'{d}={s}' for d, s in call.state.size.items())}, lanes along {call.lane}"
        )
    terms = str(op.body)
    for i, access in reversed(list(enumerate(op.inputs))):
        terms = terms.replace(f"x{i}", f"p{i}[{access}]")
    terms = f"{op.combine} of {terms}" if op.fold else terms
    sign = (
        "="
        if not op.joins
        else (COMBINERS[op.joins].sign or f"{op.joins}=")
        if node.state.family.accumulate
        else f"= {op.joins} of"
    )
    sizes = " ".join(f"{d}={'size' if d == call.open else s}" for d, s in call.state.size.items())
    sizes += "".join(f", {d} = p{i}[{op.inputs[i]}]" for d, i in op.picks)
    return f"y[{op.output}] {sign} {terms}, {sizes}" + (f", lanes along {call.lane}" if call.lane else "")


def _pointers(views: list[View], written: set[int], library: VectorLibrary) -> list[str]:
    """The parameters of a leaf's function for its operands."""
    apart = ["" if v.inside and views[-1].inside else "restrict " for v in views]
    return reaches(views) + [
        f"{'' if i in written else 'const '}{library.scalar(v.dtype)} *{apart[i]}{v.name}" for i, v in enumerate(views)
    ]

"""How many partial sums (chains) the leaves of one sum make each of their results of: as many for all columns.

A leaf alone takes as many as hide the latency of its step, so that a narrow one, at the end of the columns, would sum
in another order than those before it, and of equal columns results would differ by a rounding.
"""

from __future__ import annotations

from collections import defaultdict

from ...machine.target import Target
from ..program.nodes import Alias, KernelCall, Loop, Move, Node, children
from .reduce import serve


def shared_chains(root: Node, target: Target) -> dict[int, int]:
    """By the ids of a program's calls, the chains of those leaves whose own numbers differ although they sum for the
    same rows: the largest of these numbers, or as many as all of them have registers for."""
    found: dict[int, int] = {}
    for calls in _sums(root, target).values():
        own = {int(serve.chains(kernel, *_leaf(call, target))) for kernel, call in calls}
        if len(own) > 1:
            most = min(int(serve.room(kernel, *_leaf(call, target))) for kernel, call in calls)
            common = max(own) if max(own) <= most else int(serve.evenly(most))
            found |= {id(call): min(common, _steps(kernel, call)) for kernel, call in calls}
    return found


def _leaf(call: KernelCall, target: Target):
    return call.state.family, target, call.lane, call.state.size


def _steps(kernel, call: KernelCall) -> int:
    return int(serve.steps(kernel, call.state.family, call.lane, call.state.size))


def _sums(root: Node, target: Target) -> dict[tuple, list[tuple]]:
    """(kernel, call) of all leaves that sum floats, by what it is that they sum: parts of a program that run one after
    the other have sums of their own."""
    kernels = {kernel.name: kernel for kernel in target.kernels}
    found: dict[tuple, list[tuple]] = defaultdict(list)
    met: set[tuple[int, int]] = set()

    def visit(node: Node, part: int) -> None:
        if (id(node), part) in met:
            return
        met.add((id(node), part))
        if isinstance(node, KernelCall):
            kernel = kernels[node.kernel]
            if node.state.family.output.level == 0 and node.open is None and serve.is_ordered(node.state.family):
                found[part, *_sum_of(node)].append((kernel, node))
        for child in children(node):
            visit(child, part if isinstance(node, (Loop, Move, Alias)) else id(child))

    visit(root, id(root))
    return found


def _sum_of(call: KernelCall) -> tuple:
    """What a leaf sums, with which step, for how many rows: elements of its tile of results along what no column has,
    which is the lanes' dimension or, where these lie along the reduction, what the first input lacks."""
    family, op = call.state.family, call.state.family.nest
    inputs = op.inputs[: op.streamed]
    rows = [d for d in op.results if (d in inputs[0].dims if call.lane in op.reduction else d != call.lane)]
    size = call.state.size
    return call.kernel, call.lane, inputs, op.body, op.output, family.accumulator, tuple(size[d] for d in rows)

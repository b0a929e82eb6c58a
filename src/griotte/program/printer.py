"""A Program as a person reads it: one line a node, outer first, with its share of the cost."""

from __future__ import annotations

from .nodes import Block, BySize, Hole, KernelCall, Loop, Move, Node


def lines(node: Node, target, total: float | None = None, depth: int = 0) -> list[tuple[str, float | None]]:
    """(text, cost in cycles of one execution) for each printed node."""
    pad = "  " * depth
    total = total if total is not None else node.cost
    found = [(pad + describe(node, target), node.cost)]
    match node:
        case Loop():
            if node.first is not None:
                found.append((pad + "  first:", None))
                found += lines(node.first, target, total, depth + 2)
            for mask, body in enumerate(node.bodies):
                if body is not None:
                    if isinstance(body, BySize):
                        found += lines(body, target, total, depth + 1)
                        continue
                    if mask:
                        found.append((pad + "  leftover " + ", ".join(f"{d} {node.leftover(i)}" for i, d in enumerate(node.dims) if mask >> i & 1) + ":", None))
                    found += lines(body, target, total, depth + (2 if mask or node.first is not None else 1))
            if node.join is not None:
                found += [(pad + "  join:", None), *lines(node.join, target, total, depth + 2)]
        case Move(to=to) if to.level == 0:
            found[0] = (f"{found[0][0]}  {describe(node.body, target)}", node.cost)
        case Move():
            if node.copy is not None:
                found += lines(node.copy, target, total, depth + 2)
            found += lines(node.body, target, total, depth + 1)
        case Block():
            for child in node.children:
                found += lines(child, target, total, depth + 1)
        case BySize():
            for sizes, case in node.cases:
                found += [(f"{pad}  {node.dim} = {ranges(sizes)}:", None), *lines(case, target, total, depth + 2)]
    return found


def describe(node: Node, target) -> str:
    size = " ".join(f"{d}={s}" for d, s in node.state.size.items())
    match node:
        case Loop(dims=dims, tiles=tiles, threads=threads):
            what = ", ".join(f"{d} by {t}" for d, t in zip(dims, tiles))
            return f"loop {what}" if threads == 1 else f"parallel {what} over {threads} threads"
        case Move(operand=i, to=to) if to.level == 0:
            return f"registers {name(node, i)} {shape(node, i)}"
        case Move(operand=i, ahead=True):
            return f"ahead {name(node, i)} {shape(node, i)}, " + ("as given" if node.copy is None else f"{form(node)}, once")
        case Move(operand=i, to=to):
            where = target.levels[to.level].name
            verb = "view" if node.copy is None else "copy"
            return f"{verb} {name(node, i)} {shape(node, i)} -> {where}" + (f", {form(node)}" if node.copy is not None else "") + ", for all threads" * node.shared
        case Block():
            return "in sequence"
        case BySize(dim=dim):
            return f"by {dim}"
        case KernelCall(kernel=kernel, lane=lane):
            return f"{kernel} {size}" + (f", lanes along {lane}" if lane else "")
        case Hole():
            return f"? {node.state.family.operation.name} {size}{' added to y' if node.state.family.accumulate else ''}"
    raise AssertionError(node)


def form(node: Move) -> str:
    """What a copy makes of its operand: `panels of 64 as f32`."""
    return f"{node.to.layout}" + (f" as {node.to.dtype}" if node.to.dtype != node.state.family.operands[node.operand].dtype else "")


def ranges(numbers: tuple[int, ...]) -> str:
    """Ascending numbers as a person writes them: `1..4, 7`."""
    return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in runs_of(numbers))


def runs_of(numbers: tuple[int, ...]) -> list[tuple[int, int]]:
    """The first and last of each run of neighbours among ascending numbers."""
    found: list[tuple[int, int]] = []
    for n in numbers:
        if found and n == found[-1][1] + 1:
            found[-1] = found[-1][0], n
        else:
            found.append((n, n))
    return found


def name(node: Node, i: int) -> str:
    """x0, x1, .. for inputs, y for the output."""
    return "y" if i == len(node.state.family.operands) - 1 else f"x{i}"


def shape(node: Node, i: int) -> str:
    return "x".join(str(e) for e in node.state.family.access(i).shape(node.state.size)) or "scalar"


def text(node: Node, target) -> str:
    """The whole program, costs as shares of the root's."""
    rows = lines(node, target)
    return "\n".join(line for line, _ in rows)

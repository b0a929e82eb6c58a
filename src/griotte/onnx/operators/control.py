"""Branches and loops: read as they will run, where that is known."""

from __future__ import annotations

import numpy as np

from .declaring import Unsupported, operator, placed
from .moving import picked, reshaped, stacked

MOST_TRIPS = 4096  # times that a loop's body is read


@operator("If")
def branch(node, condition):
    """The branch that is taken; where that is not known both, if what they give is alike."""
    branches = [node.attribute(f"{name}_branch") for name in ("then", "else")]
    if not node.is_value(condition):
        taken = bool(np.asarray(node.known(condition, "the condition")).reshape(()))
        return node.reader.subgraph(branches[0 if taken else 1], node.scope, [], node.told)
    both = _read_both(node, branches)
    if both is None:
        node.known(condition, "the condition")
    choice = reshaped(node, condition, ())
    return [x if x is y else node.call("where", choice, x, y) for x, y in both]


def _read_both(node, branches):
    """What both branches give, as pairs of values of one type; None where they do not."""
    refused = len(node.reader.refused)
    try:
        found = [node.reader.subgraph(each, node.scope, [], node.told) for each in branches]
        if len(node.reader.refused) > refused:
            return None
        pairs = [(node.value(x), node.value(y)) for x, y in zip(*found, strict=True)]
    except (Unsupported, ValueError):
        return None
    finally:
        del node.reader.refused[refused:]
    types = ((x.type.dtype, x.type.shape) == (y.type.dtype, y.type.shape) for x, y in pairs)
    return pairs if all(types) else None


def _one(array) -> np.generic:
    return np.asarray(array).reshape(-1)[0]


@operator("Loop")
def loop(node, trips=None, condition=None, *carried):
    """Its body as often as it runs."""
    body = node.attribute("body")
    most = None if trips is None else int(_one(node.known(trips, "how often a loop runs")))
    goes = condition is None or bool(_one(node.known(condition, "whether a loop runs")))
    values, rows, turn = list(carried), [], 0
    while goes and (most is None or turn < most):
        if turn >= MOST_TRIPS or (most or 0) > MOST_TRIPS:
            raise Unsupported(f"a loop of more than {MOST_TRIPS:,} turns")
        given = [np.array(turn, np.int64), np.array(True), *values]
        found = node.reader.subgraph(body, node.scope, given, node.told)
        if node.lacks(found):
            raise Unsupported("a body that is not covered")
        goes = bool(_one(node.known(found[0], "whether a loop goes on")))
        values, row = found[1 : 1 + len(carried)], found[1 + len(carried) :]
        rows.append(row)
        turn += 1
    if not rows and node.outputs > len(carried):
        raise Unsupported("a loop that does not run, of which rows are asked for")
    return [*values, *(stacked(node, column, 0) for column in zip(*rows))]


@operator("Scan")
def scan(node, *given):
    """Its body for each place along an axis."""
    if node.opset < 9:
        raise Unsupported(f"as ONNX {node.opset} has it")
    body, count = node.attribute("body"), node.attribute("num_scan_inputs")
    state, series = list(given[: len(given) - count]), [node.value(x) for x in given[len(given) - count :]]
    axes = [placed(a, x.type.rank) for a, x in zip(node.attribute("scan_input_axes") or [0] * count, series)]
    backward = node.attribute("scan_input_directions") or [0] * count
    turns = series[0].type.shape[axes[0]]
    if turns > MOST_TRIPS:
        raise Unsupported(f"a scan of more than {MOST_TRIPS:,} turns")
    rows = []
    for turn in range(turns):
        parts = [_row(node, x, a, turns - 1 - turn if b else turn) for x, a, b in zip(series, axes, backward)]
        found = node.reader.subgraph(body, node.scope, [*state, *parts], node.told)
        if node.lacks(found):
            raise Unsupported("a body that is not covered")
        state, row = found[: len(state)], found[len(state) :]
        rows.append(row)
    columns = [list(column) for column in zip(*rows)]
    into = node.attribute("scan_output_directions") or [0] * len(columns)
    places = node.attribute("scan_output_axes") or [0] * len(columns)
    return [*state, *(_stack(node, c[::-1] if b else c, a) for c, b, a in zip(columns, into, places))]


def _row(node, x, axis: int, place: int):
    part = picked(node, x, axis, [place])
    return reshaped(node, part, [n for i, n in enumerate(x.type.shape) if i != axis])


def _stack(node, column, axis: int):
    rank = node.value(column[0]).type.rank + 1
    return stacked(node, column, axis % rank)

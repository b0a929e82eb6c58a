"""Branches and loops: read as they will run, where that is known."""

from __future__ import annotations

import numpy as np

from ...readers.node import MOST_ITERATIONS, Unsupported
from ...readers.operators.array import item_of, known, numpy_of, where
from ...readers.operators.kinds import placed
from ...readers.operators.moving import stacked
from ...readers.operators.scans import attempted, scanned, unrolled
from ...readers.tables import OperatorTable
from ...support.errors import SpecError

MOST_TRIPS = 4096  # times that a loop's body is read, where its turns differ
FEW = 4  # turns that are read one after the other, so that they may be fused


def branch(node, condition, *, then_branch, else_branch):
    """The branch that is taken; where that is not known both, if what they give is alike."""
    if condition.is_known:
        taken = bool(np.asarray(known(condition, "the condition")).reshape(()))
        return node.reader.subgraph(then_branch if taken else else_branch, node.scope, [], node.title)
    both = _read_both(node, [then_branch, else_branch])
    if both is None:
        known(condition, "the condition")
    choice = condition.reshape(())
    return [x if x.item is y.item else where(choice, x, y) for x, y in both]


def _read_both(node, branches):
    """What both branches give, as pairs of values of one type; None where they do not."""
    refused = len(node.reader.refused)
    try:
        found = [node.array(node.reader.subgraph(each, node.scope, [], node.title)) for each in branches]
        if len(node.reader.refused) > refused:
            return None
        pairs = [(x, y) for x, y in zip(*found, strict=True)]
    except (Unsupported, ValueError):
        return None
    finally:
        del node.reader.refused[refused:]
    types = ((x.dtype, x.shape) == (y.dtype, y.shape) for x, y in pairs)
    return pairs if all(types) else None


def _one(array) -> np.generic:
    return np.asarray(array).reshape(-1)[0]


def loop(node, trips=None, condition=None, *carried, body):
    """Its body as often as it runs: as a loop, where all turns do the same, else one after the other."""
    most = None if trips is None else int(_one(known(trips, "how often a loop runs")))
    goes = condition is None or bool(_one(known(condition, "whether a loop runs")))

    def step(state, parts):
        found = _run_body(node, body, [*parts, np.array(True), *state])
        if not bool(_one(known(found[0], "whether a loop goes on"))):
            raise Unsupported("a loop that ends early")
        return found[1 : 1 + len(carried)], found[1 + len(carried) :]

    if goes and most is not None and FEW < most <= MOST_ITERATIONS:
        found = attempted(node, lambda: scanned(most, carried, [(node.array(np.arange(most)), False)], step))
        if found is not None:
            return found
    with node.looping(most or 1):
        return _by_turns(node, body, most, goes, carried)


def _by_turns(node, body, most: int | None, goes: bool, carried):
    """A loop that is read iteration by iteration."""
    values, rows, turn = list(carried), [], 0
    while goes and (most is None or turn < most):
        if turn >= MOST_TRIPS or (most or 0) > MOST_TRIPS:
            raise Unsupported(f"a loop of more than {MOST_TRIPS:,} turns")
        found = _run_body(node, body, [np.array(turn, np.int64), np.array(True), *values])
        goes = bool(_one(known(found[0], "whether a loop goes on")))
        values, row = found[1 : 1 + len(carried)], found[1 + len(carried) :]
        rows.append(row)
        turn += 1
    if not rows:
        return [*values, *_of_no_turns(node, body, [np.array(0, np.int64), np.array(True), *values], 1 + len(values))]
    return [*values, *(stacked(column, 0) for column in zip(*rows))]


def _of_no_turns(node, body, given, rows: int) -> list[np.ndarray]:
    """The rows of a loop that does not run: none, each of the type that the body gives, or else of the type that the
    file states. The body's rows are its outputs from `rows` on."""
    reader = node.reader
    refused, asked = len(reader.refused), set(reader.asked)
    try:
        found = _run_body(node, body, given)[rows:]
        types = [(each.dtype, each.shape) for each in found]
    except SpecError:
        types = [_stated_type(node, each) for each in body.output[rows:]]
    finally:
        del reader.refused[refused:]
        reader.asked = asked
    return [np.empty((0, *shape), numpy_of(dtype)) for dtype, shape in types]


def _stated_type(node, output) -> tuple[str, tuple[int, ...]]:
    """The type of an output as the model states it; an open size is 0."""
    stated = output.type.tensor_type
    if not stated.HasField("shape"):
        raise Unsupported("a loop that does not run, of whose rows the sizes are not told")
    return node.of_element(stated.elem_type), tuple(size.dim_value for size in stated.shape.dim)


def _run_body(node, body, given):
    """The results of a body, as arrays."""
    found = node.reader.subgraph(body, node.scope, item_of(given), node.title)
    if node.lacks(found):
        raise Unsupported("a body that is not covered")
    return node.array(found)


def scan(node, *given):
    """Its body for each place along an axis."""
    if node.opset < 9:
        raise Unsupported(f"as ONNX {node.opset} has it")
    body, count = node.attribute("body"), node.attribute("num_scan_inputs")
    state, series = list(given[: len(given) - count]), list(given[len(given) - count :])
    axes = [placed(a, x.ndim) for a, x in zip(node.attribute("scan_input_axes") or [0] * count, series)]
    if any(not x.size for x in series):
        return _scan_of_empty(node, body, state, series, axes)
    backward = map(bool, node.attribute("scan_input_directions") or [0] * count)
    turns, rows = series[0].shape[axes[0]], len(body.output) - len(state)
    into = [bool(b) for b in node.attribute("scan_output_directions") or [0] * rows]
    places = node.attribute("scan_output_axes") or [0] * rows
    along = [
        (x.transpose([axis, *(i for i in range(x.ndim) if i != axis)]), b) for x, axis, b in zip(series, axes, backward)
    ]

    def step(state, parts):
        found = _run_body(node, body, [*state, *parts])
        return found[: len(state)], found[len(state) :]

    found = attempted(node, lambda: scanned(turns, state, along, step, into)) if turns > FEW else None
    if found is None:
        if turns > MOST_TRIPS:
            raise Unsupported(f"a scan of more than {MOST_TRIPS:,} turns")
        found = unrolled(turns, state, along, step, into)
    return [*found[: len(state)], *(_moved(y, a) for y, a in zip(found[len(state) :], places))]


def _scan_of_empty(node, body, state, series, axes):
    """A scan along what has no elements: it does not run where the axis that it goes along has none."""
    shapes = [x.shape for x in series]
    if any(shape[axis] for shape, axis in zip(shapes, axes)):
        raise Unsupported("turns over parts without elements")
    parts = [np.zeros(shape[:axis] + shape[axis + 1 :], x.numpy) for x, shape, axis in zip(series, shapes, axes)]
    rows = _of_no_turns(node, body, [*state, *parts], len(state))
    places = node.attribute("scan_output_axes") or [0] * len(rows)
    return [*state, *(np.moveaxis(row, 0, place) for row, place in zip(rows, places))]


def _moved(y, axis: int):
    """What has rows along its first axis, with them along another."""
    rank = y.ndim
    order = list(range(1, rank))
    order.insert(axis % rank, 0)
    return y.transpose(order)


OPERATORS: OperatorTable = (
    ("If", branch),
    ("Loop", loop),
    ("Scan", scan),
)

"""Resize and Upsample to the nearest: places are exact fractions, whatever f32 makes of scales and sums."""

from fractions import Fraction
from itertools import product
from math import ceil, floor

import griotte as gt
import numpy as np
import pytest
from griotte.models import reference
from onnx_models import model, node, typed

HALF = Fraction(1, 2)
ROUNDED = {
    "floor": floor,
    "ceil": ceil,
    "round_prefer_ceil": lambda at: floor(at + HALF),
    "round_prefer_floor": lambda at: ceil(at - HALF),
}
COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric")
PAIRS = [(n, m) for n in range(1, 65) for m in range(1, 65)]
ONE = np.ones(1, np.float32)


def exact(n: int, m: int, coordinates: str, nearest: str) -> list[float]:
    """Which of n elements each of m is."""
    step = Fraction(n - 1, max(m - 1, 1)) if coordinates == "align_corners" else Fraction(n, m)
    first = Fraction(0) if coordinates in ("asymmetric", "align_corners") else step / 2 - HALF
    if coordinates == "pytorch_half_pixel" and m == 1:
        step, first = Fraction(0), -HALF
    return [float(min(max(ROUNDED[nearest](step * j + first), 0), n - 1)) for j in range(m)]


def resizes(pairs, by_scales: bool, rank: int = 4, **how):
    """A Resize for each pair of sizes, along the last axis, of numbers in their order."""
    nodes, known, ones = [], {}, [1] * (rank - 1)
    for k, (n, m) in enumerate(pairs):
        known[f"x{k}"] = np.arange(n, dtype=np.float32).reshape(*ones, n)
        known[f"s{k}"] = np.array([*ones, m / n], np.float32) if by_scales else np.array([*ones, m], np.int64)
        nodes.append(node("Mul", f"x{k} one", f"i{k}"))
        nodes.append(node("Resize", f"i{k}  s{k}" if by_scales else f"i{k}   s{k}", f"y{k}", mode="nearest", **how))
    return _made(nodes, known, len(pairs), 18)


def _made(nodes, known, count: int, opset: int):
    made = model(nodes, [typed("one", [1])], [f"y{k}" for k in range(count)], opset, **known)
    made.ir_version = 8
    return made


def resized(made) -> list[list[float]]:
    found = reference.interpret(gt.from_onnx(made), ONE)
    return [np.ravel(y).tolist() for y in found]


def examined(pairs, rank: int) -> None:
    for by_scales, coordinates, nearest in product((False, True), COORDINATES, ROUNDED):
        how = {"coordinate_transformation_mode": coordinates, "nearest_mode": nearest}
        found = resized(resizes(pairs, by_scales, rank, **how))
        for (n, m), y in zip(pairs, found):
            assert y == exact(n, m, coordinates, nearest), f"{n} to {m} by {'scales' * by_scales} {how}"


@pytest.mark.parametrize("rank", [3, 4])
def test_places_are_exact_fractions(rank: int) -> None:
    examined(PAIRS[rank::211], rank)


@pytest.mark.long
@pytest.mark.parametrize("rank", [3, 4])
def test_all_places_are_exact_fractions(rank: int) -> None:
    examined(PAIRS, rank)


def test_they_are_what_onnxruntime_and_the_reference_agree_on() -> None:
    ort = pytest.importorskip("onnxruntime")
    from onnx.reference import ReferenceEvaluator

    options, pairs, compared = ort.SessionOptions(), PAIRS[5::307], 0
    options.log_severity_level = 4
    for by_scales, coordinates, nearest in product((False, True), COORDINATES[:3], ROUNDED):
        made = resizes(pairs, by_scales, coordinate_transformation_mode=coordinates, nearest_mode=nearest)
        session = ort.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])
        both = zip(session.run(None, {"one": ONE}), ReferenceEvaluator(made).run(None, {"one": ONE}))
        agreed = [y.ravel().tolist() if y.shape == r.shape and (y == r).all() else None for y, r in both]
        compared += sum(y is not None for y in agreed)
        for found, y in zip(resized(made), agreed):
            assert y is None or found == y
    assert compared > 100


def test_upsample_of_three_by_five_thirds_is_five() -> None:
    pairs = [(3, 5), (3, 7), (7, 10), (9, 11), (49, 50), (6, 20)]
    nodes, known = [], {}
    for k, (n, m) in enumerate(pairs):
        known[f"x{k}"] = np.arange(n, dtype=np.float32).reshape(1, 1, 1, n)
        known[f"s{k}"] = np.array([1, 1, 1, m / n], np.float32)
        nodes += [node("Mul", f"x{k} one", f"i{k}"), node("Upsample", f"i{k} s{k}", f"y{k}", mode="nearest")]
    found = resized(_made(nodes, known, len(pairs), 9))
    assert found == [exact(n, m, "asymmetric", "floor") for n, m in pairs]


def test_compiled_ones_are_so_too() -> None:
    pairs = [(3, 5), (5, 3), (13, 7), (22, 15)]
    made = resizes(pairs, True, coordinate_transformation_mode="align_corners", nearest_mode="floor")
    for (n, m), y in zip(pairs, gt.compile(gt.from_onnx(made))(ONE)):
        assert np.ravel(y).tolist() == exact(n, m, "align_corners", "floor")

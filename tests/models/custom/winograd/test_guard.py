"""Results whose windows do not meet a large number, an infinity or a NaN are what they are without it."""

import numpy as np
import pytest
from filtered_convs import Case, as_model, given, solved
from spaces import by_turns

LARGE = (100.0, -9999.0, 65504.0, 1e30, -3.4e38, np.inf, np.nan)
CASES = {
    "even": (Case((1, 16, 16, 16), 16), 1),
    "odd, of two images": (Case((2, 21, 15, 13), 19, maps="bias residual relu"), 1),
    "threads": (Case((1, 16, 12, 20), 16, padding=0, maps="bias"), 2),
    "wide windows": (Case((1, 8, 16, 16), 8, window=5, padding=2), 1),
}


def _apart(case: Case, met: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Of these results those whose windows meet none of these pixels."""
    pad, side = case.padding, case.window
    assert isinstance(pad, int)
    wide = np.pad(met, ((0, 0), (pad, pad), (pad, pad)))
    rows, columns = shape[2:]
    windows = [wide[:, i : i + rows, j : j + columns] for i in range(side) for j in range(side)]
    return np.broadcast_to(~np.any(windows, axis=0)[:, None], shape)


def _moved(kernel, case: Case, arrays: list[np.ndarray], met: np.ndarray, channels: slice, value: float) -> float:
    """By how much of the largest the others move, of results without these numbers."""
    plain, changed = kernel(*arrays), arrays[0].copy()
    changed[:, channels][np.broadcast_to(met[:, None], changed[:, channels].shape)] = value
    with np.errstate(all="ignore"):
        found = kernel(changed, *arrays[1:])
    apart = _apart(case, met, plain.shape)
    assert apart.any()
    return np.abs(found - plain)[apart].max() / np.abs(plain).max()


@pytest.mark.parametrize("name, target", by_turns(CASES, ["native", "portable"]))
def test_one_large_number_moves_no_other_result(name: str, target: str) -> None:
    """At each place that a pixel may have in a tile."""
    case, threads = CASES[name]
    for graph, made, program in solved(case, "none", target, threads):
        kernel, arrays = as_model(graph, made, program).compile(), given(graph)
        for n, value in enumerate(LARGE * 3):
            met = np.zeros((case.x[0], *case.x[2:]), bool)
            met[-1, 4 + n % 5, 3 + n % 4] = True
            moved = _moved(kernel, case, arrays, met, slice(n % case.x[1], n % case.x[1] + 1), value)
            assert moved <= 1e-5, f"{value}: {moved:.1e}\n{program}"


def test_nor_does_a_border_where_data_is_missing() -> None:
    case, _ = CASES["even"]
    for graph, made, program in solved(case, "none", "native"):
        kernel, arrays = as_model(graph, made, program).compile(), given(graph)
        for border in (np.s_[:, :, :7], np.s_[:, 11:], np.s_[:, :5, :6], np.s_[:, 3:4]):
            met = np.zeros((1, *case.x[2:]), bool)
            met[border] = True
            assert _moved(kernel, case, arrays, met, slice(None), -9999.0) <= 1e-5


def test_tiles_are_guarded_one_by_one() -> None:
    """Tiles without a large number give the same bits beside one that has it."""
    case, _ = CASES["even"]
    for graph, made, program in solved(case, "none", "native"):
        kernel, arrays = as_model(graph, made, program).compile(), given(graph)
        if program.plan.filtering.m == 4:
            plain, (x, *others) = kernel(*arrays), arrays
            far = x.copy()
            far[0, 3, 14, 14] = 1e6
            moved = kernel(far, *others) - plain
            assert not moved[:, :, :8, :8].any() and moved[:, :, 12:, 12:].any()

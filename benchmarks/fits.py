"""The polynomials of src/griotte/functions, fitted anew: minimax by Remez' exchange, in 80-digit decimals.

    .venv/bin/python benchmarks/fits.py                prints their coefficients, and what each fit errs by
    .venv/bin/python benchmarks/fits.py --only f32:erf

Each fit minimises the largest error weighted as it shows in the function's result, relative to it. Coefficients are
rounded to the format at once, or one after another, lowest power first, the rest fitted again each time: whichever errs
less. Functions are evaluated by series and continued fractions of their textbook definitions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal as D
from decimal import getcontext
from functools import cache
from math import cos, log2, pi

import numpy as np

getcontext().prec = 80
GRID = 24  # points looked at for each coefficient
Function = Callable[[D], D]


@cache
def root_pi() -> D:
    """sqrt(pi), pi by Machin's formula."""
    arctan = lambda n: sum((D(-1) ** k / ((2 * k + 1) * D(n) ** (2 * k + 1)) for k in range(60)), D(0))
    return (16 * arctan(5) - 4 * arctan(239)).sqrt()


@cache
def erfcx(x: D) -> D:
    """exp(x**2) erfc(x): below 6 by erf's series of positive terms, from there by the continued fraction."""
    if x < 6:
        term = total = x
        n = 0
        while abs(term) > abs(total) * D(10) ** -78:
            n += 1
            term *= 2 * x * x / (2 * n + 1)
            total += term
        return (x * x).exp() - 2 * total / root_pi()
    fraction = x
    for k in range(600, 0, -1):
        fraction = x + D(k) / 2 / fraction
    return 1 / (fraction * root_pi())


def erfc(x: D) -> D:
    return erfcx(x) * (-x * x).exp()


def tanh(x: D) -> D:
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


@dataclass(frozen=True)
class Fit:
    """`value` of the variable from `low` to `high` by so many coefficients; an error of it counts `weight` times."""

    low: D
    high: D
    count: int
    value: Function
    weight: Function


def of_exp(count: int, steps: int = 1) -> Fit:
    """(exp(r) - 1 - r) / r**2 on |r| <= ln(2) / 2 / steps."""
    half = D(2).ln() / 2 / steps * D("1.001")
    return Fit(-half, half, count, lambda r: (r.exp() - 1 - r) / r**2, lambda r: r**2 / r.exp())


def of_log(count: int) -> Fit:
    """(log(1 + f) - f + f**2 / 2) / f**3 on -1/4 <= f <= 1/2."""
    return Fit(
        D("-0.25"), D("0.5"), count, lambda f: ((1 + f).ln() - f + f**2 / 2) / f**3, lambda f: abs(f**3 / (1 + f).ln())
    )


def of_log_ratio(count: int) -> Fit:
    """(log((1 + s) / (1 - s)) - 2 s) / s**3 in s**2, |s| <= 1/5."""
    odd = lambda s: ((1 + s) / (1 - s)).ln()
    return Fit(
        D("1e-6"),
        D("0.04"),
        count,
        lambda z: (odd(z.sqrt()) - 2 * z.sqrt()) / (z * z.sqrt()),
        lambda z: z * z.sqrt() / odd(z.sqrt()),
    )


def of_tanh(limit: str, count: int) -> Fit:
    """(tanh(x) / x - 1) / x**2 in x**2, up to x = `limit`."""
    return Fit(
        D("1e-6"),
        D(limit) ** 2,
        count,
        lambda z: (tanh(z.sqrt()) / z.sqrt() - 1) / z,
        lambda z: z * z.sqrt() / tanh(z.sqrt()),
    )


def of_erf(limit: str, count: int) -> Fit:
    """erf(x) / x - 1 in x**2, up to x = `limit`."""
    erf = lambda z: 1 - erfc(z.sqrt())
    return Fit(D("1e-8"), D(limit) ** 2, count, lambda z: erf(z) / z.sqrt() - 1, lambda z: z.sqrt() / erf(z))


def of_erf_far(high: str, count: int) -> Fit:
    """-log(erfc(t)) in t - 1, from 1 up to t = `high`; 1 - erfc(t) is the result."""
    return Fit(D(0), D(high) - 1, count, lambda v: -erfc(v + 1).ln(), lambda v: erfc(v + 1) / (1 - erfc(v + 1)))


def of_phi(limit: str, count: int) -> Fit:
    """(Phi(x) - 1/2) / x in x**2, |x| up to `limit`; at -x, where it shows most."""
    middle = lambda x: (1 - erfc(x / D(2).sqrt())) / 2
    return Fit(
        D("1e-8"),
        D(limit) ** 2,
        count,
        lambda z: middle(z.sqrt()) / z.sqrt(),
        lambda z: z.sqrt() / (D("0.5") - middle(z.sqrt())),
    )


def of_tail(center: str, low: str, high: str, count: int) -> Fit:
    """t exp(t**2 / 2) Phi(-t) in u = (t - k) / (t + k), t from `low` to `high`."""
    k, root = D(center), D(2).sqrt()
    value = lambda u: k * (1 + u) / (1 - u) * erfcx(k * (1 + u) / (1 - u) / root) / 2
    ends = ((D(t) - k) / (D(t) + k) for t in (low, high))
    return Fit(*ends, count, value, lambda u: 1 / value(u))


def arcus(sine: D) -> D:
    """The angle whose sine this is, up to 1/2, by its series."""
    term = total = sine
    n = 0
    while abs(term) > abs(total) * D(10) ** -78:
        n += 1
        term *= sine * sine * (2 * n - 1) ** 2 / D(2 * n * (2 * n + 1))
        total += term
    return total


def of_asin(count: int) -> Fit:
    """(asin(x) / x - 1) / x**2 in x**2, up to x = 1/2."""
    odd = lambda z: arcus(z.sqrt())
    return Fit(D("1e-6"), D("0.25"), count, lambda z: (odd(z) / z.sqrt() - 1) / z, lambda z: z * z.sqrt() / odd(z))


def of_atan(count: int) -> Fit:
    """(atan(x) / x - 1) / x**2 in x**2, up to x = tan(pi / 8); x is the tangent of the angle of this sine."""
    odd = lambda z: arcus((z / (1 + z)).sqrt())
    return Fit(D("1e-6"), D("0.1716"), count, lambda z: (odd(z) / z.sqrt() - 1) / z, lambda z: z * z.sqrt() / odd(z))


FITS: dict[str, dict[str, Fit]] = {
    "f32": {
        "exp": of_exp(5),
        "exp[8]": of_exp(2, 8),
        "exp[16]": of_exp(2, 16),
        "log": of_log(9),
        "tanh": of_tanh("0.6", 5),
        "erf": of_erf("1", 7),
        "erf_far": of_erf_far("4", 7),
        "phi": of_phi("1", 6),
        "tail": of_tail("3", "1", "14.5", 9),
        "asin": of_asin(5),
        "atan": of_atan(4),
    },
    "f64": {
        "exp": of_exp(10),
        "exp[8]": of_exp(6, 8),
        "log": of_log_ratio(7),
        "tanh": of_tanh("0.6", 11),
        "erf": of_erf("1", 14),
        "erf_far": of_erf_far("6", 20),
        "phi": of_phi("1", 11),
        "tail": of_tail("5", "1", "39", 21),
        "asin": of_asin(13),
        "atan": of_atan(11),
    },
}
ROUND = {"f32": np.float32, "f64": np.float64}


def solved(matrix: list[list[D]], right: list[D]) -> list[D]:
    """Gauss' elimination with partial pivoting."""
    rows = [[*row, r] for row, r in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda j: abs(rows[j][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(i + 1, len(rows)):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i])]
    found: list[D] = []
    for row in reversed(rows):
        known = sum((a * x for a, x in zip(row[len(row) - 1 - len(found) : -1], found)), D(0))
        found.insert(0, (row[-1] - known) / row[len(row) - 2 - len(found)])
    return found


class Samples:
    """A fit on a grid that is dense at its ends."""

    def __init__(self, fit: Fit):
        points = GRID * (fit.count + 1)
        self.at = [
            (fit.low + fit.high) / 2 - (fit.high - fit.low) / 2 * D(cos(pi * i / points)) for i in range(points + 1)
        ]
        self.at[0], self.at[-1] = fit.low, fit.high
        self.at = [x for x in self.at if abs(x) > D("1e-12")]
        self.value, self.weight = [fit.value(x) for x in self.at], [fit.weight(x) for x in self.at]

    def errors(self, coefficients: list[D]) -> list[D]:
        found = []
        for x, value, weight in zip(self.at, self.value, self.weight):
            total = D(0)
            for c in reversed(coefficients):
                total = total * x + c
            found.append((total - value) * weight)
        return found


def exchange(samples: Samples, known: list[D], count: int) -> list[D]:
    """The coefficients beyond the `known` ones."""
    free = count - len(known)
    last = len(samples.at) - 1
    chosen = [round(last * (1 - cos(pi * i / free)) / 2) for i in range(free + 1)]
    for _ in range(30):
        rows, right = [], []
        for sign, i in enumerate(chosen):
            x, weight = samples.at[i], samples.weight[i]
            rows.append([x ** (len(known) + k) for k in range(free)] + [(-1) ** sign / weight])
            right.append(samples.value[i] - sum((c * x**k for k, c in enumerate(known)), D(0)))
        *found, level = solved(rows, right)
        errors = samples.errors([*known, *found])
        extremes = _extremes(errors, free + 1)
        if len(extremes) <= free or max(map(abs, errors)) <= abs(level) * D("1.0001"):
            return found
        chosen = extremes
    return found


def _extremes(errors: list[D], wanted: int) -> list[int]:
    """Places of the largest errors of turning sign, `wanted` of them."""
    found: list[int] = []
    for i, error in enumerate(errors):
        if found and (errors[found[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    while len(found) > wanted:
        found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
    return found


def fitted(fit: Fit, rounding) -> tuple[list[float], float]:
    """Coefficients that the format has, and the largest weighted error as a power of 2: rounded at once or in turn,
    whichever errs less."""
    samples, known = Samples(fit), []
    rounded = lambda c: D(float(rounding(float(c))))
    for _ in range(fit.count):
        known.append(rounded(exchange(samples, known, fit.count)[0]))
    error, best = min(
        (max(map(abs, samples.errors(c))), c) for c in (known, list(map(rounded, exchange(samples, [], fit.count))))
    )
    return [float(c) for c in best], log2(error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", help="a format and a fit of it, such as f32:erf")
    only = parser.parse_args().only
    for dtype, fits in FITS.items():
        for name, fit in fits.items():
            if only and f"{dtype}:{name}" not in only:
                continue
            found, error = fitted(fit, ROUND[dtype])
            shown = ", ".join(str(ROUND[dtype](c)) for c in found)
            print(f"{dtype} {name}=({shown}),  # 2**{error:.1f}", flush=True)


if __name__ == "__main__":
    main()

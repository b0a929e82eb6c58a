"""Data of all magnitudes for laws of models, and how near both sides must be.

What a graph means as it is written lies between two answers: that of its calls in the dtypes they have, each rounded,
and that of the same calls in float64. A law that changes no more than rounding gives what lies there, or as far beside
it as roundings of what was written move that: the calls in float64, some runs, each result moved by half a step of its
own dtype, and each term of what is summed. So the bound is the law's own: what cancels as it is written may be as far
off as that, and what does not may not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import ml_dtypes
import numpy as np
from griotte.lang.meaning import reference
from griotte.lang.types.dtypes import convert, dtype
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder
from griotte.models.graph import ModelValue
from griotte.models.simplify.law import type_of_text
from griotte.models.simplify.rule import Site
from griotte.support.errors import SpecError

ROUNDINGS, RUNS = 8, 5  # a bound is so many times the most by which so many runs are off
ONE_ROUNDING = frozenset(
    "add sub mul div neg abs sqrt rsqrt exp log relu where maximum minimum clip reciprocal cast copy reshape transpose"
    " slice concat pad broadcast take power sign floor ceil round max min max_pool2d".split()
)
"""Calls that round what they give, and nothing on the way: the terms of others are moved as well."""
FAMILIES = ("near 1", "of one size", "of all sizes", "cancels", "not finite")
SCALES = "stuST"  # holes that are scales, in laws of integers


@dataclass(frozen=True)
class Drawing:
    """Elements of one family, from numbers of a law's `within`."""

    rng: np.random.Generator
    family: str
    within: str = ""
    near: tuple[np.ndarray, ...] = ()

    def array(self, type, name: str = "") -> np.ndarray:
        """Elements about 1; of one size, which may be any; each of a size of its own; nearly those of one of the arrays
        `near`, or minus them; or some of them infinite, NaN or 0."""
        row = dtype(type.dtype)
        if type.dtype == "pred":
            return self.rng.integers(0, 2, type.shape).astype(bool)
        if row.kind != "float":
            return convert(self.rng.integers(0, 4, type.shape), type.dtype)
        info = ml_dtypes.finfo(row.numpy)
        if self.within == "scaled" and name in SCALES:
            return self.rng.uniform(0.1, 2, type.shape).astype(row.numpy)
        found = np.clip(self._floats(info, type.shape), -float(info.max), float(info.max))
        odd = self.rng.choice([np.inf, -np.inf, np.nan, 0.0, -0.0], type.shape)
        is_odd = self.rng.random(type.shape) < (0.25 if self.family == "not finite" else 0)
        with np.errstate(all="ignore"):
            return np.where(is_odd, odd, found).astype(row.numpy)

    def beside(self, *arrays) -> Drawing:
        """What is drawn next to these: to their finite elements, of the sizes that a law is for."""
        least, most = (2.0**-32, 2.0**32) if self.within == "moderate" else (0.0, np.inf)
        floats = [np.asarray(a, np.float64) for a in arrays if np.asarray(a).dtype.kind in "fV" and np.size(a)]
        fit = [np.where((np.abs(a) >= least) & (np.abs(a) < most), a, 1) for a in floats]
        return replace(self, near=(*self.near, *fit))

    def _size(self, least: int, most: int) -> int:
        """Any, or one some digits beside that of what was drawn before."""
        if self.near and self.rng.random() < 0.6:
            array = self.near[self.rng.integers(len(self.near))]
            size = int(np.frexp(np.max(np.abs(array)))[1]) + int(self.rng.integers(-30, 30))
            return min(max(size, least), most - 1)
        return int(self.rng.integers(least, most))

    def _near(self, shape) -> np.ndarray:
        """For each place one of the arrays, at this place where it has it."""
        found = np.zeros(shape)
        which = self.rng.integers(len(self.near), size=shape)
        for n, array in enumerate(self.near):
            try:
                here = np.broadcast_to(array, shape)
            except ValueError:
                here = self.rng.choice(array.ravel(), shape)
            found = np.where(which == n, here, found)
        return found

    def _floats(self, info, shape) -> np.ndarray:
        least, most = info.minexp - info.nmant, info.maxexp
        if self.within == "moderate":
            most = min(info.maxexp // 4, 32)
            least = -most
        sizes = self.rng.uniform(1, 2, shape) * self.rng.choice([-1.0, 1.0], shape)
        if self.family == "of one size":
            return sizes * 2.0 ** self._size(least, most)
        if self.family == "of all sizes":
            return sizes * 2.0 ** self.rng.integers(least, most, shape)
        if self.family == "cancels" and self.near:
            away = 1 + sizes * 2.0 ** -self.rng.integers(1, info.nmant + 2, shape)
            return self.rng.choice([-1, -1, 1], shape) * self._near(shape) * away
        return self.rng.standard_normal(shape)


def families(rule) -> tuple[str, ...]:
    """Those that a law is for."""
    return FAMILIES if rule.strict or not rule.within else FAMILIES[:1] if rule.within == "scaled" else FAMILIES[:-1]


def redrawn(example, drawing: Drawing, name: str = "f32"):
    """An example, of which most of what is known and stands for any number is drawn anew, but for some draws, for laws
    of few numbers; of another dtype, where it is of f32."""
    if not hasattr(example, "given") or drawing.within == "scaled":
        return example
    given, rng = [], drawing.rng
    is_same = rng.random() < 0.3
    for hole, own in example.given:
        own = _of_dtype(own, name)
        is_kept = drawing.within == "moderate" and hole == "N"  # what stands for scores that do not count is far below
        if hole.isupper() and isinstance(own, list):
            own = np.asarray(own, dtype(name).numpy)
        if hole.isupper() and not (is_kept or is_same) and rng.random() < 0.85:
            one = replace(drawing, family=rng.choice(["near 1", "of one size", "of one size", drawing.family]))
            before = own
            if isinstance(own, str) and "[" in own:
                own = one.array(type_of_text(own))
            elif isinstance(own, float):
                own = np.asarray(one.array(type_of_text(f"{name}[]")))
            elif isinstance(dict(example.given)[hole], list):
                own = one.array(type_of_text(f"{name}[{len(own)}]"))
            drawing = drawing if own is before else drawing.beside(own)
        given.append((hole, own))
    return replace(example, given=tuple(given))


def _of_dtype(own, name: str):
    """What an example gives of f32, of another dtype."""
    if isinstance(own, str):
        return name if own == "f32" else own.replace("f32[", f"{name}[")
    return own.astype(dtype(name).numpy) if isinstance(own, np.ndarray) and own.dtype == np.float32 else own


def beyond(rule, example, family: str, seed: int, name: str = "f32") -> bool | None:
    """Whether the right side of a law, of floats of one dtype, is more than rounding beside the left one; None where it
    does not apply to what was drawn, or that is not what it is for."""
    drawing = Drawing(np.random.default_rng([seed, FAMILIES.index(family)]), family, "" if rule.strict else rule.within)
    builder = GraphBuilder()
    with np.errstate(all="ignore"):
        try:
            left = redrawn(example, drawing, name)(builder)
        except SpecError:  # a call that is not of this dtype
            return None
        right = rule.apply(Site(builder, left, {}))
        if right is None:
            return None
        both = builder.graph({"left": left, "right": right})
        graph, arrays = builder.graph({"left": left}), {}
        drawing = drawing.beside(*(value.array for value in graph.values if value.array is not None))
        for value in both.inputs:
            arrays[value.name] = drawing.array(value.type, value.name)
            drawing = drawing.beside(arrays[value.name])
        given = [arrays[value.name] for value in graph.inputs]
        written = Written(graph, given, seed)
        if rule.within == "normal" and not rule.strict and not written.is_normal:
            return None
        found = run(both, list(arrays.values()))[1]
        return bool(np.any(written.beyond(found, strict=rule.strict)))


def chain(seed: int):
    """A graph of some steps with numbers that are known, of all sizes, and data for it: sums, products, convolutions,
    norms, one after the other."""
    rng, builder = np.random.default_rng(seed), GraphBuilder()
    family = FAMILIES[seed % (len(FAMILIES) - 1)]
    name, is_image = rng.choice(["f32", "f32", "f64", "f16"]), seed % 3 == 0
    shape, beside, row = (1, 4, 3, 3) if is_image else (3, 4), Drawing(rng, family), dtype(name).numpy
    value = x = builder.input(tensor(shape, name), "x")
    for _ in range(rng.integers(2, 6)):
        step = rng.choice(["add", "sub", "mul", "mul", "div", "product", "relu", "norm"])
        numbers = replace(beside, family=rng.choice([family, "near 1"]))
        if step == "relu" or step == "norm" and is_image:
            value = builder.call("relu", value)
        elif step == "norm":
            gain, bias = (builder.constant(numbers.array(tensor((4,), name))) for _ in range(2))
            value = builder.call("layer_norm", value, gain, bias)
        elif step == "product":
            sides = (4, 4, *([int(rng.choice([1, 3]))] * 2)) if is_image else (4, 4)
            weights = builder.constant(numbers.array(tensor(sides, name)))
            value = builder.call(
                "conv2d" if is_image else "matmul",
                value,
                weights,
                **({"padding": int(sides[-1] > 1)} if is_image else {}),
            )
        else:
            of_each = (4, 1, 1) if is_image else (4,)
            known = numbers.array(tensor(rng.choice([1, 0]) * of_each, name))
            beside = beside.beside(known)
            value = builder.call(step, value, builder.constant(np.asarray(known, row)))
    return builder.graph({"y": value}), [beside.array(x.type)]


class Written:
    """What a graph of one output gives as it is written, and what is as good."""

    def __init__(self, graph, arrays, seed: int = 0):
        trace: list[np.ndarray] = []
        (self.own,) = run(graph, arrays, trace=trace)
        self.is_normal = all(map(_is_normal, trace))
        has_sums = any(value.call and value.call not in ONE_ROUNDING for value in graph.values)
        # Sums of f64 that overflow do so by their order, and there is nothing wider to tell what they are.
        self.by_order = has_sums and self.own.dtype == np.float64 and ~np.isfinite(self.own)
        floats = [value.type.dtype for value in graph.values if value.call and dtype(value.type.dtype).kind == "float"]
        narrow = min(floats, key=lambda name: dtype(name).bits, default="f32")
        rng, info = np.random.default_rng(seed), ml_dtypes.finfo(dtype(narrow).numpy)
        try:
            graph = widened(graph)
            arrays = [a.astype(np.float64) if np.asarray(a).dtype.kind in "fV" else a for a in arrays]
        except SpecError:  # of calls that take no float64
            pass
        with np.errstate(all="ignore"):
            (exact,) = run(graph, arrays)
            runs = [np.asarray(run(graph, arrays, (rng, info))[0], np.float64) for _ in range(RUNS)]
            self.exact = np.asarray(exact).astype(self.own.dtype)
            off = np.abs(np.array(runs) - np.asarray(exact, np.float64))
            off = np.where(np.isnan(off), 0, off).max(0)
            if self.own.dtype.kind in "fV":
                own = ml_dtypes.finfo(self.own.dtype)
                last = float(own.eps) * np.abs(np.asarray(exact, np.float64)) + 2.0 ** (own.minexp - own.nmant)
                off = off + np.where(np.isfinite(last), last, 0) / 2
            self.bound = ROUNDINGS * off

    def beyond(self, found, strict: bool) -> np.ndarray:
        """Where what was found is neither: of strict laws, near what the calls give in their dtypes alone."""
        return self._beyond(found, strict) & ~np.asarray(self.by_order)

    def _beyond(self, found, strict: bool) -> np.ndarray:
        a, b, c = (np.asarray(each, np.float64) for each in (self.own, self.exact, found))
        if self.own.dtype.kind not in "fV":
            return np.abs(a - c) > (0 if strict else 1)  # half-way between two integers either may come
        with np.errstate(all="ignore"):
            if strict:
                most = float(ml_dtypes.finfo(self.own.dtype).max)
                near = np.clip(a, -most, most) - np.clip(c, -most, most)  # at the end a rounding is infinite
                return ~(np.isnan(a) & np.isnan(c) | (a == c) | (np.abs(near) <= self.bound) & ~np.isnan(a + c))
            low, high = np.fmin(a, b) - self.bound, np.fmax(a, b) + self.bound
            is_nan = np.isnan(c) & (np.isnan(a) | np.isnan(b))
            return ~(is_nan | (c == a) | (c == b) | (c >= low) & (c <= high))


def _is_normal(array: np.ndarray) -> bool:
    if array.dtype.kind not in "fV":
        return True
    size = np.abs(np.asarray(array, np.float64))
    return bool(np.all((size == 0) | (size >= float(ml_dtypes.finfo(array.dtype).tiny)) & np.isfinite(size)))


def widened(graph):
    """The same calls in float64."""
    wide = lambda name: "f64" if dtype(name).kind == "float" else name
    builder, now = GraphBuilder(), {}
    for value in graph.inputs:
        now[value] = builder.input(tensor(value.type.shape, wide(value.type.dtype)), value.name)
    for value in graph.values:
        if value.array is not None:
            now[value] = builder.constant(np.asarray(value.array).astype(dtype(wide(value.type.dtype)).numpy))
        elif value.call:
            own = dtype(value.type.dtype).numpy
            reads = [now[r] if isinstance(r, ModelValue) else float(np.asarray(r).astype(own)) for r in value.reads]
            given = {key: wide(own) if key == "dtype" and own else own for key, own in dict(value.attributes).items()}
            now[value] = builder.call(value.call, *reads, **given)
    return builder.graph({name: now[value] for name, value in graph.results})


def run(graph, arrays, moves=None, trace=None) -> list[np.ndarray]:
    """What a graph gives, call by call; with `moves` each result is moved by half a step of a dtype, and so is each
    term of what is summed. Results of calls are appended to `trace`."""
    known = {value: np.asarray(array) for value, array in zip(graph.inputs, arrays, strict=True)}
    move = (lambda array: _moved(array, *moves)) if moves else np.asarray
    term = (lambda array: _moved(array, moves[0], _summed(moves[1]))) if moves else np.asarray
    for value in graph.values:
        if value.array is not None:
            known[value] = value.array
        if value.call:
            given = [known[read] for read in value.values]
            given = given if value.call in ONE_ROUNDING else list(map(term, given))
            known[value] = move(reference.interpret(value.spec, *given))
            if trace is not None:
                trace.append(known[value])
    return [np.asarray(known[value]) for _, value in graph.results]


def _summed(info):
    """What sums of elements are in: f32 at least."""
    return info if info.bits > 32 else np.finfo(np.float32)


def _moved(array, rng, info) -> np.ndarray:
    array = np.asarray(array)
    if array.dtype.kind not in "fV":
        return array
    is_wider = ml_dtypes.finfo(array.dtype).nmant > info.nmant  # what is not takes a whole step, or none
    steps = float(info.eps) / (2 if is_wider else 1)
    least = 2.0 ** (info.minexp - info.nmant)
    wide = array.astype(np.float64)
    return (wide + (np.abs(wide) * steps + least) * rng.choice([-1.0, 1.0], array.shape)).astype(array.dtype)

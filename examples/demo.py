"""What `make demo` runs: three matrix products, then a trained network on real data, all with times beside others'.

Losses are printed as wins are: a ratio below 1 means that the other one is faster.
"""

from __future__ import annotations

import time

import griotte as gt
import numpy as np
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.reference import empty
from griotte.lang.meaning.samples import random_arrays
from griotte.machine import detect, resolve
from griotte.runtime.timing import fma_peak, interleaved, read_bandwidth
from griotte.tools.commands.output import duration
from griotte_peers import CONTESTANTS, set_blas_threads

PROBLEMS = (
    "matmul(bf16[1,2048], bf16[2048,16384]{0,1}) -> f32[1,16384]",
    "matmul(f32[1024,1024], f32[1024,1024])",
    "matmul(f32[1000,777], f32[777,513])",
)
HIDDEN = (64, 32)


def main() -> None:
    started = time.perf_counter()
    native = resolve("native")
    print(
        f"{detect().name}, {detect().cores} cores, {native.vector_bytes}-byte vectors, NumPy {np.__version__}; one"
        " thread throughout\n"
    )
    for text in PROBLEMS:
        product(text, native)
    network()
    print(f"\ndone in {time.perf_counter() - started:.0f} s")


def product(text: str, target) -> None:
    """Synthesise, print, check and time one matrix product."""
    program = gt.synthesize(text, table="none")
    print(f"== {text}\n")
    print(program.report.text(0.05))
    spec, kernel = program.spec, program.compile()
    arrays = random_arrays(spec, np.random.default_rng(0))
    call = kernel.bind(*arrays, out=empty(spec.output))
    expected = gt.interpret(spec, *arrays)
    error, ok, complaint = compare(spec, arrays, call())
    far = np.abs(call().astype(np.float64) - expected).max() / np.abs(expected).max()
    print(
        f"result: {'right' if ok else 'WRONG: ' + complaint}; {error:.1e} of the terms' sum at most, {far:.1e} of the"
        " largest value away from gt.interpret"
    )
    if not ok:
        raise SystemExit(1)
    peak, read = fma_peak(target), read_bandwidth(spec.bytes, target)
    times = interleaved(
        {"griotte": call, "numpy": CONTESTANTS["numpy"](spec, arrays, target, 1), "fma": peak, "read": read},
        seconds=1.0,
    )
    ours, numpy = times["griotte"], times["numpy"]
    converted = " (on float32 weights made ahead: it has no fast bf16)" if "bf16" in text else ""
    print(
        f"time: griotte {duration(ours.median_us)}, NumPy {duration(numpy.median_us)}{converted}:"
        f" {numpy.median_us / ours.median_us:.2f} x griotte's time (medians)"
    )
    # Of the machine's peaks by the least times: a busy machine interrupts long calls more often than the short probes.
    gflops, gbps = spec.flops / ours.min_us / 1e3, spec.bytes / ours.min_us / 1e3
    most, fastest = peak.rate(times["fma"].min_us), read.rate(times["read"].min_us)
    print(f"      at best {duration(ours.min_us)} (NumPy {duration(numpy.min_us)}):")
    print(
        f"      {gflops:.1f} GFLOP/s, {gflops / most:.0%} of the f32 multiply-add peak measured beside it ({most:.0f})"
    )
    print(f"      {gbps:.1f} GB/s, {gbps / fastest:.0%} of a plain sum over as many bytes ({fastest:.1f})\n")


def network(seconds: float = 1.0) -> None:
    """An MLP trained on scikit-learn's digits; its layers as kernels predict what scikit-learn predicts."""
    import warnings

    from sklearn.datasets import load_digits
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import train_test_split
    from sklearn.neural_network import MLPClassifier

    print("== digits: scikit-learn's MLP, its layers as griotte kernels\n")
    images, digits = load_digits(return_X_y=True)
    train, test, train_digits, test_digits = train_test_split(
        (images / 16).astype(np.float32), digits, test_size=0.3, random_state=0
    )
    test = np.ascontiguousarray(test)
    warnings.simplefilter("ignore", ConvergenceWarning)
    started = time.perf_counter()
    model = MLPClassifier(HIDDEN, max_iter=60, random_state=0).fit(train, train_digits)
    print(
        f"trained on {len(train)} images in {time.perf_counter() - started:.1f} s: 64 ->"
        f" {' -> '.join(map(str, HIDDEN))} -> 10"
    )
    started = time.perf_counter()
    predict = compiled(model, len(test))
    print(f"{2 * len(model.coefs_)} kernels synthesised and compiled in {time.perf_counter() - started:.1f} s")
    theirs, ours = model.predict(test), predict(test)
    same = int((theirs == ours).sum())
    print(
        f"accuracy on {len(test)} images: griotte {np.mean(ours == test_digits):.2%}, scikit-learn"
        f" {np.mean(theirs == test_digits):.2%}; {same} of {len(test)} predictions are the same"
    )
    if same != len(test):
        raise SystemExit("expected the predictions of scikit-learn, found others")
    set_blas_threads(1)
    times = interleaved(
        {
            "griotte": lambda: predict(test),
            "scikit-learn": lambda: model.predict(test),
            "numpy": lambda: plain(model, test),
        },
        seconds,
    )
    ours = times["griotte"].median_us
    for name, timing in times.items():
        print(
            f"  {name:13}{duration(timing.median_us):>9}"
            + (f"   {timing.median_us / ours:.2f} x griotte's time" if name != "griotte" else "")
        )
    print("  (scikit-learn's predict checks its input and names the classes as well; the NumPy line does neither)")


def compiled(model, images: int):
    """A function from images [n, 64] to digits: per layer a matmul, then bias and relu in one kernel."""
    steps = []
    for i, (weights, bias) in enumerate(zip(model.coefs_, model.intercepts_)):
        k, n = weights.shape
        added = f"add(f32[{images},{n}], f32[{n}])"
        last = i == len(model.coefs_) - 1
        multiply = gt.compile(f"matmul(f32[{images},{k}], const f32[{k},{n}])").bind(
            None, np.ascontiguousarray(weights, np.float32)
        )
        activate = gt.compile(added if last else f"relu({added})").bind(None, np.asarray(bias, np.float32))
        steps += [multiply, activate]

    def predict(x: np.ndarray) -> np.ndarray:
        for step in steps:
            x = step(x)
        return model.classes_[x.argmax(axis=1)]

    return predict


def plain(model, x: np.ndarray) -> np.ndarray:
    """The same network in NumPy."""
    last = len(model.coefs_) - 1
    for i, (weights, bias) in enumerate(zip(model.coefs_, model.intercepts_)):
        x = x @ weights + bias
        if i < last:
            np.maximum(x, 0, out=x)
    return model.classes_[x.argmax(axis=1)]


if __name__ == "__main__":
    main()

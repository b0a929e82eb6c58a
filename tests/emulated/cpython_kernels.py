"""Kernels from their texts to calls, by the target native, in an interpreter of Arm: what `cpython` runs."""

import platform
import tempfile
import time

import griotte as gt
import numpy as np
from griotte.machine import detect, named
from griotte.runtime import load

RNG = np.random.default_rng(0)


def told(what: str, begun: float) -> None:
    print(f"{what}: {time.process_time() - begun:.1f} s of the CPU", flush=True)


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, np.float32)


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def main() -> None:
    assert platform.machine() == "aarch64", platform.machine()
    target = named("native")
    print(f"{detect().name}: {' '.join(sorted(target.features))}", flush=True)
    assert target.vector_bytes == 16 and {"asimd", "asimddp", "i8mm", "bf16"} <= target.features
    a, b, x = floats(17, 33), floats(33, 20), floats(9, 40)
    works = {
        "matmul(f32[17,33], f32[33,20])": (1, (a, b), a @ b),
        "softmax(f32[9,40])": (2, (x,), softmax(x)),
    }
    for text, (threads, arrays, right) in works.items():
        begun = time.process_time()
        program = gt.synthesize(text, "native", threads=threads)
        told(f"searched {text}", begun)
        kernel = program.compile()
        np.testing.assert_allclose(kernel(*arrays), right, rtol=1e-5, atol=1e-6)
        with tempfile.TemporaryDirectory() as folder:
            np.testing.assert_array_equal(load(kernel.save(folder))(*arrays), kernel(*arrays))
        told(f"searched, compiled, called, saved and loaded {text}", begun)
    print(f"right on {gt.get_num_threads()} threads at most")


if __name__ == "__main__":
    main()

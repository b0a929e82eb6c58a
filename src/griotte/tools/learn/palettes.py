"""The arrays that programs of a batch run on: each element is drawn from a palette, in the same way there
(elsewhere/driver.c) and here. So a batch has kilobytes of data, whatever its arrays hold, and results can be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from ...lang.calls.spec import Spec
from ...lang.meaning.reference import empty
from ...lang.meaning.timed import timed_arrays
from ...support.errors import SpecError

COLOURS = 4096  # of a palette, at most
LARGEST, MOST_WORK = 1 << 30, 1e12  # bytes of a Spec's tensors, its operations: what the reference takes a minute for
SAMPLED = 64  # elements of each result that are sent back

_MIXERS = np.array([0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0x9E3779B97F4A7C15], np.uint64)


def palettes_of(spec: Spec, seed: int) -> list[np.ndarray]:
    """Of each input the numbers that it is made of, in one row: a power of 2 of them. SpecError where the Spec is
    larger than one in a batch may be."""
    if sum(tensor.bytes for tensor in (*spec.inputs, *spec.outputs)) > LARGEST or spec.flops > MOST_WORK:
        raise SpecError(
            f"expected a Spec of {LARGEST >> 20} MiB and {MOST_WORK:.0e} operations at most in a batch, found {spec};"
            " use a smaller one"
        )
    arrays = timed_arrays(spec, np.random.default_rng(seed))
    return [in_memory(array)[: min(COLOURS, 1 << (array.size.bit_length() - 1))].copy() for array in arrays]


def digest_of(palettes: Sequence[np.ndarray]) -> str:
    """By which equal data are known."""
    found = sha256()
    for palette in palettes:
        found.update(palette.tobytes() + b"|")
    return found.hexdigest()


def filled(spec: Spec, palettes: Sequence[np.ndarray], seed: int) -> list[np.ndarray]:
    """The inputs, in their declared layouts: element i in memory is number `numbered(.., i)` of the palette."""
    arrays = [empty(tensor) for tensor in spec.inputs]
    for place, (array, palette) in enumerate(zip(arrays, palettes)):
        in_memory(array)[...] = palette[numbered(stream(seed, place), array.size, len(palette))]
    return arrays


def stream(seed: int, place: int) -> int:
    """The seed of the input at a place."""
    return int(_mixed(np.array([64 * seed + place + 1], np.uint64) * _MIXERS[2])[0] >> np.uint64(2))


def numbered(seed: int, count: int, bound: int) -> NDArray[np.int64]:
    """So many numbers below `bound`, a power of 2, as the driver's."""
    places = np.uint64(seed) + np.arange(count, dtype=np.uint64)
    return (_mixed(places * _MIXERS[2]) & np.uint64(bound - 1)).astype(np.int64)


def sampled(elements: int, seed: int) -> list[int]:
    """The places in memory of a result whose elements are sent back."""
    return sorted({int(place) for place in np.random.default_rng(seed).integers(0, elements, SAMPLED)})


def in_memory(array: np.ndarray) -> np.ndarray:
    """A dense array's elements as they lie in memory: a view."""
    return array.transpose(sorted(range(array.ndim), key=lambda axis: -array.strides[axis])).reshape(-1)


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ z >> np.uint64(30)) * _MIXERS[0]
    z = (z ^ z >> np.uint64(27)) * _MIXERS[1]
    return z ^ z >> np.uint64(31)

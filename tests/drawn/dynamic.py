"""A size of a random Spec made dynamic, where it may be: what tests of dynamic sizes draw."""

from __future__ import annotations

import re

import numpy as np
from griotte.engine.canonical.canonical import canonical_form
from griotte.lang.text.text import parse
from griotte.support.errors import SpecError

_TENSOR = re.compile(r"((?:pred|bf16|[fsu]\d+)\[)([\d,]+)(\])")


def with_dynamic(text: str, rng: np.random.Generator) -> str:
    """`text` with one of its sizes dynamic, wherever that size stands; as it is where none of them may be."""
    sizes = sorted({int(size) for _, shape, _ in _TENSOR.findall(text) for size in shape.split(",")} - {1})
    for size in rng.permutation(sizes).tolist():
        told = _TENSOR.sub(
            lambda found: (
                found[1] + ",".join(f"<={n}" if int(n) == size else n for n in found[2].split(",")) + found[3]
            ),
            text,
        )
        try:
            canonical_form(parse(told))
        except SpecError:
            continue
        return told
    return text

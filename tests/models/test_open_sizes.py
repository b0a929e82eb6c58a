"""Calls and models with each axis in turn open: refused, or right at every size, with nothing written beyond.

Here some of them; all under --all, and once more with AddressSanitizer around each array.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from generated_harness import skip_without_sanitizers
from griotte.lang.constructors.forms import forms
from griotte.lang.text.text import parse
from griotte.lang.types.tensor import tensor
from griotte.models import parse_graph
from griotte.support.errors import SpecError
from guarded import guarded
from numpy.lib.stride_tricks import as_strided
from open_calls import opened, texts
from open_sizes import REFUSED, RIGHT, WRONG, examined

TESTS = Path(__file__).parents[1]
SOME = 24  # of so many programs one is tried


def require_none_wrong(programs) -> None:
    found = list(examined(programs))
    assert not [each for each in found if each.verdict == WRONG]
    count = Counter(each.verdict for each in found)
    assert count[RIGHT] and count[REFUSED]


def test_some_are_refused_or_right():
    require_none_wrong(opened(SOME))


@pytest.mark.long
def test_all_are_refused_or_right():
    require_none_wrong(opened())


def _library(name: str) -> str:
    told = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return told.stdout.strip()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["calls", "nodes"])
def test_no_array_is_left_under_a_sanitizer(kind: str, tmp_path):
    """In a process of its own, whose arrays and kernels AddressSanitizer watches; of nodes one in seven."""
    skip_without_sanitizers()
    first = [_library("libasan.so"), _library("libstdc++.so")]  # onnx throws: what it throws by is looked for at start
    own = {
        "CC": "gcc -fsanitize=address -D_Thread_local=",
        "LD_PRELOAD": " ".join(first),
        "ASAN_OPTIONS": "detect_leaks=0",
        "GRIOTTE_CACHE": str(tmp_path),
    }
    words = [sys.executable, "-m", "open_sizes", kind, *(["--every", "7"] if kind == "nodes" else [])]
    done = subprocess.run(words, cwd=TESTS, env=os.environ | own, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout[-3000:]}{done.stderr[-3000:]}"


def test_each_call_is_among_them():
    made = texts().values()
    assert all(any(f"= {name}(" in text for text in made) for name in forms() if name != "outputs")
    for text in made:
        parse_graph(text)


def test_the_guard_sees_what_is_written_beyond():
    x = tensor((3, "<=4"))
    given, two = np.ones((3, 2), np.float32), 2

    def right(x, out):
        out[...] = 2 * x

    def into_the_room(x, out):
        as_strided(out, (3, two + 1), out.strides)[...] = 5

    def into_the_input(x, out):
        out[...] = x
        x[0, 0] = 5

    def of_the_room(x, out):
        out[...] = as_strided(x, (3, two + 1), x.strides)[:, 1:]

    (found,) = guarded(right, [x], [x], [given], two)
    assert (found == 2).all()
    with pytest.raises(AssertionError, match="bytes beyond the result of size 2"):
        guarded(into_the_room, [x], [x], [given], two)
    with pytest.raises(AssertionError, match="was written at size 2"):
        guarded(into_the_input, [x], [x], [given], two)
    (found,) = guarded(of_the_room, [x], [x], [given], two)
    assert np.isnan(found).any()


REFUSED_CALLS = {
    "attention(f32[3,5,<=8], f32[3,7,<=8], f32[3,7,9])": "expects a fixed size of heads where no scale is given",
    "conv_transpose2d(f32[3,2,5,7], f32[2,4,<=3,2], stride=2)": "expects windows of a fixed size",
}


@pytest.mark.parametrize("text", REFUSED_CALLS)
def test_numbers_that_would_follow_from_the_size_are_refused(text: str):
    with pytest.raises(SpecError, match=REFUSED_CALLS[text]):
        parse(text)


def test_heads_of_an_open_size_have_a_scale_that_is_given():
    spec = parse("attention(f32[3,5,<=8], f32[3,7,<=8], f32[3,7,9], scale=0.5)")
    assert spec.dynamic is not None


def test_terms_of_an_open_product_of_integers_are_counted_at_each_size():
    """Each of them has the product of both zeros."""
    require_none_wrong(each for each in opened() if each.name.startswith("qmatmul of two zeros, <=7"))


def test_a_transpose_without_a_perm_is_one_that_laws_read():
    graph = parse_graph("model(%x: f32[5,7]) { %y = transpose(%x) return y=%y }")
    assert dict(graph.calls[0].attributes)["perm"] == (1, 0)

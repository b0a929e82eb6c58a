"""Helpers over vectors: what compilers make of them."""

import re

import pytest
from features import skip_without
from griotte.engine.vectors.library import VectorLibrary
from griotte.lang.functions.kit import Kit
from vector_harness import CONFIGS, compile_c


@pytest.mark.parametrize("dtype, lanes", [("f32", 8), ("f32", 4), ("f64", 4)])
@pytest.mark.parametrize("name, takes", [("decay", "x"), ("share", "x, x"), ("cleared", "x < 0, x")])
def test_lanes_are_cleared_by_a_mask_where_avx2_would_choose_between_two_registers(name, takes, dtype, lanes, tmp_path):
    """Of `z & ~mask` gcc makes a blend, which takes two or three operations on some CPUs and four registers."""
    config = CONFIGS["avx2"]
    skip_without(config.features)
    library = VectorLibrary(config.features)
    kit = Kit(library, dtype, lanes)
    load, store, function = library.load(dtype, lanes), library.store(dtype, lanes), kit(name)
    text = (
        f"{library.definitions()}\nvoid test(const {kit.T} *p, {kit.T} *out, int n) {{\n"
        f"    for (int i = 0; i < n; i += {lanes}) {{\n        const {kit.V} x = {load}(p + i);\n"
        f"        {store}(out + i, {function}({takes}));\n    }}\n}}\n"
    )
    code = compile_c(text, tmp_path, "masks", "-O3", "-S", *config.flags).read_text()
    assert "vandn" in code and not re.findall("blendv", code)

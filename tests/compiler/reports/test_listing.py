"""The C beside a tree: every leaf's line leads to functions that are there, and nothing of the C is lost."""

from __future__ import annotations

import re
from html import unescape

import griotte as gt
import pytest
from griotte.compiler.reports.listing import Listing, passages
from griotte.compiler.reports.tree import tree
from machines import machine

SPECS = {
    "one leaf": "matmul(f32[16,16], f32[16,16])",
    "leftovers": "matmul(f32[37,19], f32[19,23])",
    "a graph": "softmax(matmul(f32[24,16], const f32[16,40]))",
    "a copy": "transpose(f32[37,19])",
    "integers": "matmul(u8[9,32], s8[32,24])",
}


def leaves(line):
    return [line] if not line.children else [leaf for child in line.children for leaf in leaves(child)]


@pytest.mark.parametrize("text", SPECS.values(), ids=SPECS)
@pytest.mark.parametrize("target", ["portable", "avx2"])
def test_each_leaf_leads_to_its_function(text, target):
    program = gt.synthesize(text, machine(target), table="none")
    source = program.to_c()
    assert "".join(passage.text for passage in passages(source)) == source
    listing = Listing(source)
    shown = listing.html()
    for leaf in leaves(tree(program.root, program.target)):
        number = listing.number(leaf.text)
        assert number is not None, leaf.text
        assert shown.count(f'id="c-{number}"') == 1 and f".to-{number}:hover" in listing.style()
    assert unescape(re.sub("<[^>]*>", "", shown)) == source


def test_a_line_that_no_function_is_of_leads_nowhere():
    listing = Listing("int x;\n")
    assert listing.number("loop m by 4") is None and listing.style() == ""
    assert listing.html() == '<pre class="listing">int x;\n</pre>'

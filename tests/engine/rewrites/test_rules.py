"""Which rules are asked of a family."""

import pytest
from griotte.engine import rewrites
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites.inputs import is_resting
from griotte.engine.search.graph import reach
from griotte.engine.search.problem import problem
from griotte.lang.nests.pending import OneLeaf
from griotte.lang.text.text import parse
from machines import machine


@pytest.mark.parametrize(
    "text",
    (
        "matmul(f32[48,512], const f32[512,40])",
        "attention(f32[2,64,32], f32[2,64,32], f32[2,64,32], causal=true)",
        "softmax(f32[2,4800], axis=-1)",
        "conv2d(relu(conv2d(f32[1,8,32,32], f32[8,8,3,3], padding=1)), f32[8,8,3,3], padding=1)",
    ),
)
def test_rules_that_are_not_asked_have_no_edges(text):
    """Of a family all edges are found that asking every rule finds."""
    target = machine("avx512")
    start = problem(canonical_form(parse(text)), target, threads=2)
    for node in reach(target, start.goal):
        family = node.family
        if OneLeaf.of(family.operation):
            continue
        found = next(filter(None, (rule.leaving(family, target) for rule in rewrites.FIRST)), None)
        if found is None:
            rests = is_resting(family, target)
            of = [rule for rule in rewrites.RULES if not (rests and rule is rewrites.BUFFERIZE)]
            found = [edge for rule in of for edge in rule.leaving(family, target)]
        assert [edge.rewrite for edge in node.edges] == [edge.rewrite for edge in found]


@pytest.mark.parametrize(
    "text",
    (
        "add(matmul(f32[6,20], %w: const f32[20,33]), max(%w, axis=0))",
        "softmax(f32[2,4800], axis=-1)",
        "attention(f32[2,64,32], f32[2,64,32], f32[2,64,32], causal=true)",
        "conv2d(relu(conv2d(f32[1,8,32,32], f32[8,8,3,3], padding=1)), f32[8,8,3,3], padding=1)",
        "rms_norm(matmul(f32[20,2], const f32[2,8]), f32[8])",
        "matmul(f32[48,512], const f32[512,40])",
    ),
)
def test_every_rewrite_says_what_it_is(text):
    """As a step by hand, as one that was asked for, on a map."""
    target = machine("avx512")
    start = problem(canonical_form(parse(text)), target, threads=2)
    levels = tuple(level.name for level in target.levels)
    for node in reach(target, start.goal):
        for edge in node.edges:
            rewrite = edge.rewrite
            word = rewrite.legend(node.family, levels)
            told = rewrite.verb(), rewrite.words(target), word.kind, word.text, word.short
            assert all(isinstance(words, str) and words.strip() for words in told), (rewrite, told)

"""Leaves of products, as the search meets them."""

from dataclasses import replace

import griotte as gt
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import Layout, Operand, Vector


def leaf_of(text: str, target, lane: str = "n", panel: int = 0):
    """The kernel and the family of a product's leaf, its inputs as given, or the second in panels."""
    kernel, family = (
        next(k for k in target.kernels if k.name == "multiply_add"),
        problem(canonical_form(gt.parse(text)), target).goal,
    )
    family = replace(family, ahead=()).with_operand(
        2, Operand("f32", 0, family.output.layout, Vector(lane, target.lanes("f32")))
    )
    return kernel, family.with_operand(1, Operand("f32", 1, Layout((1, 0), panel=(1, panel)))) if panel else family

"""Bodies have one form: what differs in the order of arguments that commute is solved once, and met by one kernel."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from checked import like_reference
from griotte import synthesize
from griotte.engine.canonical.canonical import canonical_form
from griotte.lang.calls.spec import Spec
from griotte.lang.constructors.nesting import map_of
from griotte.lang.nests.merging import may_factor
from griotte.lang.nests.operation import Operation
from griotte.lang.types.expr import Arg, Call, Const


def product(body):
    inputs = gt.tensor((24, 40)), gt.tensor((40, 32))
    nest = replace(Operation.of("product", "m n k", ("m k", "k n"), "m n", body, "add"), keep=("m", "n", "k"))
    return Spec(nest, (24, 32, 40), inputs, gt.tensor((24, 32)))


def test_a_product_of_the_other_order_takes_the_kernel_of_products():
    one, other = (synthesize(product(Call("mul", args)), "avx2", table="none")
                  for args in ((Arg(0), Arg(1)), (Arg(1), Arg(0))))  # fmt: skip
    assert one.cost == other.cost and one.to_c() == other.to_c() and "multiply_add" in str(other)


@pytest.mark.parametrize("one, other", [
    ("add(mul(%x: f32[8,40], f32[40]), %x)", "add(%x: f32[8,40], mul(%x, f32[40]))"),
    ("mul(%x: f32[9,9], sigmoid(%x))", "mul(sigmoid(%x: f32[9,9]), %x)"),
    ("sum(mul(%x: f32[9,9], exp(%x)), axis=1)", "sum(mul(exp(%x: f32[9,9]), %x), axis=1)"),
    ("maximum(%x: f32[9,9], neg(%x))", "maximum(neg(%x: f32[9,9]), %x)"),
])  # fmt: skip
def test_two_orders_are_one_entry_of_a_table(one, other, tmp_path):
    one, other = gt.parse(one), gt.parse(other)
    assert canonical_form(one) == canonical_form(other)
    table = tmp_path / "table.griotte"
    assert gt.synthesize(one, "portable", table=table).stats["specs_solved"] > 0
    again = gt.synthesize(other, "portable", table=table)
    assert again.stats["specs_solved"] == 0
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(t.shape, np.float32) for t in other.inputs]
    like_reference(again, arrays, 1e-5, 1e-6)


@pytest.mark.parametrize("swapped", [False, True])
def test_shares_are_divided_after_the_product_in_either_order(swapped):
    x, v = gt.tensor((16, 24), name="x"), gt.tensor((24, 8))
    e = gt.exp(gt.sub(x, gt.max(x, axis=1, keepdims=True)))
    part = map_of(Call("div", (Const(1.0), Arg(0))), gt.sum(e, axis=1, keepdims=True))
    graph = canonical_form(gt.matmul(gt.mul(part, e) if swapped else gt.mul(e, part), v)).operation
    assert any(may_factor(graph, t) for t in graph.unplaced)

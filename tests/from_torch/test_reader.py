"""How a module is read: names, constants, what is refused, what errors say."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from griotte.torch.operators.declaring import taken
from torch_models import Of, agree, drawn, read, tensors, torch

nn = torch.nn


def test_a_module_becomes_a_kernel():
    module = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
    x = drawn(3, 8)
    kernel = gt.compile(read(module, x), target="portable", table="none", effort=1)
    with torch.no_grad():
        assert np.allclose(kernel(x.numpy()), module(x).numpy(), rtol=1e-5, atol=1e-6)


def test_parameters_are_constants_of_their_memory():
    module = nn.Linear(8, 4)
    graph = read(module, drawn(3, 8))
    assert {value.name for value in graph.constants} >= {"bias"}
    held = {value.array.__array_interface__["data"][0] for value in graph.constants}
    assert module.weight.data_ptr() in held and module.bias.data_ptr() in held


def test_inputs_that_are_not_read_stay():
    graph = read(Of(lambda x, y: y + 1), drawn(2), drawn(3))
    assert [value.type.shape for value in graph.inputs] == [(2,), (3,)]


def test_a_result_that_is_given_twice():
    graph = read(Of(lambda x: x.exp(), lambda x: x, lambda x: x.exp()), drawn(2))
    assert len(set(graph.names)) == len(graph.names) == 3


def test_numbers_are_part_of_the_graph():
    agree(Of(lambda x, by, how: x * by if how else x), drawn(3), 2.5, True)


def test_nested_inputs():
    graph = gt.from_torch(Of(lambda both: both[0] + both[1]["b"]), (drawn(2), {"b": drawn(2)}))
    assert len(graph.inputs) == 2 and not graph.unsupported()


def test_a_program_that_is_exported():
    program = torch.export.export(Of(torch.exp), (drawn(3),))
    assert [value.call for value in gt.from_torch(program).calls] == ["exp"]
    with pytest.raises(gt.SpecError, match="expected no examples beside an exported program, found 1"):
        gt.from_torch(program, drawn(3))


def test_what_nothing_reads_is_left_out():
    agree(Of(lambda x: (x.sin(), x.cos())[1]), drawn(3))
    assert [value.call for value in read(Of(lambda x: (x.sin(), x.cos())[1]), drawn(3)).calls] == ["cos"]


def test_what_follows_from_parameters_is_known():
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(drawn(4))

        def forward(self, x):
            return x * (self.w.exp() + 1)

    assert [value.call for value in read(Scaled(), drawn(2, 4)).calls] == ["mul"]


def test_all_that_is_lacked_is_found_in_one_walk():
    graph = gt.from_torch(Of(torch.special.airy_ai, torch.exp, lambda x: torch.special.airy_ai(x + 1) * 2), drawn(3))
    refused = graph.unsupported()
    assert [each.operator for each in refused] == ["special_airy_ai.default", "special_airy_ai.default"]
    assert refused[0].why == "no such operator here" and len(graph.outputs) == 1
    with pytest.raises(
        gt.SpecError, match=r"expected operators that griotte has, found 2 nodes of others: special_airy_ai\.default"
    ):
        gt.compile(graph)


def test_what_a_call_changes_is_refused():
    refused = gt.from_torch(nn.BatchNorm1d(3).train(), drawn(4, 3)).unsupported()
    assert {each.name: each.why for each in refused} == {
        "_native_batch_norm_legit_functional": "it trains; call module.eval() first",
        **dict.fromkeys(
            ("running_mean", "running_var", "num_batches_tracked"), "what a call changes beside its results"
        ),
    }


def test_sparse_tensors_are_refused():
    x = drawn(3, 4).to_sparse_csr()
    refused = gt.from_torch(Of(lambda x, y: torch.sparse.sampled_addmm(x, y, y.t() @ y)), x, drawn(3, 4))
    assert "a sparse tensor, torch.sparse_csr" in {each.why for each in refused.unsupported()}


def test_masks_are_refused():
    class Masked(nn.Module):
        def forward(self, x):
            return x[x > 0].sum()

    (refused, *_) = gt.from_torch(Masked(), drawn(4)).unsupported()
    assert "depends on the values that it reads" in refused.why


@pytest.mark.parametrize("given", [3, torch.exp, "module.pt"])
def test_what_is_no_module(given):
    with pytest.raises(gt.SpecError, match=r"expected a torch\.nn\.Module or an ExportedProgram, found"):
        gt.from_torch(given, drawn(3))


def test_a_module_that_does_not_export():
    class Branching(nn.Module):
        def forward(self, x):
            return x if x.sum() > 0 else -x

    with pytest.raises(gt.SpecError, match=r"expected a module that torch\.export reads, found \w+: .*torch\.export"):
        gt.from_torch(Branching(), drawn(3))


def test_sizes_that_are_open_are_refused():
    size = torch.export.Dim("n", min=2, max=8)
    program = torch.export.export(Of(torch.exp), (drawn(3),), dynamic_shapes={"inputs": ({0: size},)})
    with pytest.raises(gt.SpecError, match="expected inputs whose sizes are numbers"):
        gt.from_torch(program)


@pytest.mark.parametrize("dtype", tensors.NAMES)
def test_arrays_and_tensors_share_memory(dtype):
    tensor = torch.zeros(3, 4).to(dtype)
    array = tensors.array_of(tensor)
    back = tensors.tensor_of(array)
    assert array.__array_interface__["data"][0] == tensor.data_ptr() == back.data_ptr()
    assert back.dtype == dtype and array.shape == (3, 4)


def test_transposed_parameters_are_not_copied():
    class Turned(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(drawn(4, 3).t())

        def forward(self, x):
            return x @ self.w

    module = Turned()
    graph = read(module, drawn(2, 3))
    assert module.w.data_ptr() in {value.array.__array_interface__["data"][0] for value in graph.constants}
    x = drawn(2, 3)
    with torch.no_grad():
        assert np.allclose(interpret(graph, x.numpy())[0], module(x).numpy(), rtol=1e-5, atol=1e-6)


def test_an_empty_part_is_left_out():
    agree(Of(lambda x: torch.cat([x[:, :0], x], 1)), drawn(2, 3))


ARGUMENTS = {"self": 1, "other": 2, "alpha": 3, "dtype": None}


def test_names_are_the_schemas_and_others_come_in_order():
    assert taken(lambda node, x, y, alpha: None, ARGUMENTS) == ([1, 2, 3], {})
    assert taken(lambda node, alpha, x, y: None, ARGUMENTS) == ([3, 1, 2], {})
    assert taken(lambda node, x, *rest: None, ARGUMENTS) == ([1, 2, 3], {})
    assert taken(lambda node, x, *rest, alpha, how="as is": None, ARGUMENTS) == ([1, 2], {"alpha": 3})
    assert taken(lambda node, x, y, alpha, dtype: None, ARGUMENTS) == ([1, 2, 3, None], {})
    assert taken(lambda node, x, y, alpha, how="as is": None, ARGUMENTS) == ([1, 2, 3, "as is"], {})


@pytest.mark.parametrize("function", [lambda node, x, y: None, lambda node, x, y, z, w, alpha: None])
def test_all_that_is_given_is_taken(function):
    with pytest.raises(gt.SpecError, match="given other operands than it has: (alpha|no z)"):
        taken(function, ARGUMENTS)

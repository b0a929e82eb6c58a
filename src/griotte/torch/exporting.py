"""A module as torch exports it, decomposed to the operators that are declared here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import OutputKind

from ..support.errors import SpecError
from .agreeing import LeftToTorchError, require_agreement
from .decompositions import DECOMPOSITIONS

WHOLE = (
    "scaled_dot_product_attention.default",
    "lstm.input",
    "gru.input",
    "rnn_tanh.input",
    "rnn_relu.input",
    "col2im.default",
    "upsample_bicubic2d.vec",
    "upsample_nearest1d.vec",
    "upsample_nearest3d.vec",
    "_upsample_nearest_exact1d.vec",
    "_upsample_nearest_exact2d.vec",
    "_upsample_nearest_exact3d.vec",
    "index_add.default",
    "index_copy.default",
    "index_fill.int_Scalar",
    "index_fill.int_Tensor",
)
"""Operators that are declared as they are: decomposed they would be many nodes, or say less."""
OF_DERIVATIVES = ("torch._C._functorch", "torch._functorch.eager_transforms")


def exported(module: Any, examples: tuple[Any, ...]) -> ExportedProgram:
    """The program of a module called with these examples; SpecError where torch cannot tell it."""
    if isinstance(module, ExportedProgram):
        if examples:
            raise SpecError(f"expected no examples beside an exported program, found {len(examples)}; leave them out")
        require_agreement(module)
        return decomposed(module)
    if not isinstance(module, torch.nn.Module):
        raise SpecError(
            f"expected a torch.nn.Module or an ExportedProgram, found {type(module).__name__}; of a function make a"
            " module that calls it"
        )
    if taken := next(_derivatives(module), ""):
        raise SpecError(f"expected a module without derivatives within, found {taken}; take them outside of it")
    depth = torch._C._functorch.get_dynamic_layer_stack_depth()
    try:
        with torch.no_grad():
            found = torch.export.export(module, examples)
            require_agreement(found)
            return decomposed(found)
    except LeftToTorchError:
        raise
    except Exception as error:
        torch._C._functorch.pop_dynamic_layer_stack_and_undo_to_depth(depth)  # what it left within torch.func's
        told = " ".join(str(error).split())[:400]
        raise SpecError(
            f"expected a module that torch.export reads, found {type(error).__name__}: {told}; see what"
            " torch.export.export(module, examples) says of it"
        ) from error


def require_pure(program: ExportedProgram) -> None:
    """SpecError where a call changes inputs or buffers."""
    if any(spec.kind != OutputKind.USER_OUTPUT for spec in program.graph_signature.output_specs):
        raise SpecError("what a call changes beside its results")


def _derivatives(module: torch.nn.Module) -> Iterator[str]:
    """What graphs within call to take derivatives (`torch.func.grad`, `jacrev`, `hessian`): export fails midway, and
    what was begun stays so."""
    for inner in module.modules():
        for node in inner.graph.nodes if isinstance(inner, torch.fx.GraphModule) else ():
            name, where = (str(getattr(node.target, part, "")) for part in ("__name__", "__module__"))
            if where in OF_DERIVATIVES or name.startswith("_jvp"):
                yield name


def decomposed(program: ExportedProgram) -> ExportedProgram:
    """A program in core ATen, but for what is declared as it is."""
    table = torch.export.default_decompositions()
    for each, made in DECOMPOSITIONS.items():
        table[each] = made
    for name in WHOLE:
        if name == "lstm.input" and any(map(_is_projected, program.graph.nodes)):
            continue
        operator, overload = name.split(".")
        table.pop(getattr(getattr(torch.ops.aten, operator), overload), None)
    return program.run_decompositions(table)


def _is_projected(node: Any) -> bool:
    """Whether a node is an LSTM whose states are projected: of such torch's own decomposition is read, turn by turn."""
    if node.target is not torch.ops.aten.lstm.input:
        return False
    _, _, params, has_biases, layers, _, _, bidirectional, _ = node.args
    return len(params) > layers * (1 + bidirectional) * (4 if has_biases else 2)

"""A module as torch exports it, decomposed to the operators that are declared here.

torch's operators check the types of their operands (operands of one dtype, a bias that can be expanded). These checks
are seen neither once operators are decomposed nor by tensors without data. Where a check fails, torch refuses the call,
or computes it by rules of its own: such a program is left to torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import OutputKind

from ..support.errors import SpecError
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
            result = torch.export.export(module, examples)
            require_agreement(result)
            return decomposed(result)
    except LeftToTorchError:
        raise
    except Exception as error:
        torch._C._functorch.pop_dynamic_layer_stack_and_undo_to_depth(depth)  # what it left within torch.func's
        message = " ".join(str(error).split())[:400]
        raise SpecError(
            f"expected a module that torch.export reads, found {type(error).__name__}: {message}; see what"
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
    """A program in core ATen, but for operators that are declared as they are."""
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


class LeftToTorchError(SpecError):
    """Why a graph is torch's own to run, or to refuse: no other compiler may."""


ONE_DTYPE: dict[str, Sequence[int]] = {
    **dict.fromkeys(
        ("mm", "bmm", "mv", "dot", "vdot", "matmul", "cdist", "_cdist_forward", "polar", "complex"), (0, 1)
    ),
    **dict.fromkeys(("addmm", "addmv", "addbmm", "baddbmm", "addr", "linear", "convolution"), (0, 1, 2)),
    **dict.fromkeys(("conv1d", "conv2d", "conv3d", "conv_transpose1d"), (0, 1, 2)),
    **dict.fromkeys(("conv_transpose2d", "conv_transpose3d", "bilinear"), (0, 1, 2)),
    **dict.fromkeys(("grid_sampler", "grid_sampler_2d", "grid_sampler_3d", "heaviside"), (0, 1)),
    **dict.fromkeys(("linalg_cross", "cross", "binary_cross_entropy"), (0, 1)),
    **dict.fromkeys(("nll_loss_nd", "nll_loss", "nll_loss2d", "nll_loss_forward", "nll_loss2d_forward"), (0, 2)),
    **dict.fromkeys(("index_add", "index_copy", "index_reduce"), (0, 3)),
    "embedding_bag": (0, 6),
    "scaled_dot_product_attention": (0, 1, 2),
}
"""By operator the places of arguments that share a dtype."""
MIXED: dict[str, tuple[int, Sequence[int]]] = {
    "layer_norm": (0, (2, 3)),
    "native_layer_norm": (0, (2, 3)),
    "group_norm": (0, (2, 3)),
    "native_group_norm": (0, (1, 2)),
    "batch_norm": (0, (1, 2, 3, 4)),
    "instance_norm": (0, (1, 2, 3, 4)),
}
"""By operator the place of the normed operand, and those of parameters: all of one dtype, or of f32 beside floats of 16
bits."""
EXPANDED = {"addmm": 2, "addmv": 1}
"""By operator how many axes its first operand has at most, which is expanded to what it gives."""
DECOMPOSED_OTHERWISE = ("multilabel_margin_loss", "multilabel_margin_loss_forward")
"""Operators whose decomposition by torch gives other values than they do."""


def require_agreement(program: Any) -> None:
    """LeftToTorchError where an operator of a program that is not decomposed reads what torch refuses."""
    for module in program.graph_module.modules():
        for node in module.graph.nodes if isinstance(module, torch.fx.GraphModule) else ():
            if node.op == "call_function" and hasattr(node.target, "overloadpacket"):
                for why in _complaints(node):
                    raise LeftToTorchError(
                        f"expected {why} of {node.target} {node.name}; torch says what it makes of it"
                    )


def _complaints(node: Any) -> Iterator[str]:
    name = node.target.overloadpacket.__name__
    given = [each.meta.get("val") if isinstance(each, torch.fx.Node) else None for each in node.args]
    dtypes = [each.dtype if isinstance(each, torch.Tensor) else None for each in given]
    of = lambda places: {dtypes[place] for place in places if place < len(dtypes)} - {None}
    if len(of(ONE_DTYPE.get(name, ()))) > 1:
        yield f"operands of one dtype, found {in_words(of(ONE_DTYPE[name]))}"
    if name in DECOMPOSED_OTHERWISE:
        yield "an operator that torch decomposes rightly, found one"
    if name == "baddbmm" and node.kwargs.get("alpha", 1) == 0:
        yield "an alpha that is not 0, of which a NaN is taken or is not, by dtype and size, found 0"
    if name in MIXED:
        first, others = MIXED[name]
        narrow = dtypes[first] in (torch.float16, torch.bfloat16)
        allowed = [{dtypes[first]}, {torch.float32}] if narrow else [{dtypes[first]}]
        if of(others) and of(others) not in allowed:
            yield f"parameters of {dtypes[first]}, found {in_words(of(others))}"
    if name in EXPANDED and isinstance(given[0], torch.Tensor):
        whole = node.meta["val"]
        if given[0].ndim > EXPANDED[name] or not _expands(given[0], whole):
            yield f"what can be expanded to {list(whole.shape)}, found {list(given[0].shape)}"


def in_words(dtypes: set[Any]) -> str:
    return " and ".join(sorted(map(str, dtypes)))


def _expands(small: torch.Tensor, whole: torch.Tensor) -> bool:
    """Whether a tensor can be expanded; sizes that are no numbers are taken to be right."""
    pairs = zip(reversed(small.shape), reversed(whole.shape))
    is_other = lambda n, m: isinstance(n, int) and isinstance(m, int) and n not in (1, m)
    return small.ndim <= whole.ndim and not any(is_other(n, m) for n, m in pairs)

"""torch's own samples of its operators (OpInfo) through `from_torch`: how many are right, wrong and refused.

    python benchmarks/torch_opinfo.py OUT.jsonl [--match WORD] [--most 8] [--limit 30] [--dtypes f32,bf16] [--kernel]
    python benchmarks/torch_opinfo.py OUT.jsonl --only-table [--docs docs/lab/torch/opinfo.md]

Each sample is a module that calls the operator with it; its tensors are the module's inputs. Of an operator's samples
`--most` are taken, evenly from first to last. Of complex results the parts are asked (`torch.view_as_real`). Graphs
are evaluated by griotte's reference; with `--kernel` they are compiled. OUT.jsonl has a line for each operator and
dtype, and a run goes on behind the last one. It is one process, which starts itself anew when it holds more than
`--memory` GiB. Needs torch and expecttest, which torch's samples want.

Right is where each element is within `sampled.WITHIN` of torch's, relative to it and to the largest of the result,
and dtypes and shapes are torch's; what is only reserved (`torch.empty`) has no values to compare. Where torch computes
in 16 bits step by step, its own result is off, so one that is as near as that to torch's result of the same numbers in
f32 is right as well; so are other places than torch's at which the same elements stand (`sampled.are_places`). Where
the graph that `torch.export` gives, run by torch's own operators, gives something else than the operator, and griotte
gives that, a sample is `decomposed`: griotte reads that graph. What is computed while a module is read alone is
`folded`.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sampled import anew, apart, are_places, by_name, into_page, timed
from torch.utils import _pytree as pytree

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16}
HALF = (torch.bfloat16, torch.float16)
RESERVED = ("empty", "new_empty")
BEGIN = "<!-- by benchmarks/torch_opinfo.py -->\n"


class Called(torch.nn.Module):
    """An operator with what it is called with, but for tensors, which are given."""

    def __init__(self, operator: Any, sample: Any) -> None:
        super().__init__()
        leaves, self.form = pytree.tree_flatten(((sample.input, *sample.args), dict(sample.kwargs)))
        self.operator, self.leaves = operator, [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self.places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        self.inputs = [leaves[place] for place in self.places]

    def forward(self, *inputs: torch.Tensor) -> Any:
        leaves = list(self.leaves)
        for place, tensor in zip(self.places, inputs):
            leaves[place] = tensor
        args, kwargs = pytree.tree_unflatten(leaves, self.form)
        return tuple(map(of_real, tensors(self.operator(*args, **kwargs))))


def of_real(tensor: torch.Tensor) -> torch.Tensor:
    """A result as griotte can give it: of complex numbers their parts."""
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor


def spread(samples: list[Any], most: int) -> list[Any]:
    """So many of them, evenly from first to last."""
    if len(samples) <= most:
        return samples
    return [samples[round(place)] for place in np.linspace(0, len(samples) - 1, most)]


def wrong(found: np.ndarray, wanted: torch.Tensor, finer: torch.Tensor | None) -> str:
    """What is wrong with a result; "" where it is right."""
    from griotte.torch.tensors import array_of

    array = array_of(wanted.contiguous())
    if (found.dtype, found.shape) != (array.dtype, array.shape):
        return f"{found.dtype}{list(found.shape)} in place of {array.dtype}{list(array.shape)}"
    if not wanted.dtype.is_floating_point:
        return "" if np.array_equal(found, array) else f"{int((found != array).sum())} of {array.size} elements"
    dtype = str(wanted.dtype).removeprefix("torch.")
    off = apart(found, wanted.double().numpy(), dtype)
    if off > 1 and finer is not None:
        off = min(off, apart(found, finer.double().numpy(), dtype))
    return "" if off <= 1 else f"{off:.3g} times what is allowed"


def in_f32(run: Callable[..., Any], inputs: list[torch.Tensor]) -> list[torch.Tensor] | None:
    """What torch gives of the same numbers in f32; None where it has no such result, or they are that."""
    if not any(each.dtype in HALF for each in inputs):
        return None
    wide = [each.float() if each.dtype in HALF else each for each in inputs]
    try:
        return tensors(run(*wide))
    except (AssertionError, RuntimeError, TypeError, ValueError):
        return None


def tensors(found: Any) -> list[torch.Tensor]:
    """The tensors of a result."""
    return [each for each in pytree.tree_leaves(found) if isinstance(each, torch.Tensor)]


def tried(operator: Any, sample: Any, by_kernel: bool) -> tuple[str, str]:
    """(what became of a sample, why)."""
    import griotte as gt
    from griotte.models.reference import interpret
    from griotte.torch.exporting import exported
    from griotte.torch.tensors import array_of

    module = Called(operator, sample).eval()
    if not module.inputs:
        return "folded", "no tensor is given"
    try:
        wanted = module(*(each.clone() for each in module.inputs))
    except Exception as why:
        return "torch", f"{type(why).__name__}: {str(why)[:200]}"
    try:
        program = exported(module, tuple(module.inputs))
        graph = gt.from_torch(program)
        if lacking := graph.unsupported():
            return "refused", "; ".join(f"{each.operator}: {each.why}" for each in lacking[:3])
    except gt.GriotteError as why:
        return "refused", str(why)[:300]
    if not graph.calls:
        return "folded", ""
    given = [array_of(each.detach()) for each in module.inputs if each.numel()]
    try:
        found = gt.compile(graph, table="none")(*given) if by_kernel else interpret(graph, *given)
    except gt.GriotteError as why:
        return ("refused" if by_kernel else "error"), f"{type(why).__name__}: {str(why)[:300]}"
    arrays = [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]
    is_reserved = operator.name.startswith(RESERVED)
    told = differs(arrays, list(wanted), module.inputs, is_reserved, in_f32(module, module.inputs))
    if not told:
        return "right", " ".join(sorted({value.call for value in graph.calls}))
    own = program.module()
    as_exported = differs(arrays, tensors(own(*module.inputs)), module.inputs, is_reserved, in_f32(own, module.inputs))
    return ("wrong", told) if as_exported else ("decomposed", f"the operator: {told}")


def differs(
    found: list[np.ndarray],
    wanted: list[torch.Tensor],
    inputs: list[torch.Tensor],
    is_reserved: bool,
    finer: list[torch.Tensor] | None,
) -> str:
    """What is wrong with an operator's results; "" where all are right."""
    from griotte.torch.tensors import array_of

    if len(found) != len(wanted):
        return f"{len(found)} results in place of {len(wanted)}"
    finer = finer if finer is not None and len(finer) == len(wanted) else None
    for place, (one, other) in enumerate(zip(found, wanted)):
        told = wrong(one, torch.zeros_like(other) if is_reserved else other, finer and finer[place])
        if not told or is_reserved and "times" in told:
            continue
        read = [array_of(each.detach().contiguous()) for each in inputs if each.layout == torch.strided]
        beside = [each for number, each in enumerate(found) if number != place]
        if not are_places(one, array_of(other.contiguous()), read, beside):
            return f"result {place}: {told}"
    return ""


def named(operator: Any) -> str:
    return f"{operator.name}.{operator.variant_test_name}" if operator.variant_test_name else operator.name


def operators(match: str) -> Iterator[Any]:
    from torch.testing._internal.common_methods_invocations import op_db

    return (each for each in op_db if match in named(each))


def run(given: argparse.Namespace, done: dict[tuple[str, str], Any]) -> None:
    """Every operator that is not done, a line each."""
    for operator in operators(given.match):
        for name in given.dtypes.split(","):
            if (named(operator), name) in done or DTYPES[name] not in operator.supported_dtypes("cpu"):
                continue
            torch.manual_seed(0)
            try:
                samples = spread(list(operator.sample_inputs("cpu", DTYPES[name], requires_grad=False)), given.most)
                with torch.no_grad():
                    rows = [timed(partial(tried, operator, each, given.kernel), given.limit) for each in samples]
            except Exception as why:
                rows = [("torch", f"no samples: {type(why).__name__}", 0.0)]
            torch._dynamo.reset()
            with given.out.open("a") as file:
                file.write(json.dumps([named(operator), name, rows]) + "\n")
            print(named(operator), name, dict(Counter(row[0] for row in rows)), flush=True)
            anew(given.memory)


def read(out: Path) -> dict[tuple[str, str], list[Any]]:
    """What is done, by operator and dtype."""
    lines = out.read_text().splitlines() if out.exists() else []
    return {(name, dtype): rows for name, dtype, rows in map(json.loads, lines)}


def summary(done: dict[tuple[str, str], Any]) -> str:
    counts = {
        dtype: Counter(row[0] for (_, own), rows in done.items() if own == dtype for row in rows) for dtype in DTYPES
    }
    lines = [f"| {dtype} | " + " | ".join(str(count[what]) for what in WHAT) + " |" for dtype, count in counts.items()]
    return "\n".join([f"| dtype | {' | '.join(WHAT)} |", "|---|" + "---:|" * len(WHAT), *lines])


WHAT = ("right", "folded", "decomposed", "refused", "wrong", "error", "torch")


def reasons(done: dict[tuple[str, str], Any]) -> Counter[str]:
    """Of what is refused, how many samples by the first reason."""
    return Counter(row[1].split("; ")[0][:140] for rows in done.values() for row in rows if row[0] == "refused")


def table(done: dict[tuple[str, str], Any]) -> str:
    """For each operator how many samples are right, refused and wrong."""
    by_operator: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for (name, _), rows in done.items():
        by_operator[name] += ((row[0], row[1].split("; ")[0]) for row in rows)
    return by_name("operator", by_operator)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, help="what became of samples, a line for each operator and dtype")
    parser.add_argument("--match", default="")
    parser.add_argument("--most", type=int, default=8, help="samples of an operator and dtype")
    parser.add_argument("--limit", type=float, default=30, help="seconds of a sample")
    parser.add_argument("--memory", type=float, default=3, help="GiB at which the process starts anew")
    parser.add_argument("--dtypes", default="f32,bf16")
    parser.add_argument("--kernel", action="store_true", help="compile graphs")
    parser.add_argument("--only-table", action="store_true", help="run nothing")
    parser.add_argument("--docs", type=Path, help="a page that the table of operators is written into")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    if not given.only_table:
        run(given, read(given.out))
    done = read(given.out)
    for (name, dtype), rows in done.items():
        for place, row in enumerate(rows):
            if row[0] in ("wrong", "error", "decomposed"):
                print(f"{row[0]} {name} {dtype} {place}: {row[1][-400:]}")
    for why, count in reasons(done).most_common(80):
        print(f"{count:5} {why}")
    print(summary(done))
    if given.docs:
        into_page(given.docs, BEGIN, f"{summary(done)}\n\n{table(done)}\n")


if __name__ == "__main__":
    main()

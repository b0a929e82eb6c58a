"""Whole models through torch.compile(backend="griotte") beside inductor: right, and how long a call takes.

    python benchmarks/torch_models.py [NAME ..] [--threads 2] [--out ROWS] [--docs docs/lab/torch/README.md]

NAME is one of benchmarks/model_zoo.py's; those of MODELS where none is given. How models race is told in
torch_racing.py. A model is found while it is first called, which takes up to some minutes for the largest.
"""

from __future__ import annotations

import argparse
from functools import partial

import torch
import torch_racing
from model_zoo import ZOO, settled

MODELS = ("mlp", "lenet", "bert_layer", "llama_block", "gpt2_step", "mobilenet_v3", "resnet18")


def made(name: str) -> torch_racing.Made:
    """A model, drawn from one seed, and what it is called with."""
    torch.manual_seed(0)
    module, inputs = ZOO[name]()
    settled(module)
    return module, inputs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ZOO)}")
    torch_racing.arguments(parser)
    given = parser.parse_args()
    with torch.no_grad():
        torch_racing.race("torch_models.py", {name: partial(made, name) for name in given.names or MODELS}, given)


if __name__ == "__main__":
    main()
